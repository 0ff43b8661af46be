"""The page as its blocks see it: which run of blocks each element holds, and which
distinct elements stand above a block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.blocks import Blocks
from scythe.tree.tree import Ints, Tree

LEVELS = 7
"""Distinct elements looked at above a block, the container included."""
UPPER_LEVELS = 4
"""Distinct elements looked at below the root."""

_NAME_LENGTH = 64
"""Characters read of a class or id: what they say about the role of an element stands
first, lists of style words follow.
"""


def numbering(first: Iterable[str | None]) -> defaultdict[str | None, int]:
    """Numbers for names in the order in which they are first asked for, after those of
    `first`.
    """
    numbers: defaultdict[str | None, int] = defaultdict(count().__next__)
    for name in first:
        numbers[name]
    return numbers


class Names(NamedTuple):
    """The different values of an attribute, and which of them each of an outline's
    elements has.
    """

    kinds: list[str]
    of_element: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Outline:
    """Elements as runs of blocks. An element that adds no block to its child is the
    same thing as the child.
    """

    tree: Tree
    blocks: Blocks

    @cached_property
    def first_nodes(self) -> Ints:
        """The first text node of each block."""
        return self.blocks.nodes[self.blocks.first]

    @cached_property
    def low(self) -> Ints:
        """How many blocks begin before each node: the first block of its subtree."""
        return self._starts[:-1]

    @cached_property
    def high(self) -> Ints:
        """One past the last block that begins in each node's subtree."""
        return self._starts[self.tree.end]

    @cached_property
    def _starts(self) -> Ints:
        counts = np.zeros(len(self.tree) + 1, dtype=np.int32)
        counts[self.first_nodes + 1] = 1
        return np.cumsum(counts, dtype=np.int32)

    @cached_property
    def top(self) -> Ints:
        """The highest element that holds the same blocks as each node."""
        parent = np.maximum(self.tree.parent, 0)
        held = self.high - self.low
        jump = np.where(held[parent] == held, parent, self.tree.starts)
        while True:
            further = jump[jump]
            if np.array_equal(further, jump):
                return jump
            jump = further

    @cached_property
    def levels(self) -> Ints:
        """For each block (column) its container and the next distinct elements above
        (rows); the root again at the end.
        """
        found = np.zeros((LEVELS, len(self.blocks)), dtype=np.int32)
        found[0] = self.top[self.blocks.container]
        for level in range(1, LEVELS):
            found[level] = self.top[np.maximum(self.tree.parent[found[level - 1]], 0)]
        return found

    @cached_property
    def spans(self) -> tuple[Ints, Ints]:
        """The first and one past the last block of each of `levels`; at least the block
        itself.
        """
        low, high = self.low[self.levels], self.high[self.levels]
        return low, np.maximum(high, low + 1)

    @cached_property
    def upper_spans(self) -> tuple[Ints, Ints]:
        """As `spans`, for the distinct elements on the first levels below the root
        (rows), from above.

        Where a block has no element on a level, it stands for itself.
        """
        heads = np.flatnonzero(
            (self.top == self.tree.starts) & (self.high > self.low) & ~self.tree.is_text
        )
        rank = (
            np.arange(len(heads))
            - np.cumsum(
                np.bincount(
                    np.searchsorted(heads, self.tree.end[heads]),
                    minlength=len(heads) + 1,
                )
            )[:-1]
        )
        low = np.tile(np.arange(len(self.blocks), dtype=np.int32), (UPPER_LEVELS, 1))
        high = low + 1
        for level in range(1, UPPER_LEVELS + 1):
            own = heads[rank == level]
            if len(own):
                at = np.maximum(
                    np.searchsorted(self.low[own], low[level - 1], side="right") - 1, 0
                )
                first, last = self.low[own][at], self.high[own][at]
                inside = (first <= low[level - 1]) & (low[level - 1] < last)
                low[level - 1][inside], high[level - 1][inside] = (
                    first[inside],
                    last[inside],
                )
        return low, high

    def holding(self, values: NDArray[np.int64], share: float) -> tuple[int, int]:
        """The run of blocks of the deepest element that holds this share of a total
        over the blocks.
        """
        sums = np.concatenate([[0], np.cumsum(values)])
        held = sums[self.high] - sums[self.low]
        last = int(np.flatnonzero(held >= share * sums[-1])[-1])
        return int(self.low[last]), int(self.high[last])

    @cached_property
    def elements(self) -> Ints:
        """The elements that have readable text below."""
        inked = np.zeros(len(self.tree) + 1, dtype=np.int32)
        inked[self.blocks.nodes + 1] = 1
        sums = np.cumsum(inked)
        return np.flatnonzero(
            (sums[self.tree.end] > sums[:-1]) & ~self.tree.is_text
        ).astype(np.int32)

    @cached_property
    def signature(self) -> NDArray[np.int64]:
        """A number for each block, the same for blocks whose path has the same tags and
        classes.
        """
        tree, elements = self.tree, self.elements
        own = mix(self.kind[elements] + tree.depth[elements].astype(np.uint64))
        path = self.path_sums(own[:, None], tree.parent[self.first_nodes])[:, 0]
        _, found = np.unique(path, return_inverse=True)
        return found

    @cached_property
    def alike(self) -> NDArray[np.int64]:
        """How many siblings of each node have its tag and class, itself included."""
        key = mix(
            self.kind[self.elements]
            + self.tree.parent[self.elements].astype(np.int64).astype(np.uint64)
        )
        _, inverse, found = np.unique(key, return_inverse=True, return_counts=True)
        alike = np.zeros(len(self.tree), dtype=np.int64)
        alike[self.elements] = found[inverse]
        return alike

    @cached_property
    def classes(self) -> Names:
        """The class attributes of `elements`, most of which have one."""
        values = self.tree.attribute_values("class", self.elements.tolist())
        kinds = numbering([None])
        of_element = np.fromiter(
            map(kinds.__getitem__, values), dtype=np.int64, count=len(values)
        )
        return Names([(kind or "")[:_NAME_LENGTH] for kind in kinds], of_element)

    @cached_property
    def ids(self) -> Names:
        """The id attributes of `elements`, few of which have one."""
        holders = self.tree.with_attribute("id")
        nodes = np.fromiter(holders, dtype=np.int32, count=len(holders))
        place = np.minimum(
            np.searchsorted(self.elements, nodes), len(self.elements) - 1
        )
        has_text = self.elements[place] == nodes
        of_element = np.zeros(len(self.elements), dtype=np.int64)
        of_element[place[has_text]] = np.arange(1, np.count_nonzero(has_text) + 1)
        return Names(
            [
                "",
                *(
                    value[:_NAME_LENGTH]
                    for value in compress(holders.values(), has_text.tolist())
                ),
            ],
            of_element,
        )

    @cached_property
    def kind(self) -> NDArray[np.uint64]:
        """A number for tag and first class word of every element with text."""
        firsts = numbering([])
        first = np.array(
            [firsts[name.partition(" ")[0]] for name in self.classes.kinds],
            dtype=np.uint64,
        )
        name = np.zeros(len(self.tree), dtype=np.uint64)
        name[self.elements] = first[self.classes.of_element]
        return mix(self.tree.tag.astype(np.uint64) + (name << np.uint64(16)))

    def path_sums(self, own: NDArray[np.uint64], nodes: Ints) -> NDArray[np.uint64]:
        """The sums of `own` (a row for each of `elements`) over the elements around
        each of `nodes`, itself included.

        An element counts from where it begins to where it ends; the running sum wraps
        around without harm.
        """
        events, order = self._events
        steps = np.concatenate([own, -own])[order]
        np.cumsum(steps, axis=0, out=steps)
        return steps[np.searchsorted(events, nodes, side="right") - 1]

    @cached_property
    def _events(self) -> tuple[Ints, NDArray[np.int64]]:
        events = np.concatenate([self.elements, self.tree.end[self.elements]])
        order = np.argsort(events, kind="stable")
        return events[order], order


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread numbers over 64 bits (splitmix64), so that sums of them tell sets apart."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
