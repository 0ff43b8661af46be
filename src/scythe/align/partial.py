"""Partial tree alignment (Zhai and Liu 2005, which paper 001 adapts): many forests laid
onto one that grows.

The largest forest is the seed. Each other forest is matched with what has grown so far;
its unmatched nodes are inserted where their place is unique, that is, where their
matched neighbours stand side by side. A forest with nodes that have no unique place
waits and is tried again when others have made the place clear. What is left in the end
stands behind its left neighbour, so that every node has a column and the order of every
forest is kept as far as one order can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scythe.align.forest import Forest, Vocabulary
from scythe.align.matching import LIMIT, match

_ROUNDS = 4
"""How often a waiting forest is tried again; then its nodes stand where they can."""


@dataclass(frozen=True)
class Alignment:
    """The grown forest, and for each forest given the node of the grown one that each
    of its nodes is laid on.
    """

    grown: Forest
    rows: list[list[int]]


def align(
    forests: Sequence[Forest], vocabulary: Vocabulary, limit: int = LIMIT
) -> Alignment:
    """Align forests of one vocabulary; equal forests cost nothing more. `limit` is for
    each matching.
    """
    alike: dict[tuple[int, ...], list[int]] = {}
    for index, forest in enumerate(forests):
        alike.setdefault(forest.shape, []).append(index)
    waiting = sorted(
        (indices[0] for indices in alike.values()),
        key=lambda index: (-len(forests[index]), index),
    )
    growth = _Growth(vocabulary, limit)
    places: dict[int, list[int]] = {}
    for round_number in range(_ROUNDS + 1):
        again, size = [], len(growth.labels)
        for index in waiting:
            places[index], complete = growth.lay(
                forests[index], force=round_number == _ROUNDS
            )
            if not complete:
                again.append(index)
        if again and len(growth.labels) == size:
            places[again[0]], _ = growth.lay(forests[again[0]], force=True)
            again = again[1:]
        waiting = again
        if not waiting:
            break
    grown, order = growth.flat()
    number = {node: place for place, node in enumerate(order)}
    rows: list[list[int]] = [[] for _ in forests]
    for indices in alike.values():
        for index in indices:
            rows[index] = [number[node] for node in places[indices[0]]]
    return Alignment(grown, rows)


class _Growth:
    """A forest that nodes are inserted into; nodes keep their numbers, their order is
    in the lists of children.
    """

    def __init__(self, vocabulary: Vocabulary, limit: int) -> None:
        self.vocabulary, self.limit = vocabulary, limit
        self.labels: list[int] = []
        self.children: list[list[int]] = []
        self.roots: list[int] = []

    def flat(self) -> tuple[Forest, list[int]]:
        """The forest in document order, and the number of each of its nodes here."""
        order: list[int] = []
        ends: list[int] = []
        open_: list[tuple[int, int]] = []
        waiting = [(root, 0) for root in reversed(self.roots)]
        while waiting:
            node, depth = waiting.pop()
            while len(open_) > depth:
                ends[open_.pop()[0]] = len(order)
            open_.append((len(order), node))
            order.append(node)
            ends.append(0)
            waiting.extend(
                (child, depth + 1) for child in reversed(self.children[node])
            )
        for place, _ in open_:
            ends[place] = len(order)
        return self.vocabulary.forest(
            [self.labels[node] for node in order], ends
        ), order

    def lay(self, forest: Forest, *, force: bool) -> tuple[list[int], bool]:
        """Lay a forest onto this one and insert what has a unique place, or all if
        forced.

        The result is the node here for each node of the forest (-1 if it has none yet),
        and whether all have one.
        """
        grown, order = self.flat()
        place = [-1] * len(forest)
        for here, there in match(grown, forest, self.limit).pairs:
            place[there] = order[here]
        complete = True
        for parent in [-1, *(node for node in range(len(forest)) if place[node] >= 0)]:
            children = forest.children(parent)
            if any(place[child] < 0 for child in children):
                siblings = self.roots if parent < 0 else self.children[place[parent]]
                complete &= self._insert_runs(
                    forest, children, siblings, place, force=force
                )
        return place, complete

    def _insert_runs(
        self,
        forest: Forest,
        children: list[int],
        siblings: list[int],
        place: list[int],
        *,
        force: bool,
    ) -> bool:
        """Insert the unmatched children between their neighbours, from the right so
        that places on the left stay true.
        """
        at = {node: index for index, node in enumerate(siblings)}
        complete, stop, right = True, len(children), len(siblings)
        while stop:
            if place[children[stop - 1]] >= 0:
                right = at[place[children[stop - 1]]]
                stop -= 1
                continue
            start = stop
            while start and place[children[start - 1]] < 0:
                start -= 1
            left = at[place[children[start - 1]]] if start else -1
            if right - left == 1 or force:
                siblings[left + 1 : left + 1] = [
                    self._grow(forest, child, place) for child in children[start:stop]
                ]
            else:
                complete = False
            stop = start
        return complete

    def _grow(self, forest: Forest, root: int, place: list[int]) -> int:
        """Copy a subtree of a forest."""
        for node in range(root, forest.ends[root]):
            place[node] = len(self.labels)
            self.labels.append(forest.labels[node])
            self.children.append([])
        for node in range(root, forest.ends[root]):
            self.children[place[node]] = [
                place[child] for child in forest.children(node)
            ]
        return place[root]
