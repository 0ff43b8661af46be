"""The records of a page, drawn over it: a numbered box on every record, and a legend of
the fields.
"""

from __future__ import annotations

from scythe.tree.static_page import Marks, add_mark, legend, marked_page, shortened
from scythe.tree.tree import Tree
from scythe.wrappers.fields import Value
from scythe.wrappers.record import Record, Records


def show_html(html: str, tree: Tree, records: Records, url: str | None = None) -> str:
    """The page with its records drawn over it, as a page of its own that runs nothing.

    `html` is the page that `tree` was made from; `url` lets the pictures and the style
    of the page be found.
    """
    marks: Marks = {}
    for number, row in enumerate(records, 1):
        add_mark(tree, _parts(tree, row), number, str(number), marks)
    return marked_page(html, tree, marks, _legend(records), url)


def _parts(tree: Tree, row: Record) -> list[int]:
    parts, node = [], row.span.start
    while node < row.span.stop:
        parts.append(node)
        node = int(tree.end[node])
    return parts


def _legend(records: Records) -> str:
    about = [f"found by {records.method}, confidence {records.confidence:.2f}"]
    about += [f"status {records.status}: {records.note}"] if records.note else []
    about += [f"next page: {records.next_page}"] if records.next_page else []
    fields = [(name, _example(records, name)) for name in records.columns]
    return legend(
        f"{len(records)} record{'' if len(records) == 1 else 's'}", about, fields
    )


def _example(records: Records, name: str) -> str:
    value: Value = next(row.fields[name] for row in records if name in row.fields)
    short = shortened(value if isinstance(value, str) else " | ".join(value))
    filled = sum(name in row.fields for row in records)
    return (
        short if filled == len(records) else f"{short} (in {filled} of {len(records)})"
    )
