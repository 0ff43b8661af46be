"""The tables of search engines, as far as statements need to know them; `migrations`
makes them.

What an engine and a record are, is JSON to the database.
"""

from __future__ import annotations

from sqlalchemy import JSON, Float, Integer, column, table

from scythe.store.columns import Time, Words

ENGINES = table(
    "engines",
    column("id", Integer),
    column("name", Words),
    column("home", Words),
    column("version", Integer),
    column("weight", Float),
    column("added_at", Time),
    column("tended_until", Time),
)
"""One row an engine: `version` is the one in use; until `tended_until` somebody is
checking or relearning it.
"""

VERSIONS = table(
    "engine_versions",
    column("engine_id", Integer),
    column("version", Integer),
    column("definition", JSON),
    column("reason", Words),
    column("stored_at", Time),
)
"""Every version an engine ever had, and why it was made."""

ANSWERS = table(
    "engine_answers",
    column("id", Integer),
    column("engine_id", Integer),
    column("version", Integer),
    column("answered_at", Time),
    column("query", Words),
    column("status", Words),
    column("records", Integer),
    column("filled", Float),
    column("seconds", Float),
    column("wait", Float),
    column("note", Words),
)
"""What came of the latest searches, which is where health comes from."""

EVENTS = table(
    "engine_events",
    column("id", Integer),
    column("engine_id", Integer),
    column("happened_at", Time),
    column("kind", Words),
    column("note", Words),
)
"""What was done about an engine: checks and relearning, and how they ended."""

RECORDS = table(
    "engine_records",
    column("engine_id", Integer),
    column("key", Words),
    column("number", Integer),
    column("record", JSON),
    column("query", Words),
    column("found_at", Time),
    column("times", Integer),
)
"""Harvested records, each once, by `number` in the order they were found; `query` found
it first, it came `times` times.
"""

QUERIES = table(
    "engine_queries",
    column("engine_id", Integer),
    column("query", Words),
    column("number", Integer),
    column("pages", Integer),
    column("next_page", Words),
    column("records", Integer),
    column("fresh", Integer),
    column("note", Words),
)
"""The queries of a harvest in their order: the pages read, where to go on (nowhere, if
it is done), and what each brought.
"""

TABLES = (ENGINES, VERSIONS, ANSWERS, EVENTS, RECORDS, QUERIES)
