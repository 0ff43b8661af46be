"""The trained model: four ensembles of trees in one array file, and the order in which
they are evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays
from scythe.content.methods.learned.decision import (
    calibrate,
    decide,
    page_facts,
    score_blocks,
    type_probabilities,
    type_rows,
)
from scythe.content.methods.learned.decision.compiled import compiled_model
from scythe.content.methods.learned.features import Features
from scythe.core.learned import CompiledModel
from scythe.tree.tree import Bools

MODEL_FILE = Path(__file__).with_name("model.npz")


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the model predicts of a page."""

    selected: Bools
    """Which blocks are content."""
    confidence: float
    types: NDArray[np.float64]
    """How likely the page is of each type, in the order of `PAGE_TYPES`."""


@dataclass(frozen=True, eq=False)
class Model:
    """How much of each block is content, what type of page it is, how good the outcome
    will be.
    """

    prose: TreeEnsemble
    """Blocks of articles and threads."""
    mixed: TreeEnsemble
    """Blocks of pages of every type."""
    types: TreeEnsemble
    confidence: TreeEnsemble

    @classmethod
    def load(cls, path: Path) -> Model:
        """Return the model of a file."""
        return cls.from_arrays(load_arrays(path))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Model:
        """Return the model whose ensembles are in the arrays of a model file."""
        return cls(
            prose=TreeEnsemble.from_arrays(arrays, "prose"),
            mixed=TreeEnsemble.from_arrays(arrays, "mixed"),
            types=TreeEnsemble.from_arrays(arrays, "types"),
            confidence=TreeEnsemble.from_arrays(arrays, "confidence"),
        )

    def predict(self, features: Features, beta: float = 1.0) -> Prediction:
        """Return the decision about all blocks of a page; recall counts `beta` times as
        much as precision.
        """
        column = type_rows(features, self.types.asked)
        types = type_probabilities(self.types.scores(column)[:, 0])
        scores = score_blocks(self.prose, self.mixed, features, types)
        decided = decide(features, calibrate(scores, types), types, beta)
        facts = page_facts(features, *decided, types)
        expected_f1 = float(self.confidence.scores(facts)[0, 0])
        confidence = min(max(expected_f1, 0.0), 1.0)
        return Prediction(decided.selected, confidence, types)

    @lru_cache(maxsize=4)  # noqa: B019 - models are few, and live as long as the process
    def compiled(self, beta: float) -> CompiledModel | None:
        """Return the model as the compiled core reads it; None where the core cannot
        score one of its ensembles.
        """
        ensembles = (self.types, self.prose, self.mixed, self.confidence)
        return compiled_model(ensembles, beta)


@cache
def default_content_model() -> Model:
    """Return the model that comes with the package, read once."""
    return Model.load(MODEL_FILE)
