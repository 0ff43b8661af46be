"""Sections of a page: what stands under each of its headings, up to the next heading of
the same rank.

Many pages have no element around an attribute: a heading says "Ingredients", lists and
paragraphs follow, and the next heading ends it. Templates see such lists as siblings
that come and go. A heading is a name that the site itself gave, and it mostly survives
a redesign; so every section is a slot of its own, the same in all clusters of a
collection, beside the slots of templates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scythe.tree.tags import TagSet, code
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools, Tree, prefix_sums
from scythe.tree.visibility import visible

LONGEST_HEADING = 60
"""Characters of a heading that can be the name of an attribute; longer ones are titles
or sentences.
"""
MAX_SECTIONS = 60
"""Sections read of a page."""
LINKED = 0.5
"""Share of a box's text in links above which the box is about other pages, and ends the
section.
"""

_HEADINGS = TagSet("h1 h2 h3 h4 h5 h6")
_BOXES = frozenset(map(code, ("div", "section", "header")))
_ENDS = frozenset(map(code, ("aside", "nav", "footer", "form")))
_LINK = TagSet("a")
_EDGE = re.compile(r"^[^\w(]+|[^\w)]+$")


def sections(tree: Tree, seen: Bools | None = None) -> dict[str, list[str]]:
    """The lines under each heading, by its words in small letters; of headings that are
    there twice, the lines of both.

    `seen` is what a reader sees of the page, where that is known.
    """
    found: dict[str, list[str]] = {}
    page = _Page(tree, seen)
    for name, pieces in _pieces(page):
        if lines := [line for start, end in pieces for line in page.lines(start, end)]:
            found.setdefault(name, []).extend(lines)
    return found


def section_places(tree: Tree) -> dict[str, list[tuple[int, int]]]:
    """Where the section of each heading stands: slices of the page."""
    found: dict[str, list[tuple[int, int]]] = {}
    for name, pieces in _pieces(_Page(tree)):
        found.setdefault(name, []).extend(pieces)
    return found


def _pieces(page: _Page) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The headings of a page that can be names, each with the slices that stand under
    it.
    """
    tree = page.tree
    headings = np.flatnonzero(tree.has_tag(_HEADINGS) & page.seen).tolist()
    ranks = {node: int(tree.name(node)[1]) for node in headings}
    for place, node in enumerate(headings[: MAX_SECTIONS + 1]):
        name = heading_key(page.text(node, int(tree.end[node])))
        if name and ranks[node] > 1:
            stop = next(
                (
                    other
                    for other in headings[place + 1 :]
                    if ranks[other] <= ranks[node]
                ),
                len(tree),
            )
            yield name, list(page.pieces(node, stop))


def heading_key(text: str) -> str:
    """The words of a heading in small letters, without what stands around them; empty
    where it is no name.
    """
    text = " ".join(text.split())
    return _EDGE.sub("", text).casefold() if len(text) <= LONGEST_HEADING else ""


class _Page:
    """The lines of a page and where each begins. Plain lists: a section asks for few
    places, one at a time.
    """

    def __init__(self, tree: Tree, seen: Bools | None = None) -> None:
        self.tree = tree
        self.seen = visible(tree) if seen is None else seen
        nodes = np.flatnonzero(self.seen & tree.is_text)
        borders = line_borders(tree)[nodes]
        self._nodes: list[int] = nodes.tolist()
        self._first: list[int] = np.flatnonzero(np.diff(borders, prepend=-1)).tolist()
        self._texts: list[str] = tree.text[nodes].tolist()
        lengths = np.zeros(len(tree), dtype=np.int32)
        lengths[nodes] = [len(text.strip()) for text in self._texts]
        self._length: list[int] = prefix_sums(lengths).tolist()
        self._linked: list[int] = prefix_sums(
            np.where(tree.below(tree.has_tag(_LINK)), lengths, 0)
        ).tolist()
        self._end: list[int] = tree.end.tolist()
        self._tag: list[int] = tree.tag.tolist()

    def lines(self, start: int, stop: int) -> Iterator[str]:
        """The lines of text whose nodes stand in a slice of the page."""
        low, high = bisect_left(self._nodes, start), bisect_left(self._nodes, stop)
        inside = self._first[
            bisect_right(self._first, low) : bisect_left(self._first, high)
        ]
        for begin, end in pairwise([low, *inside, high]):
            if line := " ".join("".join(self._texts[begin:end]).split()):
                yield line

    def text(self, start: int, stop: int) -> str:
        """All text of a slice of the page."""
        return "".join(
            self._texts[
                bisect_left(self._nodes, start) : bisect_left(self._nodes, stop)
            ]
        )

    def pieces(self, heading: int, stop: int) -> Iterator[tuple[int, int]]:
        """The slices that make up the section of a heading: what follows it beside it,
        up to a box of links or to `stop`.
        """
        ends, node = self._end, heading
        while (parent := int(self.tree.parent[node])) >= 0:
            if self._length[min(ends[parent], stop)] > self._length[ends[node]]:
                break
            if ends[parent] >= stop:
                return
            node = parent
        place, end = ends[node], min(ends[max(parent, 0)], stop)
        while place < end:
            after = min(ends[place], end)
            tag = self._tag[place]
            if tag in _ENDS or (tag in _BOXES and self._is_linked(place, after)):
                return
            yield place, after
            place = after

    def _is_linked(self, start: int, stop: int) -> bool:
        total = self._length[stop] - self._length[start]
        return total > 0 and self._linked[stop] - self._linked[start] > LINKED * total
