"""Statements that every database has in its own words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    TableClause,
    bindparam,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")
_AT_ONCE = 500
"""Values that a statement compares a column with: SQLite takes some thousands at most,
and a batch of pages has fewer.
"""


def inserting(connection: Connection, table: TableClause) -> Any:
    """An insertion that can say what to do where the row is there already:
    `on_conflict_do_update`, `..._do_nothing`.
    """
    return (
        postgresql.insert(table)
        if connection.dialect.name == "postgresql"
        else sqlite.insert(table)
    )


def columns_of(table: TableClause, row: type) -> list[Any]:
    """The columns that a row class has as fields."""
    return [table.c[name] for name in row.__dataclass_fields__]  # type: ignore[attr-defined]


def counted(connection: Connection, wanted: Select[Any]) -> dict[Any, int]:
    """The rows of a statement that gives something and how often it is there."""
    return {row[0]: row[1] for row in connection.execute(wanted)}


def batches(items: Iterable[T], size: int = _AT_ONCE) -> Iterator[list[T]]:
    """Items in runs of a size that one statement can name."""
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch


def found_by(
    connection: Connection,
    columns: Sequence[Any],
    own: ColumnElement[bool],
    names: tuple[Any, Iterable[Any]],
) -> dict[Any, Any]:
    """Rows by the value of a column: `names` is the column and the values to look for.
    One statement for many rows.
    """
    column, values = names
    found = {}
    for batch in batches(dict.fromkeys(values)):
        for row in connection.execute(select(*columns).where(own & column.in_(batch))):
            found[getattr(row, column.name)] = row
    return found


def insert_all(
    connection: Connection, table: TableClause, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows that all have the same columns."""
    if rows:
        connection.execute(table.insert(), list(rows))


def update_all(
    connection: Connection, table: TableClause, rows: Mapping[int, Mapping[str, Any]]
) -> None:
    """Change rows by their numbers; all change the same columns."""
    if rows:
        changing = update(table).where(table.c.id == bindparam("number_of_row"))
        connection.execute(
            changing,
            [{"number_of_row": number, **values} for number, values in rows.items()],
        )


def upsert_all(
    connection: Connection,
    table: TableClause,
    key: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Insert rows that all have the same columns, each in place of the one with the
    same key.
    """
    if rows:
        added = inserting(connection, table)
        others = {name: added.excluded[name] for name in rows[0] if name not in key}
        connection.execute(
            added.on_conflict_do_update(index_elements=list(key), set_=others),
            list(rows),
        )
