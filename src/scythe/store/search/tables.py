"""The tables of the index, as far as statements need to know them;
`migrations.step4_search` makes them.
"""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Integer, LargeBinary, column, table
from sqlalchemy.dialects.postgresql import TSVECTOR

from scythe.store.columns import Words

SEARCHES = table(
    "collection_searches",
    column("collection_id", Integer),
    column("rules", Integer),
    column("done_to", Integer),
    column("is_complete", Boolean),
    column("left_out", JSON),
)
"""How far the index of a collection is: made by which rules, up to which record, and
which fields have too many values.
"""

TEXTS = table(
    "collection_record_texts",
    column("record_id", Integer),
    column("collection_id", Integer),
    column("title", Words),
    column("text", Words),
    column("words", TSVECTOR),
    column("facets", LargeBinary),
)
"""A record as the index has it: its words (`text` in SQLite, `words` in PostgreSQL) and
the numbers of its facets.
"""

FULL_TEXT = "collection_record_words"
"""The full-text index of SQLite, which it keeps in tables whose names begin so."""

FACETS = table(
    "collection_facets",
    column("id", Integer),
    column("collection_id", Integer),
    column("field", Words),
    column("key", Words),
    column("value", Words),
    column("records", Integer),
)
"""Values by which records are grouped, and how many have each."""

FACET_PIECES = table(
    "collection_facet_pieces",
    column("facet_id", Integer),
    column("piece", Integer),
    column("members", LargeBinary),
)
"""Which records have a facet; see `pieces`."""

NUMBER_PIECES = table(
    "collection_number_pieces",
    column("collection_id", Integer),
    column("field", Words),
    column("kind", Words),
    column("piece", Integer),
    column("numbers", LargeBinary),
)
"""The numbers of records by field; see `pieces`."""

SEARCH_TABLES = (SEARCHES, TEXTS, FACETS, FACET_PIECES, NUMBER_PIECES)
