"""Partial tree alignment (Zhai and Liu 2005, which RecipeCrawler adapts): many forests
aligned with one seed that grows.

The largest forest is the seed. Every other forest is matched with the seed as it is by
then; its unmatched nodes are inserted where their location is unique, that is, where
their matched neighbours stand side by side. A forest with nodes that have no unique
location waits and is tried again when others have made the location clear. What is left
in the end is inserted behind its left neighbour, so that every node has a column and the
order of every forest is kept as far as one order can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scythe.align.forest import Forest, ForestVocabulary
from scythe.align.matching import LIMIT, match

_ROUNDS = 4
"""How often a waiting forest is tried again; then its nodes go where they can. A bound
on work, not tuned.
"""


@dataclass(frozen=True)
class Alignment:
    """The grown seed, and for each forest given, in order, the seed's node that each of
    its nodes is aligned with.
    """

    seed: Forest
    rows: list[list[int]]


def align(
    forests: Sequence[Forest], vocabulary: ForestVocabulary, limit: int = LIMIT
) -> Alignment:
    """Return the alignment of forests of one vocabulary.

    Equal forests cost nothing more. `limit` is for each matching.
    """
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for index, forest in enumerate(forests):
        by_shape.setdefault(forest.shape, []).append(index)
    distinct = [indices[0] for indices in by_shape.values()]
    distinct.sort(key=lambda index: (-len(forests[index]), index))

    seed = _Seed(vocabulary, limit)
    aligned = _align_distinct(forests, distinct, seed)

    grown, order = seed.to_forest()
    column_of = {node: column for column, node in enumerate(order)}
    rows: list[list[int]] = [[] for _ in forests]
    for indices in by_shape.values():
        seed_nodes = aligned[indices[0]]
        for index in indices:
            rows[index] = [column_of[node] for node in seed_nodes]
    return Alignment(grown, rows)


def _align_distinct(
    forests: Sequence[Forest], distinct: list[int], seed: _Seed
) -> dict[int, list[int]]:
    """Merge forests into the seed, and return the seed's nodes for the nodes of each."""
    aligned: dict[int, list[int]] = {}
    waiting = distinct
    for round_number in range(_ROUNDS + 1):
        is_last_round = round_number == _ROUNDS
        incomplete = []
        size = len(seed.labels)
        for index in waiting:
            merged, complete = seed.merge(forests[index], force=is_last_round)
            aligned[index] = merged
            if not complete:
                incomplete.append(index)

        if incomplete and len(seed.labels) == size:
            first, *incomplete = incomplete
            merged, _ = seed.merge(forests[first], force=True)
            aligned[first] = merged
        waiting = incomplete
        if not waiting:
            break
    return aligned


class _Seed:
    """A forest that nodes are inserted into; nodes keep their numbers, their order is
    in the lists of children.
    """

    def __init__(self, vocabulary: ForestVocabulary, limit: int) -> None:
        self.vocabulary = vocabulary
        self.limit = limit
        self.labels: list[int] = []
        self.children: list[list[int]] = []
        self.roots: list[int] = []

    def to_forest(self) -> tuple[Forest, list[int]]:
        """Return the seed in document order, and the number of each node here."""
        order: list[int] = []
        ends: list[int] = []
        open_indices: list[int] = []
        stack = [(root, 0) for root in reversed(self.roots)]

        while stack:
            node, depth = stack.pop()
            while len(open_indices) > depth:
                open_index = open_indices.pop()
                ends[open_index] = len(order)
            open_indices.append(len(order))
            order.append(node)
            ends.append(0)
            children = reversed(self.children[node])
            stack.extend((child, depth + 1) for child in children)

        for index in open_indices:
            ends[index] = len(order)
        labels = [self.labels[node] for node in order]
        return self.vocabulary.forest(labels, ends), order

    def merge(self, forest: Forest, *, force: bool) -> tuple[list[int], bool]:
        """Insert the unmatched nodes of a forest whose location is unique, or all of
        them if forced.

        Returns the node here for each node of the forest (-1 if it has none yet), and
        whether all have one.
        """
        grown, order = self.to_forest()
        seed_nodes = [-1] * len(forest)
        matched = []
        matching = match(grown, forest, self.limit)
        for here, there in matching.pairs:
            seed_nodes[there] = order[here]
            matched.append(there)
        matched.sort()

        complete = True
        for parent in [-1, *matched]:
            children = forest.children(parent)
            if all(seed_nodes[child] >= 0 for child in children):
                continue
            siblings = self.roots
            if parent >= 0:
                siblings = self.children[seed_nodes[parent]]
            runs = _UnmatchedRuns(children, siblings, seed_nodes)
            for run in reversed(runs.find()):
                if run.is_unique or force:
                    self._insert(forest, run, siblings, seed_nodes)
                else:
                    complete = False
        return seed_nodes, complete

    def _insert(
        self, forest: Forest, run: _Run, siblings: list[int], seed_nodes: list[int]
    ) -> None:
        """Insert copies of the children of a run behind its left neighbour."""
        copies = [self._copy(forest, child, seed_nodes) for child in run.children]
        behind_left = run.left + 1
        siblings[behind_left:behind_left] = copies

    def _copy(self, forest: Forest, root: int, seed_nodes: list[int]) -> int:
        """Add a copy of a subtree of a forest, and return its root here."""
        subtree = range(root, forest.ends[root])
        for node in subtree:
            seed_nodes[node] = len(self.labels)
            self.labels.append(forest.labels[node])
            self.children.append([])

        for node in subtree:
            children = forest.children(node)
            copies = [seed_nodes[child] for child in children]
            self.children[seed_nodes[node]] = copies
        return seed_nodes[root]


@dataclass(frozen=True)
class _Run:
    """Unmatched children side by side, between two siblings of the seed by index."""

    children: list[int]
    left: int
    right: int

    @property
    def is_unique(self) -> bool:
        """Whether their matched neighbours stand side by side in the seed."""
        return self.right - self.left == 1


@dataclass(frozen=True)
class _UnmatchedRuns:
    """The children of one node of a forest beside those of the matched seed node."""

    children: list[int]
    siblings: list[int]
    seed_nodes: list[int]

    def find(self) -> list[_Run]:
        """Return the runs from left to right.

        They are to be inserted from the right, so that indices on the left stay true.
        """
        index_of = {node: index for index, node in enumerate(self.siblings)}
        runs: list[_Run] = []
        unmatched: list[int] = []
        left = -1
        for child in self.children:
            seed_node = self.seed_nodes[child]
            if seed_node < 0:
                unmatched.append(child)
                continue
            right = index_of[seed_node]
            if unmatched:
                runs.append(_Run(unmatched, left, right))
                unmatched = []
            left = right
        if unmatched:
            runs.append(_Run(unmatched, left, len(self.siblings)))
        return runs
