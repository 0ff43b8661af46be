"""The trained model: three ensembles of trees in one array file, and the order in which
they are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, softmax
from scythe.content.methods.learned.decision import calibrated, choose, page_facts
from scythe.content.methods.learned.features import Features
from scythe.content.methods.learned.page_type import PAGE_TYPES, type_rows
from scythe.tree.tree import Bools

MODEL_FILE = Path(__file__).with_name("model.npz")


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the model says of a page."""

    chosen: Bools
    """Which blocks are content."""
    probability: NDArray[np.float64]
    """The share of each block that is expected to be content."""
    confidence: float
    page_type: str


@dataclass(frozen=True, eq=False)
class Model:
    """How much of each block is content, what kind of page it is, how good the outcome
    will be.
    """

    blocks: TreeEnsemble
    types: TreeEnsemble
    confidence: TreeEnsemble

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model file."""
        return cls.read(load_arrays(path))

    @classmethod
    def read(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Model:
        """Take the ensembles out of the arrays of a model file."""
        return cls(
            *(
                TreeEnsemble.from_arrays(arrays, name)
                for name in ("blocks", "types", "confidence")
            )
        )

    def verdict(self, features: Features) -> Verdict:
        """Decide about all blocks of a page."""
        types = softmax(self.types.scores(type_rows(features)))[:, 0]
        probability = calibrated(self.blocks.scores(features.rows)[0], types)
        chosen = choose(probability, features.words)
        facts = page_facts(probability, features.words, chosen, types)
        expected = float(self.confidence.scores(facts)[0, 0])
        return Verdict(
            chosen,
            probability,
            min(max(expected, 0.0), 1.0),
            PAGE_TYPES[int(np.argmax(types))],
        )


@cache
def default_model() -> Model:
    """The model that comes with the package, read once."""
    return Model.load(MODEL_FILE)
