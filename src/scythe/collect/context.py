"""What a run needs to know: the rows of one collection, its schema and its options.

Every step of a run is a function of a `RunContext`. So is what operators do between
runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any

from scythe.collect.crawl.fetcher import Fetcher
from scythe.collect.crawl.hosts import AllowedHosts
from scythe.collect.crawl.options import CrawlOptions
from scythe.collect.crawl.shells import ShellRenderer
from scythe.collect.links.rules import LinkRules
from scythe.collect.pages.media import MEDIA_FIELDS
from scythe.collect.progress import ProgressTracker
from scythe.collect.records.field_values import SlotFields, schema_with_fields
from scythe.collect.records.schema import RecordSchema, collection_schema, known_kind
from scythe.store.collections.annotations import AnnotationRow, AnnotationRows
from scythe.store.collections.bodies import MediaRows, StyleRows
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.extractions import ExtractionRows
from scythe.store.collections.index_pages import IndexPageRows
from scythe.store.collections.link_rules import LinkRuleRows
from scythe.store.collections.links import LinkRows
from scythe.store.collections.pages import PageRows
from scythe.store.collections.record_edits import OperatorRecords
from scythe.store.collections.runs import RunRows
from scythe.store.collections.templates import TemplateRows
from scythe.store.states import RuleAction
from scythe.store.store import Store
from scythe.templates.declared.schemas import Schema
from scythe.templates.slot import SlotId, SlotSource
from scythe.urls import same_site, url_key

MAX_PAGES = 10_000
"""Pages that one run fetches, unless the settings say otherwise: a bound on work, not
tuned. What is beyond waits for the next run, and the summary says so.
"""
MAX_MEDIA_BYTES = 10_000_000
"""Bytes of one picture that is kept, unless the settings say otherwise: a bound, not
tuned.
"""
MAX_INDEX_PAGES = 500
"""Index pages that a collection watches: a bound on work, not tuned."""

ProgressCallback = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much (0: it is not
known).
"""


class StateKey(StrEnum):
    """The names under which steps store what they know for the next run."""

    LINK_GROUPS = "groups"
    """What groups of links proved to lead to."""
    CLUSTERS = "clusters"
    NEXT_PAGES = "next_pages"
    """The next page of each index page that has one."""
    KNOWN_SLOTS = "noted_slots"
    """Sections and declarations that pages are known to have."""
    CARRIED_OVER = "carried_names"
    """Clusters whose annotations came from an earlier design of their pages."""
    ACCEPTED = "accepted"
    """Slots whose fields were suggested, and the clusters that this was done for."""
    DRAFTS = "drafts"
    """Field and type by slot of the suggestions that make drafts."""
    DRAFTS_WAIT = "drafts_wait"
    """Whether records have yet to get the values of new drafts."""
    RECORD_FACTS = "record_facts"
    """Labels with values of their own on each record, by which records are told."""
    RECORD_LINKS = "record_links"
    """What pages of records link to, and how many pages do."""
    DISTINCT_FIELDS = "distinct_fields"
    """Fields that have different values in most records."""
    READER = "reader"
    """What pages are read by."""
    SEARCHES = "searches"
    """Saved searches, by name."""
    NOTIFIED = "notified"
    """The last change of a record that notifications were sent about."""


def ignore_progress(step: str, done: int, total: int) -> None:
    """Do nothing: the callback of a run that nobody watches."""


@dataclass
class RunContext:
    """One collection, open for a run."""

    store: Store
    row: CollectionRow
    run: int = 0
    """The number of the run's row, 0 outside of runs."""
    refetch_all: bool = False
    """Whether pages of records are fetched although they are not due."""
    due_only: bool = False
    """Whether index pages are visited only when they are due."""
    progress: ProgressCallback = field(default=ignore_progress, repr=False)
    tracker: ProgressTracker = field(default_factory=ProgressTracker, repr=False)
    started_at: datetime | None = None
    pages_requested: int = 0
    """Pages that this run has asked for."""
    page_labels: dict[str, Mapping[str, Sequence[str]]] = field(
        default_factory=dict, repr=False
    )
    """What labels label on pages that were looked at in this run, by their bytes."""
    robots_txt: dict[str, bytes] = field(default_factory=dict, repr=False)
    """The text of each robots.txt that was read in this run, by host."""

    @cached_property
    def collections(self) -> CollectionRows:
        """All collections of the database."""
        return CollectionRows(self.store)

    @cached_property
    def index_pages(self) -> IndexPageRows:
        """Pages that list others."""
        return IndexPageRows(self.store, self.row.id)

    @cached_property
    def links(self) -> LinkRows:
        """Links of index pages."""
        return LinkRows(self.store, self.row.id)

    @cached_property
    def pages(self) -> PageRows:
        """Pages of records."""
        return PageRows(self.store, self.row.id)

    @cached_property
    def templates(self) -> TemplateRows:
        """Templates of clusters, and what they extracted."""
        return TemplateRows(self.store, self.row.id)

    @cached_property
    def extractions(self) -> ExtractionRows:
        """Extracted pages by cluster."""
        return ExtractionRows(self.store, self.row.id)

    @cached_property
    def stylesheets(self) -> StyleRows:
        """Stylesheets of example pages."""
        return StyleRows(self.store, self.row.id)

    @cached_property
    def records(self) -> OperatorRecords:
        """The records."""
        return OperatorRecords(self.store, self.row.id)

    @cached_property
    def link_rules(self) -> LinkRuleRows:
        """What operators said of links."""
        return LinkRuleRows(self.store, self.row.id)

    @cached_property
    def media(self) -> MediaRows:
        """Pictures that are kept."""
        return MediaRows(self.store, self.row.id)

    @cached_property
    def runs(self) -> RunRows:
        """Runs and notices."""
        return RunRows(self.store, self.row.id)

    @cached_property
    def annotations(self) -> AnnotationRows:
        """What operators said about slots."""
        return AnnotationRows(self.store, self.row.id)

    @cached_property
    def options(self) -> CrawlOptions:
        """How pages are fetched."""
        return CrawlOptions.from_settings(self.row.url, self.row.settings)

    @cached_property
    def fetcher(self) -> Fetcher:
        """What fetches the pages of a run: one process for all of them."""
        return Fetcher(self.options, self.robots_txt)

    @property
    def max_pages(self) -> int:
        """Pages that one run fetches at most."""
        return int(self.row.settings.get("max_pages", MAX_PAGES))

    @property
    def max_media_bytes(self) -> int:
        """Bytes of one picture that is kept at most."""
        return int(self.row.settings.get("media_bytes", MAX_MEDIA_BYTES))

    @property
    def has_media(self) -> bool:
        """Whether pictures, video and audio are fields of the records."""
        settings = self.row.settings
        return bool(settings.get("media") or settings.get("keep_media"))

    def shell_renderer(self) -> ShellRenderer:
        """Return a browser for pages that are empty without one, unless the settings
        say `render = false`.
        """
        return ShellRenderer(
            AllowedHosts(self.options.home, private=self.options.private),
            render=bool(self.row.settings.get("render", True)),
            timeout=self.options.timeout,
        )

    @cached_property
    def kind(self) -> Schema | None:
        """What records are, where it is a built-in kind."""
        return known_kind(self.row.kind)

    @property
    def schema(self) -> RecordSchema:
        """The schema of the records, with the fields that operators added."""
        return schema_with_fields(self.plain_schema, self.slot_fields)

    @property
    def plain_schema(self) -> RecordSchema:
        """The schema without the fields that operators added."""
        return collection_schema(self.row.kind, self.row.settings.get("schema"))

    @property
    def slot_fields(self) -> SlotFields:
        """The field and type of each slot: what operators said, and drafts where they
        have not settled it yet.
        """
        annotation = self.annotations.latest()
        return self.effective_names(annotation)

    def effective_names(self, annotation: AnnotationRow) -> SlotFields:
        """Return the field and type of each slot by an annotation: media, drafts, and
        above them what operators said.
        """
        names = {**self._media_slots(), **self.drafts(annotation)}
        for slot in annotation.ignored:
            names.pop(slot, None)
        return {**names, **annotation.names}

    def _media_slots(self) -> SlotFields:
        if not self.has_media:
            return {}
        slots: dict[str, list[str]] = {}
        for name in MEDIA_FIELDS:
            slot = SlotId(SlotSource.DECLARED, name)
            slots[str(slot)] = [name, "lines"]
        return slots

    @property
    def named_slots(self) -> SlotFields:
        """The field and type that operators gave each slot."""
        return self.annotations.latest().names

    def drafts(self, annotation: AnnotationRow) -> SlotFields:
        """Return the sure suggestions for what has no name by an annotation, as long as
        nobody has accepted or dismissed them.
        """
        if annotation.settled:
            return {}
        stored: SlotFields = self.load_state(StateKey.DRAFTS) or {}
        annotated = {*annotation.names, *annotation.ignored}
        named_fields = {given[0] for given in annotation.names.values()}
        return {
            slot: given
            for slot, given in stored.items()
            if slot not in annotated and given[0] not in named_fields
        }

    @property
    def makes_drafts(self) -> bool:
        """Whether records have values that nobody has accepted yet."""
        return bool(self.drafts(self.annotations.latest()))

    @property
    def rules(self) -> LinkRules:
        """The link rules, as they are now."""
        return LinkRules(self.link_rules.all())

    def start_keys(self) -> set[str]:
        """Return the keys of the start pages' addresses: the collection's own, and
        those that operators added.
        """
        given = self.rules.given(RuleAction.WATCH)
        return set(map(url_key, [self.row.url, *given]))

    def load_state(self, key: StateKey) -> Any:
        """Return what a step stored for later runs, None where it stored nothing."""
        return self.collections.load_state(self.row.id, key)

    def store_state(self, key: StateKey, state: Any) -> None:
        """Store something for later runs, in place of what is there."""
        self.collections.store_state(self.row.id, key, state)

    def state_since(self, key: StateKey, state: Any) -> datetime:
        """Return since when this is what is stored for later runs, which it is now."""
        return self.collections.state_since(self.row.id, key, state)

    @property
    def index_keys(self) -> set[str]:
        """The keys of all index pages' addresses: a page that leads to one of them is
        no record.
        """
        keys = {url_key(self.row.url)}
        for page in self.index_pages.all():
            keys.add(url_key(page.url))
        return keys

    def is_own(self, url: str) -> bool:
        """Return whether an address is of the collection's site."""
        return same_site(url, self.row.url)
