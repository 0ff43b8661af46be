"""Boosted oblivious trees as plain arrays, scored with NumPy.

In an oblivious tree every level asks one question of all rows, so the answers are the bits of the leaf's number: one
comparison for each level, one look-up for each tree, no walking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MAX_DEPTH = 8
"""Answers of one tree fill one byte."""


@dataclass(frozen=True, eq=False)
class Trees:
    """An ensemble with one or more outputs."""

    feature: NDArray[np.int32]
    """Which feature each question is about: a row for each tree, a column for each level, `MAX_DEPTH` at most."""
    border: Floats
    """The answer is yes where the feature is greater."""
    leaves: NDArray[np.float64]
    """For each output the values of all leaves, tree after tree: shape (outputs, trees * 2**depth)."""
    bias: NDArray[np.float64]

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[np.generic]], name: str) -> Trees:
        """Take an ensemble out of a model file."""
        return cls(
            arrays[f"{name}.feature"].astype(np.int32),
            arrays[f"{name}.border"].astype(np.float32),
            arrays[f"{name}.leaves"].astype(np.float64),
            arrays[f"{name}.bias"].astype(np.float64),
        )

    def scores(self, rows: Floats) -> NDArray[np.float64]:
        """The raw scores, a row for each output, for features given as rows and cases as columns."""
        trees, depth = self.feature.shape
        greater = rows.take(self.feature.T.ravel(), axis=0) > self.border.T.reshape(-1, 1)
        answers = greater.view(np.uint8).reshape(depth, trees, -1)
        leaf = answers[depth - 1].copy()
        for level in range(depth - 2, -1, -1):
            leaf <<= 1
            leaf |= answers[level]
        place = leaf.astype(np.int32)
        place += (np.arange(trees, dtype=np.int32) << depth)[:, None]
        return np.stack([values.take(place).sum(axis=0) for values in self.leaves]) + self.bias[:, None]


def sigmoid(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores as probabilities."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(scores, -40.0, 40.0))))


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of several outputs (rows) as probabilities that sum to 1."""
    powers = np.exp(scores - scores.max(axis=0))
    return np.asarray(powers / powers.sum(axis=0))
