"""Records as a table: a row each, the columns that a person chose, and a link in each
heading that orders by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import TITLE, NumberColumn
from scythe.collect.views import RecordRow
from scythe.web.records.cards import FIRST_FIELDS, picture_version, record_fields
from scythe.web.records.highlights import Piece, highlighted, shortened
from scythe.web.records.search import SearchParameters
from scythe.web.server.values import is_part, label, type_of, value_text

MAX_COLUMNS = 7
"""Columns of a table before anybody chose any: what fits a screen, not tuned."""
MAX_CELL = 160
"""Characters of a cell: what fits, not tuned."""


@dataclass(frozen=True)
class Column:
    """A column of the table."""

    name: str
    words: str
    is_number: bool
    address: str = ""
    """The search in this order, or in the opposite one where it is ordered so; empty
    where records cannot be ordered by it.
    """
    order: str = ""
    """How the table is ordered by it: `ascending`, `descending` or not."""


@dataclass(frozen=True)
class Cell:
    """A value in the table."""

    pieces: Sequence[Piece]
    picture: str = ""
    """The end of the address of the record's picture, where the cell shows it."""


@dataclass(frozen=True)
class Row:
    """A record in the table."""

    record: RecordRow
    cells: Sequence[Cell]


def table_fields(schema: RecordSchema, records: Sequence[RecordRow]) -> list[str]:
    """Return the fields that a table of records can show: those that people look at
    first, then what the records have, without parts of others; last those of the schema
    that none of them has.
    """
    used = used_fields(records)
    in_schema = [rule.name for rule in schema.rules]
    names: dict[str, None] = {}
    for name in ("title", "image", *FIRST_FIELDS, *in_schema):
        if name in used:
            names[name] = None
    for name in (*used, *in_schema):
        names[name] = None
    return [name for name in names if not is_part(name, schema)]


def used_fields(records: Sequence[RecordRow]) -> list[str]:
    """Return the fields that any of some records has."""
    used: dict[str, None] = {}
    for record in records:
        values = record_fields(record)
        for name, value in values.items():
            if value not in (None, ""):
                used[name] = None
    return list(used)


def chosen_fields(
    search: SearchParameters, fields: Sequence[str], records: Sequence[RecordRow]
) -> list[str]:
    """Return the fields of a table: those that were chosen, else what people look at
    first, as far as records have it.
    """
    chosen = [name for name in search.columns if name in fields]
    if chosen:
        return chosen
    used = used_fields(records)
    shown = [name for name in fields if name in used]
    return shown[:MAX_COLUMNS] or list(fields[:1])


def table_columns(
    search: SearchParameters,
    names: Sequence[str],
    schema: RecordSchema,
    number_columns: Sequence[NumberColumn],
    text_fields: Sequence[str],
) -> list[Column]:
    """Return the columns of a table with the searches that order by them."""
    numbers = {column.field for column in number_columns}
    columns = []
    for name in names:
        kind = type_of(name, schema)
        column = Column(name, label(name), name in numbers)
        if name == TITLE or name in numbers or name in text_fields:
            column = _ordered(column, search, by_default_down=kind == "date")
        columns.append(column)
    return columns


def _ordered(
    column: Column, search: SearchParameters, *, by_default_down: bool
) -> Column:
    """Return a column with the address that orders by it."""
    up = column.name
    down = f"-{column.name}"
    order = ""
    following = down if by_default_down else up
    if search.sort == up:
        order = "ascending"
        following = down
    elif search.sort == down:
        order = "descending"
        following = up
    address = replace(search, sort=following, page=1).query()
    return replace(column, address=address, order=order)


def table_rows(
    records: Sequence[RecordRow],
    names: Sequence[str],
    schema: RecordSchema,
    words: str,
) -> list[Row]:
    """Return the rows of a table, with the words of the search marked."""
    rows = []
    for record in records:
        fields = record_fields(record)
        cells = [_cell(fields, name, schema, words) for name in names]
        rows.append(Row(record, cells))
    return rows


def _cell(
    fields: Mapping[str, object], name: str, schema: RecordSchema, words: str
) -> Cell:
    if name == "image":
        return Cell((), picture_version(fields))
    text = shortened(value_text(fields, name, schema), MAX_CELL)
    return Cell(highlighted(text, words))
