"""Writes documents into the tables of the index: words, facet terms with their members,
numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, bindparam, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import TSVECTOR

from scythe.store.search.bitmaps import (
    Bits,
    Numbers,
    chunk_of,
    offset_of,
    pack_bits,
    pack_numbers,
    unpack_bits,
    unpack_numbers,
)
from scythe.store.search.documents import FacetTerm, NumberColumn, SearchDocument
from scythe.store.search.tables import (
    FACET_CHUNKS,
    FACETS,
    NUMBER_CHUNKS,
    SEARCHES,
    TEXTS,
)
from scythe.store.statements import (
    batches,
    insert_all,
    insert_into,
    rows_by_value,
    upsert_all,
)

MAX_TERMS = 5_000
MIN_RECORDS_PER_TERM = 1.5
"""A field with more facet terms than that, which fewer records than that share on
average, groups nothing, and is left out.
"""

Documents = Mapping[int, SearchDocument | None]
"""Documents by the ids of their records; None removes a record."""

TermIds = Mapping[int, frozenset[int]]
"""The ids of facet terms, by the ids of records."""


class IndexWriter:
    """The index of one collection within a transaction."""

    def __init__(self, connection: Connection, collection: int) -> None:
        self._connection = connection
        self._collection = collection

    def stored_terms(self, records: Iterable[int]) -> dict[int, frozenset[int]]:
        """Return the facet terms that records have in the index; records that are not
        in it are left out.
        """
        query = select(TEXTS.c.record_id, TEXTS.c.facets).where(
            TEXTS.c.collection_id == self._collection
        )
        rows = rows_by_value(self._connection, query, TEXTS.c.record_id, records)
        terms = {}
        for record, row in rows.items():
            ids = np.frombuffer(row.facets, "<i4")
            terms[record] = frozenset(ids.tolist())
        return terms

    def write(
        self, documents: Documents, stored_terms: TermIds, left_out: set[str]
    ) -> None:
        """Write documents; `stored_terms` are the facet terms that their records have
        now, `left_out` the fields without facets.
        """
        values = _facet_values(documents, left_out)
        term_ids = self._term_ids(values)

        new_terms: dict[int, frozenset[int]] = {}
        joined: dict[int, list[int]] = defaultdict(list)
        left: dict[int, list[int]] = defaultdict(list)
        for record, document in documents.items():
            terms = document.facets if document else {}
            known = [term for term in terms if term in term_ids]
            new = frozenset(term_ids[term] for term in known)
            old = stored_terms.get(record, frozenset())
            new_terms[record] = new
            for term_id in new - old:
                joined[term_id].append(record)
            for term_id in old - new:
                left[term_id].append(record)

        self._write_texts(documents, new_terms)
        self._write_members(joined, left)
        self._write_numbers(documents)
        fields = {term.field for term in term_ids}
        self._leave_out(fields, left_out)

    def _term_ids(self, values: Mapping[FacetTerm, str]) -> dict[FacetTerm, int]:
        """Return the ids of facet terms, inserted where there are none yet."""
        known = self._known_term_ids(values)
        missing = [term for term in values if term not in known]
        rows = [
            {
                "collection_id": self._collection,
                "field": term.field,
                "key": term.key,
                "value": values[term],
                "records": 0,
            }
            for term in missing
        ]
        insert_all(self._connection, FACETS, rows)
        return {**known, **self._known_term_ids(missing)}

    def _known_term_ids(self, terms: Collection[FacetTerm]) -> dict[FacetTerm, int]:
        fields = {term.field for term in terms}
        keys = {term.key for term in terms}
        query = (
            select(
                FACETS.c.field,
                FACETS.c.key,
                FACETS.c.id,
            )
            .where(FACETS.c.collection_id == self._collection)
            .where(FACETS.c.field.in_(fields))
        )
        stored: dict[FacetTerm, int] = {}
        for batch in batches(keys):
            in_batch = FACETS.c.key.in_(batch)
            rows = self._connection.execute(query.where(in_batch))
            for field, key, term_id in rows:
                term = FacetTerm(field, key)
                stored[term] = term_id
        return {term: stored[term] for term in terms if term in stored}

    def _write_texts(self, documents: Documents, terms: TermIds) -> None:
        removed = [record for record, made in documents.items() if made is None]
        for batch in batches(removed):
            in_batch = TEXTS.c.record_id.in_(batch)
            self._connection.execute(delete(TEXTS).where(in_batch))

        is_postgresql = self._connection.dialect.name == "postgresql"
        rows = []
        for record, document in documents.items():
            if document is None:
                continue
            row = {
                "record_id": record,
                "collection_id": self._collection,
                "title": document.title,
                "facets": np.array(sorted(terms[record]), "<i4").tobytes(),
            }
            if is_postgresql:
                row["vector"] = _tsvector(document)
            else:
                row["text"] = document.text
            rows.append(row)

        if is_postgresql:
            self._upsert_vectors(rows)
        else:
            upsert_all(self._connection, TEXTS, ("record_id",), rows)

    def _upsert_vectors(self, rows: Sequence[Mapping[str, Any]]) -> None:
        if not rows:
            return
        insertion = insert_into(self._connection, TEXTS).values(
            words=cast(bindparam("vector"), TSVECTOR)
        )
        replaced = {
            name: insertion.excluded[name] for name in ("title", "words", "facets")
        }
        statement = insertion.on_conflict_do_update(
            index_elements=["record_id"], set_=replaced
        )
        self._connection.execute(statement, list(rows))

    def _write_members(
        self, joined: Mapping[int, Sequence[int]], left: Mapping[int, Sequence[int]]
    ) -> None:
        """Store the records that joined and left facet terms, and the sizes of the
        terms.
        """
        touched: set[tuple[int, int]] = set()
        for records_by_term in (joined, left):
            for term, records in records_by_term.items():
                chunks = {chunk_of(record) for record in records}
                touched.update((term, chunk) for chunk in chunks)

        bits = self._load_members(touched)
        _set_members(bits, joined, is_member=True)
        _set_members(bits, left, is_member=False)

        rows = []
        for term, chunk in sorted(touched):
            members = pack_bits(bits[term, chunk])
            row = {
                "facet_id": term,
                "chunk": chunk,
                "members": members,
            }
            rows.append(row)
        upsert_all(self._connection, FACET_CHUNKS, ("facet_id", "chunk"), rows)
        self._change_sizes(joined, left)

    def _load_members(
        self, touched: Collection[tuple[int, int]]
    ) -> dict[tuple[int, int], Bits]:
        """Return the members of facet terms in chunks, to be changed."""
        terms = {term for term, _ in touched}
        chunks = {chunk for _, chunk in touched}
        stored: dict[tuple[int, int], bytes] = {}
        for batch in batches(sorted(terms)):
            chunk = FACET_CHUNKS.c.chunk
            in_chunks = chunk.between(min(chunks), max(chunks))
            query = (
                select(FACET_CHUNKS)
                .where(FACET_CHUNKS.c.facet_id.in_(batch))
                .where(in_chunks)
            )
            for row in self._connection.execute(query):
                stored[row.facet_id, row.chunk] = row.members
        return {key: unpack_bits(stored.get(key)) for key in touched}

    def _change_sizes(
        self, joined: Mapping[int, Sequence[int]], left: Mapping[int, Sequence[int]]
    ) -> None:
        rows = []
        for term in {**joined, **left}:
            joined_count = len(joined.get(term, ()))
            growth = joined_count - len(left.get(term, ()))
            if growth:
                rows.append({"term": term, "growth": growth})
        if not rows:
            return
        statement = (
            update(FACETS)
            .where(FACETS.c.id == bindparam("term"))
            .values(records=FACETS.c.records + bindparam("growth"))
        )
        self._connection.execute(statement, rows)

    def _write_numbers(self, documents: Documents) -> None:
        """Store the numbers of records in all columns that they have, or that they are
        in already.
        """
        chunks = {chunk_of(record) for record in documents}
        columns = self._load_numbers(chunks)
        for record, document in documents.items():
            numbers = document.numbers if document else {}
            chunk = chunk_of(record)
            for column in numbers:
                if (column, chunk) not in columns:
                    columns[column, chunk] = unpack_numbers(None)
            for column, column_chunk in columns:
                if column_chunk == chunk:
                    value = numbers.get(column, np.nan)
                    columns[column, chunk][offset_of(record)] = value

        rows = []
        for (column, chunk), values in columns.items():
            rows.append(
                {
                    "collection_id": self._collection,
                    "field": column.field,
                    "kind": column.kind,
                    "chunk": chunk,
                    "numbers": pack_numbers(values),
                }
            )
        key = ("collection_id", "field", "kind", "chunk")
        upsert_all(self._connection, NUMBER_CHUNKS, key, rows)

    def _load_numbers(
        self, chunks: Collection[int]
    ) -> dict[tuple[NumberColumn, int], Numbers]:
        """Return the columns of chunks, to be changed."""
        in_collection = NUMBER_CHUNKS.c.collection_id == self._collection
        query = select(NUMBER_CHUNKS).where(in_collection)
        columns = {}
        for batch in batches(sorted(chunks)):
            in_batch = NUMBER_CHUNKS.c.chunk.in_(batch)
            rows = self._connection.execute(query.where(in_batch))
            for row in rows:
                column = NumberColumn(row.field, row.kind)
                stored = unpack_numbers(row.numbers)
                columns[column, row.chunk] = stored.copy()
        return columns

    def _leave_out(self, fields: Iterable[str], left_out: set[str]) -> None:
        """Delete the facets of fields that have proved to have too many terms."""
        is_facet = (FACETS.c.collection_id == self._collection) & (
            FACETS.c.field.in_(list(fields))
        )
        sizes = (
            select(FACETS.c.field, func.count(), func.sum(FACETS.c.records))
            .where(is_facet)
            .group_by(FACETS.c.field)
        )
        too_many = set()
        for field, terms, records in self._connection.execute(sizes):
            if terms > MAX_TERMS and records < terms * MIN_RECORDS_PER_TERM:
                too_many.add(field)
        if not too_many:
            return
        self._connection.execute(
            delete(FACETS).where(is_facet & FACETS.c.field.in_(too_many))
        )
        self._connection.execute(
            update(SEARCHES)
            .where(SEARCHES.c.collection_id == self._collection)
            .values(left_out=sorted(left_out | too_many))
        )


def _facet_values(documents: Documents, left_out: set[str]) -> dict[FacetTerm, str]:
    """Return the values of all facet terms of documents, as they are shown; of several
    that are alike, the one of the oldest record.
    """
    values: dict[FacetTerm, str] = {}
    for record in sorted(documents, reverse=True):
        document = documents[record]
        if document is None:
            continue
        grouping = {
            term: value
            for term, value in document.facets.items()
            if term.field not in left_out
        }
        values.update(grouping)
    return values


def _set_members(
    bits: Mapping[tuple[int, int], Bits],
    records_by_term: Mapping[int, Sequence[int]],
    *,
    is_member: bool,
) -> None:
    for term, records in records_by_term.items():
        for record in records:
            chunk = bits[term, chunk_of(record)]
            chunk[offset_of(record)] = is_member


def _tsvector(document: SearchDocument) -> str:
    """Return the words of a document with their positions; those of its title weigh
    more.
    """
    positions: dict[str, list[str]] = defaultdict(list)
    title = document.title.split()
    for position, word in enumerate(title, 1):
        positions[word].append(f"{position}A")
    text = document.text.split()
    for position, word in enumerate(text, len(title) + 2):
        positions[word].append(str(position))

    lexemes = []
    for word, own_positions in positions.items():
        joined = ",".join(own_positions)
        lexemes.append(f"'{word}':{joined}")
    return " ".join(lexemes)
