"""What records have in common: how many have each value of a facet, and in which ranges
their numbers are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, func, select

from scythe.store.search.bitmaps import Bits, Numbers, Span, shared
from scythe.store.search.documents import CHANGED, STATE, Number
from scythe.store.search.tables import FACET_PIECES, FACETS, TEXTS
from scythe.store.statements import batches, counted

MOST_READ = 3_000
"""Records whose own facets are read to count them. Of more the members of facets are
counted, and only of those values of a field that most records of the collection have:
with many records these are also the ones that most of the found have.
"""
CANDIDATES = 60
SHOWN = 12
"""Values of a field that are told."""
_LEAST_COVERED, _LEAST_SHARED = 0.02, 0.005
"""A field groups records where this part of all records has it, and this part, two at
least, share its most frequent value.
"""


@dataclass(frozen=True)
class ValueCount:
    """A value and how many of the found records have it."""

    value: str
    key: str
    records: int


@dataclass(frozen=True)
class FacetCounts:
    """The values of a field that most of the found records have, the most frequent
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


def _grouping(connection: Connection, collection: int) -> tuple[list[str], int]:
    """The fields whose values many records share, and how many records there are."""
    own = FACETS.c.collection_id == collection
    size = FACETS.c.records
    sizes = (
        select(FACETS.c.field, func.count(), func.sum(size), func.max(size))
        .where(own & (size > 0))
        .group_by(FACETS.c.field)
    )
    found = {
        field: (values, int(records), most)
        for field, values, records, most in connection.execute(sizes)
    }
    _, total, _ = found.pop(STATE, (0, 0, 0))
    fields = [
        field
        for field, (values, records, most) in found.items()
        if values > 1
        and records >= total * _LEAST_COVERED
        and most >= max(total * _LEAST_SHARED, 2)
    ]
    return fields, total


def count_facets(
    connection: Connection, collection: int, span: Span, among: Bits
) -> list[FacetCounts]:
    """The facets of found records."""
    fields, total = _grouping(connection, collection)
    number = int(np.count_nonzero(among))
    if not fields or not number:
        return []
    if number <= MOST_READ:
        sizes = _read(connection, span.records(np.flatnonzero(among)).tolist())
    else:
        candidates = _candidates(connection, collection, fields)
        sizes = (
            candidates
            if number == total
            else _counted(connection, span, among, candidates)
        )
    return _told(connection, collection, fields, sizes)


def _read(connection: Connection, records: list[int]) -> dict[int, int]:
    """How many of these records have each facet, from what each record has."""
    stored = [
        row
        for batch in batches(records)
        for row in connection.execute(
            select(TEXTS.c.facets).where(TEXTS.c.record_id.in_(batch))
        ).scalars()
    ]
    facets, sizes = np.unique(
        np.frombuffer(b"".join(stored), "<i4"), return_counts=True
    )
    return dict(zip(facets.tolist(), sizes.tolist(), strict=True))


def _candidates(
    connection: Connection, collection: int, fields: Iterable[str]
) -> dict[int, int]:
    """The values of each field that most records have, and how many that are."""
    found: dict[int, int] = {}
    for field in fields:
        own = (FACETS.c.collection_id == collection) & (FACETS.c.field == field)
        wanted = (
            select(FACETS.c.id, FACETS.c.records)
            .where(own)
            .order_by(FACETS.c.records.desc(), FACETS.c.id)
        )
        found.update(counted(connection, wanted.limit(CANDIDATES)))
    return found


def _counted(
    connection: Connection, span: Span, among: Bits, facets: Iterable[int]
) -> dict[int, int]:
    """How many of the found have each of these facets, from the members of each."""
    sizes: dict[int, int] = defaultdict(int)
    parts = {
        piece: among[span.part(piece)]
        for piece in range(span.first_piece, span.last_piece + 1)
    }
    for batch in batches(facets):
        stored = select(
            FACET_PIECES.c.facet_id, FACET_PIECES.c.piece, FACET_PIECES.c.members
        )
        for facet, piece, members in connection.execute(
            stored.where(FACET_PIECES.c.facet_id.in_(batch))
        ):
            if piece in parts:
                sizes[facet] += shared(members, parts[piece])
    return sizes


def _told(
    connection: Connection, collection: int, fields: list[str], sizes: Mapping[int, int]
) -> list[FacetCounts]:
    by_field: dict[str, list[ValueCount]] = defaultdict(list)
    wanted = sorted(
        (facet for facet, size in sizes.items() if size),
        key=lambda facet: -sizes[facet],
    )
    for batch in batches(wanted):
        own = (
            FACETS.c.id.in_(batch)
            & (FACETS.c.collection_id == collection)
            & FACETS.c.field.in_(fields)
        )
        columns = (FACETS.c.id, FACETS.c.field, FACETS.c.key, FACETS.c.value)
        for facet, field, key, value in connection.execute(select(*columns).where(own)):
            by_field[field].append(ValueCount(value, key, sizes[facet]))
    found = []
    for field in fields:
        values = sorted(
            by_field.get(field, []), key=lambda each: (-each.records, each.key)
        )[:SHOWN]
        if values:
            found.append(FacetCounts(field, tuple(values)))
    return found


def count_numbers(columns: Mapping[Number, Numbers], among: Bits) -> list[NumberCounts]:
    """The numbers of found records, by field."""
    found = []
    for name, numbers in columns.items():
        if name.field != CHANGED:
            own = numbers[among]
            own = own[~np.isnan(own)]
            if len(own):
                found.append(NumberCounts(name.field, name.kind, own))
    return found
