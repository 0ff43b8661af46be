"""The records of a collection as a plain table that any program can read: an SQL view,
and so always in step with the records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from sqlalchemy import Connection, inspect, select, update

from scythe.errors import NotStored
from scythe.store.collection_tables import COLLECTIONS, RECORDS
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
"""The columns of a view besides the fields of records, and the columns they come from."""

_MAX_NAME_LENGTH = 50
"""Characters of a collection's name in the name of its view: PostgreSQL cuts names
after 63.
"""


class ViewColumn(NamedTuple):
    """A field as a column."""

    name: str
    number: bool = False
    """Whether its values are numbers; others are text, lists as JSON."""


def create_view(store: Store, number: int, columns: Sequence[ViewColumn]) -> str:
    """Create the view of a collection with these columns, in place of the one it has;
    return its name.
    """
    has_id = COLLECTIONS.c.id == number
    query = select(COLLECTIONS.c.name, COLLECTIONS.c.table_name).where(has_id)
    with store.writing() as connection:
        row = connection.execute(query.with_for_update()).first()
        if row is None:
            raise NotStored(
                "Another process has just removed this collection. Nothing was changed."
            )
        if row.table_name:
            drop_view(connection, row.table_name)
        name = row.table_name or _free_name(connection, row.name)
        definition = _definition(connection, number, name, columns)
        connection.exec_driver_sql(definition)
        statement = update(COLLECTIONS).where(has_id)
        connection.execute(statement.values(table_name=name))
        return name


def drop_view(connection: Connection, name: str) -> None:
    """Drop a view, as a part of a larger step."""
    connection.exec_driver_sql(f"DROP VIEW IF EXISTS {_quote(connection, name)}")


def _free_name(connection: Connection, collection: str) -> str:
    """Return a name that no table of this database has, also none of other programs."""
    schema = inspect(connection)
    known = connection.execute(select(COLLECTIONS.c.table_name))
    taken = set(known.scalars())
    return next(
        name
        for name in _candidate_names(collection)
        if name not in taken and not schema.has_table(name)
    )


def _candidate_names(collection: str) -> Iterator[str]:
    words = re.sub(r"\W+", "_", collection.casefold(), flags=re.ASCII)
    slug = words.strip("_")[:_MAX_NAME_LENGTH] or "collection"
    yield f"records_{slug}"
    for number in count(2):
        yield f"records_{slug}_{number}"


def _definition(
    connection: Connection, number: int, name: str, columns: Sequence[ViewColumn]
) -> str:
    own = [f"{source} AS {column}" for column, source in OWN_COLUMNS.items()]
    fields = []
    for column in columns:
        value = _value(connection, column)
        column_name = _quote(connection, column.name)
        fields.append(f"{value} AS {column_name}")
    in_order = [*own[:2], *fields, *own[2:]]
    selected = ", ".join(in_order)
    condition = (
        f"collection_id = {int(number)} AND fields IS NOT NULL AND state <> 'hidden'"
    )
    query = f"SELECT {selected} FROM {RECORDS.name} WHERE {condition}"  # noqa: S608 - quoted above
    view_name = _quote(connection, name)
    return f"CREATE VIEW {view_name} AS {query}"


def _value(connection: Connection, column: ViewColumn) -> str:
    if connection.dialect.name == "postgresql":
        return _value_postgresql(column)
    return _value_sqlite(column)


def _value_sqlite(column: ViewColumn) -> str:
    name = column.name.replace('"', "")
    path = _literal(f'$."{name}"')
    value = f"json_extract(fields, {path})"
    if not column.number:
        return value
    kind = f"json_type(fields, {path})"
    return f"CASE WHEN {kind} IN ('integer', 'real') THEN {value} END"


def _value_postgresql(column: ViewColumn) -> str:
    key = _literal(column.name)
    if not column.number:
        return f"fields ->> {key}"
    kind = f"json_typeof(fields -> {key})"
    value = f"CAST(fields ->> {key} AS DOUBLE PRECISION)"
    return f"CASE WHEN {kind} = 'number' THEN {value} END"


def _literal(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def _quote(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(name)
