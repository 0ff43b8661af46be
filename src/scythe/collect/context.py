"""What the steps of a run share: the rows of a collection in the database, its schema,
and whom to tell about progress.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from scythe.collect.crawl.job import CrawlOptions
from scythe.collect.crawl.shells import Shells
from scythe.collect.fields.names import Names, with_names
from scythe.collect.pages.reading import schema_named
from scythe.collect.records.schema import RecordSchema, schema_of
from scythe.store.collections.annotations import AnnotationRows
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.index_pages import IndexPageRows
from scythe.store.collections.links import LinkRows
from scythe.store.collections.pages import PageRows
from scythe.store.collections.records import RecordRows
from scythe.store.collections.runs import RunRows
from scythe.store.collections.templates import TemplateRows
from scythe.store.store import Store
from scythe.templates.declared.schemas import Schema
from scythe.urls import same_site, url_key

GROUPS, CLUSTERS, NEXT, NOTED = "groups", "clusters", "next_pages", "noted_slots"
"""Under which names algorithms leave what they remember."""

Report = Callable[[str, int, int], None]
"""Told of progress: what is done, how much of it, of how much (0: unknown)."""

MAX_PAGES, MAX_INDEX_PAGES = 10_000, 500
"""Pages that one run asks for, and index pages that a collection watches: what is
beyond waits for the next run, or is said.
"""


def _silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass
class Work:
    """One collection, open for work."""

    store: Store
    row: CollectionRow
    run: int = 0
    everything: bool = False
    """Whether pages of records are asked for although their time has not come."""
    due_only: bool = False
    """Whether index pages wait for their time, too."""
    report: Report = field(default=_silent, repr=False)
    began: datetime | None = None
    """When the run began."""
    asked: int = 0
    """Pages that this run has asked for."""
    robots: dict[str, bytes] = field(default_factory=dict, repr=False)
    """What each robots.txt says that was read in this run."""

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
        """Templates of clusters, and what they read."""
        return TemplateRows(self.store, self.row.id)

    @cached_property
    def records(self) -> RecordRows:
        """The records."""
        return RecordRows(self.store, self.row.id)

    @cached_property
    def runs(self) -> RunRows:
        """Runs and notices."""
        return RunRows(self.store, self.row.id)

    @cached_property
    def options(self) -> CrawlOptions:
        """How pages are fetched."""
        return CrawlOptions.of(self.row.url, self.row.settings)

    @property
    def max_pages(self) -> int:
        """Pages that one run asks for at most."""
        return int(self.row.settings.get("max_pages", MAX_PAGES))

    def shells(self) -> Shells:
        """A browser for pages that are empty without one, unless the settings say
        `render = false`.
        """
        return Shells(
            render=bool(self.row.settings.get("render", True)),
            timeout=self.options.timeout,
        )

    @cached_property
    def kind(self) -> Schema | None:
        """What records are, where it is a built-in kind."""
        return schema_named(self.row.kind)

    @property
    def schema(self) -> RecordSchema:
        """The schema of the records, with the types that an operator gave."""
        return with_names(self.plain_schema, self.names)

    @property
    def plain_schema(self) -> RecordSchema:
        """The schema as it is without anything that an operator named."""
        return schema_of(self.row.kind, self.row.settings.get("schema"))

    @cached_property
    def annotations(self) -> AnnotationRows:
        """What operators said about slots."""
        return AnnotationRows(self.store, self.row.id)

    @property
    def names(self) -> Names:
        """Names and types by slot."""
        return self.annotations.latest().names

    def remembered(self, name: str) -> Any:
        """What an algorithm left."""
        return self.collections.load_state(self.row.id, name)

    def remember(self, name: str, state: Any) -> None:
        """Leave something."""
        self.collections.store_state(self.row.id, name, state)

    @property
    def index_keys(self) -> set[str]:
        """The canonical addresses of all index pages: a page that leads to one of them
        is no record.
        """
        return {url_key(page.url) for page in self.index_pages.all()} | {
            url_key(self.row.url)
        }

    def is_own(self, url: str) -> bool:
        """Whether an address is of the site of the collection."""
        return same_site(url, self.row.url)
