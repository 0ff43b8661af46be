"""What the traits of forms and fields weigh: two logistic regressions, whose weights
are in a small file beside this one.

Boosted trees measure the same on the labelled forms; the weights of a regression can be
read and compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import sigmoid
from scythe.engines.forms.traits import Row, matrix

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, eq=False)
class Scorer:
    """A logistic regression over named traits."""

    names: tuple[str, ...]
    weights: NDArray[np.float64]
    bias: float

    def __call__(self, rows: Sequence[Row]) -> NDArray[np.float64]:
        """The probability of each row."""
        return sigmoid(matrix(rows, self.names) @ self.weights + self.bias)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        weights = {
            name: round(weight, 3)
            for name, weight in zip(self.names, self.weights.tolist(), strict=True)
        }
        return {"bias": round(self.bias, 3), "weights": weights}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """What `as_json` wrote."""
        weights = values["weights"]
        return cls(
            tuple(weights),
            np.array(list(weights.values()), dtype=np.float64),
            float(values["bias"]),
        )


@dataclass(frozen=True, eq=False)
class Model:
    """Which form searches, and which of its fields takes the query."""

    form: Scorer
    field: Scorer

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        values = {"form": self.form.as_json(), "field": self.field.as_json()}
        path.write_text(
            json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )


@cache
def default_model() -> Model:
    """The model that comes with Scythe."""
    values = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Model(Scorer.from_json(values["form"]), Scorer.from_json(values["field"]))
