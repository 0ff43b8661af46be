"""Collections at a glance, and long lists of a collection a page at a time: each with a
few statements, however many rows there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, func, select, tuple_

from scythe.store.collection_tables import (
    ANNOTATIONS,
    COLLECTIONS,
    INDEX_PAGES,
    LINKS,
    NOTICES,
    RECORDS,
    RUNS,
    CollectionRow,
    LinkRow,
    RecordRow,
    RunRow,
)
from scythe.store.rows import read_all, select_rows
from scythe.store.statements import count_by, count_rows
from scythe.store.states import LinkDecision, NoticeState, RecordState
from scythe.store.store import Store

UNDECIDED = "undecided"
"""The decision by which links are requested that have none."""


@dataclass(frozen=True)
class Overview:
    """A collection at a glance."""

    row: CollectionRow
    records: Mapping[str, int] = field(default_factory=dict)
    """How many there are in each state."""
    notices: int = 0
    """How many are open."""
    watched: int = 0
    """Index pages that are visited again and again."""
    last_run: RunRow | None = None
    named: bool = False
    """Whether it has annotations; without names all records wait."""


@dataclass(frozen=True)
class Pagination:
    """Which page of a long list, counted from 1, and how many rows a page has."""

    number: int = 1
    size: int = 50

    @property
    def start(self) -> int:
        """How many rows come before the page."""
        return (self.number - 1) * self.size

    def last(self, total: int) -> int:
        """Return the number of the last page."""
        full_pages, rest = divmod(total, self.size)
        pages = full_pages + bool(rest)
        return max(pages, 1)


@dataclass(frozen=True)
class LinkFilter:
    """Which links are listed."""

    decision: str = ""
    """Those with a decision, or `undecided`; all, where it is empty."""
    words: str = ""
    """Words in their address or text."""
    outcome: str = ""
    """What their pages turned out to be."""


def load_overviews(store: Store, name: str | None = None) -> list[Overview]:
    """Return all collections at a glance, sorted by name; or the one of a name, if
    there is any.
    """
    query = select_rows(COLLECTIONS, CollectionRow).order_by(COLLECTIONS.c.name)
    if name is not None:
        query = query.where(COLLECTIONS.c.name == name)
    with store.reading() as connection:
        rows = read_all(connection, query, CollectionRow)
        ids = [row.id for row in rows]
        is_watched = INDEX_PAGES.c.collection_id.in_(ids) & (
            INDEX_PAGES.c.gone_at.is_(None)
        )
        watched = count_by(connection, INDEX_PAGES.c.collection_id, is_watched)
        is_open = NOTICES.c.collection_id.in_(ids) & (
            NOTICES.c.state == NoticeState.OPEN
        )
        notices = count_by(connection, NOTICES.c.collection_id, is_open)
        annotations = count_by(
            connection,
            ANNOTATIONS.c.collection_id,
            ANNOTATIONS.c.collection_id.in_(ids),
        )
        records = _count_records(connection, ids)
        runs = _load_last_runs(connection, ids)

    return [
        Overview(
            row,
            records.get(row.id, {}),
            notices.get(row.id, 0),
            watched.get(row.id, 0),
            runs.get(row.id),
            row.id in annotations,
        )
        for row in rows
    ]


def _count_records(
    connection: Connection, collections: list[int]
) -> dict[int, dict[str, int]]:
    """Return how many records there are in each state, by collection."""
    columns = (RECORDS.c.collection_id, RECORDS.c.state)
    query = (
        select(*columns, func.count())
        .where(RECORDS.c.collection_id.in_(collections))
        .group_by(*columns)
    )
    counts: dict[int, dict[str, int]] = {}
    for collection, state, count in connection.execute(query):
        counts.setdefault(collection, {})[state] = count
    return counts


def _load_last_runs(
    connection: Connection, collections: list[int]
) -> dict[int, RunRow]:
    last_numbers = (
        select(RUNS.c.collection_id, func.max(RUNS.c.number))
        .where(RUNS.c.collection_id.in_(collections))
        .group_by(RUNS.c.collection_id)
    )
    number_of_run = tuple_(RUNS.c.collection_id, RUNS.c.number)
    is_last = number_of_run.in_(last_numbers)
    rows = select_rows(RUNS, RunRow).add_columns(RUNS.c.collection_id)
    query = rows.where(is_last)
    runs = {}
    for *values, collection in connection.execute(query):
        runs[collection] = RunRow(*values)
    return runs


def load_runs(
    store: Store, collection: int, page: Pagination
) -> tuple[list[RunRow], int]:
    """Return a page of a collection's runs, the last one first, and how many there are
    in all.
    """
    in_collection = RUNS.c.collection_id == collection
    query = (
        select_rows(RUNS, RunRow)
        .where(in_collection)
        .order_by(RUNS.c.number.desc())
        .offset(page.start)
        .limit(page.size)
    )
    with store.reading() as connection:
        total = count_rows(connection, RUNS, in_collection)
        return read_all(connection, query, RunRow), total


def count_links(store: Store, collection: int) -> dict[str, int]:
    """Return how many links there are of each decision."""
    in_collection = LINKS.c.collection_id == collection
    with store.reading() as connection:
        counts = count_by(connection, LINKS.c.decision, in_collection)
    if None in counts:
        counts[UNDECIDED] = counts.pop(None)
    return counts


def count_skipped(store: Store, collection: int) -> dict[str, int]:
    """Return how many links that are skipped have each reason, the most frequent first."""
    is_skipped = (
        (LINKS.c.collection_id == collection)
        & (LINKS.c.decision == LinkDecision.SKIP)
        & LINKS.c.gone_at.is_(None)
    )
    with store.reading() as connection:
        counts = count_by(connection, LINKS.c.reason, is_skipped)
    most_frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict(most_frequent)


def load_links(
    store: Store, collection: int, links: LinkFilter, page: Pagination
) -> tuple[list[LinkRow], int]:
    """Return a page of links in the order they were found, and how many there are in
    all.
    """
    with store.reading() as connection:
        is_listed = _is_listed(connection, collection, links)
        query = select(LINKS.c.id).where(is_listed).order_by(LINKS.c.id)
        if links.words:
            # Every text must be searched, but only once.
            all_ids = connection.execute(query).scalars().all()
            total = len(all_ids)
            end = page.start + page.size
            ids = all_ids[page.start : end]
        else:
            total = count_rows(connection, LINKS, is_listed)
            in_page = query.offset(page.start).limit(page.size)
            ids = connection.execute(in_page).scalars().all()

        listed = select_rows(LINKS, LinkRow).where(LINKS.c.id.in_(ids))
        rows = read_all(connection, listed.order_by(LINKS.c.id), LinkRow)
        return rows, total


def _is_listed(
    connection: Connection, collection: int, links: LinkFilter
) -> ColumnElement[bool]:
    # With a condition on the id the database takes the index in which it is, and reads
    # rows in their order.
    condition = (LINKS.c.collection_id == collection) & (LINKS.c.id > 0)
    if links.decision == UNDECIDED:
        condition &= LINKS.c.decision.is_(None)
    elif links.decision:
        condition &= LINKS.c.decision == links.decision
    if links.outcome:
        condition &= LINKS.c.outcome == links.outcome
    for word in links.words.split():
        in_url = _contains(connection, LINKS.c.url, word)
        in_text = _contains(connection, LINKS.c.text, word)
        condition &= in_url | in_text
    return condition


def _contains(
    connection: Connection, column: ColumnElement[str], word: str
) -> ColumnElement[bool]:
    """Return whether a text has a word in it, in capitals or not: SQLite's LIKE alone
    is twice as fast as with `lower`.
    """
    if connection.dialect.name == "postgresql":
        return column.icontains(word, autoescape=True)
    return column.contains(word, autoescape=True)


def load_records_in_review(
    store: Store, collection: int, page: Pagination
) -> tuple[list[RecordRow], int]:
    """Return a page of the records that wait for a person, in the order they were
    found, and how many there are in all.
    """
    in_review = (RECORDS.c.collection_id == collection) & (
        RECORDS.c.state == RecordState.REVIEW
    )
    query = (
        select_rows(RECORDS, RecordRow)
        .where(in_review)
        .order_by(RECORDS.c.id)
        .offset(page.start)
        .limit(page.size)
    )
    with store.reading() as connection:
        total = count_rows(connection, RECORDS, in_review)
        return read_all(connection, query, RecordRow), total
