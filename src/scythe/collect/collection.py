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
from dataclasses import replace
from typing import Any, Self

from scythe.closing import Closing
from scythe.collect.context import ProgressCallback, RunContext, ignore_progress
from scythe.collect.facade.fields import CollectionFields
from scythe.collect.facade.links import CollectionLinks
from scythe.collect.facade.pages import CollectionPages
from scythe.collect.facade.records import CollectionRecords
from scythe.collect.facade.searches import CollectionSearches
from scythe.collect.facade.settings import CollectionSettings
from scythe.collect.fields.annotations import update_records
from scythe.collect.progress import (
    ProgressListener,
    ProgressTracker,
    RunProgress,
    ignore_run_progress,
)
from scythe.collect.publish.export import publish
from scythe.collect.run import Run, RunSummary
from scythe.collect.settings import check_name, check_settings
from scythe.collect.steps.media_store import store_media
from scythe.collect.steps.notifications import send_notifications
from scythe.collect.steps.stylesheets import store_stylesheets
from scythe.errors import UsageError
from scythe.store.collections import overviews
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.index_pages import NewIndexPage
from scythe.store.collections.overviews import Pagination
from scythe.store.collections.runs import RunRow
from scythe.store.states import IndexPageKind
from scythe.store.store import Store
from scythe.urls import fetchable_url, require_no_login, site


class Collection(
    CollectionLinks,
    CollectionRecords,
    CollectionSearches,
    CollectionFields,
    CollectionPages,
    CollectionSettings,
    Closing,
):
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
        those of `CrawlOptions`, `max_pages`, `render`, `schema` as TOML, `schedule`,
        `notify`, `media`, `keep_media` and `media_bytes`.
        """
        require_no_login(url)
        address = fetchable_url(url)
        if address is None:
            raise UsageError(
                f"{url} is not an address of the web. "
                "Give one that begins with http:// or https://."
            )
        check_settings(address, kind, settings)
        name = check_name(name) if name is not None else default_name(address)
        store = Store.open(db)
        rows = CollectionRows(store)
        try:
            rows.add(name, address, kind, settings)
            collection = cls(store, rows.get(name), owns_store=True)
            home = NewIndexPage(
                address,
                IndexPageKind.HTML,
                "the address that was given",
            )
            collection._context.index_pages.add([home])
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

    def remove(self) -> None:
        """Remove the collection with all that belongs to it."""
        CollectionRows(self.store).remove(self.row.name)

    # Runs

    def run(
        self,
        *,
        refetch_all: bool = False,
        due_only: bool = False,
        progress: ProgressCallback = ignore_progress,
        on_progress: ProgressListener = ignore_run_progress,
    ) -> RunSummary:
        """Bring it up to date, and return what came of that: visit all index pages
        (with `due_only` those that are due), and fetch new pages and known ones that
        are due (with `refetch_all` all known ones that are still listed).

        The summary has the state in which the run ended, and the reason. `on_progress`
        is told how far it has come, in numbers that only grow.
        """
        context = self._context
        context.refetch_all = refetch_all
        context.due_only = due_only
        context.progress = progress
        context.tracker = ProgressTracker(on_progress)
        summary = Run(context).execute()
        update_records(context)
        store_stylesheets(context)
        self.publish()
        problems = [*store_media(context), *send_notifications(context)]
        return replace(summary, trouble=(*summary.trouble, *problems))

    def progress(self) -> RunProgress | None:
        """Return how far the run has come that is at work in any process, None where
        none is.
        """
        run = self._context.runs.unfinished()
        if run is None:
            return None
        return RunProgress.from_json(run.summary.get("progress") or {})

    def publish(self) -> str:
        """Bring the SQL view that other programs read in step with the schema; return
        its name.
        """
        return publish(self.store, self.row, self.schema)

    def runs(self) -> list[RunRow]:
        """Return all runs, the first one first."""
        return self._context.runs.all()

    def latest_runs(self, pagination: Pagination) -> tuple[list[RunRow], int]:
        """Return a part of the runs, the last one first, and how many there are."""
        return overviews.load_runs(self.store, self.row.id, pagination)


def default_name(url: str) -> str:
    """Return what a collection is called that was given no name: the host of its
    address.
    """
    return re.sub(r"[^a-z0-9]+", "-", site(url)).strip("-") or "collection"
