"""Units: the tables, lists, quotes and code blocks that a reader takes as one thing.

A model that decides about single lines leaves holes: a table without its linked first
cells, a list without one of its items. What is a unit is said here, whether it belongs
to the content is decided where the lines are scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Bools, Ints, Tree, prefix_sums
from scythe.tree.visibility import visible, visible_lengths

MAX_BLOCKS_PER_CELL = 2.0
MAX_BLOCKS_PER_ITEM = 2.5
"""Blocks that a cell or an item may hold on average. Tables and lists with more lay out
a page, or hold posts or products that are records of their own. Items of 1.5 to 8
blocks measure alike (two folds of wcxb).
"""
MIN_CELLS_PER_ROW = 1.5
"""Tables with fewer are lists or frames. A plain bound, not tuned."""
MAX_PAGE_SHARE = 0.5
"""Of the words of a page: a quote or preformatted text that holds more is the page
itself, indented. A plain bound, not tuned.
"""

MIN_PARAGRAPH = 60
"""Characters of a selected paragraph that shows where the text is. Not tuned."""
MAX_SELECTED = 0.1
"""Of the text of a list that counts as left out: others were decided about."""
MAX_LIST = 0.5
"""Length of a list to that of the selected paragraphs around it: a longer one is what
the page is about, or a menu. A plain bound, not tuned.
"""

_TABLE, _DL = code("table"), code("dl")
LIST = TagSet("ul ol menu dir")
_LISTS = frozenset(map(code, LIST.names))
UNIT = TagSet("table ul ol menu dir dl pre listing blockquote")
ROW, CELL = TagSet("tr"), TagSet("td th")
ITEM, DEFINITION = TagSet("li"), TagSet("dt dd")
ENCLOSED, PARAGRAPH = TagSet("ul ol dl"), TagSet("p")


def find_units(
    tree: Tree, first_nodes: Ints, words: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the number of the unit that each block stands in, -1 for none. Of nested
    units the outermost counts.

    A block is given by its first text node, in document order, and its words.
    """
    unit_of = np.full(len(first_nodes), -1, dtype=np.int64)
    candidates = np.flatnonzero(tree.has_tag(UNIT))
    low = np.searchsorted(first_nodes, candidates)
    high = np.searchsorted(first_nodes, tree.end[candidates])
    has_blocks = high - low > 1
    spans = zip(
        candidates[has_blocks].tolist(),
        low[has_blocks].tolist(),
        high[has_blocks].tolist(),
        strict=True,
    )
    elements = _Elements(tree, words)
    number = 0
    stop = 0
    for node, first, last in spans:
        if first >= stop and elements.is_unit(node, first, last):
            unit_of[first:last] = number
            number += 1
            stop = last
    return unit_of


@dataclass(frozen=True, eq=False)
class _Elements:
    """What elements hold, in two look-ups each."""

    tree: Tree
    words: NDArray[np.int64]

    def is_unit(self, node: int, first: int, last: int) -> bool:
        """Return whether an element with these blocks is one thing to a reader."""
        tag = int(self.tree.tag[node])
        blocks = last - first
        if tag == _TABLE:
            rows = self._below(self._rows, node)
            cells = self._below(self._cells, node)
            is_grid = rows > 1 and cells >= MIN_CELLS_PER_ROW * rows
            return is_grid and self._is_plain(node, blocks, MAX_BLOCKS_PER_CELL * cells)
        if tag in _LISTS:
            items = self._below(self._items, node)
            most = MAX_BLOCKS_PER_ITEM * items
            return items > 1 and self._is_plain(node, blocks, most)
        if tag == _DL:
            definitions = self._below(self._definitions, node)
            most = MAX_BLOCKS_PER_ITEM * definitions
            return definitions > 1 and self._is_plain(node, blocks, most)
        words = int(self._words[last] - self._words[first])
        return words < MAX_PAGE_SHARE * int(self._words[-1])

    def _is_plain(self, node: int, blocks: int, most: float) -> bool:
        """Return whether an element has no table below and few enough blocks."""
        return blocks <= most and not self._below(self._tables, node)

    def _below(self, sums: NDArray[np.int64], node: int) -> int:
        return int(sums[self.tree.end[node]] - sums[node + 1])

    @cached_property
    def _words(self) -> NDArray[np.int64]:
        return prefix_sums(self.words)

    @cached_property
    def _tables(self) -> NDArray[np.int64]:
        return prefix_sums(self.tree.tag == _TABLE)

    @cached_property
    def _rows(self) -> NDArray[np.int64]:
        return prefix_sums(self.tree.has_tag(ROW))

    @cached_property
    def _cells(self) -> NDArray[np.int64]:
        return prefix_sums(self.tree.has_tag(CELL))

    @cached_property
    def _items(self) -> NDArray[np.int64]:
        return prefix_sums(self.tree.has_tag(ITEM))

    @cached_property
    def _definitions(self) -> NDArray[np.int64]:
        return prefix_sums(self.tree.has_tag(DEFINITION))


def with_enclosed_lists(tree: Tree, selected: Bools) -> Bools:
    """Return a selection with the lists, mostly of links, that stand between selected
    paragraphs, in the same element: the contents of an article, its tools, its sources.

    On two folds of all sets, by small models that saw none of the domains, 47 lists were
    left out between paragraphs, 40 of them content; of 46 behind the last one 14 are.
    """
    if not tree.has_any(ENCLOSED) or not tree.has_any(PARAGRAPH):
        return selected
    lengths = visible_lengths(tree)
    length = tree.totals(lengths)
    selected_length = tree.totals(lengths * selected)
    is_left_out = selected_length <= MAX_SELECTED * length
    is_left_out &= length > 0
    is_left_out &= tree.has_tag(ENCLOSED)
    lists = np.flatnonzero(is_left_out)
    if not len(lists):
        return selected

    is_content = 2 * selected_length > length
    is_content &= selected_length >= MIN_PARAGRAPH
    is_content &= tree.has_tag(PARAGRAPH)
    paragraphs = np.flatnonzero(is_content)
    parents = tree.parent[paragraphs]
    size = len(tree)
    first = np.full(size, size)
    first[parents[::-1]] = paragraphs[::-1]
    last = np.full(size, -1)
    last[parents] = paragraphs
    around = np.bincount(parents, selected_length[paragraphs], minlength=size)

    parent = tree.parent[lists]
    is_between = first[parent] < lists
    is_between &= last[parent] > lists
    is_between &= length[lists] <= MAX_LIST * around[parent]
    roots = np.zeros(size, dtype=bool)
    roots[lists[is_between]] = True
    added = tree.below(roots) & tree.is_text
    return selected | (added & visible(tree))
