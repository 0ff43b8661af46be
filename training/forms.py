"""Learn the weights of the features of forms and fields: `python -m training.forms
[DATA]`.

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

from scythe.engines.forms.controls import PageControl, PageControls
from scythe.engines.forms.features import (
    Features,
    feature_matrix,
    field_features,
    form_features,
)
from scythe.engines.forms.model import WEIGHTS, FormModel, LogisticRegression
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
"""Newton steps: a bound on work, not tuned."""
BIAS_RIDGE = 1e-6
"""The same for the bias, next to nothing: it is not drawn to 0. Not tuned."""


@dataclass(frozen=True, eq=False)
class LabelledForm:
    """A labelled form."""

    page: str
    kind: str
    fields: dict[str, str]
    """The label of each of its fields by name."""
    features: Features
    text_fields: tuple[PageControl, ...]
    """The fields that take text."""
    field_features: list[Features]

    @property
    def fold(self) -> int:
        """The fold of the form's domain."""
        return fold_of(self.page.rpartition("-")[0])

    @property
    def is_search(self) -> bool:
        """Whether it is labelled as a search form."""
        return self.kind == "search"

    @property
    def queries(self) -> frozenset[str]:
        """The names of the fields that are labelled as taking the query."""
        return frozenset(name for name, label in self.fields.items() if label == QUERY)


def read_forms(data: Path) -> Iterator[LabelledForm]:
    """Yield all labelled forms.

    Three pages nest forms, which browsers do not: which form a label belongs to is not
    known, and they are left out.
    """
    folder = require(data / "forms")
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    for name, page in sorted(truth.items()):
        compressed = (folder / "html" / f"{name}.html.gz").read_bytes()
        controls = PageControls(parse(gzip.decompress(compressed)))
        if len(controls.forms) != len(page["forms"]):
            continue
        labels = zip(controls.forms, page["forms"], page["fields"], strict=True)
        for node, kind, fields in labels:
            if kind not in UNLABELLED:
                form_controls = controls.by_form[node]
                features = form_features(controls.tree, node, form_controls)
                text_fields = [
                    control for control in form_controls if control.takes_text
                ]
                yield LabelledForm(
                    name,
                    kind,
                    fields,
                    features,
                    tuple(text_fields),
                    field_features(form_controls),
                )


def fit(forms: Sequence[LabelledForm]) -> FormModel:
    """Return the weights that these forms give.

    Fields are learned from search forms whose query field is labelled.
    """
    rows, labels = [], []
    field_rows, field_labels = [], []
    for form in forms:
        rows.append(form.features)
        labels.append(form.is_search)
        if form.is_search and form.queries:
            field_rows += form.field_features
            field_labels += [field.name in form.queries for field in form.text_fields]
    return FormModel(regression(rows, labels), regression(field_rows, field_labels))


def regression(rows: Sequence[Features], labels: Sequence[bool]) -> LogisticRegression:
    """Return a logistic regression, fitted by Newton's method."""
    names = tuple(rows[0])
    values = np.column_stack([feature_matrix(rows, names), np.ones(len(rows))])
    targets = np.array(labels, dtype=np.float64)
    ridge = np.full(values.shape[1], RIDGE)
    ridge[-1] = BIAS_RIDGE
    weights = np.zeros(values.shape[1])
    for _ in range(STEPS):
        probabilities: NDArray[np.float64] = 1 / (1 + np.exp(-values @ weights))
        variances = probabilities * (1 - probabilities)
        gradient = values.T @ (probabilities - targets) + ridge * weights
        hessian = (values.T * variances) @ values + np.diag(ridge)
        weights = weights - np.linalg.solve(hessian, gradient)
    return LogisticRegression(names, weights[:-1], float(weights[-1]))


def held_out(
    forms: Sequence[LabelledForm],
) -> Iterator[tuple[LabelledForm, FormModel]]:
    """Yield every form with the model of the folds that do not have its domain."""
    for fold in range(FOLDS):
        model = fit([form for form in forms if form.fold != fold])
        for form in forms:
            if form.fold == fold:
                yield form, model


def main() -> None:
    options = arguments("Learn the weights of the features of forms.").parse_args()
    forms = list(read_forms(options.data))
    fit(forms).save(WEIGHTS)
    searches = sum(form.is_search for form in forms)
    print(
        f"{WEIGHTS.name}: from {len(forms)} labelled forms,"
        f" {searches} of them search forms"
    )


if __name__ == "__main__":
    main()
