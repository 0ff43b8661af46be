"""How alike spans are, by the shapes of elements that each of them has.

A set of shapes is one number with a bit for each shape: what two spans have in common
is one operation, whatever they hold. Pages with very many shapes, which no real page
has, are compared by tables of bounded size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Ints, Tree

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]

MAX_TABLE_CELLS = 4_000_000
"""Cells of a table of shapes; beyond, several shapes share a column. A bound on work and
memory: records of real pages have some hundred shapes together.
"""
MAX_PAGE_BITS = 1 << 28
"""Bits of the sets of all elements of a page, beyond which tables are made instead: 32
MB. A bound on memory.
"""


def mean(values: Floats) -> float:
    """Return the mean, of the sum from the first to the last."""
    total = float(np.add.accumulate(values)[-1])
    return total / len(values)


class Usual(NamedTuple):
    """How spans compare with the shapes that at least half of them have."""

    likeness: Floats
    """The share of shapes that each span has in common with what is usual."""
    share: Floats
    """The share of the usual shapes that each span has."""


class ComparedSpans(Protocol):
    """Spans that are compared with each other. Likeness is the share of the shapes of
    either of two spans that both have; 1 where neither has any.
    """

    def like_next(self) -> Floats:
        """Return how alike each span is to the one behind it."""

    def like(self, index: int) -> Floats:
        """Return how alike each span is to one of them."""

    def usual(self) -> Usual:
        """Return how the spans compare with what is usual among them."""


class PageShapes:
    """The shapes of a page, a number for each element and 0 for text."""

    def __init__(self, tree: Tree, shape: Ints) -> None:
        self._tree = tree
        self._shape = shape
        self._count = int(shape.max()) + 1

    def compare(self, starts: Nodes, stops: Nodes) -> ComparedSpans:
        """Return spans to be compared."""
        cells = len(starts) * self._count
        page_bits = len(self._tree) * self._count
        if cells > MAX_TABLE_CELLS or page_bits > MAX_PAGE_BITS:
            table = shape_table(self._shape, starts, stops)
            return _Table(table)
        sets = []
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            found = self._span_set(start, stop)
            sets.append(found)
        return _Sets(sets)

    @cached_property
    def _ends(self) -> list[int]:
        ends: list[int] = self._tree.end.tolist()
        return ends

    @cached_property
    def _sets(self) -> list[int]:
        """The shapes of every element and all below it."""
        bits = [1 << number for number in range(self._count)]
        bits[0] = 0
        sets = [bits[number] for number in self._shape.tolist()]
        parents = self._tree.parent.tolist()
        for node in range(len(sets) - 1, 0, -1):
            sets[parents[node]] |= sets[node]
        return sets

    def _span_set(self, start: int, stop: int) -> int:
        found = self._sets[start]
        node = self._ends[start]
        while node < stop:
            found |= self._sets[node]
            node = self._ends[node]
        return found


class _Sets:
    """Spans as sets of shapes."""

    def __init__(self, sets: Sequence[int]) -> None:
        self._sets = sets

    def like_next(self) -> Floats:
        likeness = []
        for one, other in pairwise(self._sets):
            likeness.append(_likeness(one, other))
        return np.array(likeness, dtype=np.float64)

    def like(self, index: int) -> Floats:
        return self._like_set(self._sets[index])

    def _like_set(self, other: int) -> Floats:
        found = {shapes: _likeness(shapes, other) for shapes in set(self._sets)}
        return np.array([found[shapes] for shapes in self._sets])

    def usual(self) -> Usual:
        usual = usual_bits(self._sets)
        size = max(usual.bit_count(), 1)
        shares = []
        for shapes in self._sets:
            common = shapes & usual
            shares.append(common.bit_count() / size)
        likeness = self._like_set(usual)
        return Usual(likeness, np.array(shares))


def usual_bits(sets: Sequence[int]) -> int:
    """Return the bits that at least half of the numbers have.

    They are added column by column: `planes` are the digits of the sums, the ones
    first.
    """
    planes: list[int] = []
    for number, times in Counter(sets).items():
        for digit in range(times.bit_length()):
            if times >> digit & 1:
                _add(planes, number, digit)
    least = (len(sets) + 1) // 2
    every = 0
    for plane in planes:
        every |= plane
    planes += [0] * (least.bit_length() - len(planes))

    more, same = 0, every
    for digit in range(len(planes) - 1, -1, -1):
        if least >> digit & 1:
            same &= planes[digit]
        else:
            more |= same & planes[digit]
            same &= ~planes[digit]
    return more | same


def _add(planes: list[int], number: int, digit: int) -> None:
    """Add one in every column in which a number has a bit."""
    while number:
        if digit >= len(planes):
            planes.extend([0] * (digit + 1 - len(planes)))
        planes[digit], number = planes[digit] ^ number, planes[digit] & number
        digit += 1


def _likeness(one: int, other: int) -> float:
    either = (one | other).bit_count()
    return (one & other).bit_count() / either if either else 1.0


class _Table:
    """Spans as rows of a table with a column for each shape."""

    def __init__(self, table: Bools) -> None:
        self._table = table

    def like_next(self) -> Floats:
        return jaccard(self._table[:-1], self._table[1:])

    def like(self, index: int) -> Floats:
        return jaccard(self._table, self._table[index])

    def usual(self) -> Usual:
        usual = self._table.mean(axis=0) >= 0.5
        common_counts = np.count_nonzero(self._table & usual, axis=1)
        usual_count = max(np.count_nonzero(usual), 1)
        return Usual(jaccard(self._table, usual), common_counts / usual_count)


def shape_table(shape: Ints, starts: Nodes, stops: Nodes) -> Bools:
    """Return which of the shapes that occur (columns) each of the records (rows) has."""
    sizes = stops - starts
    records = np.arange(len(starts))
    rows = np.repeat(records, sizes)
    first_of_row = np.cumsum(sizes) - sizes
    shifts = np.repeat(starts - first_of_row, sizes)
    nodes = np.arange(len(rows)) + shifts
    shapes = shape[nodes]
    is_element = shapes > 0

    kinds, columns = np.unique(shapes[is_element], return_inverse=True)
    width = len(kinds)
    if width * len(starts) > MAX_TABLE_CELLS:
        width = max(MAX_TABLE_CELLS // len(starts), 1)
        columns = columns % width
    size = (len(starts), width)
    table = np.zeros(size, dtype=bool)
    table[rows[is_element], columns] = True
    return table


def jaccard(one: Bools, other: Bools) -> NDArray[np.float64]:
    """Return the share of the shapes of either row that both have, row by row; 1 where
    neither has any.
    """
    both = np.count_nonzero(one & other, axis=-1)
    either = np.count_nonzero(one | other, axis=-1)
    shares = both / np.maximum(either, 1)
    return np.where(
        either > 0,
        shares,
        1.0,
    )
