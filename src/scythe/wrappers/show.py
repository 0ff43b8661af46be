"""The records of a page, drawn over it: a numbered box on every record, and a legend of
the fields.
"""

from __future__ import annotations

from scythe.sections.record import Record
from scythe.tree.static_page import Marks, add_mark, legend, marked_page, shortened
from scythe.tree.tree import Tree
from scythe.wrappers.record import Records


def show_html(html: str, tree: Tree, records: Records, url: str | None = None) -> str:
    """Return the page with its records drawn over it, as a page of its own that runs
    nothing.

    `html` is the page that `tree` was made from; `url` lets the pictures and the style
    of the page be found.
    """
    marks: Marks = {}
    for number, record in enumerate(records, 1):
        add_mark(tree, _elements(tree, record), number, str(number), marks)
    return marked_page(html, tree, marks, _legend(records), url)


def _elements(tree: Tree, record: Record) -> list[int]:
    """Return the sibling elements that a record consists of."""
    elements = []
    node = record.span.start
    while node < record.span.stop:
        elements.append(node)
        node = int(tree.end[node])
    return elements


def _legend(records: Records) -> str:
    about = [f"found by {records.method}, confidence {records.confidence:.2f}"]
    if records.note:
        about.append(f"status {records.status}: {records.note}")
    if records.next_page:
        about.append(f"next page: {records.next_page}")
    fields = [(name, _example(records, name)) for name in records.columns]
    noun = "record" if len(records) == 1 else "records"
    return legend(f"{len(records)} {noun}", about, fields)


def _example(records: Records, name: str) -> str:
    """Return the first value of a field, and how many records have one."""
    values = [record.fields[name] for record in records if name in record.fields]
    first = values[0]
    if not isinstance(first, str):
        first = " | ".join(first)
    short = shortened(first)
    if len(values) == len(records):
        return short
    return f"{short} (in {len(values)} of {len(records)})"
