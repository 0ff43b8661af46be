"""Where a record is on its page, which of its text is read, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import BREAKING, KNOWN, TagSet
from scythe.tree.text import line_breaks
from scythe.tree.tree import Bools, Tree

NO_RECORD_TEXT = TagSet("script style template head noscript")
"""Elements whose text is no part of a record, but for pages that stand in `<noscript>`.

What is hidden until a click, and the words on buttons, are part of it: pages fold away
half of a record, and the truth of every labelled set has them.
"""

_WITHOUT_SCRIPT = TagSet("noscript")
_NEVER_READ = TagSet("script style template head")
MIN_TEXTS_WITHOUT_SCRIPT = 20
"""Texts in `<noscript>` from which they can be the page: most are a counter's picture or
a sentence. A bound on work, not tuned.
"""

WITHIN_WORDS = TagSet(
    "b i em strong sub sup mark font u s small big tt code abbr acronym cite q var wbr "
    "strike del ins nobr kbd samp bdi bdo"
)
"""Elements that may begin or end inside a word: `Py<b>thon</b>` is one."""

_BETWEEN_WORDS = TagSet(
    " ".join(name for name in KNOWN[1:] if name not in WITHIN_WORDS)
)
"""All others part words: records are full of spans and links with nothing but style
between them.
"""

_LINE_END = "\x1e"
"""Marks the end of a line while white space is collapsed."""


class Span(NamedTuple):
    """The nodes start..stop in document order: one subtree, or several that stand side
    by side.

    A record is often one element, but as often a run of siblings with no element of its
    own (a heading and the paragraphs under it, two table rows). A slice of the flat
    tree is both.
    """

    start: int
    stop: int


def record_text_nodes(tree: Tree) -> Bools:
    """Return which nodes can hold text of records.

    `<noscript>` is read where most of the text stands in it: forum programs that build
    their pages by script write them there for everybody else.
    """
    is_read = ~tree.below(tree.has_tag(NO_RECORD_TEXT))
    without_script = tree.has_tag(_WITHOUT_SCRIPT)
    if not without_script.any():
        return is_read
    is_text_read = ~tree.below(tree.has_tag(_NEVER_READ))
    is_inside = tree.below(without_script) & is_text_read
    if _is_most_text(tree, is_inside, is_read):
        return is_read | is_inside
    return is_read


def _is_most_text(tree: Tree, inside: Bools, outside: Bools) -> bool:
    """Return whether nodes hold more text than others do."""
    inner_nodes = np.flatnonzero(inside & tree.is_text)
    if len(inner_nodes) < MIN_TEXTS_WITHOUT_SCRIPT:
        return False
    outer_nodes = np.flatnonzero(outside & tree.is_text)
    return _word_count(tree, inner_nodes) > _word_count(tree, outer_nodes)


def _word_count(tree: Tree, nodes: NDArray[np.int64]) -> int:
    return len("".join(tree.texts(nodes)).split())


def span_texts(tree: Tree, spans: Sequence[Span]) -> list[str]:
    """Return the text of each record: one line a block, words parted as a reader sees
    them.
    """
    if not spans:
        return []
    first = spans[0].start
    last = spans[-1].stop
    is_read = record_text_nodes(tree) & tree.is_text
    nodes = np.flatnonzero(is_read[first:last]) + first

    parts_words = line_breaks(tree, nodes, _BETWEEN_WORDS)
    ends_line = line_breaks(tree, nodes, BREAKING)
    gaps = np.where(parts_words, " ", "")
    gaps[ends_line] = _LINE_END
    pieces = list(map(add, gaps.tolist(), tree.texts(nodes)))

    first_nodes = [span.start for span in spans]
    last_nodes = [span.stop for span in spans]
    starts = np.searchsorted(nodes, first_nodes).tolist()
    stops = np.searchsorted(nodes, last_nodes).tolist()
    texts = []
    for start, stop in zip(starts, stops, strict=True):
        text = "".join(pieces[start:stop])
        texts.append(_with_line_breaks(text))
    return texts


def _with_line_breaks(text: str) -> str:
    raw_lines = text.split(_LINE_END)
    lines = [" ".join(line.split()) for line in raw_lines]
    return "\n".join(filter(None, lines))
