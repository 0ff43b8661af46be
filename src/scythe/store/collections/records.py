"""Records of a collection with all that ever happened to them. Records change, move, go
and come back; none is ever deleted.

The last good values of a record stay in its `fields`: values that fail the checks wait
in `pending` for a person, and never replace good ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from scythe.store.collection_tables import (
    COLLECTIONS,
    PAGES,
    RECORD_VERSIONS,
    RECORDS,
    Fields,
    RecordRow,
    RecordVersionRow,
)
from scythe.store.collections.record_changes import (
    NewRecord,
    Reason,
    RecordHistory,
    RecordSource,
    columns_after,
    correct_record,
    delete_gone_version,
    last_numbers,
    merge_history,
    update_record,
    with_edits,
)
from scythe.store.columns import json_text, now
from scythe.store.rows import STREAMED_ROWS, read_all, read_first, select_rows, stream
from scythe.store.search.index import remove_from_index, update_index
from scythe.store.statements import (
    batches,
    count_by,
    insert_all,
    lock_row,
    rows_by_value,
    update_all,
)
from scythe.store.states import PageStage, RecordChange, RecordState
from scythe.store.store import Store

__all__ = [
    "Fields",
    "NewRecord",
    "Reason",
    "RecordRow",
    "RecordRows",
    "RecordSource",
    "RecordVersionRow",
    "fingerprint",
]

_Changes = dict[int, RecordChange]
"""What happened to records, by their ids."""

_ChangeFunction = Callable[
    [Row[Any], NewRecord], tuple[RecordChange | None, dict[str, Any]]
]
"""Returns what a reading does to a record: its change, if there is one, and its columns
after that.
"""

_READ_COLUMNS = ("reasons", "page_id", "body_hash", "cluster", "version")
"""What is known of the reading that a record's values come from."""


class RecordRows(RecordHistory):
    """The records of one collection and their history. Lists of records are in the
    order in which these were found.
    """

    def __init__(self, store: Store, collection_id: int) -> None:
        super().__init__(store, collection_id)
        self._in_collection = RECORDS.c.collection_id == collection_id
        self._records = (
            select_rows(RECORDS, RecordRow)
            .where(self._in_collection)
            .order_by(RECORDS.c.id)
        )

    def store(
        self, records: Iterable[NewRecord], run: int | None = None
    ) -> Counter[str]:
        """Store records as they were read now; return how many of each change there
        were.

        A record that is as it was changes nothing but when it was seen; of several with
        one key the last counts. Extracted pages that they come from are done.
        """
        given = list(records)
        last = {record.key: record for record in given}
        with self._store.writing() as connection:
            self._lock(connection)
            known = self._known(connection, last)
            new = []
            read_again = {}
            for key, record in last.items():
                if key in known:
                    read_again[key] = record
                else:
                    new.append(record)
            changes = self._add(connection, new)
            changes |= self._change(connection, known, read_again, update_record)
            self._add_versions(connection, changes, run)
            page_ids = [record.source.page_id for record in given]
            for batch in batches(page_ids):
                is_extracted = PAGES.c.stage == PageStage.EXTRACTED
                is_extracted &= PAGES.c.id.in_(batch)
                statement = update(PAGES).where(is_extracted)
                connection.execute(statement.values(stage=PageStage.DONE))
        return Counter(changes.values())

    def correct(self, records: Iterable[NewRecord]) -> Counter[str]:
        """Store what other names make of known records; return how many of each change
        there were.

        Only values change, and with them whether a record is in review: a gone record
        stays gone, and none is added. A record that comes from other bytes by now is
        left as it is.
        """
        last = {record.key: record for record in records}
        with self._store.writing() as connection:
            self._lock(connection)
            known = self._known(connection, last)
            read_again = {}
            for key, record in last.items():
                row = known.get(key)
                if row is not None and row.body_hash == record.source.body_hash:
                    read_again[key] = record
            changes = self._change(connection, known, read_again, correct_record)
            self._add_versions(connection, changes, None)
        return Counter(changes.values())

    def _known(
        self, connection: Connection, keys: Iterable[str]
    ) -> dict[str, Row[Any]]:
        query = select(RECORDS).where(self._in_collection)
        return rows_by_value(connection, query, RECORDS.c.key, keys)

    def _add(self, connection: Connection, records: Sequence[NewRecord]) -> _Changes:
        """Insert new records; return what happened to each."""
        at = now()
        rows = []
        for record in records:
            columns = columns_after(record, record.reasons)
            columns["key"] = record.key
            columns["collection_id"] = self._collection
            columns["accepted"] = []
            columns["edited"] = {}
            columns.update(first_seen=at, changed_at=at, seen_at=at)
            rows.append(columns)
        insert_all(connection, RECORDS, rows)

        query = select(RECORDS.c.id, RECORDS.c.key).where(self._in_collection)
        keys = [record.key for record in records]
        added = rows_by_value(connection, query, RECORDS.c.key, keys)
        changes: _Changes = {}
        for record in records:
            change = RecordChange.REVIEW if record.reasons else RecordChange.NEW
            changes[added[record.key].id] = change
        return changes

    def _change(
        self,
        connection: Connection,
        known: Mapping[str, Row[Any]],
        read: Mapping[str, NewRecord],
        change_function: _ChangeFunction,
    ) -> _Changes:
        """Store what readings do to known records; return what happened to those that
        changed.
        """
        changes: _Changes = {}
        changed: dict[int, dict[str, Any]] = {}
        unchanged: dict[int, dict[str, Any]] = {}
        for key, record in read.items():
            row = known[key]
            change, columns = change_function(row, record)
            if change is None:
                unchanged[row.id] = columns
            else:
                changed[row.id] = columns
                changes[row.id] = change
        update_all(connection, RECORDS, changed)
        update_all(connection, RECORDS, unchanged)
        return changes

    def mark_seen(self, keys: Iterable[str]) -> None:
        """Store that records were seen: the server says that their pages are unchanged."""
        with self._store.writing() as connection:
            for key in keys:
                has_key = self._in_collection & (RECORDS.c.key == key)
                statement = update(RECORDS).where(has_key)
                connection.execute(statement.values(seen_at=now()))

    def mark_gone(self, keys: Iterable[str], run: int | None = None) -> int:
        """Mark records whose pages are gone; return how many were not marked before."""
        marked = 0
        present = select(RECORDS.c.id, RECORDS.c.state).where(
            self._in_collection & RECORDS.c.gone_at.is_(None)
        )
        with self._store.writing() as connection:
            self._lock(connection)
            for key in keys:
                with_key = present.where(RECORDS.c.key == key)
                row = connection.execute(with_key).first()
                if row is None:
                    continue
                values: dict[str, Any] = {"gone_at": now()}
                if row.state != RecordState.HIDDEN:
                    values["state"] = RecordState.GONE
                statement = update(RECORDS).where(RECORDS.c.id == row.id)
                connection.execute(statement.values(**values))
                self._add_versions(connection, {row.id: RecordChange.GONE}, run)
                marked += 1
        return marked

    def move(
        self, key: str, new_key: str, new_url: str, run: int | None = None
    ) -> bool:
        """Move a record to another address; return False where there is none under the
        old one.

        Where the new address has a record of its own already, both are merged, and keep
        the longer history: the new one's first appearance was a mistake, and is what
        moved.
        """
        query = select(RECORDS).where(self._in_collection)
        with self._store.writing() as connection:
            self._lock(connection)
            with_key = query.where(RECORDS.c.key == key)
            old = connection.execute(with_key).first()
            if old is None or key == new_key:
                return False
            with_new_key = query.where(RECORDS.c.key == new_key)
            new = connection.execute(with_new_key).first()

            values: dict[str, Any] = {
                "key": new_key,
                "url": new_url,
                "moved_from": old.url,
                "gone_at": None,
            }
            delete_gone_version(connection, old.id, run)
            if new is not None:
                merge_history(connection, old.id, new.id)
                remove_from_index(connection, self._collection, new.id)
                connection.execute(delete(RECORDS).where(RECORDS.c.id == new.id))
                for name in ("state", "fields", "pending", "seen_at", *_READ_COLUMNS):
                    values[name] = getattr(new, name)
                if new.fields is None:
                    values["fields"] = old.fields
                elif old.edited:
                    values["fields"] = with_edits(new.fields, old.edited)
            elif old.pending is not None:
                values["state"] = RecordState.REVIEW
            elif old.state != RecordState.DRAFT:
                values["state"] = RecordState.OK
            if old.state == RecordState.HIDDEN:
                values["state"] = RecordState.HIDDEN
            statement = update(RECORDS).where(RECORDS.c.id == old.id)
            connection.execute(statement.values(**values))
            self._add_versions(connection, {old.id: RecordChange.MOVED}, run)
            return True

    def _lock(self, connection: Connection) -> None:
        """Let one process at a time write a collection's records: versions are numbered
        in turn.
        """
        lock_row(connection, COLLECTIONS, self._collection)

    def _add_versions(
        self,
        connection: Connection,
        changes: Mapping[int, str],
        run: int | None,
        made_by: str = "",
    ) -> None:
        """Add records as they are now to their history: what happened to each, by its
        id.
        """
        query = select(RECORDS).where(self._in_collection)
        rows = rows_by_value(connection, query, RECORDS.c.id, changes)
        update_index(connection, self._collection, rows)
        numbers = last_numbers(connection, changes)
        stored_at = now()
        versions = []
        for record, change in changes.items():
            row = rows[record]
            is_gone = row.state == RecordState.GONE
            shows_pending = row.pending is not None and not is_gone
            version = {name: getattr(row, name) for name in _READ_COLUMNS}
            version.update(
                collection_id=self._collection,
                record_id=record,
                number=numbers.get(record, 0) + 1,
                change=change,
                state=row.state,
                url=row.url,
                fields=row.pending if shows_pending else row.fields,
                run_id=run,
                stored_at=stored_at,
                made_by=made_by,
            )
            versions.append(version)
        insert_all(connection, RECORD_VERSIONS, versions)

    def get(self, key: str) -> RecordRow | None:
        """Return a record by its key."""
        query = self._records.where(RECORDS.c.key == key)
        with self._store.reading() as connection:
            return read_first(connection, query, RecordRow)

    def all(self, *states: str) -> Iterator[RecordRow]:
        """Yield all records; in some states only, if any are given."""
        query = self._records
        if states:
            query = query.where(RECORDS.c.state.in_(states))
        with self._store.reading() as connection:
            yield from stream(connection, query, RecordRow)

    def keys(self, *states: str) -> Iterator[str]:
        """Yield the keys of all records in some states."""
        query = (
            select(RECORDS.c.key)
            .where(self._in_collection & RECORDS.c.state.in_(states))
            .order_by(RECORDS.c.id)
            .execution_options(yield_per=STREAMED_ROWS)
        )
        with self._store.reading() as connection:
            yield from connection.execute(query).scalars()

    def with_keys(self, keys: Iterable[str]) -> Iterator[RecordRow]:
        """Yield those of the records with these keys that there are."""
        for batch in batches(keys):
            query = self._records.where(RECORDS.c.key.in_(batch))
            with self._store.reading() as connection:
                rows = read_all(connection, query, RecordRow)
            yield from rows

    def counts(self) -> dict[str, int]:
        """Return how many records there are in each state."""
        with self._store.reading() as connection:
            return count_by(connection, RECORDS.c.state, self._in_collection)


def fingerprint(values: Fields | None) -> str:
    """Return a short text that differs where values differ."""
    encoded = json_text(values).encode()
    return hashlib.sha256(encoded).hexdigest()[:16]
