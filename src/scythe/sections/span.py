"""Where a record is on its page, which of its text is read, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import NamedTuple

import numpy as np

from scythe.tree.tags import BREAKING, KNOWN, TagSet
from scythe.tree.text import line_breaks
from scythe.tree.tree import Bools, Tree

NO_RECORD_TEXT = TagSet("script style template head noscript")
"""Elements whose text is no part of a record. What is hidden until a click, and the
words on buttons, are part of it: pages fold away half of a record, and the truth of
every labelled set has them.
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
    """Return which nodes can hold text of records."""
    is_ignored = tree.below(tree.has_tag(NO_RECORD_TEXT))
    return ~is_ignored


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
    node_texts = tree.text[nodes].tolist()
    pieces = list(map(add, gaps.tolist(), node_texts))

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
