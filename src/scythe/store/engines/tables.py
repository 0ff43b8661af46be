"""The tables of search engines, declared by the classes of their rows (see `rows`);
`migrations` makes them.

What an engine and a record are, is JSON to the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scythe.store.rows import JsonObject, declare_table

ENGINES = declare_table(
    "engines",
    id=int,
    name=str,
    home=str,
    version=int,
    weight=float,
    added_at=datetime,
    tended_until=datetime | None,
)
"""One row an engine: `version` is the one in use; until `tended_until` a process has
the lease to check or relearn it.
"""


@dataclass(frozen=True)
class EngineRow:
    """An engine with the version that is in use: a row of two tables."""

    id: int
    name: str
    home: str
    version: int
    weight: float
    added_at: datetime
    definition: Mapping[str, Any]


@dataclass(frozen=True)
class EngineVersionRow:
    """A version that an engine has or had, and why it was made."""

    version: int
    definition: JsonObject
    reason: str
    stored_at: datetime


VERSIONS = declare_table("engine_versions", EngineVersionRow, engine_id=int)


@dataclass(frozen=True)
class AnswerRow:
    """How an engine answered one search. Its health comes from these."""

    version: int
    answered_at: datetime
    query: str
    status: str
    records: int
    filled: float | None
    """The share of the fields that the records filled."""
    seconds: float
    wait: float | None
    """Seconds that the engine asked to wait."""
    note: str


ANSWERS = declare_table("engine_answers", AnswerRow, id=int, engine_id=int)


@dataclass(frozen=True)
class EventRow:
    """A check or a relearning of an engine, and how it ended."""

    happened_at: datetime
    kind: str
    note: str


EVENTS = declare_table("engine_events", EventRow, id=int, engine_id=int)


@dataclass(frozen=True)
class HarvestedRow:
    """A record that was found behind a form, stored once."""

    key: str
    record: JsonObject
    query: str
    """The query that found it first."""
    times: int
    """How often it was found."""


RECORDS = declare_table(
    "engine_records", HarvestedRow, engine_id=int, number=int, found_at=datetime
)
"""Harvested records, by `number` in the order they were found."""


@dataclass(frozen=True)
class QueryRow:
    """A query of a harvest; where `next_page` is empty, it is done."""

    query: str
    pages: int = 0
    next_page: str | None = None
    records: int = 0
    fresh: int = 0
    """Records that no earlier query had found."""
    note: str = ""


QUERIES = declare_table("engine_queries", QueryRow, engine_id=int, number=int)

TABLES = (ENGINES, VERSIONS, ANSWERS, EVENTS, RECORDS, QUERIES)
