"""What happens to records: how a reading of its page changes a record, and the history
in which all changes are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from scythe.store.collection_tables import RECORD_VERSIONS, Fields, RecordVersionRow
from scythe.store.columns import clean_json, now
from scythe.store.rows import read_all, row_values, select_rows
from scythe.store.statements import batches, count_by, pairs
from scythe.store.states import RecordChange, RecordState
from scythe.store.store import Store

_FEW_RECORDS = 2_000
"""Of up to so many records the history of each is searched; of more, the history of the
whole collection, newest first: a bound, not tuned.
"""

_VERSIONS_AT_ONCE = 2_000
"""Versions that are searched at once: a bound on memory, not tuned."""


@dataclass(frozen=True)
class RecordSource:
    """Where the values of a record come from."""

    page_id: int | None = None
    body_hash: str | None = None
    cluster: int | None = None
    version: int | None = None
    """Of the cluster's template."""


@dataclass(frozen=True)
class Reason:
    """What is wrong with a field."""

    field: str
    problem: str
    """`missing` or `malformed`, or another word of whoever checked."""
    value: str = ""
    """The value that was found."""
    message: str = ""

    @property
    def key(self) -> str:
        """What a person accepts when they accept a record with it."""
        return f"{self.field}: {self.problem}"


@dataclass(frozen=True)
class NewRecord:
    """A record as it was read now."""

    key: str
    """What identifies it: the canonical form of its address."""
    url: str
    fields: Fields
    source: RecordSource = RecordSource()
    reasons: Sequence[Reason] = ()
    """What keeps it from being good; remarks that do not are `remarks`."""
    remarks: Sequence[Reason] = ()
    draft: bool = False
    """Whether its values come from suggestions that nobody has accepted."""


def with_edits(fields: Fields, edited: Fields) -> dict[str, Any]:
    """Return values with those that an operator gave in place of those of the page."""
    values = dict(fields)
    for column, value in edited.items():
        if value is None:
            values.pop(column, None)
        else:
            values[column] = value
    return values


def columns_after(
    record: NewRecord, doubts: Sequence[Reason], edited: Fields | None = None
) -> dict[str, Any]:
    """Return the columns of a record that was read now: with doubts its values wait."""
    values = clean_json(with_edits(record.fields, edited or {}))
    columns = row_values(record.source)
    columns["url"] = record.url
    columns["reasons"] = [
        asdict(reason) for reason in (*record.reasons, *record.remarks)
    ]
    if doubts:
        columns.update(state=RecordState.REVIEW, fields=None, pending=values)
    else:
        state = RecordState.DRAFT if record.draft else RecordState.OK
        columns.update(state=state, fields=values, pending=None)
    return columns


def update_record(
    row: Row[Any], record: NewRecord
) -> tuple[RecordChange | None, dict[str, Any]]:
    """Return what has happened to a stored record that was read again, and its columns
    after that.
    """
    after = columns_after(
        record, doubts_of(record, row.accepted, row.edited), row.edited
    )
    if row.accepted and after["state"] == RecordState.DRAFT:
        after["state"] = RecordState.OK
    change = _change(row, record, after)
    if row.state == RecordState.HIDDEN:
        after["state"] = RecordState.HIDDEN
        if change is not None:
            change = RecordChange.CORRECTED
    after["seen_at"] = at = now()
    if change is None:
        return None, _without_values(after)

    if after["pending"] is not None:
        after["fields"] = row.fields
    is_new_content = change in (RecordChange.CHANGED, RecordChange.BACK)
    after["changed_at"] = at if is_new_content else row.changed_at
    after["gone_at"] = None
    return change, after


def correct_record(
    row: Row[Any], record: NewRecord
) -> tuple[RecordChange | None, dict[str, Any]]:
    """Return what other names change in a stored record, and its columns after that.

    Its values change, but neither whether it is gone nor when it was seen.
    """
    if row.state != RecordState.GONE:
        change, after = update_record(row, record)
        return change, {**after, "seen_at": row.seen_at, "gone_at": row.gone_at}

    doubts = doubts_of(record, row.accepted, row.edited)
    after = columns_after(record, doubts, row.edited)
    after.update(state=RecordState.GONE, seen_at=row.seen_at, gone_at=row.gone_at)
    if after["pending"] is not None:
        after["fields"] = row.fields
    is_same = after["fields"] == row.fields and after["pending"] == row.pending
    if is_same:
        return None, _without_values(after)
    after["changed_at"] = row.changed_at
    return RecordChange.CORRECTED, after


def doubts_of(
    record: NewRecord, accepted: Sequence[str], edited: Fields
) -> list[Reason]:
    """Return what is wrong with a record, and was neither accepted nor given another
    value by a person.
    """
    return [
        reason
        for reason in record.reasons
        if reason.key not in accepted and reason.field not in edited
    ]


def _without_values(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a record whose values are as they were."""
    others = dict(columns)
    for name in ("state", "fields", "pending"):
        del others[name]
    return others


def _change(
    row: Row[Any], record: NewRecord, after: Mapping[str, Any]
) -> RecordChange | None:
    """Return what has happened to a record since it was stored last, None where nothing
    has.
    """
    if after["pending"] is not None:
        was_in_review = row.state == RecordState.REVIEW
        if was_in_review and row.pending == after["pending"]:
            return None
        return RecordChange.REVIEW
    if row.state == RecordState.GONE:
        return RecordChange.BACK
    if row.fields is None:
        return RecordChange.NEW
    if row.fields == after["fields"]:
        new_state = after["state"]
        if row.state == RecordState.DRAFT and new_state == RecordState.OK:
            return RecordChange.ACCEPTED
        has_same_state = row.state in (new_state, RecordState.HIDDEN)
        is_same = has_same_state and row.pending is None
        return None if is_same else RecordChange.CORRECTED
    body_hash = record.source.body_hash
    if body_hash is not None and row.body_hash == body_hash:
        return RecordChange.CORRECTED
    return RecordChange.CHANGED


class RecordHistory:
    """All that happened to the records of one collection."""

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._in_history = RECORD_VERSIONS.c.collection_id == collection_id
        self._versions = select_rows(RECORD_VERSIONS, RecordVersionRow).where(
            self._in_history
        )

    def history(self, record: int) -> list[RecordVersionRow]:
        """Return all that happened to a record, oldest first."""
        query = self._versions.where(RECORD_VERSIONS.c.record_id == record).order_by(
            RECORD_VERSIONS.c.number
        )
        with self._store.reading() as connection:
            return read_all(connection, query, RecordVersionRow)

    def latest_changes(
        self, changes: Sequence[str], limit: int
    ) -> list[RecordVersionRow]:
        """Return the last changes of these kinds to any record, the newest first."""
        query = (
            self._versions.where(RECORD_VERSIONS.c.change.in_(changes))
            .order_by(RECORD_VERSIONS.c.id.desc())
            .limit(limit)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, RecordVersionRow)

    def latest_changes_among(
        self, records: Sequence[int], changes: Sequence[str], limit: int
    ) -> list[RecordVersionRow]:
        """Return the last changes of these kinds to any of these records, the newest
        first.
        """
        with self._store.reading() as connection:
            if len(records) <= _FEW_RECORDS:
                ids = self._latest_of_few(connection, records, changes, limit)
            else:
                ids = self._latest_of_many(connection, records, changes, limit)
            newest = sorted(ids, reverse=True)[:limit]
            query = (
                select_rows(RECORD_VERSIONS, RecordVersionRow)
                .where(RECORD_VERSIONS.c.id.in_(newest))
                .order_by(RECORD_VERSIONS.c.id.desc())
            )
            return read_all(connection, query, RecordVersionRow)

    def _latest_of_few(
        self,
        connection: Connection,
        records: Sequence[int],
        changes: Sequence[str],
        limit: int,
    ) -> list[int]:
        query = (
            select(RECORD_VERSIONS.c.id)
            .where(self._in_history & RECORD_VERSIONS.c.change.in_(changes))
            .order_by(RECORD_VERSIONS.c.id.desc())
            .limit(limit)
        )
        ids: list[int] = []
        for batch in batches(records):
            of_batch = query.where(RECORD_VERSIONS.c.record_id.in_(batch))
            ids += connection.execute(of_batch).scalars()
        return ids

    def _latest_of_many(
        self,
        connection: Connection,
        records: Sequence[int],
        changes: Sequence[str],
        limit: int,
    ) -> list[int]:
        query = (
            select(RECORD_VERSIONS.c.id, RECORD_VERSIONS.c.record_id)
            .where(self._in_history & RECORD_VERSIONS.c.change.in_(changes))
            .order_by(RECORD_VERSIONS.c.id.desc())
            .limit(_VERSIONS_AT_ONCE)
        )
        among = set(records)
        ids: list[int] = []
        older = query
        while len(ids) < limit:
            rows = connection.execute(older).all()
            ids += [row.id for row in rows if row.record_id in among]
            if len(rows) < _VERSIONS_AT_ONCE:
                break
            last_id = rows[-1].id
            older = query.where(RECORD_VERSIONS.c.id < last_id)
        return ids

    def changes_in(self, run: int) -> dict[str, int]:
        """Return what a run did to records: how many of each change."""
        in_run = self._in_history & (RECORD_VERSIONS.c.run_id == run)
        with self._store.reading() as connection:
            return count_by(connection, RECORD_VERSIONS.c.change, in_run)

    def has_versions_before(self, cluster: int, *, before: int) -> bool:
        """Return whether the template of a cluster had read any record before a run."""
        query = (
            select(1)
            .where(self._in_history)
            .where(RECORD_VERSIONS.c.cluster == cluster)
            .where(RECORD_VERSIONS.c.run_id < before)
            .limit(1)
        )
        with self._store.reading() as connection:
            return connection.execute(query).first() is not None


def delete_gone_version(connection: Connection, record: int, run: int | None) -> None:
    """Delete the last version of a record that a run took for gone before it found out
    where it went: it was never gone.
    """
    last = _last_number(record).scalar_subquery()
    statement = (
        delete(RECORD_VERSIONS)
        .where(RECORD_VERSIONS.c.record_id == record)
        .where(RECORD_VERSIONS.c.change == RecordChange.GONE)
        .where(RECORD_VERSIONS.c.run_id == run)
        .where(RECORD_VERSIONS.c.number == last)
    )
    connection.execute(statement)


def merge_history(connection: Connection, old: int, new: int) -> None:
    """Give the history of a record, without its first appearance, to the older one that
    it proved to be.
    """
    last: int = connection.execute(_last_number(old)).scalar_one()
    of_new = RECORD_VERSIONS.c.record_id == new
    is_first = RECORD_VERSIONS.c.number == 1
    connection.execute(delete(RECORD_VERSIONS).where(of_new & is_first))
    statement = (
        update(RECORD_VERSIONS)
        .where(of_new)
        .values(
            record_id=old,
            number=RECORD_VERSIONS.c.number + last - 1,
        )
    )
    connection.execute(statement)


def last_numbers(connection: Connection, records: Iterable[int]) -> dict[int, int]:
    """Return the number of the last version of each of these records."""
    record_id = RECORD_VERSIONS.c.record_id
    last_number = func.max(RECORD_VERSIONS.c.number)
    query = select(record_id, last_number).group_by(record_id)
    numbers: dict[int, int] = {}
    for batch in batches(records):
        in_batch = record_id.in_(batch)
        numbers |= pairs(connection, query.where(in_batch))
    return numbers


def _last_number(record: int) -> Select[Any]:
    """Return a query for the number of the last version of a record."""
    of_record = RECORD_VERSIONS.c.record_id == record
    return select(func.max(RECORD_VERSIONS.c.number)).where(of_record)
