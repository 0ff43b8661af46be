"""The tables of the search index (see `rows`); `migrations.step4_search` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from sqlalchemy.dialects.postgresql import TSVECTOR

from scythe.store.rows import JsonValue, declare_table

SEARCHES = declare_table(
    "collection_searches",
    collection_id=int,
    rules=int,
    done_to=int,
    is_complete=bool,
    left_out=JsonValue,
)
"""How far the index of a collection is: built by which rules, up to which record, and
which fields have too many values.
"""

TEXTS = declare_table(
    "collection_record_texts",
    record_id=int,
    collection_id=int,
    title=str,
    text=str | None,
    words=Annotated[Sequence[str], TSVECTOR()] | None,
    facets=bytes,
)
"""A record as the index has it: its words (`text` in SQLite, `words` in PostgreSQL) and
the ids of its facet terms.
"""

FULL_TEXT = "collection_record_words"
"""The full-text index of SQLite, which keeps it in tables whose names begin so."""

FACETS = declare_table(
    "collection_facets",
    id=int,
    collection_id=int,
    field=str,
    key=str,
    value=str,
    records=int,
)
"""Facet terms: values by which records are grouped, and how many records have each."""

FACET_CHUNKS = declare_table(
    "collection_facet_pieces",
    stored_as={"chunk": "piece"},
    facet_id=int,
    chunk=int,
    members=bytes,
)
"""Which records have a facet term; see `bitmaps`."""

NUMBER_CHUNKS = declare_table(
    "collection_number_pieces",
    stored_as={"chunk": "piece"},
    collection_id=int,
    field=str,
    kind=str,
    chunk=int,
    numbers=bytes,
)
"""The numbers of records by field; see `bitmaps`."""

SEARCH_TABLES = (SEARCHES, TEXTS, FACETS, FACET_CHUNKS, NUMBER_CHUNKS)
