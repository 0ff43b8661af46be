"""Content lines of a page that was not rendered (NV, section 6.3): its tags alone say
where lines end.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import BLOCK, TagSet
from scythe.tree.text import line_breaks
from scythe.tree.tree import Tree, prefix_sums
from scythe.tree.visibility import visible
from scythe.wrappers.vints.lines import ContentLine, LineType, line_type, linked

LINE_ENDING = TagSet(" ".join(BLOCK.names - {"td", "th"})) | TagSet("br")
"""Cells of a table row stand side by side and are one line, as on the rendered page."""

SPACED = TagSet("p ul ol dl h1 h2 h3 h4 h5 h6 blockquote pre figure fieldset menu dir")
"""Elements that browsers set off with a blank line before and after."""

_RULE, _BREAK = TagSet("hr"), TagSet("br")


def tag_lines(tree: Tree) -> list[ContentLine]:
    """The content lines in document order."""
    texts = np.flatnonzero(tree.is_text & visible(tree))
    words = [" ".join(text.split()) for text in tree.text[texts].tolist()]
    seen = np.array([bool(text) for text in words], dtype=bool)
    texts = texts[seen]
    if not len(texts):
        return []
    words = [text for text in words if text]
    starts = np.flatnonzero(line_breaks(tree, texts, LINE_ENDING))
    stops = np.append(starts[1:], len(texts))
    lengths = np.array([len(text) for text in words])
    shares = np.add.reduceat(lengths * linked(tree)[texts], starts) / np.add.reduceat(
        lengths, starts
    )
    gaps = _Gaps(tree)
    lines: list[ContentLine] = []
    for start, stop, share in zip(
        starts.tolist(), stops.tolist(), shares.tolist(), strict=True
    ):
        node = int(texts[start])
        if start:
            lines.extend(gaps.lines(int(texts[start - 1]), node))
        text = " ".join(words[start:stop])
        lines.append(ContentLine(line_type(text, share), 0, node, text))
    return lines


class _Gaps:
    """What stands between two lines of characters: rules, and elements that leave a
    blank line.
    """

    def __init__(self, tree: Tree) -> None:
        spaced = tree.has_tag(SPACED)
        ended = np.bincount(tree.end[spaced], minlength=len(tree) + 1)[: len(tree)]
        self._spaced: NDArray[np.int64] = np.cumsum(spaced + ended)
        self._breaks = prefix_sums(tree.has_tag(_BREAK))
        self._rules = np.flatnonzero(tree.has_tag(_RULE))

    def lines(self, last: int, node: int) -> list[ContentLine]:
        """The lines without characters between the text node `last` of one line and
        `node` of the next.
        """
        first, stop = np.searchsorted(self._rules, (last, node))
        if first < stop:
            return [ContentLine(LineType.HR_LINE, 0, int(self._rules[first]))]
        if (
            self._spaced[node] > self._spaced[last]
            or self._breaks[node] - self._breaks[last] >= 2
        ):
            return [ContentLine(LineType.BLANK, 0, last)]
        return []
