"""What a template read from pages, as text in a format."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Self

from scythe.cli.output.messages import one_line, replace_controls
from scythe.cli.output.rows import RowFormat, is_csv
from scythe.cli.output.tables import MAX_COLUMNS, hidden_columns_note, render_table
from scythe.spreadsheets import CsvWriter

if TYPE_CHECKING:
    from scythe.templates.template.extracted import Extracted
    from scythe.templates.template.template import Template


@dataclass(frozen=True)
class PageRecordRow:
    """The record of one page, as it is written to JSON."""

    source: str
    url: str | None
    fit: float
    record: Mapping[str, Sequence[str]]

    @classmethod
    def from_extracted(
        cls,
        source: str,
        url: str | None,
        extracted: Extracted,
        columns: Mapping[str, Sequence[str]],
    ) -> Self:
        """Return the row of what a template read from a page, by column."""
        record: dict[str, list[str]] = {}
        for name, slots in columns.items():
            values: list[str] = []
            for slot in slots:
                values.extend(extracted.get(slot, ()))
            record[name] = values
        return cls(source, url, round(extracted.fit, 3), record)

    def cells(self, columns: Sequence[str]) -> list[str]:
        """Return the source and the values of columns, as text."""
        values = [" | ".join(self.record.get(name, ())) for name in columns]
        return [self.source, *values]


def template_columns(template: Template) -> dict[str, list[str]]:
    """Return the slots that are read, by name: those that an operator named, else every
    slot under its label or id.
    """
    slots = template.slots
    if any(slot.name for slot in slots):
        slots = [slot for slot in slots if slot.name]
    columns: dict[str, list[str]] = {}
    for slot in slots:
        title = slot.title
        if title in columns and not slot.name:
            title = f"{title} {slot.id}"
        columns.setdefault(title, []).append(slot.id)
    return columns


def render_template_rows(
    rows: Sequence[PageRecordRow],
    columns: Sequence[str],
    format_: RowFormat,
    *,
    several: bool,
) -> str:
    """Return the records of pages in a format."""
    if format_ == "json" or format_ == "jsonl":
        indent = 2 if format_ == "json" and not several else None
        text = "".join(_json_text(row, indent) for row in rows)
    elif is_csv(format_):
        text = _csv_text(rows, columns)
    elif len(rows) == 1:
        return _record_table(rows[0], columns)
    else:
        return _records_table(rows, columns)
    return replace_controls(text) if sys.stdout.isatty() else text


def _json_text(row: PageRecordRow, indent: int | None) -> str:
    return json.dumps(asdict(row), ensure_ascii=False, indent=indent) + "\n"


def _csv_text(rows: Sequence[PageRecordRow], columns: Sequence[str]) -> str:
    text = io.StringIO()
    writer = CsvWriter(text)
    writer.writerow(["source", *columns])
    for row in rows:
        writer.writerow(row.cells(columns))
    return text.getvalue()


def _record_table(row: PageRecordRow, columns: Sequence[str]) -> str:
    """Return one record as a table with a line for each slot."""
    pairs = []
    for name, cell in zip(columns, row.cells(columns)[1:], strict=True):
        if cell:
            pairs.append([one_line(name), one_line(cell)])
    if not pairs:
        return ""
    return render_table(["slot", "value"], pairs, to_terminal=sys.stdout.isatty())


def _records_table(rows: Sequence[PageRecordRow], columns: Sequence[str]) -> str:
    """Return records as a table with a line for each page."""
    if not rows:
        return ""
    shown = columns[:MAX_COLUMNS]
    cells = [list(map(one_line, row.cells(shown))) for row in rows]
    names = [one_line(name) for name in ["source", *shown]]
    table = render_table(names, cells, to_terminal=sys.stdout.isatty())
    return table + hidden_columns_note(len(columns) - len(shown))
