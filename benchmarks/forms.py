"""Forms: which of the forms of a page search, and which of their fields takes the
query.

python -m benchmarks.forms [DATA] [--errors]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from training.forms import LabelledForm, held_out, read_forms

from benchmarks.common import arguments, report, table
from scythe.engines.forms.detection import SEARCH_THRESHOLD
from scythe.engines.forms.model import FormModel

Judged = Sequence[tuple[LabelledForm, FormModel]]
"""Forms, each with a model that saw no page of its domain."""
Score = Callable[[LabelledForm, FormModel], float]
"""How likely a form searches."""
BASELINE_TEXTS = ("name", "action", "submit", "field", "label")


def model_score(form: LabelledForm, model: FormModel) -> float:
    return float(model.form([form.features])[0])


def baseline_score(form: LabelledForm, _model: FormModel) -> float:
    """Return the floor: the word in the names of the form or its fields, its address or
    its button.
    """
    texts = [form.features[f"{text} says search"] for text in BASELINE_TEXTS]
    return float(any(texts))


def query_field(form: LabelledForm, model: FormModel) -> str | None:
    """Return the name of the field that is taken for the query's."""
    if not form.text_fields:
        return None
    has_name = np.array([bool(field.name) for field in form.text_fields])
    scores = model.field(form.field_features) + has_name
    return form.text_fields[int(np.argmax(scores))].name


def main() -> None:
    parser = arguments(
        "Search forms and query fields against their labels, by models that saw no page"
        " of the domain."
    )
    parser.add_argument("--errors", action="store_true", help="list what is wrong")
    options = parser.parse_args()
    judged = list(held_out(list(read_forms(options.data))))
    figures = {
        "scythe": detection_figures(judged, model_score),
        "the word search": detection_figures(judged, baseline_score),
        "fields": field_figures(judged),
    }
    report("forms", _tables(figures), figures)
    if options.errors:
        print("\n".join(_errors(judged)))


def detection_figures(judged: Judged, score: Score) -> dict[str, Any]:
    """Return precision and recall over labelled forms, and the recall of those that have
    a field for the query.
    """
    scores = np.array([score(form, model) for form, model in judged])
    detected = scores >= SEARCH_THRESHOLD
    true = np.array([form.is_search for form, _ in judged])
    has_query = np.array([bool(form.queries) for form, _ in judged]) & true
    right = detected & true
    right_with_query = detected & has_query
    return {
        "forms": len(true),
        "search forms": int(true.sum()),
        "precision": float(right.sum() / max(detected.sum(), 1)),
        "recall": float(right.sum() / max(true.sum(), 1)),
        "recall with query field": float(
            right_with_query.sum() / max(has_query.sum(), 1)
        ),
    }


def field_figures(judged: Judged) -> dict[str, Any]:
    """Return how often the query field is right, in search forms where it is labelled:
    also where the form itself was not found.
    """
    right: list[bool] = []
    right_of_several: list[bool] = []
    for form, model in judged:
        if form.is_search and form.queries:
            is_right = query_field(form, model) in form.queries
            right.append(is_right)
            if len(form.text_fields) > 1:
                right_of_several.append(is_right)
    return {
        "forms": len(right),
        "right": float(np.mean(right)),
        "of several": len(right_of_several),
        "right of several": float(np.mean(right_of_several)),
    }


def _tables(figures: dict[str, Any]) -> list[str]:
    columns = ["precision", "recall", "recall with query field"]
    rows = []
    for name in ("scythe", "the word search"):
        values = [figures[name][column] for column in columns]
        rows.append([name, *values])
    counts = figures["scythe"]
    detection = table(
        f"Search forms ({counts['search forms']} of {counts['forms']} labelled forms)",
        ["", *columns],
        rows,
    )
    fields = figures["fields"]
    query_fields = table(
        "Query fields of true search forms",
        ["", "forms", "right"],
        [
            ["all", fields["forms"], fields["right"]],
            ["with several fields", fields["of several"], fields["right of several"]],
        ],
    )
    return [detection, query_fields]


def _errors(judged: Judged) -> Iterator[str]:
    for form, model in judged:
        score = model_score(form, model)
        if (score >= SEARCH_THRESHOLD) != form.is_search:
            yield (
                f"{form.page}: labelled {form.kind}, {score:.2f}, fields {form.fields}"
            )
        if form.is_search and form.queries:
            field = query_field(form, model)
            if field not in form.queries:
                queries = sorted(form.queries)
                yield f"{form.page}: the query field is {field!r}, not {queries}"


if __name__ == "__main__":
    main()
