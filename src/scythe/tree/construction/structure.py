"""The shape of a tree from what a parser or a browser reports of it, in a few NumPy
passes instead of a walk.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Ints

_FITS_INT16 = 32_000
"""Nodes of a page whose numbers fit 16 bits, for which sorting is a radix sort."""


def tree_structure(child_counts: NDArray[np.int64]) -> tuple[Ints, Ints, Ints]:
    """Return subtree ends, parents and depths from the child counts of nodes in preorder.

    A node is as deep as there are nodes that have begun and not ended. Sorted by depth,
    the nodes of one level stand in the order of their parents on the level above.
    Corrects the counts of nodes whose children the node limit cut.
    """
    n = len(child_counts)
    inner = np.flatnonzero(child_counts)
    completed_at = _completed_at(child_counts, inner)

    # A subtree that the node limit cut never completes: it ends with the page.
    end = np.arange(1, n + 1, dtype=np.int32)
    end[inner] = np.minimum(completed_at + 1, n)

    ends_at = np.bincount(end, minlength=n + 1)
    ended_before = np.cumsum(ends_at[:n])
    depth = (np.arange(n) - ended_before).astype(np.int32)
    for node in inner[completed_at > n]:
        child_depth = depth[node] + 1
        is_child = depth[node + 1 :] == child_depth
        child_counts[node] = np.count_nonzero(is_child)

    by_level = np.argsort(depth.astype(np.int16), kind="stable")
    roots = np.count_nonzero(depth == 0)
    parents_in_order = np.repeat(by_level, child_counts[by_level])
    parent = np.zeros(n, dtype=np.int32)
    parent[by_level[roots:]] = parents_in_order
    return end, parent, depth


def _completed_at(
    child_counts: NDArray[np.int64], inner: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the last node of the subtree of every inner node, more than there are nodes
    where the subtree is never complete.

    The running sum of (children - 1) falls one below its value before node i exactly
    where the subtree of i is complete, and it only ever falls by one; so the subtree
    ends at the next node at which the sum has that value.
    """
    n = len(child_counts)
    level = np.cumsum(child_counts - 1, dtype=np.int64)
    sortable = level.astype(np.int16) if n < _FITS_INT16 else level
    order = np.argsort(sortable, kind="stable")
    keys = level[order] * (n + 1) + order
    keys = np.append(keys, np.iinfo(np.int64).max)

    level_before = level[inner] - child_counts[inner]
    level_key = level_before * (n + 1)
    position = np.searchsorted(keys, level_key + inner)
    found: NDArray[np.int64] = keys[position]
    return found - level_key


def flatten_below(max_depth: int, parent: Ints, end: Ints, depth: Ints) -> None:
    """Hang every deeper node, as a leaf, where its ancestor on the last allowed level
    hangs (in place).
    """
    numbers = np.arange(len(depth))
    last_allowed = np.where(depth == max_depth, numbers, 0)
    ancestor = np.maximum.accumulate(last_allowed)
    deeper = depth > max_depth
    allowed_ancestor = ancestor[deeper]
    parent[deeper] = parent[allowed_ancestor]
    depth[deeper] = max_depth

    at_limit = np.flatnonzero(depth == max_depth)
    end[at_limit] = at_limit + 1
