"""Elements as spans of blocks: which run of blocks each element holds, and which
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

from scythe.content.methods.learned.outline import Blocks
from scythe.tree.tree import Ints, Tree

LEVELS = 7
"""Distinct elements above a block that are described, the container included. The model
was trained with this and with `UPPER_LEVELS`.
"""
UPPER_LEVELS = 4
"""Distinct elements below the root that are described."""

MAX_NAME = 64
"""Characters read of a class or id: what describes the role of an element stands first,
lists of style words follow.
"""


_SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)
_SPLITMIX_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SPLITMIX_SECOND = np.uint64(0x94D049BB133111EB)
"""The published constants of splitmix64."""


def numbering(first: Iterable[str | None]) -> defaultdict[str | None, int]:
    """Return numbers for names in the order in which they are first asked for, after
    those of `first`.
    """
    numbers: defaultdict[str | None, int] = defaultdict(count().__next__)
    for name in first:
        numbers[name]
    return numbers


class AttributeNames(NamedTuple):
    """The different values of an attribute, and which of them each of the elements
    has.
    """

    values: list[str]
    of_element: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ElementSpans:
    """Elements as runs of blocks. An element that adds no block to its child is not
    distinct from it.
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
        return self._block_counts[:-1]

    @cached_property
    def high(self) -> Ints:
        """One past the last block that begins in each node's subtree."""
        return self._block_counts[self.tree.end]

    @cached_property
    def _block_counts(self) -> Ints:
        begins = np.zeros(len(self.tree) + 1, dtype=np.int32)
        after_first_nodes = self.first_nodes + 1
        begins[after_first_nodes] = 1
        return np.cumsum(begins, dtype=np.int32)

    @cached_property
    def highest(self) -> Ints:
        """The highest element that holds the same blocks as each node."""
        tree = self.tree
        parent = np.maximum(tree.parent, 0)
        block_count = self.high - self.low
        parent_adds_none = block_count[parent] == block_count
        jump = np.where(parent_adds_none, parent, tree.starts)
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
        levels = np.zeros((LEVELS, len(self.blocks)), dtype=np.int32)
        levels[0] = self.highest[self.blocks.container]
        for level in range(1, LEVELS):
            element_below = levels[level - 1]
            parent = np.maximum(self.tree.parent[element_below], 0)
            levels[level] = self.highest[parent]
        return levels

    @cached_property
    def level_spans(self) -> tuple[Ints, Ints]:
        """The first and one past the last block of each of `levels`; at least the block
        itself.
        """
        low = self.low[self.levels]
        high = self.high[self.levels]
        return low, np.maximum(high, low + 1)

    @cached_property
    def upper_spans(self) -> tuple[Ints, Ints]:
        """As `level_spans`, for the distinct elements on the first levels below the
        root (rows), from above.

        Where a block has no element on a level, it stands for itself.
        """
        elements, depth = self._distinct_elements()
        block = np.arange(len(self.blocks), dtype=np.int32)
        low = np.tile(block, (UPPER_LEVELS, 1))
        high = low + 1
        for level in range(UPPER_LEVELS):
            on_level = elements[depth == level + 1]
            if not len(on_level):
                continue
            first_blocks = self.low[on_level]
            last_blocks = self.high[on_level]
            following = np.searchsorted(first_blocks, block, side="right")
            position = np.maximum(following - 1, 0)
            first = first_blocks[position]
            last = last_blocks[position]
            is_inside = (first <= block) & (block < last)
            low[level][is_inside] = first[is_inside]
            high[level][is_inside] = last[is_inside]
        return low, high

    def _distinct_elements(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the distinct elements that hold blocks, and how many of them are above
        each.
        """
        tree = self.tree
        is_highest = self.highest == tree.starts
        holds_blocks = self.high > self.low
        is_distinct = is_highest & holds_blocks & ~tree.is_text
        elements = np.flatnonzero(is_distinct)

        n = len(elements)
        ends = tree.end[elements]
        next_outside = np.searchsorted(elements, ends)
        ended_counts = np.bincount(next_outside, minlength=n + 1)
        ended = np.cumsum(ended_counts)[:-1]
        depth = np.arange(n) - ended
        return elements, depth

    def smallest_holder(
        self, values: NDArray[np.int64], share: float
    ) -> tuple[int, int]:
        """Return the run of blocks of the deepest element that holds this share of a
        total over the blocks.
        """
        low, high = self.low, self.high
        sums = np.concatenate([[0], np.cumsum(values)])
        held = sums[high] - sums[low]
        least = share * sums[-1]
        holders = np.flatnonzero(held >= least)
        deepest = int(holders[-1])
        return int(low[deepest]), int(high[deepest])

    @cached_property
    def elements(self) -> Ints:
        """The elements that have readable text below."""
        tree = self.tree
        is_read = np.zeros(len(tree) + 1, dtype=np.int32)
        after_text_nodes = self.blocks.nodes + 1
        is_read[after_text_nodes] = 1
        sums = np.cumsum(is_read)
        has_text = sums[tree.end] > sums[:-1]
        elements = np.flatnonzero(has_text & ~tree.is_text)
        return elements.astype(np.int32)

    @cached_property
    def signature(self) -> NDArray[np.int64]:
        """A number for each block, the same for blocks whose path has the same tags and
        classes.
        """
        tree = self.tree
        elements = self.elements
        depth = tree.depth[elements].astype(np.uint64)
        kind = self.kind[elements]
        hashes = mix(kind + depth)
        parents = tree.parent[self.first_nodes]
        path_hashes = self.path_sums(hashes[:, None], parents)[:, 0]
        _, signature = np.unique(path_hashes, return_inverse=True)
        return signature

    @cached_property
    def alike_siblings(self) -> NDArray[np.int64]:
        """How many siblings of each node have its tag and class, itself included."""
        elements = self.elements
        parent = self.tree.parent[elements].astype(np.int64)
        kind = self.kind[elements]
        key = mix(kind + parent.astype(np.uint64))
        _, key_of, key_counts = np.unique(key, return_inverse=True, return_counts=True)
        alike = np.zeros(len(self.tree), dtype=np.int64)
        alike[elements] = key_counts[key_of]
        return alike

    @cached_property
    def classes(self) -> AttributeNames:
        """The class attributes of `elements`, most of which have one."""
        elements = self.elements.tolist()
        values = self.tree.attribute_values("class", elements)
        numbers = numbering([None])
        of_element = np.fromiter(
            map(numbers.__getitem__, values),
            dtype=np.int64,
            count=len(values),
        )
        names = [(value or "")[:MAX_NAME] for value in numbers]
        return AttributeNames(names, of_element)

    @cached_property
    def ids(self) -> AttributeNames:
        """The id attributes of `elements`, few of which have one."""
        elements = self.elements
        ids = self.tree.with_attribute("id")
        nodes = np.fromiter(ids, dtype=np.int32, count=len(ids))
        insertion = np.searchsorted(elements, nodes)
        position = np.minimum(insertion, len(elements) - 1)
        has_text = elements[position] == nodes

        of_element = np.zeros(len(elements), dtype=np.int64)
        positions = position[has_text]
        of_element[positions] = np.arange(1, len(positions) + 1)
        values = compress(ids.values(), has_text.tolist())
        names = [value[:MAX_NAME] for value in values]
        return AttributeNames(["", *names], of_element)

    @cached_property
    def kind(self) -> NDArray[np.uint64]:
        """A number for tag and first class word of every element with text."""
        classes = self.classes
        numbers = numbering([])
        word_numbers = []
        for name in classes.values:
            first_word, _, _ = name.partition(" ")
            word_numbers.append(numbers[first_word])
        number = np.array(word_numbers, dtype=np.uint64)
        class_number = np.zeros(len(self.tree), dtype=np.uint64)
        class_number[self.elements] = number[classes.of_element]
        tag = self.tree.tag.astype(np.uint64)
        shifted_class = class_number << np.uint64(16)
        return mix(tag + shifted_class)

    def path_sums(self, own: NDArray[np.uint64], nodes: Ints) -> NDArray[np.uint64]:
        """Return the sums of `own` (a row for each of `elements`) over the elements
        around each of `nodes`, itself included.

        An element counts from where it begins to where it ends; the running sum wraps
        around without harm.
        """
        positions, order = self._borders
        sums = np.concatenate([own, -own])[order]
        np.cumsum(sums, axis=0, out=sums)
        next_border = np.searchsorted(positions, nodes, side="right")
        return sums[next_border - 1]

    @cached_property
    def _borders(self) -> tuple[Ints, NDArray[np.int64]]:
        """Where elements begin and end, in document order, and that order."""
        ends = self.tree.end[self.elements]
        positions = np.concatenate([self.elements, ends])
        order = np.argsort(positions, kind="stable")
        return positions[order], order


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers spread over 64 bits (splitmix64), so that their sums differ for
    different sets.
    """
    values = values + _SPLITMIX_STEP
    values = values ^ (values >> np.uint64(30))
    values = values * _SPLITMIX_FIRST
    values = values ^ (values >> np.uint64(27))
    values = values * _SPLITMIX_SECOND
    return values ^ (values >> np.uint64(31))
