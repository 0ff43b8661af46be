"""Collections as programs use them: add a site once, run it from time to time, read its
records.

    with Collection.open("recipes") as recipes:
        print(recipes.run())
        for record in recipes.records():
            print(record.fields["title"])

`Collection` (one collection) and `Collections` (those of a database, in `catalogue`) are
the facades of this room: the web app and the command line speak to them and to nothing
of the store. Rows that methods return are in `scythe.collect.views`, queries and results
of searches in `scythe.collect.search`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from scythe.collect.context import ProgressCallback, RunContext, ignore_progress
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    Preview,
    preview,
    records_are_current,
    store_change,
    update_records,
)
from scythe.collect.fields.slots import CollectionSlot, accepted_suggestions
from scythe.collect.fields.surveys import Survey, SurveyCache, all_slots
from scythe.collect.publish.export import publish
from scythe.collect.records.schema import RecordSchema, collection_schema
from scythe.collect.run import Run, RunSummary
from scythe.collect.steps.stylesheets import store_stylesheets, stored_stylesheets
from scythe.errors import NotStored, UsageError
from scythe.store.collections import overviews
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.extractions import ClusterRow, ExtractedPage
from scythe.store.collections.index_pages import IndexPageRow, NewIndexPage
from scythe.store.collections.links import LinkRow
from scythe.store.collections.overviews import LinkFilter, Pagination
from scythe.store.collections.pages import PageRow
from scythe.store.collections.records import RecordRow, RecordVersionRow
from scythe.store.collections.runs import NoticeRow, RunRow
from scythe.store.search.query import Search
from scythe.store.states import IndexPageKind
from scythe.store.store import Store
from scythe.templates.template.template import Template
from scythe.tree.tree import Tree
from scythe.urls import fetchable_url, site

_SURVEYS = SurveyCache()


class Collection:
    """One collection of a database."""

    def __init__(
        self, store: Store, row: CollectionRow, *, owns_store: bool = False
    ) -> None:
        self._context = RunContext(store, row)
        self._owns_store = owns_store

    # Opening and closing

    @classmethod
    def add(
        cls,
        url: str,
        name: str | None = None,
        kind: str = "record",
        *,
        db: str | None = None,
        **settings: Any,
    ) -> Self:
        """Add a collection of the site at an address, and return it. `settings` are
        those of `CrawlOptions`, and `schema` as TOML.
        """
        address = fetchable_url(url)
        if address is None:
            raise UsageError(
                f"{url} is not an address of the web. "
                "Give one that begins with http:// or https://."
            )
        collection_schema(kind, settings.get("schema"))
        store = Store.open(db)
        rows = CollectionRows(store)
        name = name or default_name(address)
        try:
            rows.add(name, address, kind, settings)
            collection = cls(store, rows.get(name), owns_store=True)
            context = collection._context
            context.options  # noqa: B018 - wrong settings are found now
            home = NewIndexPage(
                address,
                IndexPageKind.HTML,
                "the address that was given",
            )
            context.index_pages.add([home])
        except BaseException:
            store.close()
            raise
        return collection

    @classmethod
    def open(cls, name: str, *, db: str | None = None) -> Self:
        """Return a collection that was added before."""
        store = Store.open(db)
        try:
            return cls(store, CollectionRows(store).get(name), owns_store=True)
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the database, if it was opened for this collection."""
        if self._owns_store:
            self._context.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def remove(self) -> None:
        """Remove the collection with all that belongs to it."""
        CollectionRows(self.store).remove(self.row.name)

    # What it is

    @property
    def row(self) -> CollectionRow:
        """Its name, address, kind and settings."""
        return self._context.row

    @property
    def schema(self) -> RecordSchema:
        """The fields of its records, with those that operators added."""
        return self._context.schema

    @property
    def store(self) -> Store:
        """The database it is in."""
        return self._context.store

    # Runs

    def run(
        self,
        *,
        refetch_all: bool = False,
        due_only: bool = False,
        progress: ProgressCallback = ignore_progress,
    ) -> RunSummary:
        """Bring it up to date, and return what came of that: visit all index pages
        (with `due_only` those that are due), and fetch new pages and known ones that
        are due (with `refetch_all` all known ones that are still listed).
        """
        context = self._context
        context.refetch_all = refetch_all
        context.due_only = due_only
        context.progress = progress
        summary = Run(context).execute()
        update_records(context)
        store_stylesheets(context)
        self.publish()
        return summary

    def publish(self) -> str:
        """Bring the SQL view that other programs read in step with the schema; return
        its name.
        """
        return publish(self.store, self.row, self.schema)

    def next_visit(self) -> datetime | None:
        """Return when the next index page is due; None where one was never visited."""
        due: list[datetime] = []
        for page in self.index_pages():
            if page.gone_at is not None:
                continue
            if page.due_at is None:
                return None
            due.append(page.due_at)
        return min(due, default=None)

    def runs(self) -> list[RunRow]:
        """Return all runs, the first one first."""
        return self._context.runs.all()

    def latest_runs(self, pagination: Pagination) -> tuple[list[RunRow], int]:
        """Return a part of the runs, the last one first, and how many there are."""
        return overviews.load_runs(self.store, self.row.id, pagination)

    # Index pages and links

    def index_pages(self) -> list[IndexPageRow]:
        """Return the index pages that are visited."""
        return self._context.index_pages.all()

    def links(self) -> Iterator[LinkRow]:
        """Yield every link that index pages have or had, with what was decided about it
        and why.
        """
        return self._context.links.all()

    def find_links(
        self, link_filter: LinkFilter, pagination: Pagination
    ) -> tuple[list[LinkRow], int]:
        """Return a part of the links that pass a filter, in the order they were found,
        and how many there are.
        """
        return overviews.load_links(self.store, self.row.id, link_filter, pagination)

    def count_links(self) -> dict[str, int]:
        """Return how many links there are of each decision."""
        return overviews.count_links(self.store, self.row.id)

    # Records

    def records(self, *states: str) -> Iterator[RecordRow]:
        """Yield the records in the order they were found; in some states only (`ok`,
        `review`, `gone`), if any are given.
        """
        return self._context.records.all(*states)

    def counts(self) -> dict[str, int]:
        """Return how many records there are in each state."""
        return self._context.records.counts()

    @property
    def search(self) -> Search:
        """Searches in its records."""
        return Search(self.store, self.row.id)

    def record(self, number: int) -> RecordRow:
        """Return a record by its number; raise `NotStored` where there is none."""
        for record in self.search.records([number]):
            return record
        raise NotStored(f"There is no record {number} in {self.row.name}.")

    def history(self, record: RecordRow) -> list[RecordVersionRow]:
        """Return all that happened to a record, oldest first."""
        return self._context.records.history(record.id)

    def records_in_review(self, pagination: Pagination) -> tuple[list[RecordRow], int]:
        """Return a part of the records that wait for a person, in the order they were
        found, and how many there are.
        """
        return overviews.load_records_in_review(self.store, self.row.id, pagination)

    def accept_record(self, key: str, seen: str | None = None) -> RecordRow:
        """Take the values of a record in review as good, and return it. With `seen`,
        the `fingerprint` of the values that somebody looked at, others are refused.
        """
        return self._context.records.accept(key, seen=seen)

    # Pages and their templates

    def clusters(self) -> list[ClusterRow]:
        """Return the clusters with extracted pages, the largest first."""
        return self._context.extractions.clusters()

    def survey(self, cluster: ClusterRow) -> Survey:
        """Return what the pages of a cluster have, as long as nothing changes from
        memory.
        """
        return _SURVEYS.get(self._context, cluster)

    def template(self, cluster: int) -> Template | None:
        """Return the template of a cluster, None where there is none yet."""
        stored = self._context.templates.latest(cluster)
        return Template.from_json(stored.definition) if stored else None

    def extracted_page_ids(self, cluster: int | None = None) -> list[int]:
        """Return the numbers of the extracted pages of a cluster, or of all."""
        return self._context.extractions.ids(cluster)

    def extracted_pages(self, pages: Sequence[int]) -> list[ExtractedPage]:
        """Return what was extracted from some pages, in their order."""
        return self._context.extractions.read(pages)

    def page(self, number: int) -> PageRow:
        """Return a page by its number."""
        return self._context.extractions.page(number)

    def snapshot(self, body_hash: str) -> bytes:
        """Return the bytes of a page as they came."""
        return self._context.pages.body(body_hash)

    def earlier_snapshot(self, page: PageRow) -> str | None:
        """Return the hash of the bytes that a page had before, as far as its record
        still has them.
        """
        return self._context.extractions.earlier_body(page)

    def stylesheets(self, tree: Tree, page: PageRow) -> dict[int, str]:
        """Return the stored stylesheets of a page, by the node of the link."""
        return stored_stylesheets(self._context, tree, page)

    # Notices and annotations

    def notices(self) -> list[NoticeRow]:
        """Return what an operator should look at."""
        return self._context.runs.notices()

    def dismiss_notices(self, notices: Iterable[NoticeRow]) -> None:
        """Dismiss notices."""
        self._context.runs.dismiss([notice.id for notice in notices])

    def slots(self) -> list[CollectionSlot]:
        """Return all slots that pages have, with examples, fields and suggestions:
        those with fields first, then those of most pages.
        """
        return all_slots(self._context)

    def has_annotations(self) -> bool:
        """Return whether any slot has a field."""
        return bool(self._context.slot_fields)

    @property
    def annotation(self) -> AnnotationRow:
        """What operators said about slots, in its latest version."""
        return self._context.annotations.latest()

    def annotation_history(self, limit: int) -> list[AnnotationRow]:
        """Return the last changes of annotations, the newest first."""
        return self._context.annotations.history(limit)

    def preview(self, change: AnnotationChange, order: Sequence[str] = ()) -> Preview:
        """Return what a change would do to records; nothing is stored."""
        return preview(self._context, change, order)

    def annotate(
        self,
        change: AnnotationChange,
        expected: int | None = None,
        order: Iterable[str] = (),
    ) -> int:
        """Store a change of annotations and update all records; return the new version.

        Raises `Conflict` where `expected` is not the latest version.
        """
        version = self.store_annotation(change, expected, order)
        self.update_records()
        return version

    def store_annotation(
        self,
        change: AnnotationChange,
        expected: int | None = None,
        order: Iterable[str] = (),
    ) -> int:
        """Store a change of annotations, and leave records to `update_records`; return
        the new version.
        """
        return store_change(self._context, change, expected, order)

    def undo_annotation(self, expected: int | None = None) -> AnnotationRow:
        """Undo the last change, and return the annotation; `update_records` follows."""
        return self._context.annotations.undo(expected)

    def redo_annotation(self, expected: int | None = None) -> AnnotationRow:
        """Redo what was undone, and return the annotation; `update_records` follows."""
        return self._context.annotations.redo(expected)

    def records_are_current(self) -> bool:
        """Return whether all records show the latest annotation."""
        return records_are_current(self._context)

    def update_records(self, progress: ProgressCallback = ignore_progress) -> bool:
        """Give all records the values of the latest annotation; return False where
        another process works on the collection, which will do it.
        """
        self._context.progress = progress
        return update_records(self._context)

    def name_slot(self, slot: str, field: str, type_: str | None = None) -> None:
        """Give a slot a field, and a type if the schema does not know the field; all
        records are updated.
        """
        if slot not in {known.slot for known in self.slots()}:
            raise NotStored(
                f"There is no slot {slot}. "
                f"`scythe collect slots {self.row.name}` lists them."
            )
        self.annotate(
            AnnotationChange(AnnotationAction.NAME, (slot,), field, type_ or "")
        )

    def unname_slot(self, slot: str) -> None:
        """Take the field of a slot away; all records are updated."""
        self.annotate(AnnotationChange(AnnotationAction.SPLIT, (slot,)))

    def accept_suggestions(self) -> dict[str, str]:
        """Accept all suggestions with enough confidence; return the fields by slot."""
        annotation = self.annotation
        accepted = accepted_suggestions(
            self.slots(),
            annotation.names,
            annotation.ignored,
        )
        if accepted:
            change = AnnotationChange(
                AnnotationAction.ACCEPT,
                tuple(accepted),
                accepted=accepted,
            )
            self.annotate(change)
        return {slot: field for slot, (field, _) in accepted.items()}


def default_name(url: str) -> str:
    """Return what a collection is called that was given no name: the host of its
    address.
    """
    return re.sub(r"[^a-z0-9]+", "-", site(url)).strip("-") or "collection"
