"""How alike the records of a group are: which shapes of elements each of them has."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Ints

Shares = NDArray[np.float64]


def shapes_of(
    shape: Ints, starts: NDArray[np.int64], stops: NDArray[np.int64]
) -> Bools:
    """Which of the shapes that occur (columns) each of the records (rows) has."""
    sizes = stops - starts
    rows = np.repeat(np.arange(len(starts)), sizes)
    nodes = (
        np.arange(int(sizes.sum()))
        - np.repeat(np.cumsum(sizes) - sizes, sizes)
        + np.repeat(starts, sizes)
    )
    found = shape[nodes]
    rows, found = rows[found > 0], found[found > 0]
    kinds, columns = np.unique(found, return_inverse=True)
    has = np.zeros((len(starts), len(kinds)), dtype=bool)
    has[rows, columns] = True
    return has


def jaccard(one: Bools, other: Bools) -> Shares:
    """The share of the shapes of either row that both have, row by row; 1 where neither
    has any.
    """
    both = np.count_nonzero(one & other, axis=-1)
    either = np.count_nonzero(one | other, axis=-1)
    return np.where(either > 0, both / np.maximum(either, 1), 1.0)
