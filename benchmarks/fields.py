"""Fields: whether the true values of records stand alone in columns, and whether
columns hold one true field only.

python -m benchmarks.fields [DATA]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.common import arguments, report, table
from benchmarks.field_scoring import FieldScore, Row
from benchmarks.record_sets import RecordPage, RecordSet, record_sets, shown_text
from scythe.sections.fields import Fields, learn_fields
from scythe.sections.span import Span
from scythe.tree import Tree
from scythe.tree.tree import prefix_sums

Labelled = tuple[Tree, list[Span], list[Row]]
"""A page, its true records, and their true values."""


SPLITS = {"all": (False, True), "choices": (False,), "put aside": (True,)}
"""Whether the sets of a row were put aside while choices were made."""


def main() -> None:
    options = arguments("Columns of records against the true fields.").parse_args()
    sets = [
        page_set for page_set in record_sets(options.data) if page_set.pages[0].rows
    ]
    figures: dict[str, dict[str, Any]] = {}
    scores = [(page_set.put_aside, measure(page_set)) for page_set in sets]
    for split, chosen in SPLITS.items():
        found = [score for aside, score in scores if aside in chosen]
        for name in found[0]:
            parts = [part for of_set in found for part in of_set[name]]
            figures[f"{name}, {split}"] = summary(parts)
    columns = (
        "alone",
        "in any typing",
        "of those shown",
        "pure columns",
        "values of the column's field",
    )
    rows = [
        [name, *(found[column] for column in columns)]
        for name, found in figures.items()
    ]
    report(
        "fields",
        [table(f"Fields of true records ({len(sets)} sets)", ["", *columns], rows)],
        figures,
    )


def measure(page_set: RecordSet) -> dict[str, list[FieldScore]]:
    """Return the scores of columns learned on each page for itself, and on half of the
    pages for the other half.
    """
    samples, unseen = ([labelled(page) for page in half] for half in page_set.halves)
    found = {
        "single pages": [
            score(_learned([page]), [page]) for page in (*samples, *unseen)
        ],
        "unseen pages": [],
    }
    if unseen:
        found["unseen pages"] = [score(_learned(samples), unseen)]
    return found


def _learned(pages: Sequence[Labelled]) -> Fields:
    return learn_fields([(tree, spans) for tree, spans, _ in pages])


def score(fields: Fields, pages: Sequence[Labelled]) -> FieldScore:
    """Return how the columns read the true records."""
    counted = FieldScore()
    for tree, spans, rows in pages:
        for span, row in zip(spans, rows, strict=True):
            text = "".join(tree.text[span.start : span.stop].tolist())
            counted.add(row, fields.read(tree, span), text)
    return counted


def labelled(page: RecordPage) -> Labelled:
    """Return the page with those of its true records that one element holds, which are
    all but a handful.
    """
    tree = page.tree
    found = [
        (span, row)
        for span, row in zip(true_spans(tree, page.records), page.rows, strict=True)
        if span
    ]
    return tree, [span for span, _ in found], [row for _, row in found]


def true_spans(tree: Tree, records: Sequence[str]) -> Iterator[Span | None]:
    """Yield for each record the first element after the last record that has exactly
    its text.
    """
    texts = [
        "".join(text.split()) if shown else ""
        for text, shown in zip(tree.text, shown_text(tree), strict=True)
    ]
    page, ends = (
        "".join(texts),
        prefix_sums(np.array([len(text) for text in texts], dtype=np.int32)),
    )
    sizes = ends[tree.end] - ends[:-1]
    after = 0
    for record in records:
        squeezed, found = "".join(record.split()), None
        for node in (after + np.flatnonzero(sizes[after:] == len(squeezed))).tolist():
            if page.startswith(squeezed, int(ends[node])):
                found = Span(node, int(tree.end[node]))
                after = found.stop
                break
        yield found


def summary(scores: Sequence[FieldScore]) -> dict[str, Any]:
    """Return shares over all true values, and over all columns of all pages."""
    columns, values = (
        sum(found.columns for found in scores),
        sum(found.column_values for found in scores),
    )
    true = sum(found.true for found in scores)
    return {
        "true values": true,
        "alone": sum(found.alone for found in scores) / max(true, 1),
        "in any typing": sum(found.alike for found in scores) / max(true, 1),
        "of those shown": sum(found.alone for found in scores)
        / max(sum(found.shown for found in scores), 1),
        "columns": columns,
        "pure columns": sum(found.pure_columns for found in scores) / max(columns, 1),
        "values of the column's field": sum(
            found.values_of_main_field for found in scores
        )
        / max(values, 1),
    }


if __name__ == "__main__":
    main()
