"""Where a record is on its page."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """The nodes start..stop in document order: one subtree, or several that stand side
    by side.

    A record is often one element, but as often a run of siblings with no element of its
    own (a heading and the paragraphs under it, two table rows). A slice of the flat
    tree is both.
    """

    start: int
    stop: int
