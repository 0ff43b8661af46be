"""Simple tree matching: the largest mapping of two forests that keeps labels, parents
and the order of siblings.

A pair of nodes is reached only through the pair of their parents, so each is visited
once: pairs are collected from the top, solved from the bottom (one table over the
children of each pair), and read out from the top again, with no recursion. Equal
subtrees are matched at once. At the ends of two child lists that is never worse than
any other choice, so tables are made only for what is between; inside a table it fills
the cell without going further down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scythe.align.forest import Forest

LIMIT = 200_000
"""Cells of all tables together, about half a second. On 76 sets of list pages, two
records need under 500, two whole pages 8,600 in the median; two sets need more than
this. Child lists that would exceed it are matched in one pass, without trying
alternatives.
"""

_ONE_PASS_LIMIT = 4
"""How many times `LIMIT` children may be passed over once the tables are used up; then
child lists are not matched at all. A bound on work, not tuned.
"""

Pair = tuple[int, int]
"""A node of one forest and a node of the other."""

Cell = tuple[int, int, int]
"""Two children and the size of their mapping, or minus the number of their pair."""


class Matching(NamedTuple):
    """How many nodes are matched, and which, in document order."""

    size: int
    pairs: list[Pair]


def match(one: Forest, other: Forest, limit: int = LIMIT) -> Matching:
    """Return the largest matching of two forests of one vocabulary."""
    if one.shape == other.shape:
        nodes = range(len(one))
        pairs = list(zip(nodes, nodes, strict=True))
        return Matching(len(one), pairs)

    problem = _Problem(one, other, limit)
    for pair in problem.pairs:  # grows while it is read
        problem.expand(*pair)
    for index in range(len(problem.pairs) - 1, -1, -1):
        problem.solve(index)
    pairs = problem.matched()
    return Matching(len(pairs), pairs)


def forest_similarity(one: Forest, other: Forest, limit: int = LIMIT) -> float:
    """Return the matched share of both forests: 1 if equal, 0 if nothing matches.

    Two empty forests are equal.
    """
    total = len(one) + len(other)
    if not total:
        return 1.0
    return 2 * match(one, other, limit).size / total


class _Table(NamedTuple):
    """The children of a pair that are not matched by their shape, and their cells."""

    left: list[int]
    right: list[int]
    cells: list[list[int]]


class _Problem:
    """The pairs of inner nodes that could be matched, and for each the choice among its
    children.

    A cell of a table is the size of the mapping of two children: known at once if it is
    0 or more, otherwise the pair -cell has to be solved first (pair 0 is that of the two
    forests and stands in no cell).
    """

    def __init__(self, one: Forest, other: Forest, limit: int) -> None:
        self.one = one
        self.other = other
        self.limit = limit
        self.budget = limit
        self.pairs: list[Pair] = [(-1, -1)]
        self.fixed: list[list[Cell]] = []
        """Children of each pair that are matched in any case."""
        self.tables: list[_Table] = []
        self.sizes: list[int] = []
        self.best: list[list[list[int]]] = []

    def cell(self, i: int, j: int) -> int:
        """Return the cell of two children, adding their pair if it must be solved."""
        one = self.one
        other = self.other
        size = one.ends[i] - i
        if one.shapes[i] == other.shapes[j]:
            return size
        if one.labels[i] != other.labels[j]:
            return 0
        is_other_leaf = other.ends[j] == j + 1
        if size == 1 or is_other_leaf:
            return 1
        self.pairs.append((i, j))
        return 1 - len(self.pairs)

    def _cells(self, i: int, others: list[int]) -> list[int]:
        return [self.cell(i, j) for j in others]

    def _cells_of_pairs(self, left: list[int], right: list[int]) -> Iterator[Cell]:
        for i, j in zip(left, right, strict=True):
            yield i, j, self.cell(i, j)

    def expand(self, i: int, j: int) -> None:
        """Add the table of a pair, without the equal children at both ends."""
        left = self.one.children(i)
        right = self.other.children(j)
        self.budget -= len(left) + len(right)
        if self.budget < -_ONE_PASS_LIMIT * self.limit:
            left = right = []

        first, last = self._equal_ends(left, right)
        left_stop = len(left) - last
        right_stop = len(right) - last
        first_cells = self._cells_of_pairs(left[:first], right[:first])
        fixed = list(first_cells)
        last_cells = self._cells_of_pairs(left[left_stop:], right[right_stop:])
        fixed.extend(last_cells)

        left = left[first:left_stop]
        right = right[first:right_stop]
        if len(left) * len(right) > self.budget:
            matched, matched_others = self._in_one_pass(left, right)
            fixed += self._cells_of_pairs(matched, matched_others)
            left = right = []

        self.budget -= len(left) * len(right)
        cells = [self._cells(x, right) for x in left]
        self.fixed.append(fixed)
        self.tables.append(_Table(left, right, cells))

    def _equal_ends(self, left: list[int], right: list[int]) -> tuple[int, int]:
        """Return how many children are equal at the beginning, and how many of the
        others at the end.
        """
        left_shapes = [self.one.shapes[child] for child in left]
        right_shapes = [self.other.shapes[child] for child in right]
        first = _common_length(left_shapes, right_shapes)
        left_rest = left_shapes[first:]
        right_rest = right_shapes[first:]
        left_rest.reverse()
        right_rest.reverse()
        return first, _common_length(left_rest, right_rest)

    def _in_one_pass(
        self, left: list[int], right: list[int]
    ) -> tuple[list[int], list[int]]:
        """Return children of the same label in order, each with the next unused one on
        the other side.
        """
        labels = self.one.labels
        others = self.other.labels
        unused: dict[int, list[int]] = {}
        for index in range(len(right) - 1, -1, -1):
            label = others[right[index]]
            unused.setdefault(label, []).append(index)

        matched: list[int] = []
        matched_others: list[int] = []
        last_index = -1
        for child in left:
            indices = unused.get(labels[child], [])
            while indices and indices[-1] <= last_index:
                indices.pop()
            if indices:
                last_index = indices.pop()
                matched.append(child)
                matched_others.append(right[last_index])
        return matched, matched_others

    def solve(self, index: int) -> None:
        """Store the size of a pair's mapping, all pairs below it being solved."""
        if not self.sizes:
            self.sizes = [0] * len(self.pairs)
            self.best = [[] for _ in self.pairs]
        sizes = self.sizes
        table = self.tables[index]

        previous = [0] * (len(table.right) + 1)
        rows = [previous]
        for cells in table.cells:
            row = [0]
            for column, cell in enumerate(cells):
                size = cell if cell >= 0 else sizes[-cell]
                matched = previous[column] + size
                above = previous[column + 1]
                row.append(max(matched, row[-1], above))
            rows.append(row)
            previous = row
        self.best[index] = rows

        total = previous[-1]
        if index:
            total += 1
        for _, _, cell in self.fixed[index]:
            total += cell if cell >= 0 else sizes[-cell]
        sizes[index] = total

    def matched(self) -> list[Pair]:
        """Return the pairs of the mapping, read out of the tables."""
        pairs: list[Pair] = []
        stack = [0]
        while stack:
            index = stack.pop()
            if index:
                pairs.append(self.pairs[index])
            children = self.fixed[index] + self._chosen(index)
            for i, j, cell in children:
                if cell < 0:
                    stack.append(-cell)
                elif self.one.shapes[i] == self.other.shapes[j]:
                    left = range(i, i + cell)
                    right = range(j, j + cell)
                    pairs.extend(zip(left, right, strict=True))
                else:
                    pairs.append((i, j))
        return sorted(pairs)

    def _chosen(self, index: int) -> list[Cell]:
        """Return the children that the best mapping of a pair's table matches."""
        left, right, cells = self.tables[index]
        rows = self.best[index]
        i = len(left)
        j = len(right)
        chosen = []
        while i and j:
            size = rows[i][j]
            if size == rows[i - 1][j]:
                i -= 1
            elif size == rows[i][j - 1]:
                j -= 1
            else:
                i -= 1
                j -= 1
                chosen.append((left[i], right[j], cells[i][j]))
        return chosen


def _common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many values two sequences have in common at their beginning."""
    length = 0
    for value, other_value in zip(one, other, strict=False):
        if value != other_value:
            break
        length += 1
    return length
