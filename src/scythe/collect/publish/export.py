"""Records out of the database: CSV, JSON lines, Parquet, a script of SQL; and the plain
table that other programs read in place.

All have the same columns in the same order: the number and the address of the record,
the fields of the schema, then what is known of the record. A file is there whole or not
at all.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TextIO

from scythe.collect.records.differences import as_text
from scythe.collect.records.schema import Column, RecordSchema
from scythe.errors import ScytheError, UsageError
from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.records import RecordRow, RecordRows
from scythe.store.collections.sql_views import OWN_COLUMNS, ViewColumn, create_view
from scythe.store.collections.states import RecordState
from scythe.store.search.query import Search
from scythe.store.store import Store

ExportFormat = Literal["csv", "jsonl", "parquet", "sql"]
FORMATS: tuple[ExportFormat, ...] = ("csv", "jsonl", "parquet", "sql")
_ENDINGS: Mapping[str, ExportFormat] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".sql": "sql",
}
_FORMULAS = frozenset("=+-@")
_AT_ONCE = 1_000
"""Records that are in memory at a time: a group of rows of a Parquet file."""


class ExportError(ScytheError):
    """Records cannot be written out."""


@dataclass(frozen=True)
class Export:
    """What is written: records with good values, those that are gone only where they
    are asked for.
    """

    collection: CollectionRow
    schema: RecordSchema
    gone: bool = False
    numbers: Sequence[int] | None = None
    """The records to write, in their order; all, where there are none given."""
    for_spreadsheets: bool = False
    """Whether texts in CSV that a spreadsheet would take for formulas get an apostrophe
    before them: what a page says must not be calculated on the desk of whoever opens
    the file. Off, every value is exactly what the database has.
    """

    @property
    def columns(self) -> list[Column]:
        """All columns in order."""
        own = [
            Column(name, "number" if name == "record_id" else "text")
            for name in OWN_COLUMNS
        ]
        return [*own[:2], *self.schema.columns, *own[2:]]

    def rows(self, store: Store) -> Iterator[dict[str, Any]]:
        """The records, in the order they were found."""
        for record in self._records(store):
            if record.fields is not None:
                yield _row(record)

    def _records(self, store: Store) -> Iterator[RecordRow]:
        if self.numbers is not None:
            return Search(store, self.collection.id).records(self.numbers)
        states = (
            (RecordState.OK, RecordState.REVIEW, RecordState.GONE)
            if self.gone
            else (RecordState.OK, RecordState.REVIEW)
        )
        return RecordRows(store, self.collection.id).all(*states)


def format_of(path: str | None, wanted: str | None = None) -> ExportFormat:
    """The format that was asked for, else the one that a file's ending names."""
    found = wanted or _ENDINGS.get(Path(path or "").suffix.lower())
    for known in FORMATS:
        if found == known:
            return known
    raise UsageError(
        f"Say which format to write: {', '.join(FORMATS)}, or a file with such an ending."
    )


def publish(store: Store, collection: CollectionRow, schema: RecordSchema) -> str:
    """Make the plain table of a collection, or make it anew after its schema has
    changed; gives its name.
    """
    return create_view(
        store,
        collection.id,
        [ViewColumn(column.name, column.kind == "number") for column in schema.columns],
    )


def export_file(
    store: Store, what: Export, path: str | Path, wanted: ExportFormat
) -> int:
    """Write records to a file, which is replaced at the end; gives how many."""
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if wanted == "parquet":
            number = _parquet(store, what, unfinished)
        else:
            with unfinished.open("w", encoding="utf-8", newline="") as out:
                number = export_text(store, what, out, wanted)
        unfinished.replace(target)
    except OSError as error:
        raise ExportError(
            f"{target} cannot be written: {error.strerror}. Name another file."
        ) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return number


def export_text(store: Store, what: Export, out: TextIO, wanted: ExportFormat) -> int:
    """Write records as text to an open stream; gives how many."""
    number = -1
    for number, line in enumerate(export_lines(store, what, wanted)):  # noqa: B007 - the number is the answer
        out.write(line)
    return number + 1 - (wanted != "jsonl")


def export_lines(store: Store, what: Export, wanted: ExportFormat) -> Iterator[str]:
    """The parts of a text, to be sent one by one: a head, unless it is JSON lines, then
    a part for each record.
    """
    if wanted == "parquet":
        raise UsageError("Parquet is no text. Name a file to write it to.")
    return {"csv": _csv, "jsonl": _jsonl, "sql": _sql}[wanted](what, what.rows(store))


def _row(record: RecordRow) -> dict[str, Any]:
    own = {name: getattr(record, source) for name, source in OWN_COLUMNS.items()}
    first = {name: own.pop(name) for name in ("record_id", "record_url")}
    return {**first, **(record.fields or {}), **own}


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value.isoformat() if isinstance(value, datetime) else value


def _cell(value: Any) -> Any:
    """A value in one cell: the lines of a list below each other, what has parts as
    JSON.
    """
    if isinstance(value, list):
        return (
            "\n".join(value)
            if all(isinstance(each, str) for each in value)
            else as_text(value)
        )
    return "" if value is None else _plain(value)


def _csv(what: Export, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    names = [column.name for column in what.columns]
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for cells in chain(
        [names], ([_cell(row.get(name)) for name in names] for row in rows)
    ):
        writer.writerow(
            [_harmless(cell) for cell in cells] if what.for_spreadsheets else cells
        )
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _harmless(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula."""
    return (
        f"'{cell}"
        if isinstance(cell, str) and cell.lstrip()[:1] in _FORMULAS and cell.strip()
        else cell
    )


def _jsonl(what: Export, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for row in rows:
        yield (
            json.dumps(
                {name: _plain(value) for name, value in row.items()}, ensure_ascii=False
            )
            + "\n"
        )


def _sql(what: Export, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A script in standard SQL that makes the table and fills it; lists are JSON texts."""
    columns = what.columns
    table = _identifier(what.collection.table_name or f"records_{what.collection.id}")
    kinds = [
        f"{_identifier(column.name)} {'DOUBLE PRECISION' if column.kind == 'number' else 'TEXT'}"
        for column in columns
    ]
    kinds[0] = f"{_identifier(columns[0].name)} INTEGER PRIMARY KEY"
    yield f"CREATE TABLE {table} (\n    " + ",\n    ".join(kinds) + "\n);\n"
    for row in rows:
        values = ", ".join(_literal(row.get(column.name), column) for column in columns)
        yield f"INSERT INTO {table} VALUES ({values});\n"  # noqa: S608 - all of it is quoted


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(value: Any, column: Column) -> str:
    if value is None:
        return "NULL"
    if column.kind == "number":
        return (
            repr(value)
            if isinstance(value, (int, float)) and not isinstance(value, bool)
            else "NULL"
        )
    text = as_text(_plain(value))
    return "'" + text.replace("'", "''") + "'"


def _parquet(store: Store, what: Export, path: Path) -> int:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise ExportError(
            "Parquet needs pyarrow: install scythe[parquet], or write CSV or JSON lines."
        ) from error
    columns = what.columns
    part = arrow.struct(
        [
            ("quantity", arrow.float64()),
            ("to", arrow.float64()),
            *((name, arrow.string()) for name in ("unit", "item", "note")),
        ]
    )
    kinds = {
        "text": arrow.string(),
        "number": arrow.float64(),
        "list": arrow.list_(arrow.string()),
        "parts": arrow.list_(part),
    }
    fields = [(column.name, kinds[column.kind]) for column in columns]
    times = {name for name in OWN_COLUMNS if name.endswith(("_seen", "_at"))}
    own = {
        **{name: arrow.timestamp("us", tz="UTC") for name in times},
        "record_id": arrow.int64(),
    }
    schema = arrow.schema([(name, own.get(name, kind)) for name, kind in fields])
    number = 0
    with parquet.ParquetWriter(path, schema) as writer:
        rows = what.rows(store)
        while batch := list(islice(rows, _AT_ONCE)):
            shaped = [
                {
                    column.name: _shaped(row.get(column.name), column, times)
                    for column in columns
                }
                for row in batch
            ]
            writer.write_table(arrow.Table.from_pylist(shaped, schema))
            number += len(batch)
    return number


def _shaped(value: Any, column: Column, times: Sequence[str] | set[str]) -> Any:
    """A value of the type of its column; records that were stored under an earlier
    schema may have others.
    """
    if value is None or column.name in times:
        return value
    if column.kind == "number":
        return (
            value
            if isinstance(value, (int, float)) and not isinstance(value, bool)
            else None
        )
    if column.kind == "list":
        return [
            as_text(each) for each in (value if isinstance(value, list) else [value])
        ]
    if column.kind == "parts":
        return (
            [each for each in value if isinstance(each, dict)]
            if isinstance(value, list)
            else None
        )
    return (
        "\n".join(map(as_text, value))
        if isinstance(value, list)
        else as_text(_plain(value))
    )
