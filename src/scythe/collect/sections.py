"""Sections of a page: what stands under each of its headings, up to the next heading of the same rank.

Many pages have no element around an attribute: a heading says "Ingredients", lists and paragraphs follow, and the next heading
ends it. Templates see such lists as siblings that come and go. A heading is a name that the site itself gave, and it mostly
survives a redesign; so every section is a slot of its own, the same in all clusters of a collection, beside the slots of
templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scythe.tree.tags import TagSet
from scythe.tree.text import line_borders
from scythe.tree.tree import Tree
from scythe.tree.visibility import visible

LONGEST_HEADING = 60
"""Characters of a heading that can be the name of an attribute; longer ones are titles or sentences."""
MAX_SECTIONS = 60
"""Sections read of a page."""
LINKED = 0.5
"""Share of a box's text in links above which the box is about other pages, and ends the section."""

_HEADINGS = TagSet("h1 h2 h3 h4 h5 h6")
_BOXES = TagSet("div section header")
_ENDS = TagSet("aside nav footer form")
_LINK = TagSet("a")
_EDGE = re.compile(r"^[^\w(]+|[^\w)]+$")


def sections(tree: Tree) -> dict[str, list[str]]:
    """The lines under each heading, by its words in small letters; of headings that are there twice, the lines of both."""
    found: dict[str, list[str]] = {}
    page = _Page(tree)
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
    """The headings of a page that can be names, each with the slices that stand under it."""
    tree = page.tree
    headings = np.flatnonzero(tree.having(_HEADINGS) & page.seen).tolist()
    ranks = {node: int(tree.name(node)[1]) for node in headings}
    for place, node in enumerate(headings[: MAX_SECTIONS + 1]):
        name = heading_key(page.text(node, int(tree.end[node])))
        if name and ranks[node] > 1:
            stop = next((other for other in headings[place + 1 :] if ranks[other] <= ranks[node]), len(tree))
            yield name, list(page.pieces(node, stop))


def heading_key(text: str) -> str:
    """The words of a heading in small letters, without what stands around them; empty where it is no name."""
    text = " ".join(text.split())
    return _EDGE.sub("", text).casefold() if len(text) <= LONGEST_HEADING else ""


class _Page:
    """The lines of a page and where each begins."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.seen = visible(tree)
        nodes = np.flatnonzero(self.seen & tree.is_text)
        borders = line_borders(tree)[nodes]
        self._nodes = nodes
        self._first = np.flatnonzero(np.diff(borders, prepend=-1))
        self._texts = tree.text[nodes].tolist()
        lengths = np.zeros(len(tree), dtype=np.int32)
        lengths[nodes] = [len(text.strip()) for text in self._texts]
        self._length = np.concatenate([[0], np.cumsum(lengths)])
        self._linked = np.concatenate([[0], np.cumsum(np.where(tree.below(tree.having(_LINK)), lengths, 0))])

    def lines(self, start: int, stop: int) -> Iterator[str]:
        """The lines of text whose nodes stand in a slice of the page."""
        low, high = np.searchsorted(self._nodes, [start, stop]).tolist()
        inside = self._first[slice(*np.searchsorted(self._first, [low + 1, high]))]
        for begin, end in pairwise([low, *inside.tolist(), high]):
            if line := " ".join("".join(self._texts[begin:end]).split()):
                yield line

    def text(self, start: int, stop: int) -> str:
        """All text of a slice of the page."""
        low, high = np.searchsorted(self._nodes, [start, stop]).tolist()
        return "".join(self._texts[low:high])

    def pieces(self, heading: int, stop: int) -> Iterator[tuple[int, int]]:
        """The slices that make up the section of a heading: what follows it beside it, up to a box of links or to `stop`."""
        tree = self.tree
        node = heading
        while (parent := int(tree.parent[node])) >= 0:
            end = min(int(tree.end[parent]), stop)
            if self._length[end] > self._length[int(tree.end[node])]:
                break
            if int(tree.end[parent]) >= stop:
                return
            node = parent
        place, end = int(tree.end[node]), min(int(tree.end[max(parent, 0)]), stop)
        while place < end:
            after = min(int(tree.end[place]), end)
            tag = tree.tag[place : place + 1]
            if _ENDS.mask(tag)[0] or (_BOXES.mask(tag)[0] and self._is_linked(place, after)):
                return
            yield place, after
            place = after

    def _is_linked(self, start: int, stop: int) -> bool:
        total = int(self._length[stop] - self._length[start])
        return total > 0 and int(self._linked[stop] - self._linked[start]) > LINKED * total
