"""Typed records of single pages as text in a format."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from scythe.cli.output.messages import one_line, replace_controls
from scythe.cli.output.rows import RowFormat, is_csv
from scythe.cli.output.tables import render_table
from scythe.spreadsheets import CsvWriter

if TYPE_CHECKING:
    from scythe.templates.declared.record import PageRecord

_ABOUT_COLUMNS = ("source", "url", "kind")
"""Columns of a table of records before their fields."""


class PageRecordWriter:
    """Renders the records of one source after the other, as one text of a format."""

    def __init__(
        self,
        format_: RowFormat,
        kind: str,
        *,
        several: bool,
        with_sources: bool,
        to_terminal: bool,
    ) -> None:
        self._format = format_
        self._kind = kind
        self._several = several
        self._with_sources = with_sources
        self._to_terminal = to_terminal
        self._started = False

    def render(self, source: str, url: str | None, record: PageRecord) -> str:
        """Return the record of one source, ending with a newline."""
        is_first, self._started = not self._started, True
        if self._format == "table":
            table = self._table(record)
            if not self._several:
                return table
            separator = "" if is_first else "\n"
            return f"{separator}==> {one_line(source)} <==\n\n{table}"
        if is_csv(self._format):
            text = self._csv(source, url, record, with_names=is_first)
        else:
            values = self._values(source, url, record)
            is_one_line = self._several or self._format == "jsonl"
            indent = None if is_one_line else 2
            text = json.dumps(values, ensure_ascii=False, indent=indent) + "\n"
        return replace_controls(text) if self._to_terminal else text

    def _values(
        self, source: str, url: str | None, record: PageRecord
    ) -> dict[str, Any]:
        values: dict[str, Any] = {
            "source": source,
            "url": url,
            "kind": _kind_name(record),
            "complete": record.complete,
            "record": record.to_dict(),
        }
        if self._with_sources:
            values["sources"] = {name: record.sources[name] for name in record.values}
        return values

    def _table(self, record: PageRecord) -> str:
        names = ["field", "value"]
        if self._with_sources:
            names.append("source")
        rows: list[list[str]] = []
        for name, value in {"kind": _kind_name(record), **record.to_dict()}.items():
            row = [name, _cell(value)]
            if self._with_sources:
                row.append(record.sources.get(name, ""))
            rows.append([one_line(cell) for cell in row])
        return render_table(names, rows, to_terminal=self._to_terminal)

    def _csv(
        self, source: str, url: str | None, record: PageRecord, *, with_names: bool
    ) -> str:
        """Return a row of all fields of the kind, of all kinds where it was not given,
        so that the rows of all pages have the same columns.
        """
        columns = _field_names(self._kind)
        if self._with_sources:
            columns = [name for field in columns for name in (field, f"{field}_source")]
        text = io.StringIO()
        writer = CsvWriter(text)
        if with_names:
            writer.writerow([*_ABOUT_COLUMNS, *columns])

        cells = {name: _cell(value) for name, value in record.to_dict().items()}
        for name, where in record.sources.items():
            cells[f"{name}_source"] = where
        about = [source, url or "", _kind_name(record)]
        writer.writerow([*about, *(cells.get(name, "") for name in columns)])
        return text.getvalue()


def _kind_name(record: PageRecord) -> str:
    """Return what the command line calls the kind of a record."""
    from scythe.templates.page_records import kind_of

    return kind_of(record.kind)


def _field_names(kind: str) -> list[str]:
    from scythe.templates.declared.schemas import all_schemas
    from scythe.templates.page_records import schema_of

    schemas = all_schemas() if kind == "auto" else [schema_of(kind)]
    names: dict[str, None] = {}
    for schema in schemas:
        names.update(dict.fromkeys(schema.by_name))
    return list(names)


def _cell(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " | ".join(value)
