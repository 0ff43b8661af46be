"""Learn what the features of forms and fields weigh, and measure it: `python -m
training.forms [DATA]`.

Cross-validation is over five folds of the domains: no domain is in both training and
test.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmarks.common import arguments, require
from numpy.typing import NDArray

from scythe.engines.forms.controls import PageControls, PageControl
from scythe.engines.forms.model import WEIGHTS, FormModel, LogisticRegression
from scythe.engines.forms.features import (
    Features,
    field_features,
    form_features,
    feature_matrix,
)
from scythe.tree import parse
from training.folds import FOLDS, fold_of

UNLABELLED = frozenset({"NOT ANNOTATED", "SKIP THIS FORM"})
QUERY = "qq"
RIDGE = 0.5
"""How strongly weights are drawn to 0 (the factor of half their squares). From 0.3 to 3
the mean loss of a form in cross-validation stays between 0.069 and 0.084, and precision
and recall at the threshold do not fall below 0.95.
"""
STEPS = 40


@dataclass(frozen=True, eq=False)
class Case:
    """A labelled form."""

    page: str
    kind: str
    fields: dict[str, str]
    """The label of each of its fields by name."""
    features: Features
    items: tuple[PageControl, ...]
    """The fields that take words."""
    field_rows: list[Features]

    @property
    def fold(self) -> int:
        """The fold of the form's domain."""
        return fold_of(self.page.rpartition("-")[0])

    @property
    def searches(self) -> bool:
        """Whether it is labelled as a search form."""
        return self.kind == "search"

    @property
    def queries(self) -> frozenset[str]:
        """The names of the fields that are labelled as taking the query."""
        return frozenset(name for name, label in self.fields.items() if label == QUERY)


def read_cases(data: Path) -> Iterator[Case]:
    """All labelled forms. Three pages nest forms, which browsers do not: their labels
    cannot be told apart and are left out.
    """
    folder = require(data / "forms")
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    for name, page in sorted(truth.items()):
        controls = PageControls(
            parse(gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()))
        )
        if len(controls.forms) == len(page["forms"]):
            for form, kind, fields in zip(
                controls.forms, page["forms"], page["fields"], strict=True
            ):
                if kind not in UNLABELLED:
                    items = controls.by_form[form]
                    typed = tuple([item for item in items if item.takes_text])
                    yield Case(
                        name,
                        kind,
                        fields,
                        form_features(controls.tree, form, items),
                        typed,
                        field_features(items),
                    )


def fit(cases: Sequence[Case]) -> FormModel:
    """The weights that these forms give. Fields are learned from search forms whose
    query field is labelled.
    """
    forms = regression(
        [case.features for case in cases], [case.searches for case in cases]
    )
    fields = [(row, item.name in case.queries) for case in cases if case.searches and case.queries
              for row, item in zip(case.field_rows, case.items, strict=True)]  # fmt: skip
    return FormModel(
        forms, regression([row for row, _ in fields], [right for _, right in fields])
    )


def regression(rows: Sequence[Features], labels: Sequence[bool]) -> LogisticRegression:
    """Logistic regression by Newton's method."""
    names = tuple(rows[0])
    values = np.column_stack([feature_matrix(rows, names), np.ones(len(rows))])
    targets = np.array(labels, dtype=np.float64)
    pull = np.full(values.shape[1], RIDGE)
    pull[-1] = 1e-6
    weights = np.zeros(values.shape[1])
    for _ in range(STEPS):
        likely: NDArray[np.float64] = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (likely - targets) + pull * weights
        bend = (values.T * (likely * (1 - likely))) @ values + np.diag(pull)
        weights = weights - np.linalg.solve(bend, slope)
    return LogisticRegression(names, weights[:-1], float(weights[-1]))


def held_out(cases: Sequence[Case]) -> Iterator[tuple[Case, FormModel]]:
    """Every form with the model of the folds that do not have its domain."""
    for fold in range(FOLDS):
        model = fit([case for case in cases if case.fold != fold])
        yield from ((case, model) for case in cases if case.fold == fold)


def main() -> None:
    options = arguments("Learn the weights of the features of forms.").parse_args()
    cases = list(read_cases(options.data))
    fit(cases).save(WEIGHTS)
    print(
        f"{WEIGHTS.name}: from {len(cases)} labelled forms, {sum(case.searches for case in cases)} of them search forms"
    )


if __name__ == "__main__":
    main()
