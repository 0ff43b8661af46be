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


def sibling_runs(tree: Tree, heads: Sequence[int] | Nodes) -> Iterator[Span]:
    """Yield every head with its younger siblings up to the next head.

    The last run of a parent has no next head: it ends before the first sibling of a tag
    that no earlier run has.
    """
    nodes = list(map(int, heads))
    first_head: int | None = None
    for head, following in zip_longest(nodes, nodes[1:]):
        if first_head is None:
            first_head = head
        parent = tree.parent[head]
        if following is not None and tree.parent[following] == parent:
            yield Span(head, following)
        else:
            end = _end_of_last_run(tree, first_head, head)
            yield Span(head, end)
            first_head = None


def _end_of_last_run(tree: Tree, first_head: int, last_head: int) -> int:
    """Return where the last run of a parent ends, by the tags of its earlier runs."""
    parent = int(tree.parent[last_head])
    stop = int(tree.end[parent])
    siblings = list(tree.children(parent))
    earlier = [node for node in siblings if first_head <= node < last_head]
    known = {int(tree.tag[node]) for node in earlier}
    if not known:
        return stop
    for sibling in siblings:
        tag = int(tree.tag[sibling])
        if sibling <= last_head or tag == TEXT:
            continue
        if tag not in known:
            return sibling
    return stop
