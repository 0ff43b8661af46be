"""The tables of collections, declared by the classes of their rows (see `rows`);
`migrations` makes them.

What settings, templates, slots and fields are, is JSON to the database. Columns named
`..._in` hold the run in which something happened, so that what a run did can be counted
from the tables at any time, also after it was killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scythe.store.operator_tables import LINK_RULES, MEDIA
from scythe.store.rows import JsonObject, JsonValue, declare_table
from scythe.store.states import (
    CollectionState,
    FetchOutcome,
    LinkDecision,
    NoticeState,
    PageStage,
    RecordChange,
    RecordState,
    RunState,
)

Fields = Mapping[str, Any]
"""The values of a record, by field."""


@dataclass(frozen=True)
class CollectionRow:
    """A collection."""

    id: int
    name: str
    url: str
    kind: str
    """What its records are: the name of a schema."""
    settings: JsonObject
    state: CollectionState
    added_at: datetime
    table_name: str | None
    """The SQL view in which other programs find its records, once there is one."""
    holder: str | None
    """The process that has the lease, until `held_until`."""
    held_until: datetime | None


COLLECTIONS = declare_table("collections", CollectionRow)

STATES = declare_table(
    "collection_states",
    collection_id=int,
    name=str,
    state=JsonValue,
    saved_at=datetime,
)
"""What algorithms keep from run to run, by name: clusters of pages, what makes a link
worth following.
"""


@dataclass(frozen=True)
class RunRow:
    """A run. One without an end was killed or is at work, and is resumed."""

    id: int
    number: int
    """Of this collection's runs, from 1."""
    started_at: datetime
    ended_at: datetime | None
    state: RunState
    stage: str
    """How far it has come, in the words of the pipeline."""
    summary: JsonObject


RUNS = declare_table("collection_runs", RunRow, collection_id=int)


@dataclass(frozen=True)
class NoticeRow:
    """Something that an operator should look at; of several with one key, the first."""

    id: int
    key: str
    kind: str
    data: JsonObject
    state: NoticeState
    run_id: int | None
    given_at: datetime
    done_at: datetime | None


NOTICES = declare_table("collection_notices", NoticeRow, collection_id=int)


@dataclass(frozen=True)
class IndexPageRow:
    """A page that lists others, as the last visit left it."""

    id: int
    url: str
    kind: str
    reason: str
    etag: str | None
    last_modified: str | None
    content_hash: str | None
    period: float | None
    """Seconds between visits."""
    due_at: datetime | None
    """When to visit it again; None before the first visit."""
    visited_at: datetime | None
    visited_in: int | None
    """The run of the last visit."""
    visits: int
    changes: int
    outcome: FetchOutcome
    note: str
    gone_at: datetime | None


INDEX_PAGES = declare_table(
    "collection_index_pages",
    IndexPageRow,
    stored_as={"outcome": "fate"},
    collection_id=int,
)

INDEX_RECORDS = declare_table(
    "collection_index_records",
    collection_id=int,
    index_page_id=int,
    url=str,
    number=int,
    fields=Fields,
    seen_at=datetime,
)
"""What index pages say of the pages they list: the second data table of figure 5 of
RecipeCrawler, joined with the first by address.
"""


@dataclass(frozen=True)
class LinkRow:
    """A link of an index page, stored once a page."""

    id: int
    index_page_id: int
    url: str
    text: str
    path: str
    modified: str | None
    first_seen: datetime
    last_seen: datetime
    gone_at: datetime | None
    first_in: int
    """The run that saw it first."""
    gone_in: int | None
    """The run that missed it first."""
    changed_in: int | None
    """The last run that saw it back, or with another text or time of change."""
    decision: LinkDecision | None
    """What to do with it; None until that is decided."""
    reason: str
    score: float | None
    decided_in: int | None
    outcome: str | None
    """What its page turned out to be."""


LINKS = declare_table("collection_links", LinkRow, collection_id=int)


@dataclass(frozen=True)
class PageRow:
    """A page that was queued at some time."""

    id: int
    url: str
    kind: str
    reason: str
    stage: PageStage
    """What has been done with the latest body."""
    queued_in: int
    """The run that queued it last."""
    outcome: FetchOutcome
    """How the latest request ended."""
    note: str
    status: int | None
    final_url: str | None
    etag: str | None
    last_modified: str | None
    body_hash: str | None
    charset: str | None
    content_type: str | None
    rendered: bool
    """Whether the body is what a browser made of the page."""
    fetched_at: datetime | None
    changed_at: datetime | None
    visits: int
    changes: int
    failures: int
    """Requests in a row that failed."""
    cluster: int | None
    gone_at: datetime | None


PAGES = declare_table(
    "collection_pages",
    PageRow,
    stored_as={"outcome": "fate", "queued_in": "wanted_in"},
    collection_id=int,
)

BODIES = declare_table(
    "collection_bodies",
    collection_id=int,
    hash=str,
    size=int,
    packed=bytes,
    stored_at=datetime,
)
"""The bytes of pages as they came, compressed, each once."""


@dataclass(frozen=True)
class TemplateRow:
    """One version of the template of a cluster, and why it was made."""

    cluster: int
    version: int
    definition: JsonObject
    reason: str
    stored_at: datetime


TEMPLATES = declare_table("collection_templates", TemplateRow, collection_id=int)


@dataclass(frozen=True)
class ExtractedRow:
    """What a template extracted from a page."""

    page_id: int
    cluster: int
    version: int
    """Of the template."""
    body_hash: str
    slots: Mapping[str, Sequence[str]]
    """The values of all slots, by slot, also of those without a name."""
    declared: Mapping[str, Any] | None = None
    """What the page declares of itself in structured data."""
    unplaced: Sequence[str] | None = None
    """Texts that the template has no slot for."""
    fit: float = 1.0


EXTRACTED = declare_table(
    "collection_extracted", ExtractedRow, collection_id=int, extracted_at=datetime
)


@dataclass(frozen=True)
class RecordRow:
    """A record as it is now."""

    id: int
    key: str
    url: str
    state: RecordState
    fields: Fields | None
    """The last good values; None, where there never were any."""
    pending: Fields | None
    """Values that wait for a person."""
    reasons: Sequence[Mapping[str, str]]
    accepted: Sequence[str]
    page_id: int | None
    body_hash: str | None
    cluster: int | None
    version: int | None
    first_seen: datetime
    changed_at: datetime
    seen_at: datetime
    gone_at: datetime | None
    moved_from: str | None
    edited: Fields = field(default_factory=dict)
    """Values that an operator gave, by column: no run changes them. None: the record
    has no such value.
    """


RECORDS = declare_table("collection_records", RecordRow, collection_id=int)


@dataclass(frozen=True)
class RecordVersionRow:
    """Something that happened to a record, how it was afterwards, and where that comes
    from: the page and its bytes, the template and its version, the run.
    """

    id: int
    """Grows with time over all records."""
    record_id: int
    number: int
    change: RecordChange
    state: RecordState
    url: str
    fields: Fields | None
    reasons: Sequence[Mapping[str, str]]
    page_id: int | None
    body_hash: str | None
    cluster: int | None
    version: int | None
    run_id: int | None
    stored_at: datetime
    made_by: str = ""
    """Who made it, where that was no run."""


RECORD_VERSIONS = declare_table(
    "collection_record_versions", RecordVersionRow, collection_id=int
)


@dataclass(frozen=True)
class AnnotationRow:
    """All annotations of a collection after one change. Undo is a change, too."""

    version: int = 0
    what: str = ""
    """The change, as a sentence."""
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Field and type by slot, in the order of the page; the type is empty where the
    schema has it.
    """
    ignored: Sequence[str] = ()
    """Slots that are of no interest."""
    before: int | None = None
    """The version that undo leads to."""
    after: int | None = None
    """The version that redo leads to."""
    made_at: datetime | None = None
    imported_at: datetime | None = None
    """When all records had followed the change."""
    settled: bool = False
    """Whether suggestions were accepted or dismissed: until then those that are sure
    fill what has no name, and records are drafts.
    """


ANNOTATIONS = declare_table(
    "collection_annotations",
    AnnotationRow,
    stored_as={"made_at": "said_at"},
    collection_id=int,
)

STYLES = declare_table(
    "collection_styles",
    collection_id=int,
    url=str,
    packed=bytes | None,
    note=str,
    fetched_at=datetime,
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
    LINK_RULES,
    MEDIA,
)
