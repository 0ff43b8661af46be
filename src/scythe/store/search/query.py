"""Records that match a query, in an order, page by page, and what else they have in
common.

    query = RecordQuery("oat soup", (FacetFilter("category", "Dinner"),), sort="title")
    result = Search(store, collection).find(query)
    result.total, result.records, result.facets
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, Connection, Table, func, select

from scythe.store.collection_tables import RECORDS, RecordRow
from scythe.store.rows import select_rows
from scythe.store.search.bitmaps import (
    Bits,
    ChunkRange,
    Numbers,
    unpack_bits,
    unpack_numbers,
)
from scythe.store.search.documents import CHANGED, STATE, NumberColumn, facet_term
from scythe.store.search.facet_counts import (
    FacetCounts,
    NumberCounts,
    ValueCount,
    count_facets,
    count_numbers,
    find_values,
)
from scythe.store.search.full_text import FullText
from scythe.store.search.index import complete_index
from scythe.store.search.tables import FACET_CHUNKS, FACETS, NUMBER_CHUNKS
from scythe.store.search.words import TextQuery, parse_query
from scythe.store.statements import batches, pairs, rows_by_value
from scythe.store.states import RecordState
from scythe.store.store import Store

RELEVANCE = "relevance"
NEWEST = "newest"
CHANGED_FIRST = "changed"
TITLE = "title"
"""Orders besides those by numbers, which are `FIELD` and, from the largest on,
`-FIELD`.
"""

PRESENT = (RecordState.OK, RecordState.DRAFT, RecordState.REVIEW)
"""States of records whose pages are there."""

MAX_RANKED = 20_000
"""Of more records than that the newest come first, those with all words in their title
before all others: what most records have says nothing about any of them.
"""


MAX_SORTED_VALUES = 2_000
MAX_SORTED_CHUNKS = 50_000
"""Values of a text field by which records can be ordered, and parts of their members
that are read: bounds on work.
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
    """Which records, and in which order."""

    words: str = ""
    chosen: tuple[FacetFilter, ...] = ()
    ranges: tuple[NumberRange, ...] = ()
    states: tuple[str, ...] = PRESENT
    sort: str = ""
    """By relevance where there are words, else the newest first."""


@dataclass(frozen=True)
class SearchResult:
    """A page of the records that match a query."""

    total: int
    records: Sequence[int]
    """Their ids, in the order of the query."""
    facets: Sequence[FacetCounts] = ()
    numbers: Sequence[NumberCounts] = ()


class Search:
    """Searches the records of one collection."""

    def __init__(self, store: Store, collection: int) -> None:
        self._store = store
        self._collection = collection

    def find(
        self, query: RecordQuery, offset: int = 0, limit: int = 24
    ) -> SearchResult:
        """Return a page of the records that match, with the facets of all of them."""
        complete_index(self._store, self._collection)
        with self._store.reading() as connection:
            index = _IndexReader(connection, self._collection)
            found = index.matching(query)
            records = index.ordered(found, query)
            page = records[offset : offset + limit]
            return SearchResult(
                int(np.count_nonzero(found)),
                page.tolist(),
                count_facets(connection, self._collection, index.chunks, found),
                count_numbers(index.columns, found),
            )

    def find_values(
        self, query: RecordQuery, field: str, words: str = ""
    ) -> list[ValueCount]:
        """Return the values of a field, with some letters in them, that the records
        that match have, and how many have each.
        """
        complete_index(self._store, self._collection)
        with self._store.reading() as connection:
            index = _IndexReader(connection, self._collection)
            found = index.matching(query)
            return find_values(
                connection, self._collection, index.chunks, found, field, words
            )

    def text_fields(self) -> list[str]:
        """Return the fields with so few values that records can be ordered by them."""
        query = (
            select(FACETS.c.field)
            .where(FACETS.c.collection_id == self._collection)
            .where(FACETS.c.field != STATE)
            .where(FACETS.c.records > 0)
            .group_by(FACETS.c.field)
            .having(func.count() <= MAX_SORTED_VALUES)
        )
        with self._store.reading() as connection:
            return sorted(connection.execute(query).scalars())

    def all(self, query: RecordQuery) -> list[int]:
        """Return the ids of all records that match, in order."""
        complete_index(self._store, self._collection)
        with self._store.reading() as connection:
            index = _IndexReader(connection, self._collection)
            return index.ordered(index.matching(query), query).tolist()

    def records(self, ids: Sequence[int]) -> Iterator[RecordRow]:
        """Yield records by their ids, in that order; those that are not in the database
        any more are left out.
        """
        query = select_rows(RECORDS, RecordRow).where(
            RECORDS.c.collection_id == self._collection
        )
        for batch in batches(ids):
            with self._store.reading() as connection:
                rows = rows_by_value(connection, query, RECORDS.c.id, batch)
            for number in batch:
                if number in rows:
                    yield RecordRow(*rows[number])

    def states(self) -> dict[str, int]:
        """Return how many records with good values there are in each state."""
        query = (
            select(FACETS.c.value, FACETS.c.records)
            .where(FACETS.c.collection_id == self._collection)
            .where(FACETS.c.field == STATE)
            .where(FACETS.c.records > 0)
        )
        with self._store.reading() as connection:
            return pairs(connection, query)

    def number_fields(self) -> list[NumberColumn]:
        """Return the fields by which records can be ordered."""
        complete_index(self._store, self._collection)
        query = (
            select(NUMBER_CHUNKS.c.field, NUMBER_CHUNKS.c.kind)
            .where(NUMBER_CHUNKS.c.collection_id == self._collection)
            .where(NUMBER_CHUNKS.c.field != CHANGED)
            .distinct()
            .order_by(NUMBER_CHUNKS.c.field)
        )
        with self._store.reading() as connection:
            rows = connection.execute(query)
            return [NumberColumn(field, kind) for field, kind in rows]


class _IndexReader:
    """The index of a collection within one transaction."""

    def __init__(self, connection: Connection, collection: int) -> None:
        self._connection = connection
        self._collection = collection
        chunk = NUMBER_CHUNKS.c.chunk
        query = (
            select(func.min(chunk), func.max(chunk))
            .where(NUMBER_CHUNKS.c.collection_id == collection)
            .where(NUMBER_CHUNKS.c.field == CHANGED)
        )
        first, last = connection.execute(query).one()
        self.chunks = ChunkRange(first or 0, last or 0)
        self._text = FullText(
            connection,
            collection,
            self.chunks.first,
            self.chunks.first + self.chunks.length - 1,
        )

    def matching(self, query: RecordQuery) -> Bits:
        """Return the records that match."""
        found = self.chunks.empty()
        for state in query.states:
            found |= self._with_term(STATE, state)
        for facet in query.chosen:
            found &= self._with_term(facet.field, facet.value)
        for number_range in query.ranges:
            found &= self._in_range(number_range)
        text_query = parse_query(query.words)
        if text_query:
            found &= self._with_words(text_query)
        return found

    def _with_term(self, field: str, value: str) -> Bits:
        term = facet_term(field, value)
        query = (
            select(FACET_CHUNKS.c.chunk, FACET_CHUNKS.c.members)
            .join(FACETS, FACETS.c.id == FACET_CHUNKS.c.facet_id)
            .where(FACETS.c.collection_id == self._collection)
            .where(FACETS.c.field == term.field)
            .where(FACETS.c.key == term.key)
            .where(self._in_chunks(FACET_CHUNKS))
        )
        rows = self._connection.execute(query)
        return self.chunks.unpack((row.chunk, row.members) for row in rows)

    def _in_chunks(self, table: Table) -> ColumnElement[bool]:
        """Return whether a row is of the range's chunks: there may be others by now."""
        first = self.chunks.first_chunk
        return table.c.chunk.between(first, self.chunks.last_chunk)

    def _in_range(self, number_range: NumberRange) -> Bits:
        least = number_range.least
        if least is None:
            least = -np.inf
        below = number_range.below
        if below is None:
            below = np.inf
        found = self.chunks.empty()
        for column, numbers in self.columns.items():
            if column.field == number_range.field:
                with np.errstate(invalid="ignore"):
                    is_above = numbers >= least
                    is_below = numbers < below
                found |= is_above & is_below
        return found

    @cached_property
    def columns(self) -> dict[NumberColumn, Numbers]:
        """All numbers of all records, by field."""
        query = (
            select(NUMBER_CHUNKS)
            .where(NUMBER_CHUNKS.c.collection_id == self._collection)
            .where(self._in_chunks(NUMBER_CHUNKS))
        )
        columns: dict[NumberColumn, Numbers] = {}
        for row in self._connection.execute(query):
            column = NumberColumn(row.field, row.kind)
            if column not in columns:
                columns[column] = np.full(self.chunks.length, np.nan)
            chunk = self.chunks.slice_of(row.chunk)
            columns[column][chunk] = unpack_numbers(row.numbers)
        return columns

    def _with_words(self, query: TextQuery) -> Bits:
        if query.required:
            return self.chunks.set_of(self._text.matching(query))
        excluded = self._text.with_any(query.excluded)
        return ~self.chunks.set_of(excluded)

    def ordered(self, found: Bits, query: RecordQuery) -> NDArray[np.int64]:
        """Return the ids of found records in the order of a query; where that leaves it
        open, the newest first.
        """
        oldest_first = self.chunks.records(np.flatnonzero(found))
        newest = oldest_first[::-1]
        text_query = parse_query(query.words)
        sort = query.sort
        if not sort:
            sort = RELEVANCE if text_query.required else NEWEST

        if sort == RELEVANCE:
            if not text_query.required:
                return newest
            return self._by_relevance(newest, text_query)
        if sort.removeprefix("-") == TITLE:
            by_title = self._by_title(found)
            return by_title if sort == TITLE else by_title[::-1]
        if sort == CHANGED_FIRST:
            return self._by_number(newest, CHANGED, descending=True)
        field = sort.removeprefix("-")
        return self._by_number(newest, field, descending=sort.startswith("-"))

    def _by_number(
        self, newest: NDArray[np.int64], field: str, *, descending: bool
    ) -> NDArray[np.int64]:
        numbers = None
        for column, of_column in self.columns.items():
            if column.field == field:
                numbers = of_column
                break
        if numbers is None:
            numbers = self._value_ranks(field)
        keys = numbers[newest - self.chunks.first]
        if descending:
            keys = -keys
        order = np.argsort(keys, kind="stable")
        return newest[order]

    def _value_ranks(self, field: str) -> Numbers:
        """Return for each record the position of its first value of a field in the
        order of the alphabet, not a number where it has none.
        """
        query = (
            select(FACET_CHUNKS.c.chunk, FACET_CHUNKS.c.members, FACETS.c.key)
            .join(FACETS, FACETS.c.id == FACET_CHUNKS.c.facet_id)
            .where(FACETS.c.collection_id == self._collection)
            .where(FACETS.c.field == field)
            .where(self._in_chunks(FACET_CHUNKS))
            .limit(MAX_SORTED_CHUNKS)
        )
        rows = self._connection.execute(query)
        by_key = sorted(rows, key=lambda row: row.key, reverse=True)
        ranks = np.full(self.chunks.length, np.nan)
        for position, row in enumerate(by_key):
            chunk = ranks[self.chunks.slice_of(row.chunk)]
            chunk[unpack_bits(row.members)] = -position
        return ranks

    def _by_title(self, found: Bits) -> NDArray[np.int64]:
        records = self.chunks.inside(self._text.sorted_by_title())
        return records[found[records - self.chunks.first]]

    def _by_relevance(
        self, newest: NDArray[np.int64], query: TextQuery
    ) -> NDArray[np.int64]:
        if len(newest) > MAX_RANKED:
            matching = self._text.matching_title(query)
            with_title = self.chunks.set_of(matching)
            is_first = with_title[newest - self.chunks.first]
            return np.concatenate([newest[is_first], newest[~is_first]])
        ranks = self._text.ranks(query)
        own_ranks = [ranks.get(record, 0.0) for record in newest.tolist()]
        keys = -np.array(own_ranks)
        order = np.argsort(keys, kind="stable")
        return newest[order]
