"""What Datasette needs to know of a collection: which view is its table, what its columns
mean, what to count, and which tables are only ours.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import inspect

from scythe.collect.records.schema import RecordSchema
from scythe.errors import UsageError
from scythe.store.collections.collections import CollectionRow
from scythe.store.store import Store

_FACET_FIELDS = (
    "category",
    "cuisine",
    "brand",
    "company",
    "author",
    "section",
    "venue",
    "record_state",
)
"""Fields whose values repeat, by which one narrows a table down."""
_MAX_FACETS = 4
_OWN_COLUMNS = {
    "record_id": "The number of the record",
    "record_url": "The page that the record is from",
    "record_state": "ok, draft (nobody has accepted its fields yet), review or gone",
    "record_first_seen": "When the record was found",
    "record_changed_at": "When a value last changed",
    "record_seen_at": "When its page was last read",
    "record_gone_at": "Since when its page is gone",
    "record_moved_from": "The address that it had before",
}


def datasette_metadata(
    store: Store, collection: CollectionRow, schema: RecordSchema
) -> dict[str, Any]:
    """Return the metadata of a collection's database, as `datasette --metadata` takes
    it.
    """
    if store.is_postgresql:
        raise UsageError(
            "Datasette reads SQLite, and this database is PostgreSQL. Make a copy: "
            f"scythe collect export {collection.name} --to sql | sqlite3 copy.db"
        )
    table = collection.table_name or f"records_{collection.id}"
    tables: dict[str, Any] = {table: _table(collection, schema)}
    with store.reading() as connection:
        for name in inspect(connection).get_table_names():
            tables[name] = {"hidden": True}
    database = {
        "source": collection.name,
        "source_url": collection.url,
        "tables": tables,
    }
    return {
        "title": f"{collection.name}: {schema.name}",
        "description": "Collected by Scythe.",
        "databases": {_database_name(store): database},
    }


def _table(collection: CollectionRow, schema: RecordSchema) -> dict[str, Any]:
    columns = dict(_OWN_COLUMNS)
    names = [column.name for column in schema.columns] + list(_OWN_COLUMNS)
    for rule in schema.rules:
        if rule.unit or rule.type == "duration":
            columns[rule.name] = f"In {rule.unit or 'minutes'}"
    facets = [name for name in _FACET_FIELDS if name in names]
    return {
        "title": f"{schema.name}: {collection.name}",
        "description": f"Records of {collection.url}, always in step with them.",
        "source_url": collection.url,
        "sort_desc": "record_changed_at",
        "facets": facets[:_MAX_FACETS],
        "columns": columns,
    }


def _database_name(store: Store) -> str:
    """Return what Datasette calls a database: its file without folder and ending."""
    return store.name.rpartition("/")[2].rpartition(".")[0]
