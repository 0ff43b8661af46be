"""Which text of a page can be part of records, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

import numpy as np

from scythe.tree.tags import KNOWN, TagSet
from scythe.tree.text import BREAKING, line_breaks
from scythe.tree.tree import Bools, Tree
from scythe.wrappers.span import Span

UNREAD = TagSet("script style template head noscript")
"""Elements whose text is no part of a record. What is hidden until a click, and the
words on buttons, are part of it: pages fold away half of a record, and the truth of
every labelled set has them.
"""

FORMATTING = TagSet(
    "b i em strong sub sup mark font u s small big tt code abbr acronym cite q var wbr strike del ins nobr kbd samp bdi bdo"
)
"""Elements that may begin or end inside a word: `Py<b>thon</b>` is one."""

_PARTING = TagSet(" ".join(name for name in KNOWN[1:] if name not in FORMATTING))
"""All others part words: records are full of spans and links with nothing but style
between them.
"""

_LINE = "\x1e"
"""Marks the end of a line while white space is collapsed."""


def readable(tree: Tree) -> Bools:
    """The nodes whose text is part of records."""
    return ~tree.below(tree.has_tag(UNREAD))


def texts_of(tree: Tree, spans: Sequence[Span]) -> list[str]:
    """The text of each record: one line a block, words parted as a reader sees them."""
    if not spans:
        return []
    first, last = spans[0].start, spans[-1].stop
    nodes = np.flatnonzero((readable(tree) & tree.is_text)[first:last]) + first
    before = np.where(line_breaks(tree, nodes, _PARTING), " ", "")
    before[line_breaks(tree, nodes, BREAKING)] = _LINE
    pieces = list(map(add, before.tolist(), tree.text[nodes].tolist()))
    bounds = np.searchsorted(
        nodes, [bound for span in spans for bound in span]
    ).tolist()
    return [
        _lines("".join(pieces[start:stop]))
        for start, stop in zip(bounds[::2], bounds[1::2], strict=True)
    ]


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split(_LINE))
    return "\n".join(line for line in lines if line)
