"""What is matched: whole sibling subtrees as flat lists of labels, with equal subtrees
known by number.

Pages have tags of their own and class names in any number, so labels are numbers that a
`Vocabulary` gives; forests can be compared if they share one. Equal subtrees get equal
shape numbers by looking them up, not by hashing, so that no page can make two different
subtrees look the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree

_NUMBERED = re.compile(r"\d\d|\d$")
"""A single digit inside a name is no number: names made by machines (`kb0PBd`) have
them.
"""


def children_of(ends: Sequence[int], node: int) -> list[int]:
    """The children of a node in order, where node i's subtree is the slice i..ends[i];
    those of -1 are the roots.
    """
    child, stop = node + 1, len(ends) if node < 0 else ends[node]
    found = []
    while child < stop:
        found.append(child)
        child = ends[child]
    return found


@dataclass(frozen=True, eq=False)
class Forest:
    """Subtrees that stand side by side, in document order: node i's subtree is the
    slice i..ends[i].
    """

    labels: Sequence[int]
    ends: Sequence[int]
    shapes: Sequence[int]
    """Two nodes of forests of one vocabulary have the same shape if their subtrees are
    equal label for label.
    """
    nodes: Sequence[int]
    """What each node is where the forest comes from: its number in the tree."""

    def __len__(self) -> int:
        return len(self.labels)

    def children(self, node: int) -> list[int]:
        """The children of a node in order; those of -1 are the roots."""
        return children_of(self.ends, node)

    @property
    def shape(self) -> tuple[int, ...]:
        """Equal for forests that are equal as a whole."""
        return tuple(self.shapes[root] for root in self.children(-1))


class Vocabulary:
    """Numbers for labels and for shapes of subtrees, the same for all forests made with
    it.
    """

    def __init__(self) -> None:
        self._labels: dict[Hashable, int] = {}
        self._shapes: dict[tuple[int, ...], int] = {}

    def label(self, key: Hashable) -> int:
        """The number of a label, a new one if it was not seen before."""
        return self._labels.setdefault(key, len(self._labels))

    def forest(
        self,
        labels: Sequence[int],
        ends: Sequence[int],
        nodes: Sequence[int] | None = None,
    ) -> Forest:
        """A forest from labels in document order and the end of each subtree."""
        shapes = [0] * len(labels)
        for node in range(len(labels) - 1, -1, -1):
            parts = (
                labels[node],
                *(shapes[child] for child in children_of(ends, node)),
            )
            shapes[node] = self._shapes.setdefault(parts, len(self._shapes))
        return Forest(
            labels, ends, shapes, range(len(labels)) if nodes is None else nodes
        )

    def of_tree(
        self,
        tree: Tree,
        start: int,
        stop: int,
        key: Callable[[Tree, int], Hashable] | None = None,
    ) -> Forest:
        """The nodes start..stop of a tree, which must be whole sibling subtrees; white
        space between tags is left out.

        `key` gives the label of an element (`with_class`, say); without it that is the
        tag name. Text is text.
        """
        tags, ends = tree.tag[start:stop].tolist(), tree.end[start:stop].tolist()
        kept = [
            tag != TEXT or bool(text.strip())
            for tag, text in zip(tags, tree.text[start:stop], strict=True)
        ]
        place = [0]
        for keep in kept:
            place.append(place[-1] + keep)
        nodes = [start + offset for offset, keep in enumerate(kept) if keep]
        labels = [
            self.label("#text")
            if tags[node - start] == TEXT
            else self.label(key(tree, node) if key else tree.name(node))
            for node in nodes
        ]
        return self.forest(
            labels,
            [place[min(ends[node - start], stop) - start] for node in nodes],
            nodes,
        )


def with_class(tree: Tree, node: int) -> Hashable:
    """A label of tag and class, for pages whose tags alone say little."""
    return tree.name(node), class_key(tree.attributes(node).get("class"))


def class_key(classes: str | None) -> str:
    """The class names that say what an element is: sorted, and without those that
    number it (`item-17`).
    """
    return (
        " ".join(
            sorted({name for name in classes.split() if not _NUMBERED.search(name)})
        )
        if classes
        else ""
    )
