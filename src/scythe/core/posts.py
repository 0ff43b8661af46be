"""The compiled core's share of finding the posts of threads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library

_MOST = 8
"""Elements of all candidates, in multiples of the nodes of a page; pages with more are
left to the reference.
"""


def find_own_elements(
    block: Block,
    keys: NDArray[np.int64],
    groups: Sequence[Sequence[int]],
    least_share: float,
) -> list[list[int]] | None:
    """Return the elements of one key that hold one mark of a group each, for so many
    marks at least; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(keys) != len(block.tag):
        return None
    marks = np.fromiter(chain.from_iterable(groups), dtype=np.int32)
    group_ends = np.fromiter(accumulate(map(len, groups)), dtype=np.int32)
    share = np.array([least_share])
    nodes, ends = np.empty((2, _MOST * len(keys)), dtype=np.int32)
    arrays = array_list(block.address, keys, marks, group_ends, share, nodes, ends)
    count = compiled.scythe_anchors(None, arrays)
    if count < 0:
        return None
    bounds = pairwise([0, *ends[:count].tolist()])
    return [nodes[start:stop].tolist() for start, stop in bounds]
