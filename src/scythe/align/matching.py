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

Cell = tuple[int, int, int]
"""Two children and the size of their mapping, or minus the number of their pair."""


class Matching(NamedTuple):
    """How many nodes are matched, and which, in document order."""

    size: int
    pairs: list[tuple[int, int]]


def match(one: Forest, other: Forest, limit: int = LIMIT) -> Matching:
    """Return the largest matching of two forests of one vocabulary."""
    if one.shape == other.shape:
        return Matching(len(one), [(node, node) for node in range(len(one))])

    problem = _Problem(one, other, limit)
    for pair in problem.pairs:  # grows while it is read
        problem.expand(*pair)
    for index in range(len(problem.pairs) - 1, -1, -1):
        problem.solve(index)
    pairs = problem.matched()
    return Matching(len(pairs), pairs)


def similarity(one: Forest, other: Forest, limit: int = LIMIT) -> float:
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
        self.pairs: list[tuple[int, int]] = [(-1, -1)]
        self.fixed: list[list[Cell]] = []
        """Children of each pair that are matched in any case."""
        self.tables: list[_Table] = []
        self.sizes: list[int] = []
        self.best: list[list[list[int]]] = []

    def cell(self, i: int, j: int) -> int:
        """Return the cell of two children, adding their pair if it must be solved."""
        one, other = self.one, self.other
        if one.shapes[i] == other.shapes[j]:
            return one.ends[i] - i
        if one.labels[i] != other.labels[j]:
            return 0
        if one.ends[i] == i + 1 or other.ends[j] == j + 1:
            return 1
        self.pairs.append((i, j))
        return 1 - len(self.pairs)

    def _cells(self, i: int, others: list[int]) -> list[int]:
        return [self.cell(i, j) for j in others]

    def expand(self, i: int, j: int) -> None:
        """Add the table of a pair, without the equal children at both ends."""
        left, right = self.one.children(i), self.other.children(j)
        self.budget -= len(left) + len(right)
        if self.budget < -_ONE_PASS_LIMIT * self.limit:
            left = right = []

        first, last = self._equal_ends(left, right)
        left_stop, right_stop = len(left) - last, len(right) - last
        equal = [
            *zip(left[:first], right[:first], strict=True),
            *zip(left[left_stop:], right[right_stop:], strict=True),
        ]
        fixed = [(x, y, self.one.ends[x] - x) for x, y in equal]

        left, right = left[first:left_stop], right[first:right_stop]
        if len(left) * len(right) > self.budget:
            pairs = self._in_one_pass(left, right)
            fixed += [(x, y, self.cell(x, y)) for x, y in pairs]
            left = right = []

        self.budget -= len(left) * len(right)
        cells = [self._cells(x, right) for x in left]
        self.fixed.append(fixed)
        self.tables.append(_Table(left, right, cells))

    def _equal_ends(self, left: list[int], right: list[int]) -> tuple[int, int]:
        """Return how many children are equal at the beginning, and how many of the
        others at the end.
        """
        shapes, others = self.one.shapes, self.other.shapes
        shorter = min(len(left), len(right))
        first = 0
        while first < shorter and shapes[left[first]] == others[right[first]]:
            first += 1
        last = 0
        rest = shorter - first
        while last < rest and shapes[left[-1 - last]] == others[right[-1 - last]]:
            last += 1
        return first, last

    def _in_one_pass(self, left: list[int], right: list[int]) -> list[tuple[int, int]]:
        """Return children of the same label in order, each with the next unused one on
        the other side.
        """
        labels, others = self.one.labels, self.other.labels
        unused: dict[int, list[int]] = {}
        for index in range(len(right) - 1, -1, -1):
            unused.setdefault(others[right[index]], []).append(index)

        pairs, last_index = [], -1
        for x in left:
            indices = unused.get(labels[x], [])
            while indices and indices[-1] <= last_index:
                indices.pop()
            if indices:
                last_index = indices.pop()
                pairs.append((x, right[last_index]))
        return pairs

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
                matched = previous[column] + (cell if cell >= 0 else sizes[-cell])
                row.append(max(matched, row[-1], previous[column + 1]))
            rows.append(row)
            previous = row
        self.best[index] = rows

        size = previous[-1]
        if index:
            size += 1
        for _, _, cell in self.fixed[index]:
            size += cell if cell >= 0 else sizes[-cell]
        sizes[index] = size

    def matched(self) -> list[tuple[int, int]]:
        """Return the pairs of the mapping, read out of the tables."""
        pairs: list[tuple[int, int]] = []
        stack = [0]
        while stack:
            index = stack.pop()
            if index:
                pairs.append(self.pairs[index])
            for x, y, cell in [*self.fixed[index], *self._chosen(index)]:
                if cell < 0:
                    stack.append(-cell)
                elif self.one.shapes[x] == self.other.shapes[y]:
                    pairs.extend((x + step, y + step) for step in range(cell))
                else:
                    pairs.append((x, y))
        return sorted(pairs)

    def _chosen(self, index: int) -> list[Cell]:
        """Return the children that the best mapping of a pair's table matches."""
        table, rows = self.tables[index], self.best[index]
        i, j = len(table.left), len(table.right)
        chosen = []
        while i and j:
            if rows[i][j] == rows[i - 1][j]:
                i -= 1
            elif rows[i][j] == rows[i][j - 1]:
                j -= 1
            else:
                i, j = i - 1, j - 1
                chosen.append((table.left[i], table.right[j], table.cells[i][j]))
        return chosen
