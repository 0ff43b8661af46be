"""Boosted oblivious trees by CatBoost, and their export to plain arrays."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from catboost import CatBoost, Pool
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble

SEED = 20261115


@dataclass(frozen=True)
class Size:
    """How large an ensemble is and how fast it learns."""

    trees: int
    depth: int
    rate: float
    features: float
    """Share of the features that each level may ask about."""
    leaf_steps: int = 1
    """How often the values of a tree's leaves are corrected before the next tree."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """A trained ensemble, as the library has it and as arrays."""

    library: Sequence[CatBoost]
    """One model, or several whose scores are averaged."""
    trees: TreeEnsemble
    training_only: int = 0
    """How many of the last features are known in training alone; in use they are 0."""

    @classmethod
    def of(cls, model: CatBoost, training_only: int = 0) -> Ensemble:
        """Export a trained model. Questions about features that only the training knows
        are answered for good: their value in use is 0.
        """
        trees = to_trees(model)
        used = len(model.feature_names_) - training_only
        is_answered = trees.feature >= used
        feature = np.where(is_answered, 0, trees.feature)
        answer = np.where(trees.border < 0, -np.inf, np.inf)
        border = np.where(is_answered, answer, trees.border).astype(np.float32)
        return cls(
            [model], replace(trees, feature=feature, border=border), training_only
        )

    def sample(self, cases: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Return made-up cases (columns) close to the borders that the trees ask about,
        and the library's scores for them.
        """
        random = np.random.default_rng(SEED)
        rows = random.normal(size=(len(self.library[0].feature_names_), cases)).astype(
            np.float32
        )
        for feature in np.unique(self.trees.feature):
            borders = self.trees.border[self.trees.feature == feature]
            rows[feature] = random.choice(
                borders[np.isfinite(borders)], cases
            ) + random.choice([0.0, 0.01, -0.01], cases)
        used = len(rows) - self.training_only
        rows[used:] = 0
        scores = [
            np.array(model.predict(rows.T, prediction_type="RawFormulaVal")).T
            for model in self.library
        ]
        return rows[:used], np.atleast_2d(np.mean(scores, axis=0))


def mean_of(ensembles: Sequence[Ensemble]) -> Ensemble:
    """Return one ensemble whose score is the mean of the scores of several."""
    parts, count = [ensemble.trees for ensemble in ensembles], len(ensembles)
    trees = TreeEnsemble(
        np.concatenate([part.feature for part in parts]),
        np.concatenate([part.border for part in parts]),
        np.concatenate([part.leaves for part in parts], axis=1) / count,
        np.mean([part.bias for part in parts], axis=0),
    )
    library = [model for ensemble in ensembles for model in ensemble.library]
    return Ensemble(library, trees, ensembles[0].training_only)


def fit_shares(
    rows: NDArray[np.float32],
    shares: NDArray[np.float64],
    weights: NDArray[np.float64],
    size: Size,
    variant: int = 0,
    training_only: int = 0,
) -> Ensemble:
    """Learn a share between 0 and 1 for every row. Ensembles of several variants differ
    by chance alone. The last `training_only` features are unknown in use.
    """
    chance = {"random_seed": SEED + variant}
    model = CatBoost(
        {
            "loss_function": "CrossEntropy",
            "subsample": 0.5,
            **_parameters(size),
            **chance,
        }
    )
    model.fit(Pool(rows, shares, weight=weights))
    return Ensemble.of(model, training_only)


def fit_classes(
    rows: NDArray[np.float32],
    classes: NDArray[np.int64],
    size: Size,
    weights: NDArray[np.float64] | None = None,
) -> Ensemble:
    """Learn a class for every row."""
    model = CatBoost(
        {"loss_function": "MultiClass", "subsample": 0.7, **_parameters(size)}
    )
    return Ensemble.of(model.fit(Pool(rows, classes, weight=weights)))


def fit_values(
    rows: NDArray[np.float32], values: NDArray[np.float64], size: Size
) -> Ensemble:
    """Learn a number for every row."""
    model = CatBoost({"loss_function": "RMSE", "subsample": 0.7, **_parameters(size)})
    return Ensemble.of(model.fit(Pool(rows, values)))


def _parameters(size: Size) -> dict[str, Any]:
    return {
        "iterations": size.trees,
        "depth": size.depth,
        "learning_rate": size.rate,
        "rsm": size.features,
        "bootstrap_type": "Bernoulli",
        "leaf_estimation_iterations": size.leaf_steps,
        "l2_leaf_reg": 10,
        "border_count": 32,
        "random_seed": SEED,
        "thread_count": 2,
        "verbose": 0,
        "allow_writing_files": False,
    }


def to_trees(model: CatBoost) -> TreeEnsemble:
    """Return the ensemble as arrays, with the same scores."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        content = json.loads(path.read_text())
    scale, bias = content["scale_and_bias"]
    outputs = len(bias)
    trees = content["oblivious_trees"]
    depth = max(len(tree["splits"] or ()) for tree in trees)
    feature = np.zeros((len(trees), depth), dtype=np.int32)
    border = np.full((len(trees), depth), np.inf, dtype=np.float32)
    leaves = np.zeros((outputs, len(trees), 1 << depth))
    index_of = [
        entry["flat_feature_index"]
        for entry in content["features_info"]["float_features"]
    ]
    for number, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"] or ()):
            feature[number, level] = index_of[split["float_feature_index"]]
            border[number, level] = split["border"]
        values = np.array(tree["leaf_values"]).reshape(-1, outputs).T * scale
        leaves[:, number, : values.shape[1]] = values
    return TreeEnsemble(
        feature, border, leaves.reshape(outputs, -1), np.array(bias, dtype=np.float64)
    )
