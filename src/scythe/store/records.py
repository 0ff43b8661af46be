"""Records of a collection with all that ever happened to them. Records change, move, go and come back; none is ever deleted.

What a record had last that was good stays in its `fields`: values that fail the checks wait in `pending` for a person, and never
take the place of good ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from scythe.errors import Conflict, NotStored
from scythe.store.collection_tables import COLLECTIONS, PAGES, RECORD_VERSIONS, RECORDS
from scythe.store.columns import as_json_text, now
from scythe.store.pages import DONE, EXTRACTED_
from scythe.store.record_changes import (
    ACCEPTED,
    BACK,
    CHANGED,
    CORRECTED,
    DOUBTED,
    GONE,
    LOST,
    MOVED,
    NEW,
    OK,
    REVIEW,
    Fields,
    NewRecord,
    Reason,
    Source,
    columns_after,
    corrected,
    updated,
)
from scythe.store.search.index import forget, keep_up
from scythe.store.statements import batches, columns_of, counted, found_by, insert_all, update_all
from scythe.store.store import Store

__all__ = [
    "ACCEPTED",
    "BACK",
    "CHANGED",
    "CORRECTED",
    "DOUBTED",
    "GONE",
    "LOST",
    "MOVED",
    "NEW",
    "OK",
    "REVIEW",
    "Fields",
    "NewRecord",
    "Reason",
    "RecordRow",
    "RecordRows",
    "Source",
    "VersionRow",
    "mark_of",
]

_AT_ONCE = 500
_Readings = Iterable[tuple[Row[Any], NewRecord]]
"""Stored records, each with what was read of it now."""
_After = Callable[[Row[Any], NewRecord], tuple[str | None, dict[str, Any]]]
"""What a reading does to a record: its change, if there is one, and its columns after that."""


@dataclass(frozen=True)
class RecordRow:
    """A record as it is now."""

    id: int
    key: str
    url: str
    state: str
    fields: Fields | None
    """The last good values; None, where there never were any."""
    pending: Fields | None
    """Values that wait for a person."""
    reasons: Sequence[Mapping[str, str]]
    accepted: Sequence[str]
    page_id: int | None
    body_hash: str | None
    cluster: int | None
    version: int | None
    first_seen: datetime
    changed_at: datetime
    seen_at: datetime
    gone_at: datetime | None
    moved_from: str | None


@dataclass(frozen=True)
class VersionRow:
    """Something that happened to a record, and how it was afterwards."""

    id: int
    """Grows with time over all records."""
    record_id: int
    number: int
    change: str
    state: str
    url: str
    fields: Fields | None
    reasons: Sequence[Mapping[str, str]]
    page_id: int | None
    body_hash: str | None
    cluster: int | None
    version: int | None
    run_id: int | None
    stored_at: datetime


class RecordRows:
    """The records of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._own = RECORDS.c.collection_id == collection_id

    def put(self, records: Iterable[NewRecord], run: int | None = None) -> Counter[str]:
        """Store records as they were read now; gives how many of each change there were.

        A record that is as it was changes nothing but when it was seen; of several with one key the last counts. Pages that they
        come from and that wait to be imported are done with.
        """
        given = list(records)
        last = {record.key: record for record in given}
        with self._store.writing() as connection:
            self._lock(connection)
            known = found_by(connection, list(RECORDS.c), self._own, (RECORDS.c.key, last))
            made = self._add(connection, [record for key, record in last.items() if key not in known])
            read_again = [(known[key], record) for key, record in last.items() if key in known]
            made.update(self._change(connection, read_again, updated))
            self._note(connection, made, run)
            for batch in batches(record.source.page_id for record in given):
                waiting = PAGES.c.id.in_(batch) & (PAGES.c.stage == EXTRACTED_)
                connection.execute(update(PAGES).where(waiting).values(stage=DONE))
        return Counter(made.values())

    def _add(self, connection: Connection, records: Sequence[NewRecord]) -> dict[int, str]:
        """Store new records; gives what happened to each by its number."""
        at = now()
        own = {"collection_id": self._collection, "accepted": [], "first_seen": at, "changed_at": at, "seen_at": at}
        rows = [{"key": new.key, **own, **columns_after(new, new.reasons)} for new in records]
        insert_all(connection, RECORDS, rows)
        numbers = found_by(
            connection, [RECORDS.c.id, RECORDS.c.key], self._own, (RECORDS.c.key, (record.key for record in records))
        )
        return {numbers[record.key].id: DOUBTED if record.reasons else NEW for record in records}

    def correct(self, records: Iterable[NewRecord]) -> Counter[str]:
        """Store what other names make of known records; gives how many of each change there were.

        Only values change, and with them whether a record is in review: a gone record stays gone,
        and none is added. A record that comes from other bytes by now is left as it is.
        """
        last = {record.key: record for record in records}
        with self._store.writing() as connection:
            self._lock(connection)
            known = found_by(connection, list(RECORDS.c), self._own, (RECORDS.c.key, last))
            read_again = [
                (known[key], record)
                for key, record in last.items()
                if key in known and known[key].body_hash == record.source.body_hash
            ]
            made = self._change(connection, read_again, corrected)
            self._note(connection, made, None)
        return Counter(made.values())

    def _change(self, connection: Connection, read: _Readings, after: _After) -> dict[int, str]:
        """Store what readings do to records; gives what happened to those that changed."""
        changed: dict[int, dict[str, Any]] = {}
        same: dict[int, dict[str, Any]] = {}
        made: dict[int, str] = {}
        for row, record in read:
            change, values = after(row, record)
            if change:
                changed[row.id], made[row.id] = values, change
            else:
                same[row.id] = values
        update_all(connection, RECORDS, changed)
        update_all(connection, RECORDS, same)
        return made

    def seen(self, keys: Iterable[str]) -> None:
        """Records whose pages the server said are unchanged."""
        with self._store.writing() as connection:
            for key in keys:
                connection.execute(update(RECORDS).where(self._own & (RECORDS.c.key == key)).values(seen_at=now()))

    def lose(self, keys: Iterable[str], run: int | None = None) -> int:
        """Mark records whose pages are gone; gives how many were not marked before."""
        lost = 0
        with self._store.writing() as connection:
            self._lock(connection)
            for key in keys:
                there = self._own & (RECORDS.c.key == key) & (RECORDS.c.state != GONE)
                found = connection.execute(select(RECORDS.c.id).where(there)).scalar()
                if found is not None:
                    connection.execute(update(RECORDS).where(RECORDS.c.id == found).values(state=GONE, gone_at=now()))
                    self._note(connection, {found: LOST}, run)
                    lost += 1
        return lost

    def move(self, key: str, new_key: str, new_url: str, run: int | None = None) -> bool:
        """A record that is now under another address; False where there is none under the old one.

        Where the new address has a record of its own already, both are one: it keeps the longer history. Its own beginning
        was a mistake, and is what moved.
        """
        with self._store.writing() as connection:
            self._lock(connection)
            old = connection.execute(select(RECORDS).where(self._own & (RECORDS.c.key == key))).first()
            if old is None or key == new_key:
                return False
            new = connection.execute(select(RECORDS).where(self._own & (RECORDS.c.key == new_key))).first()
            values: dict[str, Any] = {"key": new_key, "url": new_url, "moved_from": old.url, "gone_at": None}
            self._forget_loss(connection, old.id, run)
            if new is not None:
                self._join(connection, old.id, new.id)
                names = ("fields", "pending", "reasons", "page_id", "body_hash", "cluster", "version", "seen_at")
                values.update({name: getattr(new, name) for name in names}, state=new.state)
                values["fields"] = new.fields if new.fields is not None else old.fields
            else:
                values["state"] = REVIEW if old.pending is not None else OK
            connection.execute(update(RECORDS).where(RECORDS.c.id == old.id).values(**values))
            self._note(connection, {old.id: MOVED}, run)
            return True

    def _forget_loss(self, connection: Connection, record: int, run: int | None) -> None:
        """What a run took for gone before it found out where it went, was never gone."""
        own = (RECORD_VERSIONS.c.record_id == record) & (RECORD_VERSIONS.c.change == LOST) & (RECORD_VERSIONS.c.run_id == run)
        last = select(func.max(RECORD_VERSIONS.c.number)).where(RECORD_VERSIONS.c.record_id == record).scalar_subquery()
        connection.execute(delete(RECORD_VERSIONS).where(own & (RECORD_VERSIONS.c.number == last)))

    def _join(self, connection: Connection, old: int, new: int) -> None:
        """Give the history of a record to an older one that it proved to be, without its first appearance."""
        own = RECORD_VERSIONS.c.record_id == new
        last: int = connection.execute(
            select(func.max(RECORD_VERSIONS.c.number)).where(RECORD_VERSIONS.c.record_id == old)
        ).scalar_one()
        connection.execute(delete(RECORD_VERSIONS).where(own & (RECORD_VERSIONS.c.number == 1)))
        moved = {"record_id": old, "number": RECORD_VERSIONS.c.number + last - 1}
        connection.execute(update(RECORD_VERSIONS).where(own).values(**moved))
        forget(connection, self._collection, new)
        connection.execute(delete(RECORDS).where(RECORDS.c.id == new))

    def accept(self, key: str, run: int | None = None, seen: str | None = None) -> RecordRow:
        """Take the values that wait in a record as good; what is wrong with them now is never asked about again.

        `seen` is the `mark_of` the values that somebody looked at: others are not accepted in their place.
        """
        with self._store.writing() as connection:
            self._lock(connection)
            row = connection.execute(select(RECORDS).where(self._own & (RECORDS.c.key == key))).first()
            if row is None:
                raise NotStored(f"There is no record {key}. `scythe collect review NAME` lists those that wait.")
            if seen is not None and seen != mark_of(row.pending):
                raise Conflict(f"{row.url} has changed since you looked at it, or is accepted already. Look at it again.")
            if row.pending is not None:
                kept = sorted({*row.accepted, *(f"{reason['field']}: {reason['problem']}" for reason in row.reasons)})
                values = {"state": OK, "fields": row.pending, "pending": None, "accepted": kept, "changed_at": now()}
                connection.execute(update(RECORDS).where(RECORDS.c.id == row.id).values(**values))
                self._note(connection, {row.id: ACCEPTED}, run)
            return RecordRow(**connection.execute(self._wanted().where(RECORDS.c.id == row.id)).mappings().one())

    def _lock(self, connection: Connection) -> None:
        """One writer of a collection's records at a time: history is numbered in turn."""
        connection.execute(select(COLLECTIONS.c.id).where(COLLECTIONS.c.id == self._collection).with_for_update())

    def _note(self, connection: Connection, changes: Mapping[int, str], run: int | None) -> None:
        """Add records as they are now to their history: what happened to each, by its number."""
        names = ("state", "url", "reasons", "page_id", "body_hash", "cluster", "version")
        same = {"collection_id": self._collection, "run_id": run, "stored_at": now()}
        rows = found_by(connection, list(RECORDS.c), self._own, (RECORDS.c.id, changes))
        keep_up(connection, self._collection, rows)
        numbers = self._last_numbers(connection, changes)
        versions = []
        for record, change in changes.items():
            row = rows[record]
            fields = row.pending if row.pending is not None and row.state != GONE else row.fields
            own = {"record_id": record, "number": numbers.get(record, 0) + 1, "change": change, "fields": fields}
            versions.append({**own, **{name: getattr(row, name) for name in names}, **same})
        insert_all(connection, RECORD_VERSIONS, versions)

    def _last_numbers(self, connection: Connection, records: Iterable[int]) -> dict[int, int]:
        """The number of the last thing that happened to each of these records."""
        found: dict[int, int] = {}
        wanted = select(RECORD_VERSIONS.c.record_id, func.max(RECORD_VERSIONS.c.number)).group_by(RECORD_VERSIONS.c.record_id)
        for batch in batches(records):
            found.update(counted(connection, wanted.where(RECORD_VERSIONS.c.record_id.in_(batch))))
        return found

    def get(self, key: str) -> RecordRow | None:
        """A record by its key."""
        with self._store.reading() as connection:
            row = connection.execute(self._wanted().where(RECORDS.c.key == key)).mappings().first()
            return RecordRow(**row) if row else None

    def all(self, *states: str) -> Iterator[RecordRow]:
        """Records in the order they were found; in some states only, if any are given."""
        wanted = self._wanted()
        if states:
            wanted = wanted.where(RECORDS.c.state.in_(states))
        with self._store.reading() as connection:
            for row in connection.execute(wanted.execution_options(yield_per=_AT_ONCE)):
                yield RecordRow(*row)

    def keys(self, *states: str) -> Iterator[str]:
        """The keys of all records in some states."""
        wanted = select(RECORDS.c.key).where(self._own & RECORDS.c.state.in_(states)).order_by(RECORDS.c.id)
        with self._store.reading() as connection:
            yield from connection.execute(wanted.execution_options(yield_per=_AT_ONCE)).scalars()

    def some(self, keys: Iterable[str]) -> Iterator[RecordRow]:
        """Those of the records with these keys that there are."""
        for batch in batches(keys):
            with self._store.reading() as connection:
                rows = connection.execute(self._wanted().where(RECORDS.c.key.in_(batch))).all()
            yield from (RecordRow(*row) for row in rows)

    def counts(self) -> dict[str, int]:
        """How many records there are in each state."""
        wanted = select(RECORDS.c.state, func.count()).where(self._own).group_by(RECORDS.c.state)
        with self._store.reading() as connection:
            return counted(connection, wanted)

    def history(self, record: int) -> list[VersionRow]:
        """All that happened to a record, oldest first."""
        wanted = self._versions().where(RECORD_VERSIONS.c.record_id == record).order_by(RECORD_VERSIONS.c.number)
        with self._store.reading() as connection:
            return [VersionRow(*row) for row in connection.execute(wanted)]

    def latest_changes(self, changes: Sequence[str], limit: int) -> list[VersionRow]:
        """The last things of these kinds that happened to any record, the newest first."""
        wanted = self._versions().where(RECORD_VERSIONS.c.change.in_(changes)).order_by(RECORD_VERSIONS.c.id.desc()).limit(limit)
        with self._store.reading() as connection:
            return [VersionRow(*row) for row in connection.execute(wanted)]

    def changes_in(self, run: int) -> dict[str, int]:
        """What a run did to records: how many of each change."""
        own = (RECORD_VERSIONS.c.collection_id == self._collection) & (RECORD_VERSIONS.c.run_id == run)
        wanted = select(RECORD_VERSIONS.c.change, func.count()).where(own).group_by(RECORD_VERSIONS.c.change)
        with self._store.reading() as connection:
            return counted(connection, wanted)

    def came_from(self, cluster: int, *, before: int) -> bool:
        """Whether the template of a cluster had read any record before a run."""
        own = (RECORD_VERSIONS.c.collection_id == self._collection) & (RECORD_VERSIONS.c.cluster == cluster)
        earlier = select(1).where(own & (RECORD_VERSIONS.c.run_id < before)).limit(1)
        with self._store.reading() as connection:
            return connection.execute(earlier).first() is not None

    def _wanted(self) -> Select[Any]:
        return select(*columns_of(RECORDS, RecordRow)).where(self._own).order_by(RECORDS.c.id)

    def _versions(self) -> Select[Any]:
        return select(*columns_of(RECORD_VERSIONS, VersionRow)).where(RECORD_VERSIONS.c.collection_id == self._collection)


def mark_of(values: Fields | None) -> str:
    """A short sign of values: it differs where they differ."""
    return hashlib.sha256(as_json_text(values).encode()).hexdigest()[:16]
