"""Records that are runs of siblings: a heading and the paragraphs under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from scythe.sections.span import Span
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree

Nodes = NDArray[np.int64]


def sibling_runs(
    tree: Tree, heads: Sequence[int] | Nodes, siblings: SiblingTags | None = None
) -> Iterator[Span]:
    """Yield every head with its younger siblings up to the next head.

    The last run of a parent has no next head: it ends before the first sibling of a tag
    that no earlier run has. `siblings` may be shared by calls for one tree.
    """
    nodes = list(map(int, heads))
    siblings = siblings or SiblingTags(tree)
    first_head: int | None = None
    for head, following in zip_longest(nodes, nodes[1:]):
        if first_head is None:
            first_head = head
        parent = tree.parent[head]
        if following is not None and tree.parent[following] == parent:
            yield Span(head, following)
        else:
            yield Span(head, siblings.end_of_last_run(first_head, head))
            first_head = None


class SiblingTags:
    """The children of the parent that was asked for last, and their tags: many sets of
    heads have the same one.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._parent = -1
        self._nodes: Nodes = np.zeros(0, dtype=np.int64)
        self._tags: Nodes = self._nodes

    def end_of_last_run(self, first_head: int, last_head: int) -> int:
        """Return where the last run of a parent ends, by the tags of its earlier runs."""
        tree = self._tree
        parent = int(tree.parent[last_head])
        stop = int(tree.end[parent])
        if first_head == last_head:
            return stop
        if parent != self._parent:
            self._parent = parent
            below = tree.parent[parent + 1 : stop]
            is_child = below == parent
            self._nodes = np.flatnonzero(is_child) + parent + 1
            self._tags = tree.tag[self._nodes].astype(np.int64)
        first, last = np.searchsorted(self._nodes, (first_head, last_head))
        is_known = np.zeros(int(self._tags.max()) + 1, dtype=bool)
        is_known[self._tags[first:last]] = True
        is_known[TEXT] = True
        is_known_later = is_known[self._tags[last + 1 :]]
        if is_known_later.all():
            return stop
        next_unknown = is_known_later.argmin()
        return int(self._nodes[last + 1 + next_unknown])
