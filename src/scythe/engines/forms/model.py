"""Two logistic regressions, over the features of forms and of fields.

Their weights are in a small file beside this one. Boosted trees measure the same on the
labelled forms; the weights of a regression can be read and compared.
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
from scythe.engines.forms.features import Features, feature_matrix

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, eq=False)
class LogisticRegression:
    """A logistic regression over named features."""

    names: tuple[str, ...]
    weights: NDArray[np.float64]
    bias: float

    def __call__(self, rows: Sequence[Features]) -> NDArray[np.float64]:
        """Return the probability of each row."""
        matrix = feature_matrix(rows, self.names)
        return sigmoid(matrix @ self.weights + self.bias)

    def as_json(self) -> dict[str, Any]:
        """Return the regression as plain values."""
        weights = {
            name: round(weight, 3)
            for name, weight in zip(self.names, self.weights.tolist(), strict=True)
        }
        return {"bias": round(self.bias, 3), "weights": weights}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the regression that `as_json` wrote."""
        weights = values["weights"]
        return cls(
            names=tuple(weights),
            weights=np.array(list(weights.values()), dtype=np.float64),
            bias=float(values["bias"]),
        )


@dataclass(frozen=True, eq=False)
class FormModel:
    """Which form searches, and which of its fields takes the query."""

    form: LogisticRegression
    field: LogisticRegression

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        values = {"form": self.form.as_json(), "field": self.field.as_json()}
        text = json.dumps(values, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


@cache
def default_form_model() -> FormModel:
    """Return the model that comes with Scythe."""
    values = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return FormModel(
        form=LogisticRegression.from_json(values["form"]),
        field=LogisticRegression.from_json(values["field"]),
    )
