"""Records out of the database: CSV, JSON lines, Parquet, a workbook, a script of SQL,
recipes for other programs; and the SQL view that other programs read in place.

All have the same columns in the same order: the number and the address of the record,
the fields of the schema, then what is known of the record. A file is there whole or not
at all.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from scythe.collect.publish.recipes import write_paprika, write_recipes
from scythe.collect.records.differences import as_text
from scythe.collect.records.schema import RecordSchema, TableColumn
from scythe.errors import ScytheError, UsageError
from scythe.exporters import Exporter, exporter_names, find_exporter
from scythe.spreadsheets import without_formula
from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.records import RecordRow, RecordRows
from scythe.store.collections.sql_views import OWN_COLUMNS, ViewColumn, create_view
from scythe.store.search.query import Search
from scythe.store.states import RecordState
from scythe.store.store import Store

ExportFormat = str
"""One of `FORMATS`, or the name of an exporter that a package has added."""
TEXT_FORMATS = ("csv", "jsonl", "sql")
FORMATS = ("csv", "jsonl", "parquet", "sql", "xlsx", "recipes", "paprika")
_RECIPE_EXPORTERS: Mapping[str, Exporter] = {
    "recipes": write_recipes,
    "paprika": write_paprika,
}
_ENDINGS: Mapping[str, ExportFormat] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".sql": "sql",
    ".xlsx": "xlsx",
    ".zip": "recipes",
    ".paprikarecipes": "paprika",
}
_BATCH_SIZE = 1_000
"""Records that are in memory at a time: a group of rows of a Parquet file. Not tuned."""

_Row = Mapping[str, Any]


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
    for_spreadsheets: bool = True
    """Whether texts in CSV that a spreadsheet would take for formulas get an apostrophe
    before them: what a page says must not be calculated on the desk of whoever opens
    the file. Off, every value is exactly what the database has.
    """

    @property
    def columns(self) -> list[TableColumn]:
        """All columns in order."""
        own = []
        for name in OWN_COLUMNS:
            kind = "number" if name == "record_id" else "text"
            own.append(TableColumn(name, kind))
        return [*own[:2], *self.schema.columns, *own[2:]]

    def rows(self, store: Store) -> Iterator[dict[str, Any]]:
        """Yield the records, in the order they were found."""
        for record in self._records(store):
            if record.fields is not None:
                yield _row(record)

    def _records(self, store: Store) -> Iterator[RecordRow]:
        if self.numbers is not None:
            return Search(store, self.collection.id).records(self.numbers)
        states = [RecordState.OK, RecordState.DRAFT, RecordState.REVIEW]
        if self.gone:
            states.append(RecordState.GONE)
        return RecordRows(store, self.collection.id).all(*states)


def select_format(path: str | None, name: str | None = None) -> ExportFormat:
    """Return the format that was asked for by name, else the one that a file's ending
    names.
    """
    ending = Path(path or "").suffix.lower()
    found = name or _ENDINGS.get(ending) or ending.removeprefix(".")
    if found in FORMATS or (found and find_exporter(found) is not None):
        return found
    names = dict.fromkeys([*FORMATS, *exporter_names()])
    raise UsageError(
        f"Say which format to write: {', '.join(names)}, or a file with such an ending."
    )


def publish(store: Store, collection: CollectionRow, schema: RecordSchema) -> str:
    """Create the SQL view of a collection, or create it anew after its schema has
    changed; return its name.
    """
    columns = [
        ViewColumn(column.name, column.kind == "number") for column in schema.columns
    ]
    return create_view(store, collection.id, columns)


def export_file(
    store: Store, export: Export, path: str | Path, file_format: ExportFormat
) -> int:
    """Write records to a file, which is replaced at the end; return how many."""
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if file_format == "parquet":
            number = _write_parquet(store, export, unfinished)
        elif file_format not in TEXT_FORMATS:
            number = _write_by_exporter(store, export, unfinished, file_format)
        else:
            with unfinished.open("w", encoding="utf-8", newline="") as out:
                number = export_text(store, export, out, file_format)
        unfinished.replace(target)
    except OSError as error:
        raise ExportError(
            f"{target} cannot be written: {error.strerror}. Name another file."
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return number


def _write_by_exporter(
    store: Store, export: Export, path: Path, file_format: ExportFormat
) -> int:
    exporter = _RECIPE_EXPORTERS.get(file_format) or find_exporter(file_format)
    if exporter is None:
        raise UsageError(f"There is no format {file_format}.")
    names = [column.name for column in export.columns]
    return exporter(path, names, export.rows(store))


def export_text(
    store: Store, export: Export, out: TextIO, file_format: ExportFormat
) -> int:
    """Write records as text to an open stream; return how many."""
    parts = 0
    for part in export_lines(store, export, file_format):
        out.write(part)
        parts += 1
    has_head = file_format != "jsonl"
    return parts - has_head


def export_lines(
    store: Store, export: Export, file_format: ExportFormat
) -> Iterator[str]:
    """Return the parts of a text, to be sent one by one: a head, unless it is JSON
    lines, then a part for each record.
    """
    rows = export.rows(store)
    match file_format:
        case "csv":
            return _csv_lines(export, rows)
        case "jsonl":
            return _json_lines(rows)
        case "sql":
            return _sql_lines(export, rows)
    raise UsageError(f"{file_format} is no text. Name a file to write it to.")


def _row(record: RecordRow) -> dict[str, Any]:
    row = {"record_id": record.id, "record_url": record.url}
    row.update(record.fields or {})
    for name, source in OWN_COLUMNS.items():
        if name not in ("record_id", "record_url"):
            row[name] = getattr(record, source)
    return row


def _json_value(value: Any) -> Any:
    """Return a value as JSON has it."""
    return value.isoformat() if isinstance(value, datetime) else value


def _cell(value: Any) -> Any:
    """Return a value in one cell: the lines of a list below each other, what has parts
    as JSON.
    """
    if not isinstance(value, list):
        return "" if value is None else _json_value(value)
    if all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return as_text(value)


def _csv_lines(export: Export, rows: Iterable[_Row]) -> Iterator[str]:
    names = [column.name for column in export.columns]
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")

    def csv_line(cells: list[Any]) -> str:
        if export.for_spreadsheets:
            cells = list(map(without_formula, cells))
        writer.writerow(cells)
        text = line.getvalue()
        line.seek(0)
        line.truncate()
        return text

    yield csv_line(names)
    for row in rows:
        cells = [_cell(row.get(name)) for name in names]
        yield csv_line(cells)


def _json_lines(rows: Iterable[_Row]) -> Iterator[str]:
    for row in rows:
        values = {name: _json_value(value) for name, value in row.items()}
        yield json.dumps(values, ensure_ascii=False) + "\n"


def _sql_lines(export: Export, rows: Iterable[_Row]) -> Iterator[str]:
    """Yield a script in standard SQL that makes the table and fills it; lists are JSON
    texts.
    """
    columns = export.columns
    collection = export.collection
    table = _quote_name(collection.table_name or f"records_{collection.id}")
    declarations = []
    for column in columns:
        type_ = "DOUBLE PRECISION" if column.kind == "number" else "TEXT"
        declarations.append(f"{_quote_name(column.name)} {type_}")
    declarations[0] = f"{_quote_name(columns[0].name)} INTEGER PRIMARY KEY"
    columns_of_table = ",\n    ".join(declarations)
    yield f"CREATE TABLE {table} (\n    {columns_of_table}\n);\n"
    for row in rows:
        values = [_literal(row.get(column.name), column) for column in columns]
        yield f"INSERT INTO {table} VALUES ({', '.join(values)});\n"  # noqa: S608 - all of it is quoted


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _float(value: Any) -> float | None:
    """Return a number as files have it, None where it is beyond all of them."""
    try:
        return float(value)
    except OverflowError:
        return None


def _typed_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part of a structured line, its numbers as files have them."""
    return {
        name: _float(value) if _is_number(value) else value
        for name, value in part.items()
    }


def _literal(value: Any, column: TableColumn) -> str:
    if value is None:
        return "NULL"
    if column.kind == "number":
        return repr(value) if _is_number(value) else "NULL"
    text = as_text(_json_value(value))
    return "'" + text.replace("'", "''") + "'"


def _write_parquet(store: Store, export: Export, path: Path) -> int:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise ExportError(
            "Parquet needs pyarrow: install webscythe[parquet], "
            "or write CSV or JSON lines."
        ) from error
    columns = export.columns
    times = {name for name in OWN_COLUMNS if name.endswith(("_seen", "_at"))}
    schema = _parquet_schema(arrow, columns, times)
    number = 0
    with parquet.ParquetWriter(path, schema) as writer:
        rows = export.rows(store)
        while batch := list(islice(rows, _BATCH_SIZE)):
            typed_rows = []
            for row in batch:
                values = {
                    column.name: _typed_value(row.get(column.name), column, times)
                    for column in columns
                }
                typed_rows.append(values)
            writer.write_table(arrow.Table.from_pylist(typed_rows, schema))
            number += len(batch)
    return number


def _parquet_schema(
    arrow: Any, columns: Sequence[TableColumn], times: Collection[str]
) -> Any:
    """Return the schema of a Parquet file, in the types of pyarrow."""
    text, number = arrow.string(), arrow.float64()
    part_fields = [("quantity", number), ("to", number)]
    part_fields += [(name, text) for name in ("unit", "item", "note")]
    types = {
        "text": text,
        "number": number,
        "list": arrow.list_(text),
        "parts": arrow.list_(arrow.struct(part_fields)),
    }
    fields = []
    for column in columns:
        type_ = types[column.kind]
        if column.name in times:
            type_ = arrow.timestamp("us", tz="UTC")
        elif column.name == "record_id":
            type_ = arrow.int64()
        fields.append((column.name, type_))
    return arrow.schema(fields)


def _typed_value(value: Any, column: TableColumn, times: Collection[str]) -> Any:
    """Return a value of the type of its column; records that were stored under an
    earlier schema may have others.
    """
    if value is None or column.name in times:
        return value
    if column.kind == "number":
        return _float(value) if _is_number(value) else None
    if column.kind == "list":
        items = value if isinstance(value, list) else [value]
        return list(map(as_text, items))
    if column.kind == "parts":
        if not isinstance(value, list):
            return None
        return [_typed_part(item) for item in value if isinstance(item, dict)]
    if isinstance(value, list):
        return "\n".join(map(as_text, value))
    return as_text(_json_value(value))
