"""Statements about many rows at once, and those that each database has in its own
dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    bindparam,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

BATCH_SIZE = 500
"""Values that one statement compares a column with. SQLite takes some thousands at
most; a bound, not tuned.
"""


def insert_into(connection: Connection, table: Table) -> Any:
    """Return an insertion that can say what to do where the row is there already:
    `on_conflict_do_update`, `on_conflict_do_nothing`.
    """
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def pairs(connection: Connection, query: Select[Any]) -> dict[Any, Any]:
    """Return the rows of a query for two columns: the second by the first."""
    return {row[0]: row[1] for row in connection.execute(query)}


def count_by(
    connection: Connection, column: ColumnElement[Any], condition: ColumnElement[bool]
) -> dict[Any, int]:
    """Return how many rows there are with each value of a column."""
    counts = select(column, func.count()).where(condition)
    return pairs(connection, counts.group_by(column))


def count_rows(
    connection: Connection, table: Table, condition: ColumnElement[bool]
) -> int:
    """Return how many rows of a table meet a condition."""
    query = select(func.count()).select_from(table).where(condition)
    return connection.execute(query).scalar_one()


def batches(items: Iterable[T], size: int = BATCH_SIZE) -> Iterator[list[T]]:
    """Yield items in lists that one statement can name."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch


def rows_by_value(
    connection: Connection,
    query: Select[Any],
    column: Column[Any],
    values: Iterable[Any],
) -> dict[Any, Any]:
    """Return the rows of a query by their values of a column that it selects, for those
    of the given values that there are. One statement for many rows.
    """
    rows = {}
    for batch in batches(dict.fromkeys(values)):
        for row in connection.execute(query.where(column.in_(batch))):
            rows[getattr(row, column.key)] = row
    return rows


def lock_row(connection: Connection, table: Table, number: int) -> bool:
    """Lock a row until the transaction ends; return whether it is there. SQLite has
    locked the whole database already.
    """
    query = select(table.c.id).where(table.c.id == number)
    locked = connection.execute(query.with_for_update())
    return locked.first() is not None


def insert_all(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows that all have the same columns."""
    if rows:
        connection.execute(table.insert(), list(rows))


def update_all(
    connection: Connection, table: Table, rows: Mapping[int, Mapping[str, Any]]
) -> None:
    """Change rows by their ids; all change the same columns."""
    if not rows:
        return
    has_id = table.c.id == bindparam("id_of_row")
    statement = update(table).where(has_id)
    parameters = []
    for number, values in rows.items():
        parameter = {"id_of_row": number, **values}
        parameters.append(parameter)
    connection.execute(statement, parameters)


def upsert_all(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Insert rows that all have the same columns; a row with the same key is replaced."""
    if not rows:
        return
    insertion = insert_into(connection, table)
    replaced = {name: insertion.excluded[name] for name in rows[0] if name not in key}
    key_columns = [table.c[name] for name in key]
    statement = insertion.on_conflict_do_update(
        index_elements=key_columns, set_=replaced
    )
    connection.execute(statement, list(rows))
