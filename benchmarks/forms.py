"""Forms: which of the forms of a page search, and which of their fields takes the
query.

python -m benchmarks.forms [DATA] [--errors]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from training.forms import Case, held_out, read_cases

from benchmarks.common import arguments, report, table
from scythe.engines.forms.detection import SEARCH_THRESHOLD
from scythe.engines.forms.model import FormModel

Judge = Callable[[Case, FormModel], float]
"""How likely a form searches."""


def learned(case: Case, model: FormModel) -> float:
    return float(model.form([case.features])[0])


def says_search(case: Case, _model: FormModel) -> float:
    """The floor: the word in the names of the form or its fields, its address or its
    button.
    """
    return float(
        any(
            case.features[f"{place} says search"]
            for place in ("name", "action", "submit", "field", "label")
        )
    )


def query_field(case: Case, model: FormModel) -> str | None:
    """The name of the field that is taken for the query's."""
    if not case.items:
        return None
    named = np.array([bool(item.name) for item in case.items])
    return case.items[int(np.argmax(model.field(case.field_rows) + named))].name


def main() -> None:
    parser = arguments(
        "Search forms and query fields against their labels, by models that saw no page of the domain."
    )
    parser.add_argument("--errors", action="store_true", help="list what is wrong")
    options = parser.parse_args()
    judged = list(held_out(list(read_cases(options.data))))
    figures = {
        name: found(judged, judge)
        for name, judge in {"scythe": learned, "the word search": says_search}.items()
    }
    figures["fields"] = fields(judged)
    report("forms", _tables(figures), figures)
    if options.errors:
        print("\n".join(_errors(judged)))


def found(judged: Sequence[tuple[Case, FormModel]], judge: Judge) -> dict[str, Any]:
    """Precision and recall over labelled forms, and the recall of those that have a
    field for the query.
    """
    said = np.array([judge(case, model) >= SEARCH_THRESHOLD for case, model in judged])
    true = np.array([case.searches for case, _ in judged])
    asked = np.array([bool(case.queries) for case, _ in judged]) & true
    right = said & true
    return {
        "forms": len(true),
        "search forms": int(true.sum()),
        "precision": float(right.sum() / max(said.sum(), 1)),
        "recall": float(right.sum() / max(true.sum(), 1)),
        "recall with query field": float((said & asked).sum() / max(asked.sum(), 1)),
    }


def fields(judged: Sequence[tuple[Case, FormModel]]) -> dict[str, Any]:
    """How often the query field is right, in search forms where it is labelled: also
    where the form itself was not found.
    """
    labelled = [
        (case, model) for case, model in judged if case.searches and case.queries
    ]
    right = [query_field(case, model) in case.queries for case, model in labelled]
    several = [
        hit
        for hit, (case, _) in zip(right, labelled, strict=True)
        if len(case.items) > 1
    ]
    return {
        "forms": len(right),
        "right": float(np.mean(right)),
        "of several": len(several),
        "right of several": float(np.mean(several)),
    }


def _tables(figures: dict[str, Any]) -> list[str]:
    shown = ("precision", "recall", "recall with query field")
    rows = [
        [name, *(figures[name][column] for column in shown)]
        for name in ("scythe", "the word search")
    ]
    one = figures["scythe"]
    first = table(
        f"Search forms ({one['search forms']} of {one['forms']} labelled forms)",
        ["", *shown],
        rows,
    )
    found = figures["fields"]
    second = table(
        "Query fields of true search forms",
        ["", "forms", "right"],
        [
            ["all", found["forms"], found["right"]],
            ["with several fields", found["of several"], found["right of several"]],
        ],
    )
    return [first, second]


def _errors(judged: Sequence[tuple[Case, FormModel]]) -> Iterator[str]:
    for case, model in judged:
        score = learned(case, model)
        if (score >= SEARCH_THRESHOLD) != case.searches:
            yield f"{case.page}: labelled {case.kind}, {score:.2f}, fields {case.fields}"
        if (
            case.searches
            and case.queries
            and query_field(case, model) not in case.queries
        ):
            yield f"{case.page}: the query field is {query_field(case, model)!r}, not {sorted(case.queries)}"


if __name__ == "__main__":
    main()
