"""The index of a collection's records, kept in step with them: `keep_up` is a part of
every transaction that changes records.

A database from before there was an index, or with one by other rules, is indexed batch
by batch by `bring_up_to_date`; until that is done, changes of records that it has not
come to yet are left to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import TSVECTOR

from scythe.store.collections.tables import COLLECTIONS, RECORDS
from scythe.store.search.bitmaps import (
    packed_bits,
    packed_numbers,
    piece_of,
    place_in,
    unpacked_bits,
    unpacked_numbers,
)
from scythe.store.search.documents import Document, Facet, Number, document
from scythe.store.search.tables import (
    FACET_PIECES,
    FACETS,
    NUMBER_PIECES,
    SEARCHES,
    TEXTS,
)
from scythe.store.statements import batches, found_by, insert_all, inserting, upsert_all
from scythe.store.store import Store

RULES = 1
"""By which rules documents are made and packed; an index by others is made anew."""
BATCH = 1_000
MOST_VALUES, LEAST_SHARED = 5_000, 1.5
"""A field with more values than that which fewer records than that share on average
groups nothing, and is left out.
"""

_Records = Mapping[int, Any]
"""Rows of records by their numbers."""


def keep_up(connection: Connection, collection: int, rows: _Records) -> None:
    """Bring the index in step with records that have just changed, as a part of a
    larger step that holds the collection.
    """
    if not rows:
        return
    state = _state(connection, collection, min(rows))
    if state.is_complete:
        _put(connection, collection, rows, set(state.left_out))
        _proceed(connection, collection, max(state.done_to, *rows), is_complete=True)
    else:
        _put(
            connection,
            collection,
            {number: row for number, row in rows.items() if number <= state.done_to},
            set(state.left_out),
        )


def forget(connection: Connection, collection: int, record: int) -> None:
    """Take a record out of the index that is about to be deleted."""
    own = _Own(connection, collection)
    own.change(own.known([record]), {record: None}, set())


def bring_up_to_date(store: Store, collection: int) -> None:
    """Index what is not indexed yet."""
    while not _is_complete(store, collection):
        with store.writing() as connection:
            connection.execute(
                select(COLLECTIONS.c.id)
                .where(COLLECTIONS.c.id == collection)
                .with_for_update()
            )
            state = _state(connection, collection, None)
            own = (RECORDS.c.collection_id == collection) & (
                RECORDS.c.id > state.done_to
            )
            found = connection.execute(
                select(*_NEEDED).where(own).order_by(RECORDS.c.id).limit(BATCH)
            ).all()
            rows = {row.id: row for row in found}
            _put(connection, collection, rows, set(state.left_out))
            _proceed(
                connection,
                collection,
                max([state.done_to, *rows]),
                is_complete=len(rows) < BATCH,
            )


_NEEDED = (RECORDS.c.id, RECORDS.c.fields, RECORDS.c.state, RECORDS.c.changed_at)


def _is_complete(store: Store, collection: int) -> bool:
    own = (SEARCHES.c.collection_id == collection) & (SEARCHES.c.rules == RULES)
    with store.reading() as connection:
        return bool(
            connection.execute(select(SEARCHES.c.is_complete).where(own)).scalar()
        )


def _state(connection: Connection, collection: int, first: int | None) -> Any:
    """How far the index is. One that is missing begins empty, complete where `first` is
    the first record there is.
    """
    wanted = select(
        SEARCHES.c.done_to,
        SEARCHES.c.is_complete,
        SEARCHES.c.left_out,
        SEARCHES.c.rules,
    )
    found = connection.execute(
        wanted.where(SEARCHES.c.collection_id == collection)
    ).first()
    if found is not None and found.rules == RULES:
        return found
    for table in (SEARCHES, TEXTS, FACETS, NUMBER_PIECES):
        connection.execute(delete(table).where(table.c.collection_id == collection))
    lowest = connection.execute(
        select(func.min(RECORDS.c.id)).where(RECORDS.c.collection_id == collection)
    ).scalar()
    values: dict[str, Any] = {
        "collection_id": collection,
        "rules": RULES,
        "done_to": 0,
        "is_complete": lowest == first,
        "left_out": [],
    }
    connection.execute(inserting(connection, SEARCHES).values(values))
    return connection.execute(
        wanted.where(SEARCHES.c.collection_id == collection)
    ).one()


def _proceed(
    connection: Connection, collection: int, done_to: int, *, is_complete: bool
) -> None:
    own = update(SEARCHES).where(SEARCHES.c.collection_id == collection)
    connection.execute(own.values(done_to=done_to, is_complete=is_complete))


def _put(
    connection: Connection, collection: int, rows: _Records, left_out: set[str]
) -> None:
    own = _Own(connection, collection)
    known = own.known(rows)
    made = {
        number: None
        if row.fields is None
        else document(row.fields, row.state, row.changed_at)
        for number, row in rows.items()
    }
    changed = {
        number: made_
        for number, made_ in made.items()
        if made_ is not None or number in known
    }
    own.change(known, changed, left_out)


class _Own:
    """The index of one collection within a transaction."""

    def __init__(self, connection: Connection, collection: int) -> None:
        self._connection = connection
        self._collection = collection

    def known(self, records: Iterable[int]) -> dict[int, frozenset[int]]:
        """The facets that records have in the index, by their numbers; records that are
        not in it are left out.
        """
        own = TEXTS.c.collection_id == self._collection
        found = found_by(
            self._connection,
            [TEXTS.c.record_id, TEXTS.c.facets],
            own,
            (TEXTS.c.record_id, records),
        )
        return {
            record: frozenset(np.frombuffer(row.facets, "<i4").tolist())
            for record, row in found.items()
        }

    def change(
        self,
        known: Mapping[int, frozenset[int]],
        documents: Mapping[int, Document | None],
        left_out: set[str],
    ) -> None:
        """Bring records to these documents; None takes one out."""
        made = [documents[record] for record in sorted(documents, reverse=True)]
        shown = {
            facet: value
            for each in made
            if each
            for facet, value in each.facets.items()
        }
        facets = self._facets(
            {
                facet: value
                for facet, value in shown.items()
                if facet.field not in left_out
            }
        )
        now = {
            record: frozenset(facets[facet] for facet in made.facets if facet in facets)
            if made
            else frozenset()
            for record, made in documents.items()
        }
        before = {record: known.get(record, frozenset()) for record in now}
        joined = _turned({record: now[record] - before[record] for record in now})
        left = _turned({record: before[record] - now[record] for record in now})
        self._write_texts(documents, now)
        self._write_members(joined, left)
        self._write_numbers(documents)
        self._leave_out({facet.field for facet in facets}, left_out)

    def _facets(self, wanted: Mapping[Facet, str]) -> dict[Facet, int]:
        """The numbers of facets, made where there are none yet."""
        known = self._known_facets(wanted)
        missing = [facet for facet in wanted if facet not in known]
        same = {"collection_id": self._collection, "records": 0}
        insert_all(
            self._connection,
            FACETS,
            [{**same, **facet._asdict(), "value": wanted[facet]} for facet in missing],
        )
        return {**known, **self._known_facets(missing)}

    def _known_facets(self, wanted: Collection[Facet]) -> dict[Facet, int]:
        found: dict[Facet, int] = {}
        own = FACETS.c.collection_id == self._collection
        own &= FACETS.c.field.in_({facet.field for facet in wanted})
        for keys in batches({facet.key for facet in wanted}):
            rows = select(FACETS.c.field, FACETS.c.key, FACETS.c.id).where(
                own & FACETS.c.key.in_(keys)
            )
            found.update(
                {
                    Facet(field, key): number
                    for field, key, number in self._connection.execute(rows)
                }
            )
        return {facet: found[facet] for facet in wanted if facet in found}

    def _write_texts(
        self,
        documents: Mapping[int, Document | None],
        facets: Mapping[int, frozenset[int]],
    ) -> None:
        for batch in batches(
            record for record, made in documents.items() if made is None
        ):
            self._connection.execute(delete(TEXTS).where(TEXTS.c.record_id.in_(batch)))
        is_postgresql = self._connection.dialect.name == "postgresql"
        words = "words" if is_postgresql else "text"
        rows = [
            {
                "record_id": record,
                "collection_id": self._collection,
                "title": made.title,
                words: _as_vector(made) if is_postgresql else made.text,
                "facets": np.array(sorted(facets[record]), "<i4").tobytes(),
            }
            for record, made in documents.items()
            if made is not None
        ]
        if not rows:
            return
        if not is_postgresql:
            upsert_all(self._connection, TEXTS, ("record_id",), rows)
            return
        added = inserting(self._connection, TEXTS).values(
            words=cast(bindparam("vector"), TSVECTOR)
        )
        others = {name: added.excluded[name] for name in ("title", "words", "facets")}
        named = [
            {"vector" if name == words else name: value for name, value in row.items()}
            for row in rows
        ]
        self._connection.execute(
            added.on_conflict_do_update(index_elements=["record_id"], set_=others),
            named,
        )

    def _write_members(
        self, joined: Mapping[int, Sequence[int]], left: Mapping[int, Sequence[int]]
    ) -> None:
        """Put records among the members of facets, and take others out."""
        stored: dict[tuple[int, int], Any] = {}
        touched = {
            (facet, piece_of(record))
            for given in (joined, left)
            for facet in given
            for record in given[facet]
        }
        pieces = sorted({piece for _, piece in touched})
        for batch in batches(sorted({facet for facet, _ in touched})):
            own = FACET_PIECES.c.facet_id.in_(batch) & FACET_PIECES.c.piece.between(
                pieces[0], pieces[-1]
            )
            for facet, piece, members in self._connection.execute(
                select(*FACET_PIECES.c).where(own)
            ):
                stored[facet, piece] = members
        bits = {key: unpacked_bits(stored.get(key)) for key in touched}
        for given, member in ((joined, True), (left, False)):
            for facet, records in given.items():
                for record in records:
                    bits[facet, piece_of(record)][place_in(record)] = member
        rows = [
            {
                "facet_id": facet,
                "piece": piece,
                "members": packed_bits(bits[facet, piece]),
            }
            for facet, piece in sorted(touched)
        ]
        upsert_all(self._connection, FACET_PIECES, ("facet_id", "piece"), rows)
        sizes = {
            facet: len(joined.get(facet, ())) - len(left.get(facet, ()))
            for facet, _ in touched
        }
        more = (
            update(FACETS)
            .where(FACETS.c.id == bindparam("facet"))
            .values(records=FACETS.c.records + bindparam("more"))
        )
        if grown := [
            {"facet": facet, "more": size} for facet, size in sizes.items() if size
        ]:
            self._connection.execute(more, grown)

    def _write_numbers(self, documents: Mapping[int, Document | None]) -> None:
        """Store the numbers of records in all columns that they have, or that they are
        in already.
        """
        own = NUMBER_PIECES.c.collection_id == self._collection
        wanted = sorted({piece_of(record) for record in documents})
        columns: dict[tuple[Number, int], Any] = {}
        for batch in batches(wanted):
            for row in self._connection.execute(
                select(NUMBER_PIECES).where(own & NUMBER_PIECES.c.piece.in_(batch))
            ):
                columns[Number(row.field, row.kind), row.piece] = unpacked_numbers(
                    row.numbers
                ).copy()
        for record, made in documents.items():
            piece, place = piece_of(record), place_in(record)
            for name in made.numbers if made else ():
                if (name, piece) not in columns:
                    columns[name, piece] = unpacked_numbers(None)
            for name, within in columns:
                if within == piece:
                    columns[name, piece][place] = (
                        made.numbers.get(name, np.nan) if made else np.nan
                    )
        rows = [
            {
                "collection_id": self._collection,
                "field": name.field,
                "kind": name.kind,
                "piece": piece,
                "numbers": packed_numbers(numbers),
            }
            for (name, piece), numbers in columns.items()
        ]
        upsert_all(
            self._connection,
            NUMBER_PIECES,
            ("collection_id", "field", "kind", "piece"),
            rows,
        )

    def _leave_out(self, fields: Iterable[str], left_out: set[str]) -> None:
        """Give up on fields that have proved to have too many values."""
        own = (FACETS.c.collection_id == self._collection) & FACETS.c.field.in_(
            list(fields)
        )
        sizes = (
            select(FACETS.c.field, func.count(), func.sum(FACETS.c.records))
            .where(own)
            .group_by(FACETS.c.field)
        )
        found = {
            field
            for field, values, records in self._connection.execute(sizes)
            if values > MOST_VALUES and records < values * LEAST_SHARED
        }
        if found:
            self._connection.execute(
                delete(FACETS).where(own & FACETS.c.field.in_(found))
            )
            told = update(SEARCHES).where(SEARCHES.c.collection_id == self._collection)
            self._connection.execute(told.values(left_out=sorted(left_out | found)))


def _turned(facets: Mapping[int, Iterable[int]]) -> dict[int, list[int]]:
    """Records by facet, from facets by record."""
    found: dict[int, list[int]] = defaultdict(list)
    for record, numbers in facets.items():
        for number in numbers:
            found[number].append(record)
    return found


def _as_vector(made: Document) -> str:
    """The words of a document with their places; those of its title weigh more."""
    places: dict[str, list[str]] = defaultdict(list)
    title = made.title.split()
    for place, word in enumerate(title, 1):
        places[word].append(f"{place}A")
    for place, word in enumerate(made.text.split(), len(title) + 2):
        places[word].append(str(place))
    return " ".join(f"'{word}':{','.join(where)}" for word, where in places.items())
