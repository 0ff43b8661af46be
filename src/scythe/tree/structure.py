"""The shape of a tree from what a parser or a browser tells of it, in a few NumPy
passes instead of a walk.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Ints


def structure(counts: NDArray[np.int64]) -> tuple[Ints, Ints, Ints]:
    """Subtree ends, parents and depths from the child counts of nodes in preorder.

    The running sum of (children - 1) falls one below its value before node i exactly
    where the subtree of i is complete, and it only ever falls by one; so the subtree
    ends at the next place where the sum has that value. A node is as deep as there are
    nodes that have begun and not ended. Sorted by depth, the nodes of one level stand
    in the order of their parents on the level above.
    """
    n = len(counts)
    level = np.cumsum(counts - 1, dtype=np.int64)
    order = np.argsort(level.astype(np.int16) if n < 32_000 else level, kind="stable")
    keys = np.append(level[order] * (n + 1) + order, np.iinfo(np.int64).max)
    inner = np.flatnonzero(counts)
    wanted = (level[inner] - counts[inner]) * (n + 1)
    found = keys[np.searchsorted(keys, wanted + inner)] - wanted
    end = np.arange(1, n + 1, dtype=np.int32)
    end[inner] = np.minimum(
        found + 1, n
    )  # a subtree that the node limit cut never completes: it ends with the page
    depth = (np.arange(n) - np.cumsum(np.bincount(end, minlength=n + 1)[:n])).astype(
        np.int32
    )
    for node in inner[found > n]:
        counts[node] = np.count_nonzero(depth[node + 1 :] == depth[node] + 1)
    by_level = np.argsort(depth.astype(np.int16), kind="stable")
    parent = np.zeros(n, dtype=np.int32)
    parent[by_level[np.count_nonzero(depth == 0) :]] = np.repeat(
        by_level, counts[by_level]
    )
    return end, parent, depth


def flatten_below(max_depth: int, parent: Ints, end: Ints, depth: Ints) -> None:
    """Hang every deeper node, as a leaf, where its ancestor on the last allowed level
    hangs (in place).
    """
    deepest = np.where(depth == max_depth, np.arange(len(depth)), 0)
    ancestor = np.maximum.accumulate(deepest)
    deeper = depth > max_depth
    parent[deeper] = parent[ancestor[deeper]]
    depth[deeper] = max_depth
    at_limit = np.flatnonzero(depth == max_depth)
    end[at_limit] = at_limit + 1
