"""Sections of a page: what stands under each of its headings, up to the next heading of
the same rank.

Many pages have no element around a field: a heading says "Ingredients", lists and
paragraphs follow, and the next heading ends it. Templates see such lists as siblings
that come and go. A heading is a name that the site itself gave, and it mostly survives
a redesign; so every section is a slot of its own, the same in all clusters of a
collection, beside the slots of templates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from scythe.tree.tags import TagSet, code
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools, Ints, Tree, prefix_sums
from scythe.tree.visibility import text_sizes, visible, visible_lengths

MAX_HEADING = 60
"""Characters of a heading that can be the name of a field; longer ones are titles or
sentences.
"""
MAX_SECTIONS = 60
"""Sections read of a page: an arbitrary cap against hostile pages."""
MAX_LINKED = 0.5
"""Share of a box's text in links above which the box is about other pages, and ends the
section. Not tuned.
"""

_HEADINGS = TagSet("h1 h2 h3 h4 h5 h6")
_BOXES = frozenset(map(code, ("div", "section", "header")))
_ENDS = frozenset(map(code, ("aside", "nav", "footer", "form")))
_LINK = TagSet("a")
_EDGE = re.compile(r"^[^\w(]+|[^\w)]+$")

_Spans = list[tuple[int, int]]
"""Slices of a page: the first node and the node after the last."""


def section_lines(tree: Tree, page: VisibleLines | None = None) -> dict[str, list[str]]:
    """Return the lines under each heading, by its words in small letters; of headings
    that are there twice, the lines of both. Headings inside a section are no lines of
    it, unless there are no others.

    `page` is the lines that a reader sees of the page, where these are known.
    """
    found: dict[str, list[str]] = {}
    page = page or VisibleLines(tree)
    for name, spans in _headed_spans(page):
        lines: list[str] = []
        for start, end in spans:
            for below, stop in page.without_headings(start, end):
                lines.extend(page.lines(below, stop))
        if not lines:
            for start, end in spans:
                lines.extend(page.lines(start, end))
        if lines:
            found.setdefault(name, []).extend(lines)
    return found


def section_spans(tree: Tree) -> dict[str, _Spans]:
    """Return where the section of each heading stands."""
    found: dict[str, _Spans] = {}
    for name, spans in _headed_spans(VisibleLines(tree)):
        found.setdefault(name, []).extend(spans)
    return found


def _headed_spans(page: VisibleLines) -> Iterator[tuple[str, _Spans]]:
    """Yield the headings of a page that can be names, each with the slices that stand
    under it.
    """
    tree = page.tree
    is_heading = tree.has_tag(_HEADINGS) & page.seen
    headings = np.flatnonzero(is_heading).tolist()
    ranks = {}
    for node in headings:
        level = tree.name(node)[1]
        ranks[node] = int(level)

    for index, node in enumerate(headings[: MAX_SECTIONS + 1]):
        end = int(tree.end[node])
        text = page.text(node, end)
        name = heading_name(text)
        if not name or ranks[node] == 1:
            continue
        later_headings = headings[index + 1 :]
        stop = len(tree)
        for other in later_headings:
            if ranks[other] <= ranks[node]:
                stop = other
                break
        spans = list(page.section_spans(node, stop))
        yield name, spans


def heading_name(text: str) -> str:
    """Return the words of a heading in small letters, without what stands around them;
    empty where it is no name.
    """
    text = " ".join(text.split())
    if len(text) > MAX_HEADING:
        return ""
    return _EDGE.sub("", text).casefold()


class VisibleLines:
    """The lines of a page and where each begins. Plain lists: a section asks for few
    nodes, one at a time.
    """

    def __init__(self, tree: Tree, seen: Bools | None = None) -> None:
        self.tree = tree
        self.seen = visible(tree) if seen is None else seen
        nodes = np.flatnonzero(self.seen & tree.is_text)
        borders = line_borders(tree)[nodes]
        border_steps = np.diff(borders, prepend=-1)
        line_starts = np.flatnonzero(border_steps)
        self._nodes: list[int] = nodes.tolist()
        self._line_starts: list[int] = line_starts.tolist()
        self._texts: list[str] = tree.text[nodes].tolist()

        lengths = np.where(self.seen, visible_lengths(tree), 0)
        is_linked = tree.below(tree.has_tag(_LINK))
        linked_lengths = np.where(is_linked, lengths, 0)
        self._length_before: list[int] = prefix_sums(lengths).tolist()
        self._linked_before: list[int] = prefix_sums(linked_lengths).tolist()
        self._end: list[int] = tree.end.tolist()
        self._tag: list[int] = tree.tag.tolist()
        self._headings: list[int] = np.flatnonzero(tree.has_tag(_HEADINGS)).tolist()

    def lines(self, start: int, stop: int) -> Iterator[str]:
        """Yield the lines of text whose nodes stand in a slice of the page."""
        low = bisect_left(self._nodes, start)
        high = bisect_left(self._nodes, stop)
        first = bisect_right(self._line_starts, low)
        last = bisect_left(self._line_starts, high)
        if first >= last:
            yield from self._line(low, high)
            return
        inner = self._line_starts[first:last]
        yield from self._line(low, inner[0])
        yield from filter(None, self._whole_lines[first : last - 1])
        yield from self._line(inner[-1], high)

    def _line(self, begin: int, end: int) -> Iterator[str]:
        """Yield the line that some texts make, if it has any words."""
        text = "".join(self._texts[begin:end])
        line = " ".join(text.split())
        if line:
            yield line

    @cached_property
    def sizes(self) -> Ints:
        """How much text every node has that a reader sees."""
        return text_sizes(self.tree, self.seen)

    @cached_property
    def _whole_lines(self) -> list[str]:
        """All lines of the page, empty ones, too."""
        borders = [*self._line_starts, len(self._nodes)]
        lengths = [self._length_before[node] for node in self._nodes]
        lengths.append(self._length_before[-1])
        lines = [""] * len(self._line_starts)
        for number, (begin, end) in enumerate(pairwise(borders)):
            if lengths[begin] < lengths[end]:  # most lines are blank
                text = "".join(self._texts[begin:end])
                lines[number] = " ".join(text.split())
        return lines

    def line_slices(self) -> Iterator[tuple[int, int, str]]:
        """Yield all lines of the page, each with the first of its nodes and the one
        after the last.
        """
        borders = pairwise([*self._line_starts, len(self._nodes)])
        for (begin, end), line in zip(borders, self._whole_lines, strict=True):
            if line:
                first = self._nodes[begin]
                last = self._nodes[end - 1]
                yield first, last + 1, line

    def without_headings(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield what a slice of the page has between the headings in it."""
        first = bisect_left(self._headings, start)
        for heading in self._headings[first : bisect_left(self._headings, stop)]:
            if start < heading:
                yield start, heading
            start = self._end[heading]
        if start < stop:
            yield start, stop

    def text(self, start: int, stop: int) -> str:
        """Return all text of a slice of the page."""
        low = bisect_left(self._nodes, start)
        high = bisect_left(self._nodes, stop)
        return "".join(self._texts[low:high])

    def section_spans(self, heading: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the slices that make up the section of a heading: what follows it
        beside it, up to a box of links or to `stop`.
        """
        ends = self._end
        lengths = self._length_before
        node = heading
        while (parent := int(self.tree.parent[node])) >= 0:
            parent_end = min(ends[parent], stop)
            if lengths[parent_end] > lengths[ends[node]]:
                break
            if ends[parent] >= stop:
                return
            node = parent

        sibling = ends[node]
        parent_end = ends[max(parent, 0)]
        end = min(parent_end, stop)
        while sibling < end:
            following = min(ends[sibling], end)
            tag = self._tag[sibling]
            if tag in _ENDS:
                return
            if tag in _BOXES and self._is_mostly_links(sibling, following):
                return
            yield sibling, following
            sibling = following

    def _is_mostly_links(self, start: int, stop: int) -> bool:
        lengths = self._length_before
        linked_lengths = self._linked_before
        total = lengths[stop] - lengths[start]
        linked = linked_lengths[stop] - linked_lengths[start]
        return total > 0 and linked > MAX_LINKED * total
