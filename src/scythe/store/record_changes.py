"""What a reading of its page does to a record: how it was, what was read, how it is afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from scythe.store.collection_tables import cleaned
from scythe.store.columns import now

OK, REVIEW, GONE = "ok", "review", "gone"
"""States of a record."""

NEW, CHANGED, CORRECTED, MOVED, LOST, BACK, DOUBTED, ACCEPTED = (
    "new",
    "changed",
    "corrected",
    "moved",
    "gone",
    "back",
    "review",
    "accepted",
)
"""What can happen to a record. `corrected`: the same bytes were read in another way, because a name, the template or the schema
has changed; the site has not. `review`: its new values wait for a person. `accepted`: a person took them as they are."""

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Source:
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
    """What makes it this record: the canonical form of its address."""
    url: str
    fields: Fields
    source: Source = Source()
    reasons: Sequence[Reason] = ()
    """What keeps it from being good; remarks that do not are `remarks`."""
    remarks: Sequence[Reason] = ()


def columns_after(record: NewRecord, doubts: Sequence[Reason]) -> dict[str, Any]:
    """The columns of a record that was read now: with doubts its values wait."""
    values = cleaned(dict(record.fields))
    told = [
        {"field": each.field, "problem": each.problem, "value": each.value, "message": each.message}
        for each in (*record.reasons, *record.remarks)
    ]
    source = {name: getattr(record.source, name) for name in Source.__dataclass_fields__}
    waiting = {"state": REVIEW, "fields": None, "pending": values} if doubts else {"state": OK, "fields": values, "pending": None}
    return {"url": record.url, "reasons": told, **source, **waiting}


def updated(row: Row[Any], record: NewRecord) -> tuple[str | None, dict[str, Any]]:
    """What has happened to a stored record that was read again, and its columns after that."""
    after = columns_after(record, _doubts(row, record))
    change = _change(row, record, after)
    after["seen_at"] = at = now()
    if change is None:
        return None, _without_values(after)
    if after["pending"] is not None:
        after["fields"] = row.fields
    after.update(gone_at=None, changed_at=at if change in (CHANGED, BACK) else row.changed_at)
    return change, after


def corrected(row: Row[Any], record: NewRecord) -> tuple[str | None, dict[str, Any]]:
    """What other names change in a stored record, and its columns after that.

    Its values change, but neither whether it is gone nor when it was seen.
    """
    if row.state != GONE:
        change, after = updated(row, record)
        return change, {**after, "seen_at": row.seen_at}

    after = columns_after(record, _doubts(row, record))
    after.update(state=GONE, seen_at=row.seen_at)
    if after["pending"] is not None:
        after["fields"] = row.fields
    if (after["fields"], after["pending"]) == (row.fields, row.pending):
        return None, _without_values(after)
    after.update(gone_at=row.gone_at, changed_at=row.changed_at)
    return CORRECTED, after


def _doubts(row: Row[Any], record: NewRecord) -> list[Reason]:
    """What is wrong with a record and was not accepted before."""
    return [reason for reason in record.reasons if reason.key not in row.accepted]


def _without_values(after: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a record whose values are as they were."""
    return {name: value for name, value in after.items() if name not in ("state", "fields", "pending")}


def _change(row: Row[Any], record: NewRecord, after: Mapping[str, Any]) -> str | None:
    """What has happened to a record since it was stored last, None where nothing has."""
    if after["pending"] is not None:
        return DOUBTED if row.pending != after["pending"] or row.state != REVIEW else None
    if row.state == GONE:
        return BACK
    if row.fields == after["fields"] and row.pending is None:
        return None
    if row.fields is None:
        return NEW
    if row.fields == after["fields"]:
        return CORRECTED
    return CORRECTED if record.source.body_hash is not None and row.body_hash == record.source.body_hash else CHANGED
