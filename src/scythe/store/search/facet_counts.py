"""What found records have in common: how many have each facet term, and which numbers
they have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, func, select

from scythe.store.search.bitmaps import Bits, ChunkRange, Numbers, count_shared
from scythe.store.search.documents import CHANGED, STATE, NumberColumn
from scythe.store.search.tables import FACET_CHUNKS, FACETS, TEXTS
from scythe.store.statements import batches, pairs

MAX_READ_RECORDS = 3_000
"""Records whose own facet terms are read to count them. Of more the members of facet
terms are counted, and only of those terms of a field that most records of the
collection have: with many records these are also the ones that most of the found have.
"""

CANDIDATES = 60
"""Facet terms of a field whose members are counted: a bound on work, not tuned."""

SHOWN = 12
"""Facet terms of a field that are returned: what fits beside a list of records."""

SEARCHED = 200
"""Facet terms of a field that a search among them returns: a bound on work."""

_MIN_COVERAGE = 0.02
_MIN_SHARE = 0.005
"""A field groups records where this share of all records has it, and this share, two at
least, has its most frequent term.
"""


@dataclass(frozen=True)
class ValueCount:
    """A facet term and how many of the found records have it."""

    value: str
    key: str
    records: int


@dataclass(frozen=True)
class FacetCounts:
    """The terms of a field that most of the found records have, the most frequent
    first.
    """

    field: str
    values: tuple[ValueCount, ...]


@dataclass(frozen=True)
class NumberCounts:
    """The numbers of a field that the found records have."""

    field: str
    kind: str
    numbers: Numbers


def count_facets(
    connection: Connection, collection: int, chunks: ChunkRange, found: Bits
) -> list[FacetCounts]:
    """Return the facets of found records."""
    fields, total = _grouping_fields(connection, collection)
    count = int(np.count_nonzero(found))
    if not fields or not count:
        return []
    if count <= MAX_READ_RECORDS:
        records = chunks.records(np.flatnonzero(found)).tolist()
        sizes = _count_by_record(connection, records)
    else:
        sizes = _frequent_terms(connection, collection, fields)
        if count != total:
            sizes = _count_by_term(connection, chunks, found, sizes)
    return _facet_counts(connection, collection, fields, sizes)


def find_values(
    connection: Connection,
    collection: int,
    chunks: ChunkRange,
    found: Bits,
    field: str,
    words: str,
) -> list[ValueCount]:
    """Return the terms of one field with some letters in them that found records have,
    the most frequent first.
    """
    letters = words.casefold()
    for sign, replacement in (("\\", ""), ("%", ""), ("_", r"\_")):
        letters = letters.replace(sign, replacement)
    query = (
        select(FACETS.c.id)
        .where(FACETS.c.collection_id == collection)
        .where(FACETS.c.field == field)
        .where(FACETS.c.records > 0)
        .where(FACETS.c.key.like(f"%{letters}%", escape="\\"))
        .order_by(FACETS.c.records.desc(), FACETS.c.id)
        .limit(SEARCHED)
    )
    terms = list(connection.execute(query).scalars())
    sizes = _count_by_term(connection, chunks, found, terms)
    values = _load_terms(connection, collection, [field], sizes)[field]
    return sorted(values, key=_most_frequent_first)


def _grouping_fields(connection: Connection, collection: int) -> tuple[list[str], int]:
    """Return the fields whose terms many records share, and how many records there are."""
    size = FACETS.c.records
    query = (
        select(
            FACETS.c.field,
            func.count(),
            func.sum(size),
            func.max(size),
        )
        .where(FACETS.c.collection_id == collection)
        .where(size > 0)
        .group_by(FACETS.c.field)
    )
    sizes = {}
    for field, terms, records, largest in connection.execute(query):
        sizes[field] = (terms, int(records), largest)

    _, total, _ = sizes.pop(STATE, (0, 0, 0))
    fields = []
    for field, (terms, records, largest) in sizes.items():
        is_common = records >= total * _MIN_COVERAGE
        is_shared = largest >= max(total * _MIN_SHARE, 2)
        if terms > 1 and is_common and is_shared:
            fields.append(field)
    return fields, total


def _count_by_record(connection: Connection, records: list[int]) -> dict[int, int]:
    """Return how many of these records have each facet term, from the terms of each
    record.
    """
    stored: list[bytes] = []
    for batch in batches(records):
        in_batch = TEXTS.c.record_id.in_(batch)
        query = select(TEXTS.c.facets).where(in_batch)
        stored += connection.execute(query).scalars()
    all_terms = np.frombuffer(b"".join(stored), "<i4")
    terms, sizes = np.unique(all_terms, return_counts=True)
    return dict(zip(terms.tolist(), sizes.tolist(), strict=True))


def _frequent_terms(
    connection: Connection, collection: int, fields: Iterable[str]
) -> dict[int, int]:
    """Return the terms of each field that most records have, and how many that are."""
    query = (
        select(FACETS.c.id, FACETS.c.records)
        .where(FACETS.c.collection_id == collection)
        .order_by(FACETS.c.records.desc(), FACETS.c.id)
        .limit(CANDIDATES)
    )
    sizes: dict[int, int] = {}
    for field in fields:
        of_field = query.where(FACETS.c.field == field)
        sizes |= pairs(connection, of_field)
    return sizes


def _count_by_term(
    connection: Connection, chunks: ChunkRange, found: Bits, terms: Iterable[int]
) -> dict[int, int]:
    """Return how many of the found have each of these facet terms, from the members of
    each.
    """
    found_by_chunk = {}
    for chunk in range(chunks.first_chunk, chunks.last_chunk + 1):
        found_by_chunk[chunk] = found[chunks.slice_of(chunk)]

    query = select(FACET_CHUNKS)
    sizes: dict[int, int] = defaultdict(int)
    for batch in batches(terms):
        in_batch = FACET_CHUNKS.c.facet_id.in_(batch)
        for row in connection.execute(query.where(in_batch)):
            found_in_chunk = found_by_chunk.get(row.chunk)
            if found_in_chunk is not None:
                sizes[row.facet_id] += count_shared(row.members, found_in_chunk)
    return sizes


def _facet_counts(
    connection: Connection, collection: int, fields: list[str], sizes: Mapping[int, int]
) -> list[FacetCounts]:
    by_field = _load_terms(connection, collection, fields, sizes)
    counts = []
    for field in fields:
        terms = by_field[field]
        if not terms:
            continue
        terms.sort(key=_most_frequent_first)
        most_frequent = tuple(terms[:SHOWN])
        counts.append(FacetCounts(field, most_frequent))
    return counts


def _most_frequent_first(term: ValueCount) -> tuple[int, str]:
    return -term.records, term.key


def _load_terms(
    connection: Connection, collection: int, fields: list[str], sizes: Mapping[int, int]
) -> dict[str, list[ValueCount]]:
    """Return the facet terms that some of the found records have, by field."""
    query = (
        select(
            FACETS.c.id,
            FACETS.c.field,
            FACETS.c.key,
            FACETS.c.value,
        )
        .where(FACETS.c.collection_id == collection)
        .where(FACETS.c.field.in_(fields))
    )
    terms = [term for term, size in sizes.items() if size]
    by_field: dict[str, list[ValueCount]] = defaultdict(list)
    for batch in batches(terms):
        in_batch = FACETS.c.id.in_(batch)
        for row in connection.execute(query.where(in_batch)):
            size = sizes[row.id]
            count = ValueCount(row.value, row.key, size)
            by_field[row.field].append(count)
    return by_field


def count_numbers(
    columns: Mapping[NumberColumn, Numbers], found: Bits
) -> list[NumberCounts]:
    """Return the numbers of found records, by field."""
    counts = []
    for column, numbers in columns.items():
        if column.field == CHANGED:
            continue
        own = numbers[found]
        own = own[~np.isnan(own)]
        if len(own):
            counts.append(NumberCounts(column.field, column.kind, own))
    return counts
