"""Scores of oblivious trees by the compiled core."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import ArrayAddress, array_list
from scythe.core.library import library


class CompiledTrees(NamedTuple):
    """An ensemble as the core reads it: questions by the rank of their borders."""

    depth: int
    features: NDArray[np.int32]
    """The features that any question is about."""
    border_start: NDArray[np.int32]
    """Where the borders of each begin, and at last where all end."""
    borders: NDArray[np.float32]
    """The borders of one feature after the other, in rising order."""
    asked: NDArray[np.int32]
    """Which of `features` each question is about, tree after tree."""
    rank: NDArray[np.uint8]
    """Which of the borders of that feature."""
    leaves: NDArray[np.float64]

    def addresses(self) -> tuple[ArrayAddress, ...]:
        """Return where the arrays are, which stay there."""
        arrays: tuple[NDArray[Any], ...] = self[1:]
        return tuple(map(ArrayAddress.of_array, arrays))


def add_scores(
    depth: int,
    trees: tuple[ArrayAddress, ...],
    rows: NDArray[np.float32],
    scores: NDArray[np.float64],
) -> bool:
    """Add the scores of an ensemble, a row for each output, for features given as rows
    and cases as columns; return false where that is left to the reference.
    """
    compiled = library()
    if compiled is None or rows.dtype != np.float32 or not rows.size:
        return False
    arrays = array_list(*trees, rows, scores)
    added: int = compiled.scythe_scores(depth, rows.shape[1], arrays)
    return added == 0
