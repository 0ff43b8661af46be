"""The index of a collection's records, kept in step with them: `update_index` is a part
of every transaction that changes records.

A database from before there was an index, or with one by other rules, is indexed batch
by batch by `complete_index`; until that is done, changes of records that it has not
reached yet are left to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from scythe.store.collection_tables import COLLECTIONS, RECORDS
from scythe.store.search.documents import SearchDocument, build_search_document
from scythe.store.search.index_writer import IndexWriter
from scythe.store.search.tables import FACETS, NUMBER_CHUNKS, SEARCHES, TEXTS
from scythe.store.statements import insert_all, lock_row
from scythe.store.store import Store

RULES = 1
"""By which rules documents are built and packed; an index by others is built anew."""

BATCH = 1_000
"""Records that are indexed in one transaction: a bound on how long others wait, not
tuned.
"""

_Records = Mapping[int, Any]
"""Rows of records by their ids."""


def update_index(connection: Connection, collection: int, rows: _Records) -> None:
    """Bring the index in step with records that have just changed, as a part of a
    larger step that has locked the collection.
    """
    if not rows:
        return
    state = _load_state(connection, collection, first=min(rows))
    left_out = set(state.left_out)
    if state.is_complete:
        _index_records(connection, collection, rows, left_out)
        done_to = max(state.done_to, *rows)
        _store_state(connection, collection, done_to, is_complete=True)
    else:
        reached = {
            record: row for record, row in rows.items() if record <= state.done_to
        }
        _index_records(connection, collection, reached, left_out)


def remove_from_index(connection: Connection, collection: int, record: int) -> None:
    """Remove a record from the index that is about to be deleted."""
    writer = IndexWriter(connection, collection)
    terms = writer.stored_terms([record])
    writer.write({record: None}, terms, left_out=set())


def complete_index(store: Store, collection: int) -> None:
    """Index what is not indexed yet."""
    columns = (RECORDS.c.id, RECORDS.c.fields, RECORDS.c.state, RECORDS.c.changed_at)
    query = (
        select(*columns)
        .where(RECORDS.c.collection_id == collection)
        .order_by(RECORDS.c.id)
        .limit(BATCH)
    )
    while not _is_complete(store, collection):
        with store.writing() as connection:
            lock_row(connection, COLLECTIONS, collection)
            state = _load_state(connection, collection, first=None)
            remaining = query.where(RECORDS.c.id > state.done_to)
            rows = {row.id: row for row in connection.execute(remaining)}
            _index_records(connection, collection, rows, set(state.left_out))
            done_to = max([state.done_to, *rows])
            is_complete = len(rows) < BATCH
            _store_state(connection, collection, done_to, is_complete=is_complete)


def _is_complete(store: Store, collection: int) -> bool:
    query = select(SEARCHES.c.is_complete).where(
        (SEARCHES.c.collection_id == collection) & (SEARCHES.c.rules == RULES)
    )
    with store.reading() as connection:
        return bool(connection.execute(query).scalar())


def _load_state(connection: Connection, collection: int, *, first: int | None) -> Any:
    """Return how far the index is. One that is missing begins empty; it is complete
    where `first` is the first record there is.
    """
    query = select(SEARCHES).where(SEARCHES.c.collection_id == collection)
    state = connection.execute(query).first()
    if state is not None and state.rules == RULES:
        return state

    for table in (SEARCHES, TEXTS, FACETS, NUMBER_CHUNKS):
        of_collection = table.c.collection_id == collection
        connection.execute(delete(table).where(of_collection))
    lowest_id = select(func.min(RECORDS.c.id))
    lowest_id = lowest_id.where(RECORDS.c.collection_id == collection)
    lowest = connection.execute(lowest_id).scalar()
    new_state: dict[str, Any] = {
        "collection_id": collection,
        "rules": RULES,
        "done_to": 0,
        "is_complete": lowest == first,
        "left_out": [],
    }
    insert_all(connection, SEARCHES, [new_state])
    return connection.execute(query).one()


def _store_state(
    connection: Connection, collection: int, done_to: int, *, is_complete: bool
) -> None:
    connection.execute(
        update(SEARCHES)
        .where(SEARCHES.c.collection_id == collection)
        .values(done_to=done_to, is_complete=is_complete)
    )


def _index_records(
    connection: Connection, collection: int, rows: _Records, left_out: set[str]
) -> None:
    writer = IndexWriter(connection, collection)
    stored_terms = writer.stored_terms(rows)
    documents: dict[int, SearchDocument | None] = {}
    for record, row in rows.items():
        if row.fields is not None:
            documents[record] = build_search_document(
                row.fields, row.state, row.changed_at
            )
        elif record in stored_terms:
            documents[record] = None
    writer.write(documents, stored_terms, left_out)
