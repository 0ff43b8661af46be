"""Tables declared by the classes of their rows, and rows read back as these classes.

A column is declared once: as a field of the dataclass of its table's rows, whose type
says what the database holds. Columns that no row shows are declared beside the class.
`migrations` makes the tables; a test compares both.

    PAGES = declare_table("collection_pages", PageRow, collection_id=int)
    read_all(connection, select_rows(PAGES, PageRow).limit(10), PageRow)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    Table,
    select,
)
from sqlalchemy.types import TypeEngine

from scythe.store.columns import CleanJson, CleanText, EnumText, UtcDateTime

RowType = TypeVar("RowType")

JsonValue = Annotated[Any, JSON()]
JsonObject = Annotated[Mapping[str, Any], JSON()]
"""JSON of our own, such as settings and templates, stored as it is. Other mappings and
sequences come from pages, and are cleaned.
"""

STREAMED_ROWS = 500
"""Rows that are fetched together where a result may be larger than memory: a bound on
memory, not tuned.
"""

_TYPES: Mapping[Any, type[TypeEngine[Any]]] = {
    int: Integer,
    float: Float,
    bool: Boolean,
    str: CleanText,
    bytes: LargeBinary,
    datetime: UtcDateTime,
    Mapping: CleanJson,
    Sequence: CleanJson,
}

_METADATA = MetaData()


def declare_table(
    table_name: str,
    row: type | None = None,
    /,
    stored_as: Mapping[str, str] | None = None,
    **others: Any,
) -> Table:
    """Return the table whose columns are the fields of a row class, and others by name
    and type.

    `stored_as` has the names that the database uses for columns where these are not the
    names of the fields.
    """
    hints = get_type_hints(row, include_extras=True) if row else {}
    names_in_database = stored_as or {}
    columns = []
    for column, hint in {**hints, **others}.items():
        stored_name = names_in_database.get(column, column)
        columns.append(_column(column, hint, stored_name))
    return Table(table_name, _METADATA, *columns)


def _column(name: str, hint: Any, stored_name: str) -> Column[Any]:
    options = get_args(hint)
    is_optional = NoneType in options
    if is_optional:
        (hint,) = [kind for kind in options if kind is not NoneType]
    return Column(stored_name, _column_type(hint), key=name, nullable=is_optional)


def _column_type(hint: Any) -> TypeEngine[Any]:
    if get_origin(hint) is Annotated:
        return hint.__metadata__[0]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return EnumText(hint)
    return _TYPES[get_origin(hint) or hint]()


def columns_of(table: Table, row: type) -> list[Column[Any]]:
    """Return the columns that a row class has as fields, in their order."""
    return [table.c[field.name] for field in fields(row)]


def select_rows(table: Table, row: type) -> Select[Any]:
    """Return a query for the rows of a table, to be narrowed down."""
    return select(*columns_of(table, row))


def read_all(
    connection: Connection, query: Select[Any], row: type[RowType]
) -> list[RowType]:
    """Return all rows of a query that begins with `select_rows`."""
    return [row(*values) for values in connection.execute(query)]


def read_first(
    connection: Connection, query: Select[Any], row: type[RowType]
) -> RowType | None:
    """Return the first row of a query that begins with `select_rows`, if it has any."""
    values = connection.execute(query).first()
    if values is None:
        return None
    return row(*values)


def stream(
    connection: Connection, query: Select[Any], row: type[RowType]
) -> Iterator[RowType]:
    """Yield the rows of a query that begins with `select_rows`, some at a time."""
    streamed = query.execution_options(yield_per=STREAMED_ROWS)
    for values in connection.execute(streamed):
        yield row(*values)


def row_values(row: Any) -> dict[str, Any]:
    """Return the fields of a row by name, as they are; `asdict` would copy them."""
    return {field.name: getattr(row, field.name) for field in fields(row)}
