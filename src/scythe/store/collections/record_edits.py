"""What operators do with records: accept values, give others, hide a record. All of it
is in the history with who did it, and no run takes it back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, select, update

from scythe.errors import Conflict, NotStored
from scythe.store.collection_tables import (
    RECORD_VERSIONS,
    RECORDS,
    Fields,
    RecordRow,
)
from scythe.store.collections.record_changes import (
    NewRecord,
    columns_after,
    doubts_of,
    with_edits,
)
from scythe.store.collections.records import RecordRows, fingerprint
from scythe.store.columns import clean_json, now
from scythe.store.rows import read_all
from scythe.store.states import RecordChange, RecordState

ACCEPTED_DRAFT = "draft"
"""What a person accepted who accepted a draft."""


class OperatorRecords(RecordRows):
    """The records of one collection, as operators change them."""

    def accept(self, key: str, seen: str | None = None, made_by: str = "") -> RecordRow:
        """Take the values that wait in a record as good, or those of a draft; what is
        wrong with them now is never asked about again.

        `seen` is the `fingerprint` of the values that somebody looked at: others are
        not accepted in their place.
        """
        with self._store.writing() as connection:
            row = self._locked(connection, key)
            _require_seen(row, seen)
            is_draft = row.state == RecordState.DRAFT
            if row.pending is not None or is_draft:
                accepted = set(row.accepted)
                if is_draft:
                    accepted.add(ACCEPTED_DRAFT)
                for reason in row.reasons:
                    accepted.add(f"{reason['field']}: {reason['problem']}")
                values = {
                    "state": RecordState.OK,
                    "fields": row.fields if row.pending is None else row.pending,
                    "pending": None,
                    "accepted": sorted(accepted),
                    "changed_at": row.changed_at if is_draft else now(),
                }
                self._set(connection, row.id, RecordChange.ACCEPTED, values, made_by)
            return self._get(connection, row.id)

    def edit(
        self,
        key: str,
        edited: Fields,
        reading: NewRecord | None = None,
        seen: str | None = None,
        made_by: str = "",
    ) -> RecordRow:
        """Store the values that an operator gives a record, in place of those given
        before; `reading` is what its page says.

        `seen` is the `fingerprint` of all values that somebody looked at.
        """
        with self._store.writing() as connection:
            row = self._locked(connection, key)
            _require_seen(row, seen)
            values: dict[str, Any] = {"edited": clean_json(dict(edited))}
            if reading is None:
                present = row.fields or row.pending or {}
                own = with_edits(present, edited)
                values.update(fields=clean_json(own), pending=None)
                is_in_review = row.state == RecordState.REVIEW
                state = RecordState.OK if is_in_review else row.state
            else:
                doubts = doubts_of(reading, row.accepted, edited)
                after = columns_after(reading, doubts, edited)
                for name in ("fields", "pending", "reasons"):
                    values[name] = after[name]
                if after["pending"] is not None:
                    values["fields"] = row.fields
                state = after["state"]
                if row.accepted and state == RecordState.DRAFT:
                    state = RecordState.OK
            if row.state not in (RecordState.GONE, RecordState.HIDDEN):
                values["state"] = state
            self._set(connection, row.id, RecordChange.EDITED, values, made_by)
            return self._get(connection, row.id)

    def hide(self, keys: Iterable[str], made_by: str = "") -> int:
        """Hide records; return how many were not hidden before."""
        hidden = 0
        with self._store.writing() as connection:
            for row in self._locked_all(connection, keys):
                if row.state != RecordState.HIDDEN:
                    values = {"state": RecordState.HIDDEN}
                    self._set(connection, row.id, RecordChange.HIDDEN, values, made_by)
                    hidden += 1
        return hidden

    def show(
        self, keys: Iterable[str], made_by: str = "", *, draft: bool = False
    ) -> int:
        """Show hidden records again, as drafts where nobody has accepted suggestions;
        return how many were hidden.
        """
        shown = 0
        with self._store.writing() as connection:
            for row in self._locked_all(connection, keys):
                if row.state != RecordState.HIDDEN:
                    continue
                is_draft = draft and not row.accepted
                state = RecordState.DRAFT if is_draft else RecordState.OK
                if row.gone_at is not None:
                    state = RecordState.GONE
                elif row.pending is not None:
                    state = RecordState.REVIEW
                values = {"state": state}
                self._set(connection, row.id, RecordChange.SHOWN, values, made_by)
                shown += 1
        return shown

    def hidden_by(self, made_by: str) -> list[str]:
        """Return the keys of records that somebody hid, and nobody has shown since."""
        query = (
            select(RECORDS.c.key, RECORD_VERSIONS.c.made_by)
            .where(self._in_collection & (RECORDS.c.state == RecordState.HIDDEN))
            .where(RECORD_VERSIONS.c.record_id == RECORDS.c.id)
            .where(RECORD_VERSIONS.c.change == RecordChange.HIDDEN)
            .order_by(RECORD_VERSIONS.c.number)
        )
        with self._store.reading() as connection:
            last = {row.key: row.made_by for row in connection.execute(query)}
        return [key for key, who in last.items() if who == made_by]

    def _locked(self, connection: Connection, key: str) -> Row[Any]:
        """Return a record that nobody else changes until the transaction ends."""
        for row in self._locked_all(connection, [key]):
            return row
        raise NotStored(
            f"There is no record {key}. `scythe collect records NAME` lists them, "
            "`scythe collect review NAME` those that wait."
        )

    def _locked_all(
        self, connection: Connection, keys: Iterable[str]
    ) -> list[Row[Any]]:
        self._lock(connection)
        return list(self._known(connection, keys).values())

    def _set(
        self,
        connection: Connection,
        record: int,
        change: RecordChange,
        values: dict[str, Any],
        made_by: str,
    ) -> None:
        statement = update(RECORDS).where(RECORDS.c.id == record)
        connection.execute(statement.values(**values))
        self._add_versions(connection, {record: change}, None, made_by)

    def _get(self, connection: Connection, record: int) -> RecordRow:
        query = self._records.where(RECORDS.c.id == record)
        (row,) = read_all(connection, query, RecordRow)
        return row


def _require_seen(row: Row[Any], seen: str | None) -> None:
    """Raise an error where a record has other values than somebody has seen."""
    current = row.fields if row.pending is None else row.pending
    if seen is not None and seen != fingerprint(current):
        raise Conflict(
            f"{row.url} has changed since you looked at it, "
            "or is accepted already. Look at it again."
        )
