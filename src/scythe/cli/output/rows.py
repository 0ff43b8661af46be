"""Records as text in a format: those of a page, or those that were harvested from an
engine.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scythe.cli.output.files import new_file, write_result
from scythe.cli.output.messages import (
    one_line,
    print_error,
    print_warning,
    replace_controls,
)
from scythe.cli.output.tables import MAX_COLUMNS, hidden_columns_note, render_table
from scythe.errors import UsageError
from scythe.exporters import exporter_names, find_exporter
from scythe.spreadsheets import CsvWriter, as_given

if TYPE_CHECKING:
    from scythe.sections.fields import Value
    from scythe.wrappers.record import Records

RowFormat = str
"""`table`, `json`, `jsonl`, `csv`, or the name of an exporter, such as `xlsx`."""
TEXT_FORMATS = ("table", "json", "jsonl", "csv")

_FORMATS_BY_EXTENSION: dict[str, RowFormat] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
}
_FIRST_COLUMNS = ("title", "price", "date", "rating", "snippet", "link")
"""Columns that a table shows before others."""


class OutputRecord(Protocol):
    """A record, of a page or of a database."""

    @property
    def text(self) -> str:
        """All its text."""

    @property
    def link(self) -> str | None:
        """Where it leads."""

    @property
    def fields(self) -> Mapping[str, Value]:
        """Its values by column."""

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""


class HarvestRow(Protocol):
    """A record as a harvest stored it."""

    @property
    def record(self) -> Mapping[str, Any]:
        """Its text, link and fields."""


class HarvestedQueryRow(Protocol):
    """A query of a harvest, with what it brought."""

    @property
    def query(self) -> str:
        """What was searched for."""

    @property
    def pages(self) -> int:
        """Result pages that were read."""

    @property
    def records(self) -> int:
        """Records on them."""

    @property
    def fresh(self) -> int:
        """Records that no earlier query had."""


class Harvest(Protocol):
    """What was harvested from an engine."""

    def records(self) -> Iterable[HarvestRow]:
        """Return all records."""

    def count(self) -> int:
        """Return how many records there are."""

    def queries(self) -> Iterable[HarvestedQueryRow]:
        """Return the queries in their order."""


class Rows(Protocol):
    """Records with columns in common."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of all fields."""

    def __iter__(self) -> Iterator[OutputRecord]: ...
    def __len__(self) -> int: ...


def choose_format(
    given: RowFormat | None, out: str | None, default: RowFormat = "table"
) -> RowFormat:
    """Return the format that was given, else the one of the file's extension, else the
    default.
    """
    extension = Path(out).suffix.lower() if out else ""
    if given is None and extension in _FORMATS_BY_EXTENSION:
        return _FORMATS_BY_EXTENSION[extension]
    name = given or extension.removeprefix(".") or default
    if name in TEXT_FORMATS:
        return name
    if find_exporter(name) is not None:
        if out is None:
            raise UsageError(f"{name} is written to a file. Name it: -o FILE.{name}.")
        return name
    if given is not None:
        names = ", ".join([*TEXT_FORMATS, *exporter_names()])
        raise UsageError(f"There is no format {given!r}. Choose one of: {names}.")
    return default


def is_csv(format_: RowFormat) -> bool:
    """Return whether rows are rendered as CSV: also those that `write_rows` then gives
    to an exporter.
    """
    return format_ == "csv" or format_ not in TEXT_FORMATS


def write_rows(text: str, out: str | None, format_: RowFormat) -> None:
    """Write rendered rows to a file or to standard output; to the file of an exporter
    where the format has one.
    """
    if out is None or format_ in TEXT_FORMATS:
        write_result(text, out)
        return
    exporter = find_exporter(format_)
    if exporter is None:
        raise UsageError(f"There is no format {format_!r}.")
    csv.field_size_limit(len(text) + 1)  # of a reader, 128 KB by default
    rows = csv.reader(io.StringIO(text))
    head = next(rows, [])
    given = [dict(zip(head, map(as_given, row), strict=True)) for row in rows]
    with new_file(Path(out)) as unfinished:
        exporter(unfinished, head, given)


class RowWriter:
    """Renders the records of one source after the other, as one text of a format."""

    def __init__(
        self,
        format_: RowFormat,
        *,
        several: bool,
        columns: Sequence[str] | None = None,
        to_terminal: bool,
    ) -> None:
        self._format = format_
        self._several = several
        self._columns = columns
        self._to_terminal = to_terminal
        self._started = False

    def render(self, source: str, url: str | None, records: Records) -> str:
        """Return the records of one source, ending with a newline; empty where there is
        nothing to write.
        """
        if self._format != "json":
            return self.render_rows(source, records)
        indent = None if self._several else 2
        values = _result_values(source, url, records)
        return self._safe(json.dumps(values, ensure_ascii=False, indent=indent) + "\n")

    def render_rows(self, source: str, records: Rows) -> str:
        """Return the rows alone, in a format that has nothing else: not `json`."""
        if self._format == "jsonl":
            return self._safe(self._json_lines(source, records))
        if is_csv(self._format):
            return self._safe(self._csv(source, records))
        return self._titled_table(source, records)

    def _safe(self, text: str) -> str:
        return replace_controls(text) if self._to_terminal else text

    def _json_lines(self, source: str, records: Rows) -> str:
        common = {"source": source} if self._several else {}
        lines = []
        for row in records:
            values = {**common, **row.as_json()}
            lines.append(json.dumps(values, ensure_ascii=False) + "\n")
        return "".join(lines)

    def _titled_table(self, source: str, records: Rows) -> str:
        table = _records_table(records, to_terminal=self._to_terminal)
        is_first, self._started = not self._started, True
        if not table or not self._several:
            return table
        separator = "" if is_first else "\n"
        return f"{separator}==> {one_line(source)} <==\n\n{table}"

    def _csv(self, source: str, records: Rows) -> str:
        """Return comma-separated values under one line of names: all columns, the link,
        and the whole text at the end.
        """
        columns = [name for name in self._columns or records.columns if name != "link"]
        text = io.StringIO()
        writer = CsvWriter(text)
        if not self._started:
            first_name = ["source"] if self._several else []
            writer.writerow([*first_name, *columns, "link", "text"])
            self._started = True

        first_cell = [source] if self._several else []
        for row in records:
            cells = [_cell(row.fields.get(name, "")) for name in columns]
            writer.writerow([*first_cell, *cells, row.link or "", row.text])
        return text.getvalue()


def _result_values(source: str, url: str | None, records: Records) -> dict[str, Any]:
    return {
        "source": source,
        "url": url,
        "status": str(records.status),
        "note": records.note,
        "method": records.method,
        "confidence": round(records.confidence, 3),
        "next_page": records.next_page,
        "columns": list(records.columns),
        "records": [row.as_json() for row in records],
    }


def _cell(value: Value) -> str:
    return value if isinstance(value, str) else " | ".join(value)


def _records_table(records: Rows, *, to_terminal: bool) -> str:
    if not records:
        return ""
    names = _table_columns(records.columns)
    if not any(row.link for row in records):
        names.remove("link")
    names = names[:MAX_COLUMNS]
    rows = []
    for number, row in enumerate(records, 1):
        cells = [_table_cell(row, name) for name in names]
        rows.append([str(number), *cells])
    table = render_table(["", *names], rows, to_terminal=to_terminal)
    hidden = len({*records.columns, *names}) - len(names)
    return table + hidden_columns_note(hidden)


def _table_columns(columns: Sequence[str]) -> list[str]:
    """Return the columns that a table may show, the more important ones first."""
    names = [name for name in _FIRST_COLUMNS if name in columns or name == "link"]
    for name in columns:
        is_address = name.startswith("image") or "_link" in name
        if name not in names and not is_address:
            names.append(name)
    return names


def _table_cell(row: OutputRecord, name: str) -> str:
    if name == "link":
        return one_line(row.link or "")
    return one_line(_cell(row.fields.get(name, "")))


def print_records_status(source: str, records: Records) -> bool:
    """Print a message where records are not simply good; return whether they are an
    answer.
    """
    from scythe.wrappers.record import RecordsStatus

    if records.status is RecordsStatus.OK:
        if records.note:
            print_warning(records.note, source)
        return True
    message = f"{records.status}: {records.note}"
    if records.status is RecordsStatus.EMPTY:
        print_warning(message, source)
        return True
    print_error(message, source)
    return False


@dataclass(frozen=True)
class HarvestedRecord:
    """A record as it was stored."""

    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All its text."""
        return str(self.values.get("text", ""))

    @property
    def link(self) -> str | None:
        """Where it leads."""
        return self.values.get("link")

    @property
    def fields(self) -> Mapping[str, Value]:
        """Its values by column."""
        return self.values.get("fields") or {}

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return dict(self.values)


class HarvestedRecords:
    """All records of a harvest, which are read from the database at each iteration."""

    def __init__(self, harvest: Harvest) -> None:
        self._harvest = harvest

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of all fields, in the order in which they first appear."""
        names: dict[str, None] = {}
        for record in self:
            names.update(dict.fromkeys(record.fields))
        return tuple(names)

    def __iter__(self) -> Iterator[HarvestedRecord]:
        return (HarvestedRecord(row.record) for row in self._harvest.records())

    def __len__(self) -> int:
        return self._harvest.count()


def render_harvest(harvest: Harvest, format_: RowFormat, *, to_terminal: bool) -> str:
    """Return all records of a harvest as one text."""
    records = HarvestedRecords(harvest)
    if format_ != "json":
        writer = RowWriter(format_, several=False, to_terminal=to_terminal)
        return writer.render_rows("", records)

    queries = [
        {
            "query": row.query,
            "pages": row.pages,
            "records": row.records,
            "new": row.fresh,
        }
        for row in harvest.queries()
    ]
    values = {
        "queries": queries,
        "columns": list(records.columns),
        "records": [record.as_json() for record in records],
    }
    text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    return replace_controls(text) if to_terminal else text
