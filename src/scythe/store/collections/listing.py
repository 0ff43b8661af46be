"""What pages list of collections, a screen at a time: each with a few statements,
however much there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, func, select, tuple_

from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.links import LinkRow
from scythe.store.collections.records import RecordRow
from scythe.store.collections.runs import RunRow
from scythe.store.collections.states import NoticeState, RecordState
from scythe.store.collections.tables import (
    ANNOTATIONS,
    COLLECTIONS,
    INDEX_PAGES,
    LINKS,
    NOTICES,
    RECORDS,
    RUNS,
)
from scythe.store.statements import columns_of, counted
from scythe.store.store import Store

UNDECIDED = "undecided"
"""How links are asked for that nobody has decided about."""


@dataclass(frozen=True)
class Overview:
    """A collection at a glance."""

    row: CollectionRow
    records: Mapping[str, int] = field(default_factory=dict)
    """How many there are in each state."""
    notices: int = 0
    """How many nobody has looked at."""
    watched: int = 0
    """Index pages that are visited again and again."""
    last_run: RunRow | None = None
    named: bool = False
    """Whether an operator has said anything about its attributes; without names all
    records wait.
    """


@dataclass(frozen=True)
class Pagination:
    """A screen of a longer list."""

    number: int = 1
    size: int = 50

    @property
    def start(self) -> int:
        """How many come before it."""
        return (self.number - 1) * self.size

    def last(self, total: int) -> int:
        """The number of the last screen."""
        return max((total + self.size - 1) // self.size, 1)


@dataclass(frozen=True)
class LinkFilter:
    """Which links are wanted."""

    decision: str = ""
    """Those with a decision, or `undecided`; all, where it is empty."""
    words: str = ""
    """What their address or text holds."""
    outcome: str = ""
    """What their pages turned out to be."""


def overviews(store: Store, name: str | None = None) -> list[Overview]:
    """All collections at a glance, sorted by name; or the one of a name, if there is
    any.
    """
    own = (
        COLLECTIONS.c.name == name
        if name is not None
        else COLLECTIONS.c.id.is_not(None)
    )
    with store.reading() as connection:
        wanted = (
            select(*columns_of(COLLECTIONS, CollectionRow))
            .where(own)
            .order_by(COLLECTIONS.c.name)
        )
        rows = [CollectionRow(**row) for row in connection.execute(wanted).mappings()]
        numbers = [row.id for row in rows]
        watched = counted(
            connection,
            select(INDEX_PAGES.c.collection_id, func.count())
            .where(
                INDEX_PAGES.c.collection_id.in_(numbers)
                & INDEX_PAGES.c.gone_at.is_(None)
            )
            .group_by(INDEX_PAGES.c.collection_id),
        )
        notices = counted(
            connection,
            select(NOTICES.c.collection_id, func.count())
            .where(
                NOTICES.c.collection_id.in_(numbers)
                & (NOTICES.c.state == NoticeState.OPEN)
            )
            .group_by(NOTICES.c.collection_id),
        )
        said = (
            select(ANNOTATIONS.c.collection_id)
            .where(ANNOTATIONS.c.collection_id.in_(numbers))
            .distinct()
        )
        named = set(connection.execute(said).scalars())
        records, runs = _records(connection, numbers), _last_runs(connection, numbers)
    return [
        Overview(
            row,
            records.get(row.id, {}),
            notices.get(row.id, 0),
            watched.get(row.id, 0),
            runs.get(row.id),
            row.id in named,
        )
        for row in rows
    ]


def _records(connection: Connection, numbers: list[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    columns = (RECORDS.c.collection_id, RECORDS.c.state)
    for number, state, records in connection.execute(
        select(*columns, func.count())
        .where(RECORDS.c.collection_id.in_(numbers))
        .group_by(*columns)
    ):
        found.setdefault(number, {})[state] = records
    return found


def _last_runs(connection: Connection, numbers: list[int]) -> dict[int, RunRow]:
    last = (
        select(RUNS.c.collection_id, func.max(RUNS.c.number))
        .where(RUNS.c.collection_id.in_(numbers))
        .group_by(RUNS.c.collection_id)
    )
    wanted = select(RUNS.c.collection_id, *columns_of(RUNS, RunRow)).where(
        tuple_(RUNS.c.collection_id, RUNS.c.number).in_(last)
    )
    return {row.collection_id: RunRow(*row[1:]) for row in connection.execute(wanted)}


def runs_of(
    store: Store, collection: int, part: Pagination
) -> tuple[list[RunRow], int]:
    """Runs of a collection, the last one first, and how many there are."""
    own = RUNS.c.collection_id == collection
    wanted = (
        select(*columns_of(RUNS, RunRow))
        .where(own)
        .order_by(RUNS.c.number.desc())
        .offset(part.start)
        .limit(part.size)
    )
    with store.reading() as connection:
        total = connection.execute(
            select(func.count()).select_from(RUNS).where(own)
        ).scalar_one()
        return [RunRow(*row) for row in connection.execute(wanted)], total


def link_counts(store: Store, collection: int) -> dict[str, int]:
    """How many links there are of each decision."""
    wanted = (
        select(LINKS.c.decision, func.count())
        .where(LINKS.c.collection_id == collection)
        .group_by(LINKS.c.decision)
    )
    with store.reading() as connection:
        return {
            decision or UNDECIDED: number
            for decision, number in counted(connection, wanted).items()
        }


def links_of(
    store: Store, collection: int, question: LinkFilter, part: Pagination
) -> tuple[list[LinkRow], int]:
    """Links in the order they were found, and how many there are in all."""
    with store.reading() as connection:
        own = _asked(connection, collection, question)
        numbers = select(LINKS.c.id).where(own).order_by(LINKS.c.id)
        if question.words:  # every text must be looked at, but only once
            found = connection.execute(numbers).scalars().all()
            total, shown = len(found), found[part.start : part.start + part.size]
        else:
            total = connection.execute(
                select(func.count()).select_from(LINKS).where(own)
            ).scalar_one()
            shown = (
                connection.execute(numbers.offset(part.start).limit(part.size))
                .scalars()
                .all()
            )
        rows = connection.execute(
            select(*columns_of(LINKS, LinkRow))
            .where(LINKS.c.id.in_(shown))
            .order_by(LINKS.c.id)
        )
        return [LinkRow(*row) for row in rows], total


def _asked(
    connection: Connection, collection: int, question: LinkFilter
) -> ColumnElement[bool]:
    own = (LINKS.c.collection_id == collection) & (
        LINKS.c.id > 0
    )  # the index by number: rows are read in their order
    if question.decision == UNDECIDED:
        own &= LINKS.c.decision.is_(None)
    elif question.decision:
        own &= LINKS.c.decision == question.decision
    if question.outcome:
        own &= LINKS.c.outcome == question.outcome
    for word in question.words.split():
        own &= _holds(connection, LINKS.c.url, word) | _holds(
            connection, LINKS.c.text, word
        )
    return own


def _holds(
    connection: Connection, column: ColumnElement[str], word: str
) -> ColumnElement[bool]:
    """Whether a text has a word in it, in capitals or not: SQLite's LIKE alone is twice
    as fast as with `lower`.
    """
    holds = (
        column.icontains if connection.dialect.name == "postgresql" else column.contains
    )
    return holds(word, autoescape=True)


def waiting_records(
    store: Store, collection: int, part: Pagination
) -> tuple[list[RecordRow], int]:
    """Records that wait for a person, in the order they were found, and how many there
    are.
    """
    own = (RECORDS.c.collection_id == collection) & (
        RECORDS.c.state == RecordState.REVIEW
    )
    wanted = (
        select(*columns_of(RECORDS, RecordRow))
        .where(own)
        .order_by(RECORDS.c.id)
        .offset(part.start)
        .limit(part.size)
    )
    with store.reading() as connection:
        total = connection.execute(
            select(func.count()).select_from(RECORDS).where(own)
        ).scalar_one()
        return [RecordRow(*row) for row in connection.execute(wanted)], total
