"""The records of a collection as a plain table that any program can read: a view, and
so always in step with the records.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from sqlalchemy import Connection, inspect, select, update

from scythe.errors import NotStored
from scythe.store.collections.tables import COLLECTIONS, RECORDS
from scythe.store.store import Store

OWN_COLUMNS = {
    "record_id": "id",
    "record_url": "url",
    "record_state": "state",
    "record_first_seen": "first_seen",
    "record_changed_at": "changed_at",
    "record_seen_at": "seen_at",
    "record_gone_at": "gone_at",
    "record_moved_from": "moved_from",
}
"""What a view tells of each record besides its fields, and the column that it comes
from.
"""

_LONGEST = 50
"""Characters of a collection's name in the name of its view: PostgreSQL cuts names
after 63.
"""


class ViewColumn(NamedTuple):
    """A field as a column."""

    name: str
    number: bool = False
    """Whether its values are numbers; others are text, lists as JSON."""


def create_view(store: Store, number: int, columns: Sequence[ViewColumn]) -> str:
    """Give a collection its view with these columns, in place of the one it has; gives
    the name.
    """
    with store.writing() as connection:
        own = COLLECTIONS.c.id == number
        found = connection.execute(
            select(COLLECTIONS.c.name, COLLECTIONS.c.table_name)
            .where(own)
            .with_for_update()
        ).first()
        if found is None:
            raise NotStored(
                "Another process has just removed this collection. Nothing was changed."
            )
        if found.table_name:
            drop_view(connection, found.table_name)
        name = found.table_name or _free_name(connection, found.name)
        connection.exec_driver_sql(_definition(connection, number, name, columns))
        connection.execute(update(COLLECTIONS).where(own).values(table_name=name))
        return name


def drop_view(connection: Connection, name: str) -> None:
    """Take a view away, as a part of a larger step."""
    connection.exec_driver_sql(f"DROP VIEW IF EXISTS {_quoted(connection, name)}")


def _free_name(connection: Connection, collection: str) -> str:
    """A name that no table of this database has, also none of other programs."""
    slug = (
        re.sub(r"\W+", "_", collection.casefold(), flags=re.ASCII).strip("_")[:_LONGEST]
        or "collection"
    )
    found = inspect(connection)
    taken = set(connection.execute(select(COLLECTIONS.c.table_name)).scalars())
    names = (
        f"records_{slug}" + (f"_{place}" if place > 1 else "") for place in count(1)
    )
    return next(
        name for name in names if name not in taken and not found.has_table(name)
    )


def _definition(
    connection: Connection, number: int, name: str, columns: Sequence[ViewColumn]
) -> str:
    own = [f"{source} AS {shown}" for shown, source in OWN_COLUMNS.items()]
    value = (
        _value_postgresql if connection.dialect.name == "postgresql" else _value_sqlite
    )
    fields = [
        f"{value(column)} AS {_quoted(connection, column.name)}" for column in columns
    ]
    what = ", ".join([own[0], own[1], *fields, *own[2:]])
    return (
        f"CREATE VIEW {_quoted(connection, name)} AS SELECT {what} FROM {RECORDS.name} "  # noqa: S608 - quoted above
        f"WHERE collection_id = {int(number)} AND fields IS NOT NULL"
    )


def _value_sqlite(column: ViewColumn) -> str:
    path = _literal('$."' + column.name.replace('"', "") + '"')
    value = f"json_extract(fields, {path})"
    return (
        f"CASE WHEN json_type(fields, {path}) IN ('integer', 'real') THEN {value} END"
        if column.number
        else value
    )


def _value_postgresql(column: ViewColumn) -> str:
    key = _literal(column.name)
    if not column.number:
        return f"fields ->> {key}"
    return f"CASE WHEN json_typeof(fields -> {key}) = 'number' THEN CAST(fields ->> {key} AS DOUBLE PRECISION) END"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(name)
