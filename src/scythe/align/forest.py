"""Forests: whole sibling subtrees as flat lists of labels, ready to be matched.

Pages have tags of their own and class names in any number, so labels are numbers given
by a `ForestVocabulary`; forests can be compared if they share one. Equal subtrees get equal
shape numbers by look-up, not by hashing, so that no page can make two different subtrees
look the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree

_COUNTER = re.compile(r"\d\d|\d$")
"""What makes a class name a counter (`item-17`). A single digit inside a name does not:
names made by machines (`kb0PBd`) have them.
"""

LabelKey = Callable[[Tree, int], Hashable]
"""Returns what an element of a tree is labelled by."""


def children_of(ends: Sequence[int], node: int) -> list[int]:
    """Return the children of a node in order; those of -1 are the roots.

    Node i's subtree is the slice i..ends[i].
    """
    child = node + 1
    stop = len(ends) if node < 0 else ends[node]
    children = []
    while child < stop:
        children.append(child)
        child = ends[child]
    return children


@dataclass(frozen=True, eq=False)
class Forest:
    """Subtrees side by side, in document order: node i's subtree is i..ends[i]."""

    labels: Sequence[int]
    ends: Sequence[int]
    shapes: Sequence[int]
    """Two nodes of forests of one vocabulary have the same shape if their subtrees are
    equal label for label.
    """
    nodes: Sequence[int]
    """The node of the tree that each node of the forest comes from."""

    def __len__(self) -> int:
        return len(self.labels)

    def children(self, node: int) -> list[int]:
        """Return the children of a node in order; those of -1 are the roots."""
        return children_of(self.ends, node)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shapes of all roots: equal for forests that are equal as a whole."""
        roots = self.children(-1)
        return tuple(self.shapes[root] for root in roots)


class ForestVocabulary:
    """Numbers for labels and for shapes of subtrees, shared by all its forests."""

    def __init__(self) -> None:
        self._labels: dict[Hashable, int] = {}
        self._shapes: dict[tuple[int, ...], int] = {}

    def label(self, key: Hashable) -> int:
        """Return the number of a label, a new one if it was not seen before."""
        return self._labels.setdefault(key, len(self._labels))

    def forest(
        self,
        labels: Sequence[int],
        ends: Sequence[int],
        nodes: Sequence[int] | None = None,
    ) -> Forest:
        """Return a forest from labels in document order and the end of each subtree."""
        shapes = [0] * len(labels)
        for node in range(len(labels) - 1, -1, -1):
            children = children_of(ends, node)
            child_shapes = [shapes[child] for child in children]
            shape = (labels[node], *child_shapes)
            next_number = len(self._shapes)
            shapes[node] = self._shapes.setdefault(shape, next_number)
        if nodes is None:
            nodes = range(len(labels))
        return Forest(labels, ends, shapes, nodes)

    def forest_of_tree(
        self, tree: Tree, start: int, stop: int, key: LabelKey | None = None
    ) -> Forest:
        """Return the forest of the nodes start..stop, which must be whole siblings.

        White space between tags is left out. `key` labels the elements
        (`tag_and_class`, for example); without it the label is the tag name. All text
        has one label.
        """
        tags = tree.tag[start:stop].tolist()
        ends = tree.end[start:stop].tolist()
        texts = tree.text[start:stop].tolist()

        nodes: list[int] = []
        labels: list[int] = []
        index_of_offset = [0]
        for offset, (tag, text) in enumerate(zip(tags, texts, strict=True)):
            node = start + offset
            if tag != TEXT:
                label = key(tree, node) if key else tree.name(node)
                nodes.append(node)
                labels.append(self.label(label))
            elif text.strip():
                nodes.append(node)
                labels.append(self.label("#text"))
            index_of_offset.append(len(nodes))

        forest_ends = []
        for node in nodes:
            end = min(ends[node - start], stop)
            forest_ends.append(index_of_offset[end - start])
        return self.forest(labels, forest_ends, nodes)


def tag_and_class(tree: Tree, node: int) -> Hashable:
    """Return a label of tag and class, for pages whose tags alone say little."""
    classes = tree.attributes(node).get("class")
    return tree.name(node), class_key(classes)


@lru_cache(maxsize=1 << 14)
def class_key(classes: str | None) -> str:
    """Return the class names that name an element: sorted, without its counters."""
    if not classes:
        return ""
    names = set()
    for name in classes.split():
        if not _COUNTER.search(name):
            names.add(name)
    return " ".join(sorted(names))
