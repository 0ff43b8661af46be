"""Simple tree matching: the largest mapping of two forests that keeps labels, parents
and the order of siblings.

A pair of nodes is reached only through the pair of their parents, so each is looked at
once: pairs are collected from the top, solved from the bottom (one table over the
children of each pair), and read out from the top again, with no recursion. Equal
subtrees are matched at once. At the ends of two child lists that is never worse than
any other choice, so tables are made only for what is between; inside a table it fills
the cell without looking further down.
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


class Matching(NamedTuple):
    """How many nodes are matched, and which, in document order."""

    size: int
    pairs: list[tuple[int, int]]


def match(one: Forest, other: Forest, limit: int = LIMIT) -> Matching:
    """Match two forests of one vocabulary."""
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
    """The matched share of both forests: 1 if they are equal, 0 if nothing matches; two
    empty ones are equal.
    """
    if not len(one) + len(other):
        return 1.0
    return 2 * match(one, other, limit).size / (len(one) + len(other))


class _Problem:
    """The pairs of inner nodes that could be matched, and for each the choice among its
    children.

    A cell of a table is the size of the mapping of two children: known at once if it is
    0 or more, otherwise the pair
    -cell has to be solved first (pair 0 is that of the two forests and stands in no
    cell).
    """

    def __init__(self, one: Forest, other: Forest, limit: int) -> None:
        self.one, self.other, self.limit, self.left = one, other, limit, limit
        self.pairs: list[tuple[int, int]] = [(-1, -1)]
        self.sure: list[list[tuple[int, int, int]]] = []
        """Children of each pair that are matched in any case, with their cell."""
        self.open: list[tuple[list[int], list[int], list[list[int]]]] = []
        """The other children of each pair and the table over them."""
        self.sizes: list[int] = []
        self.best: list[list[list[int]]] = []

    def cell(self, i: int, j: int) -> int:
        one, other = self.one, self.other
        if one.shapes[i] == other.shapes[j]:
            return one.ends[i] - i
        if one.labels[i] != other.labels[j]:
            return 0
        if one.ends[i] == i + 1 or other.ends[j] == j + 1:
            return 1
        self.pairs.append((i, j))
        return 1 - len(self.pairs)

    def expand(self, i: int, j: int) -> None:
        """Make the table of a pair, without the equal children at both ends."""
        left, right = self.one.children(i), self.other.children(j)
        self.left -= len(left) + len(right)
        if (
            self.left < -4 * self.limit
        ):  # so many long lists that even one pass over each is too much
            left = right = []
        first, last = self._equal_ends(left, right)
        stop, end = len(left) - last, len(right) - last
        ends = [
            *zip(left[:first], right[:first], strict=True),
            *zip(left[stop:], right[end:], strict=True),
        ]
        sure = [(x, y, self.one.ends[x] - x) for x, y in ends]
        left, right = left[first:stop], right[first:end]
        if len(left) * len(right) > self.left:
            sure.extend(
                (x, y, self.cell(x, y)) for x, y in self._in_one_pass(left, right)
            )
            left = right = []
        self.left -= len(left) * len(right)
        self.sure.append(sure)
        self.open.append(
            (left, right, [[self.cell(x, y) for y in right] for x in left])
        )

    def _equal_ends(self, left: list[int], right: list[int]) -> tuple[int, int]:
        """How many children are equal at the beginning, and how many of the others at
        the end.
        """
        shapes, others = self.one.shapes, self.other.shapes
        first, short = 0, min(len(left), len(right))
        while first < short and shapes[left[first]] == others[right[first]]:
            first += 1
        last = 0
        while (
            last < short - first and shapes[left[-1 - last]] == others[right[-1 - last]]
        ):
            last += 1
        return first, last

    def _in_one_pass(self, left: list[int], right: list[int]) -> list[tuple[int, int]]:
        """Children of the same label in order, each with the next one that is left on
        the other side.
        """
        labels, others = self.one.labels, self.other.labels
        waiting: dict[int, list[int]] = {}
        for place in range(len(right) - 1, -1, -1):
            waiting.setdefault(others[right[place]], []).append(place)
        found, after = [], -1
        for x in left:
            places = waiting.get(labels[x], [])
            while places and places[-1] <= after:
                places.pop()
            if places:
                after = places.pop()
                found.append((x, right[after]))
        return found

    def solve(self, index: int) -> None:
        """The size of a pair's mapping, all pairs below it being solved."""
        if not self.sizes:
            self.sizes, self.best = [0] * len(self.pairs), [[] for _ in self.pairs]
        sizes = self.sizes
        _, right, table = self.open[index]
        previous = [0] * (len(right) + 1)
        rows = [previous]
        for cells in table:
            row = [0]
            for place, cell in enumerate(cells):
                through = previous[place] + (cell if cell >= 0 else sizes[-cell])
                row.append(max(through, row[-1], previous[place + 1]))
            rows.append(row)
            previous = row
        self.best[index] = rows
        own = 1 if index else 0
        sizes[index] = (
            own
            + previous[-1]
            + sum(
                cell if cell >= 0 else sizes[-cell] for _, _, cell in self.sure[index]
            )
        )

    def matched(self) -> list[tuple[int, int]]:
        """Read the mapping out of the tables."""
        pairs: list[tuple[int, int]] = []
        waiting = [0]
        while waiting:
            index = waiting.pop()
            if index:
                pairs.append(self.pairs[index])
            for x, y, cell in [*self.sure[index], *self._chosen(index)]:
                if cell < 0:
                    waiting.append(-cell)
                elif self.one.shapes[x] == self.other.shapes[y]:
                    pairs.extend((x + step, y + step) for step in range(cell))
                else:
                    pairs.append((x, y))
        return sorted(pairs)

    def _chosen(self, index: int) -> list[tuple[int, int, int]]:
        left, right, table = self.open[index]
        rows, i, j = self.best[index], len(left), len(right)
        chosen = []
        while i and j:
            if rows[i][j] == rows[i - 1][j]:
                i -= 1
            elif rows[i][j] == rows[i][j - 1]:
                j -= 1
            else:
                i, j = i - 1, j - 1
                chosen.append((left[i], right[j], table[i][j]))
        return chosen
