"""The trained model: four ensembles of trees in one array file, and the order in which
they are evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, softmax
from scythe.content.methods.learned.decision import (
    PAGE_TYPES,
    calibrate,
    decide,
    page_facts,
    score_blocks,
    type_rows,
)
from scythe.content.methods.learned.features import Features
from scythe.tree.tree import Bools

MODEL_FILE = Path(__file__).with_name("model.npz")


@dataclass(frozen=True, eq=False)
class Prediction:
    """What the model predicts of a page."""

    selected: Bools
    """Which blocks are content."""
    probability: NDArray[np.float64]
    """The share of each block that is expected to be content."""
    confidence: float
    page_type: str
    forum: float
    """How likely the page is a thread of a forum."""


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
        type_scores = self.types.scores(type_rows(features))
        types = softmax(type_scores)[:, 0]
        scores = score_blocks(self.prose, self.mixed, features, types)
        decided = decide(features, calibrate(scores, types), types, beta)
        facts = page_facts(features, *decided, types)
        expected_f1 = float(self.confidence.scores(facts)[0, 0])
        return Prediction(
            selected=decided.selected,
            probability=decided.probability,
            confidence=min(max(expected_f1, 0.0), 1.0),
            page_type=PAGE_TYPES[int(np.argmax(types))],
            forum=float(types[PAGE_TYPES.index("forum")]),
        )


@cache
def default_content_model() -> Model:
    """Return the model that comes with the package, read once."""
    return Model.load(MODEL_FILE)
