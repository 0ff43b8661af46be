"""Scores of oblivious trees by the compiled core."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.library import library


def add_scores(
    depth: int,
    features: NDArray[np.int32],
    borders: NDArray[np.float32],
    leaves: NDArray[np.float64],
    rows: NDArray[np.float32],
    scores: NDArray[np.float64],
) -> bool:
    """Add the scores of an ensemble, a row for each output, for features given as rows
    and cases as columns; return false where that is left to the reference.
    """
    compiled = library()
    if compiled is None or rows.dtype != np.float32 or not rows.size:
        return False
    arrays = array_list(features, borders, leaves, rows, scores)
    added: int = compiled.scythe_scores(depth, rows.shape[1], arrays)
    return added == 0
