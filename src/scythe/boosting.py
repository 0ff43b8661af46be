"""Boosted oblivious trees as plain arrays, scored with NumPy.

In an oblivious tree every level asks one question of all rows, so the answers are the
bits of the leaf's number: one comparison for each level, one look-up for each tree, no
walking. Where the compiled core is at work, it scores them, with the same outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import ArrayAddress
from scythe.core.library import at_work
from scythe.core.scoring import CompiledTrees, add_scores

Floats = NDArray[np.float32]

_TREES_AT_ONCE = 80
"""So many trees of a page's answers stay in the cache of the processor: a fifth faster
than all at once.
"""
MAX_DEPTH = 8
"""Answers of one tree fill one byte."""
_MAX_RANK = 254
"""Borders of one feature, less one: the core counts them in a byte."""
_LEAF_STEP = 2.0**-40
"""Leaves are rounded to multiples of this, far below what training tells apart, so that
their sums are exact: the same in every order in which they are added.
"""


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """An ensemble with one or more outputs."""

    feature: NDArray[np.int32]
    """Which feature each question is about: a row for each tree, a column for each
    level, `MAX_DEPTH` at most.
    """
    border: Floats
    """The answer is yes where the feature is greater."""
    leaves: NDArray[np.float64]
    """For each output the values of all leaves, tree after tree: shape (outputs, trees
    * 2**depth).
    """
    bias: NDArray[np.float64]
    """The score of each output before any tree."""

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[np.generic]], name: str
    ) -> TreeEnsemble:
        """Return one ensemble of a model file."""
        return cls(
            arrays[f"{name}.feature"].astype(np.int32),
            arrays[f"{name}.border"].astype(np.float32),
            _rounded(arrays[f"{name}.leaves"]),
            _rounded(arrays[f"{name}.bias"]),
        )

    @cached_property
    def _questions(self) -> tuple[NDArray[np.int32], Floats, NDArray[np.int64]]:
        """The different questions of all trees (feature and border), and which of them
        each level of each tree asks.
        """
        features = self.feature.ravel()
        borders = self.border.ravel()
        order = np.lexsort((borders, features))  # `unique` loads modules of its own
        features = features[order]
        borders = borders[order]
        is_new = np.ones(len(order), dtype=bool)
        is_other_feature = features[1:] != features[:-1]
        is_other_border = borders[1:] != borders[:-1]
        is_new[1:] = is_other_feature | is_other_border
        question = np.empty(len(order), dtype=np.int64)
        question[order] = np.cumsum(is_new) - 1
        return (
            features[is_new],
            borders[is_new, None],
            question.reshape(self.feature.shape).T,
        )

    def scores(self, rows: Floats) -> NDArray[np.float64]:
        """Return the raw scores, a row for each output, for features given as rows and
        cases as columns.
        """
        cases = rows.shape[1]
        scores = np.repeat(self.bias[:, None], cases, axis=1)
        if not (at_work() and self._add_compiled(rows, scores)):
            self._add(rows, scores)
        return scores

    def _add_compiled(self, rows: Floats, scores: NDArray[np.float64]) -> bool:
        """Add the scores by the compiled core; return false where it cannot."""
        trees = self.compiled
        if trees is None:
            return False
        contiguous = np.ascontiguousarray(rows)
        return add_scores(trees.depth, self._addresses, contiguous, scores)

    @cached_property
    def asked(self) -> NDArray[np.int32]:
        """The features that any question is about, in rising order."""
        features, _, _ = self._questions
        return features[np.diff(features, prepend=-1) > 0]

    @cached_property
    def _addresses(self) -> tuple[ArrayAddress, ...]:
        return () if self.compiled is None else self.compiled.addresses()

    @cached_property
    def compiled(self) -> CompiledTrees | None:
        """The ensemble as the core reads it; None where a feature has too many borders
        for it.
        """
        features, borders, question = self._questions
        first = np.searchsorted(features, self.asked)
        start = np.append(first, len(features)).astype(np.int32)
        number = np.searchsorted(self.asked, self.feature.ravel()).astype(np.int32)
        question_of_tree = question.T
        rank = question_of_tree.ravel() - start[number]
        if rank.max(initial=0) > _MAX_RANK:
            return None
        return CompiledTrees(
            depth=self.feature.shape[1],
            features=self.asked,
            border_start=start,
            borders=np.ascontiguousarray(borders[:, 0]),
            asked=number,
            rank=rank.astype(np.uint8),
            leaves=self.leaves,
        )

    def _add(self, rows: Floats, scores: NDArray[np.float64]) -> None:
        features, borders, question = self._questions
        asked = rows.take(features, axis=0)
        answers = (asked > borders).view(np.uint8)
        trees, depth = self.feature.shape
        for start in range(0, trees, _TREES_AT_ONCE):
            stop = min(start + _TREES_AT_ONCE, trees)
            leaf = answers.take(question[depth - 1, start:stop], axis=0)
            for level in range(depth - 2, -1, -1):
                leaf <<= 1
                leaf |= answers.take(question[level, start:stop], axis=0)

            tree = np.arange(start, stop, dtype=np.int32)
            first_leaf = tree << depth
            position = leaf + first_leaf[:, None]
            for output, values in zip(scores, self.leaves, strict=True):
                leaf_values = values.take(position)
                output += leaf_values.sum(axis=0)


def _rounded(values: NDArray[Any]) -> NDArray[np.float64]:
    exact = values.astype(np.float64)
    steps = np.rint(exact / _LEAF_STEP)
    return np.ascontiguousarray(steps * _LEAF_STEP)


def load_arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of a model file; nothing in it is executed."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def sigmoid(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores as probabilities; clipped where `exp` would overflow for nothing."""
    clipped = np.clip(scores, -40.0, 40.0)
    powers = np.exp(-clipped)
    return np.asarray(1.0 / (1.0 + powers))


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores of several outputs (rows) as probabilities that sum to 1."""
    highest = scores.max(axis=0)
    powers = np.exp(scores - highest)
    return np.asarray(powers / powers.sum(axis=0))
