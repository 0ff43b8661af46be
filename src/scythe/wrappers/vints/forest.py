"""The children of a node as the paper's tag forest: a row of tags, each, where tags
alone repeat, with its child structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.sections.span import Span
from scythe.tree.tags import SKIPPED, TagSet
from scythe.tree.tree import Tree

MAX_DEPTH = 3
"""Generations of descendants a separator may be expanded by: a bound on work, not
tuned.
"""
MAX_CHILDREN = 30
"""Children of a node that its structure tells of: a bound on work, not tuned."""
OUTSIDE_FOREST = TagSet("#text script style noscript template link meta")
"""What is no node of a tag forest: text, and elements that show nothing, which pages put
between records.
"""


class TagForest:
    """The element children of one node, the root of the paper's minimal sub-tree t.

    Text that stands between two of them belongs to the younger one.
    """

    def __init__(self, tree: Tree, root: int) -> None:
        self.tree = tree
        self.root = root
        end = int(tree.end[root])
        below = np.arange(root + 1, end)
        is_child = tree.parent[below] == root
        is_inside = ~OUTSIDE_FOREST.mask(tree.tag[below])
        self.nodes: NDArray[np.int64] = below[is_child & is_inside]
        self._structures: dict[int, list[str]] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def _starts(self) -> list[int]:
        return self.nodes.tolist()

    @cached_property
    def _stops(self) -> list[int]:
        return self.tree.end[self.nodes].tolist()

    def structures(self, depth: int) -> list[str]:
        """Return the children written with their own children down to a depth: `tr`,
        `tr(td,td)`, `tr(td(a),td())`.
        """
        if depth not in self._structures:
            nodes = self._starts
            structures = [tag_structure(self.tree, node, depth) for node in nodes]
            self._structures[depth] = structures
        return self._structures[depth]

    def child_index(self, node: int) -> int:
        """Return which child holds a node below the root; for text beside the children,
        the child after it.
        """
        following = int(np.searchsorted(self.nodes, node, side="right"))
        index = following - 1
        if index >= 0 and node < self._stops[index]:
            return index
        return index + 1

    def has_text(self, start: int, stop: int) -> bool:
        """Return whether there are characters to read in the children start..stop or
        right before them.
        """
        return any(self._has_text[start:stop])

    @cached_property
    def _has_text(self) -> list[bool]:
        tree = self.tree
        first = self.root + 1
        last = int(tree.end[self.root])
        texts = tree.text[first:last].tolist()

        def is_read(node: int) -> bool:
            text = texts[node - self.root - 1]
            if not text or text.isspace():
                return False
            parent = int(tree.parent[node])
            return tree.name(parent) not in SKIPPED

        has_text = []
        for stop in self._stops:
            nodes = range(first, stop)
            has_text.append(any(map(is_read, nodes)))
            first = stop
        return has_text

    def span(self, start: int, stop: int) -> Span:
        """Return the nodes of the children start..stop, with the text right before
        them.
        """
        text_start = self.root + 1
        if start:
            text_start = self._stops[start - 1]
        first = self._starts[start]
        last = self._stops[stop - 1]
        texts_before = self.tree.text[text_start:first].tolist()
        if any(map(str.strip, texts_before)):
            first = text_start
        return Span(first, last)


def tag_structure(tree: Tree, node: int, depth: int) -> str:
    """Return the tag of a node, with the structures of its child elements down to a
    depth.
    """
    name = tree.name(node)
    if not depth:
        return name
    inner: list[str] = []
    for child in tree.children(node):
        if len(inner) == MAX_CHILDREN:
            break
        if tree.name(child) not in OUTSIDE_FOREST:
            child_structure = tag_structure(tree, child, depth - 1)
            inner.append(child_structure)
    children = ",".join(inner)
    return f"{name}({children})"


def occurrences(row: Sequence[str], pattern: Sequence[str]) -> int:
    """Return how often a pattern stands in a row."""
    count = 0
    for stop in range(len(pattern), len(row) + 1):
        if ends_with(row, stop, pattern):
            count += 1
    return count


def ends_with(
    row: Sequence[str], stop: int, pattern: Sequence[str], start: int = 0
) -> bool:
    """Return whether row[start:stop] ends with a pattern."""
    first = stop - len(pattern)
    if first < start:
        return False
    return row[first:stop] == pattern
