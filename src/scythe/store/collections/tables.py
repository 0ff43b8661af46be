"""The tables of collections, as far as statements need to know them; `migrations` makes
them.

What settings, templates, slots and fields are, is JSON to the database. Columns named
`..._in` hold the run in which something happened, so that what a run did can be counted
from the tables at any time, also after it was killed.
"""

from __future__ import annotations

import json
import math
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Dialect,
    Float,
    Integer,
    LargeBinary,
    TypeDecorator,
    column,
    table,
)

from scythe.store.columns import Time, Words


class Values(TypeDecorator[Any]):
    """JSON that every tool can read: no NUL, no half of a surrogate pair, no infinite
    number. PostgreSQL stops at them when a query looks into the JSON, as the views of
    collections do.
    """

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """To the database."""
        return cleaned(value)


def cleaned(value: Any) -> Any:
    """Values that JSON of any database can hold. Nearly all are as they are, which
    their JSON shows at once.
    """
    return value if _is_sound(value) else _cleaned(value)


def _is_sound(value: Any) -> bool:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        return "\\u0000" not in text and (text.isascii() or bool(text.encode("utf-8")))
    except (ValueError, TypeError):
        return False


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {_cleaned(name): _cleaned(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(each) for each in value]
    return value


COLLECTIONS = table(
    "collections",
    column("id", Integer),
    column("name", Words),
    column("url", Words),
    column("kind", Words),
    column("settings", JSON),
    column("state", Words),
    column("added_at", Time),
    column("table_name", Words),
    column("holder", Words),
    column("held_until", Time),
)
"""One row a collection; until `held_until` the process `holder` works on it;
`table_name` is the view that others read.
"""

STATES = table(
    "collection_states",
    column("collection_id", Integer),
    column("name", Words),
    column("state", JSON),
    column("saved_at", Time),
)
"""What algorithms remember of a collection from run to run, by name: clusters of pages,
what makes a link worth following.
"""

RUNS = table(
    "collection_runs",
    column("id", Integer),
    column("collection_id", Integer),
    column("number", Integer),
    column("started_at", Time),
    column("ended_at", Time),
    column("state", Words),
    column("stage", Words),
    column("summary", JSON),
)
"""Every run; one without an end was killed or is at work, and is gone on with."""

INDEX_PAGES = table(
    "collection_index_pages",
    column("id", Integer),
    column("collection_id", Integer),
    column("url", Words),
    column("kind", Words),
    column("reason", Words),
    column("etag", Words),
    column("last_modified", Words),
    column("content_hash", Words),
    column("period", Float),
    column("due_at", Time),
    column("visited_at", Time),
    column("visited_in", Integer),
    column("visits", Integer),
    column("changes", Integer),
    column("fate", Words),
    column("note", Words),
    column("gone_at", Time),
)
"""Pages that list others: `period` is how many seconds to wait between visits."""

LINKS = table(
    "collection_links",
    column("id", Integer),
    column("collection_id", Integer),
    column("index_page_id", Integer),
    column("url", Words),
    column("text", Words),
    column("path", Words),
    column("modified", Words),
    column("first_seen", Time),
    column("last_seen", Time),
    column("gone_at", Time),
    column("first_in", Integer),
    column("gone_in", Integer),
    column("changed_in", Integer),
    column("decision", Words),
    column("reason", Words),
    column("score", Float),
    column("decided_in", Integer),
    column("outcome", Words),
)
"""Links of index pages, each once a page: what was decided about it and why, and what
it turned out to lead to.
"""

INDEX_RECORDS = table(
    "collection_index_records",
    column("collection_id", Integer),
    column("index_page_id", Integer),
    column("url", Words),
    column("number", Integer),
    column("fields", Values),
    column("seen_at", Time),
)
"""What index pages say of the pages they list: the second data table of figure 5,
joined with the first by address.
"""

BODIES = table(
    "collection_bodies",
    column("collection_id", Integer),
    column("hash", Words),
    column("size", Integer),
    column("packed", LargeBinary),
    column("stored_at", Time),
)
"""The bytes of pages as they came, compressed, each once."""

PAGES = table(
    "collection_pages",
    column("id", Integer),
    column("collection_id", Integer),
    column("url", Words),
    column("kind", Words),
    column("reason", Words),
    column("stage", Words),
    column("wanted_in", Integer),
    column("fate", Words),
    column("note", Words),
    column("status", Integer),
    column("final_url", Words),
    column("etag", Words),
    column("last_modified", Words),
    column("body_hash", Words),
    column("charset", Words),
    column("content_type", Words),
    column("rendered", Boolean),
    column("fetched_at", Time),
    column("changed_at", Time),
    column("visits", Integer),
    column("changes", Integer),
    column("failures", Integer),
    column("cluster", Integer),
    column("gone_at", Time),
)
"""Pages that were wanted: `stage` is what has been done with the latest body, `fate`
what came of the latest request.
"""

TEMPLATES = table(
    "collection_templates",
    column("collection_id", Integer),
    column("cluster", Integer),
    column("version", Integer),
    column("definition", JSON),
    column("reason", Words),
    column("stored_at", Time),
)
"""Every version of the template of every cluster, and why it was made."""

EXTRACTED = table(
    "collection_extracted",
    column("page_id", Integer),
    column("collection_id", Integer),
    column("cluster", Integer),
    column("version", Integer),
    column("body_hash", Words),
    column("slots", Values),
    column("declared", Values),
    column("unplaced", Values),
    column("fit", Float),
    column("extracted_at", Time),
)
"""What a template read from a page: the values of all slots, also of those without a
name; what the page declares itself (structured data); and texts that had no place.
"""

RECORDS = table(
    "collection_records",
    column("id", Integer),
    column("collection_id", Integer),
    column("key", Words),
    column("url", Words),
    column("state", Words),
    column("fields", Values),
    column("pending", Values),
    column("reasons", Values),
    column("accepted", Values),
    column("page_id", Integer),
    column("body_hash", Words),
    column("cluster", Integer),
    column("version", Integer),
    column("first_seen", Time),
    column("changed_at", Time),
    column("seen_at", Time),
    column("gone_at", Time),
    column("moved_from", Words),
)
"""Records: `fields` are the last good values (none, where there never were any),
`pending` those that wait for a person.
"""

RECORD_VERSIONS = table(
    "collection_record_versions",
    column("id", Integer),
    column("collection_id", Integer),
    column("record_id", Integer),
    column("number", Integer),
    column("change", Words),
    column("state", Words),
    column("url", Words),
    column("fields", Values),
    column("reasons", Values),
    column("page_id", Integer),
    column("body_hash", Words),
    column("cluster", Integer),
    column("version", Integer),
    column("run_id", Integer),
    column("stored_at", Time),
)
"""All that ever happened to a record, with where it comes from: page, its bytes,
template and its version, run.
"""

NOTICES = table(
    "collection_notices",
    column("id", Integer),
    column("collection_id", Integer),
    column("key", Words),
    column("kind", Words),
    column("data", JSON),
    column("state", Words),
    column("run_id", Integer),
    column("given_at", Time),
    column("done_at", Time),
)
"""What an operator should look at; the same thing is said once."""

ANNOTATIONS = table(
    "collection_annotations",
    column("collection_id", Integer),
    column("version", Integer),
    column("what", Words),
    column("names", Values),
    column("ignored", Values),
    column("before", Integer),
    column("after", Integer),
    column("said_at", Time),
    column("imported_at", Time),
)
"""All that operators said about slots, one row a change with the whole state after it;
undoing is a change, too. `before` and `after` are the versions that undo and redo lead
to. Until `imported_at` records may not show it yet.
"""

STYLES = table(
    "collection_styles",
    column("collection_id", Integer),
    column("url", Words),
    column("packed", LargeBinary),
    column("note", Words),
    column("fetched_at", Time),
)
"""Stylesheets of example pages, compressed, each once; `note` says why there is none."""

COLLECTION_TABLES = (
    COLLECTIONS,
    STATES,
    RUNS,
    INDEX_PAGES,
    LINKS,
    INDEX_RECORDS,
    BODIES,
    PAGES,
    TEMPLATES,
    EXTRACTED,
    RECORDS,
    RECORD_VERSIONS,
    NOTICES,
    ANNOTATIONS,
    STYLES,
)
