"""Learning by example: two values of one record, the right records and the right columns
of a set.

python -m benchmarks.by_example [DATA] [--choices]

The examples are the first two values of a record that stand in its text and in no other
value of it; of the first record that has such. A wrapper is learned from them and half of
a set's pages, by the model that has not seen the site, and read on all pages of the set.
Records are right if precision and recall are at least 0.9; a column is right if nine of
ten true values of its field that are alone in a record stand in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.common import arguments, report, table
from benchmarks.fields import labelled
from benchmarks.record_finders import held_out
from benchmarks.record_scoring import correct_records
from benchmarks.record_sets import RecordPage, RecordSet, record_sets, shown_text
from scythe.errors import UsageError
from scythe.sections.span import Span, span_texts
from scythe.tree import Tree, parse
from scythe.wrappers.examples import squeezed
from scythe.wrappers.learn import learn_by_example
from scythe.wrappers.wrapper import Wrapper

RIGHT = 0.9
"""The share of records, or of the values of a column, from which it is right."""
MIN_LENGTH = 3
"""Characters of an example: a person would not give less."""

Row = Sequence[str]


def main() -> None:
    parser = arguments("Wrappers from two example values of one record.")
    parser.add_argument(
        "--choices", action="store_true", help="leave out the sets that are put aside"
    )
    parser.add_argument("--list", action="store_true", help="name the sets that fail")
    options = parser.parse_args()
    results = []
    for page_set in record_sets(options.data):
        if not page_set.pages[0].rows or (options.choices and page_set.put_aside):
            continue
        found = measure(page_set)
        if found is not None:
            results.append((page_set, *found))
            if options.list and not all(found):
                print(page_set.name, *found)
    rows, figures = [], {}
    for name, aside in (("choices", False), ("put aside", True)):
        chosen = [one for one in results if one[0].put_aside is aside]
        if chosen:
            records = sum(one[1] for one in chosen) / len(chosen)
            columns = sum(one[2] for one in chosen) / len(chosen)
            both = sum(one[1] and one[2] for one in chosen) / len(chosen)
            rows.append([name, len(chosen), records, columns, both])
            figures[name] = {
                "sets": len(chosen),
                "records": records,
                "columns": columns,
                "both": both,
            }
    header = ["", "sets", "records right", "columns right", "both"]
    report("by_example", [table("Wrappers by example", header, rows)], figures)


def measure(page_set: RecordSet) -> tuple[bool, bool] | None:
    """Return whether the records and the columns are right; None where no record has
    two values that can be given.
    """
    for page in page_set.halves[0]:
        for index, record in enumerate(page.records):
            fields = list(example_fields(record, page.rows[index]))[:2]
            if len(fields) == 2:
                values = {str(field): page.rows[index][field] for field in fields}
                return measured(page_set, values)
    return None


def example_fields(record: str, row: Row) -> Iterator[int]:
    """Yield the fields of a record whose values can be given as examples."""
    text = squeezed(record)
    values = [squeezed(value) for value in row]
    for field, value in enumerate(values):
        is_elsewhere = any(
            value in other for other in values[:field] + values[field + 1 :]
        )
        if len(value) >= MIN_LENGTH and value in text and not is_elsewhere:
            yield field


def measured(page_set: RecordSet, examples: dict[str, str]) -> tuple[bool, bool]:
    """Return whether the wrapper of two examples is right."""
    trees = [parse(page.html) for page in page_set.halves[0]]
    no_result = parse(page_set.no_result) if page_set.no_result else None
    model = held_out(page_set.site, visual=False)
    try:
        wrapper = learn_by_example(trees, examples, no_result, model)
    except UsageError:
        return False, False
    found = [page_counts(wrapper, page) for page in page_set.pages]
    correct, extracted, true = (sum(counts) for counts in zip(*found, strict=True))
    is_right = correct >= RIGHT * extracted and correct >= RIGHT * true
    return is_right, all(column_is_right(wrapper, page_set, name) for name in examples)


def page_counts(wrapper: Wrapper, page: RecordPage) -> tuple[int, int, int]:
    """Return the correct, the extracted and the true records of a page."""
    tree = parse(page.html)
    texts = span_texts(tree, wrapper.rule.cut(tree))
    return correct_records(texts, page.records), len(texts), len(page.records)


def column_is_right(wrapper: Wrapper, page_set: RecordSet, name: str) -> bool:
    """Return whether a column has the values of one field, in true records.

    The fields of a row have other numbers on other pages of some sets, so that the field
    is the one that the column has most often on a page.
    """
    right = true = 0
    for page in page_set.pages:
        tree, spans, rows = labelled(page)
        same = same_text(tree, spans, wrapper.rule.cut(tree))
        read = [wrapper.fields.read(tree, span).get(name, "") for span in same]
        matches: Counter[int] = Counter()
        for value, row in zip(read, rows, strict=True):
            matches.update(matching_fields(value, row))
        for field, count in matches.most_common(1):
            right += count
            texts = span_texts(tree, spans)
            pairs = zip(texts, rows, strict=True)
            true += sum(is_shown(row[field : field + 1], text) for text, row in pairs)
    return right >= RIGHT * max(true, 1)


def same_text(tree: Tree, spans: Sequence[Span], cut: Sequence[Span]) -> list[Span]:
    """Return for each true record the record of a wrapper that has the same text, where
    there is one: which of two elements around the text it is says nothing.
    """
    is_filled = [bool(text.strip()) for text in tree.text.tolist()]
    texts = np.flatnonzero(shown_text(tree) & np.array(is_filled))

    def extent(span: Span) -> tuple[int, ...]:
        return tuple(np.searchsorted(texts, span).tolist())

    by_extent = {extent(span): span for span in cut}
    return [by_extent.get(extent(span), span) for span in spans]


def matching_fields(value: str | list[str], row: Row) -> Iterator[int]:
    """Yield the fields of a row that a value of a column is."""
    items = [value] if isinstance(value, str) else value
    keys = [squeezed(item) for item in items]
    for field, true in enumerate(row):
        key = squeezed(true)
        if key and any(key in item for item in keys):
            yield field


def is_shown(values: Row, text: str) -> bool:
    """Return whether a record has a value and shows it as the truth writes it."""
    return any(value and squeezed(value) in squeezed(text) for value in values)


if __name__ == "__main__":
    main()
