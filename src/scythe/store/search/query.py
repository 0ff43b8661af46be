"""Records that answer a question, in an order, page by page, and what else they have in
common.

found = Search(store, collection).find(RecordQuery("oat soup", (FacetFilter("category",
"Dinner"),), sort="title")) found.total, found.records, found.facets
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, TableClause, func, select

from scythe.store.collections.records import RecordRow
from scythe.store.collections.tables import RECORDS
from scythe.store.search.bitmaps import Bits, Numbers, Span, unpacked_numbers
from scythe.store.search.documents import CHANGED, STATE, Number, facet
from scythe.store.search.facet_counts import (
    FacetCounts,
    NumberCounts,
    count_facets,
    count_numbers,
)
from scythe.store.search.full_text import FullText
from scythe.store.search.index import bring_up_to_date
from scythe.store.search.tables import FACET_PIECES, FACETS, NUMBER_PIECES
from scythe.store.search.words import Question, asked
from scythe.store.statements import batches, columns_of, counted, found_by
from scythe.store.store import Store

RELEVANCE, NEWEST, CHANGED_FIRST, TITLE = "relevance", "newest", "changed", "title"
"""Orders besides those by numbers, which are `FIELD` and, from the largest on,
`-FIELD`.
"""
GOOD = ("ok", "review")
"""States of records whose pages are there."""
MOST_RANKED = 20_000
"""Of more records than that the newest come first, those with all words in their title
before all others: what most records have tells nothing about any of them.
"""


@dataclass(frozen=True)
class FacetFilter:
    """A value that records must have."""

    field: str
    value: str


@dataclass(frozen=True)
class NumberRange:
    """Numbers that records must have: from `least` on, and below `below`."""

    field: str
    least: float | None = None
    below: float | None = None


@dataclass(frozen=True)
class RecordQuery:
    """A question, and what part of its answer."""

    words: str = ""
    chosen: tuple[FacetFilter, ...] = ()
    ranges: tuple[NumberRange, ...] = ()
    states: tuple[str, ...] = GOOD
    sort: str = ""
    """By relevance where words are asked for, else the newest first."""


@dataclass(frozen=True)
class SearchResult:
    """The answer."""

    total: int
    records: Sequence[int]
    """Their numbers, in the order that was asked for."""
    facets: Sequence[FacetCounts] = ()
    numbers: Sequence[NumberCounts] = ()


class Search:
    """Searches the records of one collection."""

    def __init__(self, store: Store, collection: int) -> None:
        self._store = store
        self._collection = collection

    def find(
        self, wanted: RecordQuery, offset: int = 0, limit: int = 24
    ) -> SearchResult:
        """A page of the answer with the facets of all of it."""
        bring_up_to_date(self._store, self._collection)
        with self._store.reading() as connection:
            one = _Reading(connection, self._collection)
            among = one.matching(wanted)
            total = int(np.count_nonzero(among))
            records = one.ordered(among, wanted)[offset : offset + limit].tolist()
            facets = count_facets(connection, self._collection, one.span, among)
            return SearchResult(
                total, records, facets, count_numbers(one.columns(), among)
            )

    def all(self, wanted: RecordQuery) -> list[int]:
        """The numbers of all records that answer, in order."""
        bring_up_to_date(self._store, self._collection)
        with self._store.reading() as connection:
            one = _Reading(connection, self._collection)
            return one.ordered(one.matching(wanted), wanted).tolist()

    def records(self, numbers: Sequence[int]) -> Iterator[RecordRow]:
        """Records by their numbers, in that order; those that are gone from the
        database by now are left out.
        """
        own = RECORDS.c.collection_id == self._collection
        for batch in batches(numbers):
            with self._store.reading() as connection:
                rows = found_by(
                    connection,
                    columns_of(RECORDS, RecordRow),
                    own,
                    (RECORDS.c.id, batch),
                )
            yield from (RecordRow(*rows[number]) for number in batch if number in rows)

    def states(self) -> dict[str, int]:
        """How many records with good values there are in each state."""
        own = (
            (FACETS.c.collection_id == self._collection)
            & (FACETS.c.field == STATE)
            & (FACETS.c.records > 0)
        )
        with self._store.reading() as connection:
            return counted(
                connection, select(FACETS.c.value, FACETS.c.records).where(own)
            )

    def number_fields(self) -> list[Number]:
        """The fields by which records can be ordered."""
        bring_up_to_date(self._store, self._collection)
        own = NUMBER_PIECES.c.collection_id == self._collection
        wanted = (
            select(NUMBER_PIECES.c.field, NUMBER_PIECES.c.kind)
            .where(own)
            .distinct()
            .order_by("field")
        )
        with self._store.reading() as connection:
            return [
                Number(field, kind)
                for field, kind in connection.execute(wanted)
                if field != CHANGED
            ]


class _Reading:
    """The index of a collection within one transaction."""

    def __init__(self, connection: Connection, collection: int) -> None:
        self._connection = connection
        self._collection = collection
        pieces = NUMBER_PIECES.c.piece
        own = (NUMBER_PIECES.c.collection_id == collection) & (
            NUMBER_PIECES.c.field == CHANGED
        )
        first, last = connection.execute(
            select(func.min(pieces), func.max(pieces)).where(own)
        ).one()
        self.span = Span(first or 0, last if last is not None else 0)
        self._columns: dict[Number, Numbers] | None = None

    def matching(self, wanted: RecordQuery) -> Bits:
        """The records that answer."""
        among = self.span.nobody()
        for state in wanted.states:
            among |= self._members(STATE, state)
        for chosen in wanted.chosen:
            among &= self._members(chosen.field, chosen.value)
        for given in wanted.ranges:
            among &= self._within(given)
        question = asked(wanted.words)
        return among & self._answering(question) if question else among

    def _members(self, field: str, value: str) -> Bits:
        _, key = facet(field, value)
        own = (
            (FACETS.c.collection_id == self._collection)
            & (FACETS.c.field == field)
            & (FACETS.c.key == key)
        )
        stored = select(FACET_PIECES.c.piece, FACET_PIECES.c.members).join(
            FACETS, FACETS.c.id == FACET_PIECES.c.facet_id
        )
        return self.span.of(
            (row.piece, row.members)
            for row in self._connection.execute(
                stored.where(own & self._inside(FACET_PIECES))
            )
        )

    def _inside(self, table: TableClause) -> ColumnElement[bool]:
        """Pieces of the span: there may be others by now."""
        return table.c.piece.between(self.span.first_piece, self.span.last_piece)

    def _within(self, given: NumberRange) -> Bits:
        inside = self.span.nobody()
        for name, numbers in self.columns().items():
            if name.field == given.field:
                least = -np.inf if given.least is None else given.least
                below = np.inf if given.below is None else given.below
                with np.errstate(invalid="ignore"):
                    inside |= (numbers >= least) & (numbers < below)
        return inside

    def columns(self) -> dict[Number, Numbers]:
        """All numbers of all records, by field."""
        if self._columns is None:
            self._columns = {}
            own = (NUMBER_PIECES.c.collection_id == self._collection) & self._inside(
                NUMBER_PIECES
            )
            columns = (
                NUMBER_PIECES.c.field,
                NUMBER_PIECES.c.kind,
                NUMBER_PIECES.c.piece,
                NUMBER_PIECES.c.numbers,
            )
            for field, kind, piece, stored in self._connection.execute(
                select(*columns).where(own)
            ):
                name = Number(field, kind)
                if name not in self._columns:
                    self._columns[name] = np.full(self.span.length, np.nan)
                self._columns[name][self.span.part(piece)] = unpacked_numbers(stored)
        return self._columns

    def _answering(self, question: Question) -> Bits:
        if question.wanted:
            return self.span.having(self._text.answering(question))
        return ~self.span.having(self._text.having_any(question.unwanted))

    @property
    def _text(self) -> FullText:
        return FullText(
            self._connection,
            self._collection,
            self.span.first,
            self.span.first + self.span.length - 1,
        )

    def ordered(self, among: Bits, wanted: RecordQuery) -> NDArray[np.int64]:
        """Records in the order that is wanted; where that leaves it open, the newest
        first.
        """
        newest = self.span.records(np.flatnonzero(among))[::-1]
        question = asked(wanted.words)
        sort = wanted.sort or (RELEVANCE if question.wanted else NEWEST)
        if sort == RELEVANCE:
            return self._by_relevance(newest, question) if question.wanted else newest
        if sort == TITLE:
            return self._by_title(among)
        name, falling = (
            (CHANGED, True)
            if sort == CHANGED_FIRST
            else (sort.removeprefix("-"), sort.startswith("-"))
        )
        for column, numbers in self.columns().items():
            if column.field == name:
                keys = numbers[newest - self.span.first]
                return newest[np.argsort(-keys if falling else keys, kind="stable")]
        return newest

    def _by_title(self, among: Bits) -> NDArray[np.int64]:
        records = self.span.inside(self._text.by_title())
        return records[among[records - self.span.first]]

    def _by_relevance(
        self, newest: NDArray[np.int64], question: Question
    ) -> NDArray[np.int64]:
        if len(newest) > MOST_RANKED:
            titled = self.span.having(self._text.titled(question))[
                newest - self.span.first
            ]
            return np.concatenate([newest[titled], newest[~titled]])
        scores = self._text.ranked(question)
        keys = np.array([scores.get(record, 0.0) for record in newest.tolist()])
        return newest[np.argsort(-keys, kind="stable")]
