"""Pages of a collection on their way through the pipeline. Each step moves pages to the
next stage and stores what it made, in one transaction.

    queued -> fetched -> classified -> extracted -> done

Where a run is killed, every page is in the last stage that was finished for it, and the
next run resumes there. Pages are always taken in the order in which they were first
queued, so that a run ends alike however often it was interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, select, true, update

from scythe.store.collection_tables import PAGES, PageRow
from scythe.store.collections.bodies import BodyRows
from scythe.store.collections.collections import store_state
from scythe.store.columns import now
from scythe.store.rows import STREAMED_ROWS, read_all, select_rows
from scythe.store.statements import (
    batches,
    count_by,
    count_rows,
    insert_all,
    rows_by_value,
    update_all,
)
from scythe.store.states import FetchOutcome, PageStage
from scythe.store.store import Store

__all__ = ["GIVEN", "FetchResult", "PageRequest", "PageRow", "PageRows"]

GIVEN = "given by another program"
"""The reason of pages of records that no run has asked for."""

_BATCH_SIZE = 1_000
"""Pages that are read at once: a bound on memory, not tuned."""

_BODY_COLUMNS = ("etag", "last_modified", "charset", "content_type", "rendered")
"""What a response says of the body that came with it."""

_STATE_COLUMNS = (
    "stage",
    "body_hash",
    *_BODY_COLUMNS,
    "changed_at",
    "visits",
    "changes",
    "failures",
    "gone_at",
    "cluster",
)
"""What the state of a page after a request depends on."""


@dataclass(frozen=True)
class PageRequest:
    """A page to fetch."""

    url: str
    reason: str = ""
    kind: str = ""
    """What it is expected to be; what it is, once it was classified."""


@dataclass(frozen=True)
class FetchResult:
    """How a request ended."""

    page: int
    outcome: FetchOutcome
    """`ok` (with a body), `unchanged` (the server said so), `gone`, or what went wrong."""
    body: bytes | None = None
    status: int | None = None
    final_url: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    charset: str | None = None
    content_type: str | None = None
    rendered: bool = False
    note: str = ""


class PageRows:
    """The pages of one collection. Lists are in the order in which pages were first
    queued.
    """

    def __init__(self, store: Store, collection_id: int) -> None:
        self._store = store
        self._collection = collection_id
        self._bodies = BodyRows(store, collection_id)
        self._in_collection = PAGES.c.collection_id == collection_id
        self._pages = (
            select_rows(PAGES, PageRow).where(self._in_collection).order_by(PAGES.c.id)
        )

    def enqueue(self, requests: Iterable[PageRequest], run: int) -> int:
        """Queue pages, new ones or known ones again; return how many were not queued in
        this run before.

        A page that is not done yet stays in its stage, so that nothing is fetched twice
        in a run.
        """
        by_url: dict[str, PageRequest] = {}
        for request in requests:
            by_url.setdefault(request.url, request)

        new = []
        again = {}
        query = select(PAGES.c.id, PAGES.c.url, PAGES.c.stage, PAGES.c.queued_in)
        with self._store.writing() as connection:
            known = rows_by_value(
                connection, query.where(self._in_collection), PAGES.c.url, by_url
            )
            for request in by_url.values():
                queued = {
                    "reason": request.reason,
                    "stage": PageStage.QUEUED,
                    "queued_in": run,
                }
                row = known.get(request.url)
                if row is None:
                    new.append({**self._new_page(request), **queued})
                elif row.stage == PageStage.DONE and row.queued_in != run:
                    again[row.id] = queued
            insert_all(connection, PAGES, new)
            update_all(connection, PAGES, again)
        return len(new) + len(again)

    def _new_page(self, request: PageRequest) -> dict[str, Any]:
        return {
            "collection_id": self._collection,
            "url": request.url,
            "kind": request.kind,
            "visits": 0,
            "changes": 0,
            "failures": 0,
            "rendered": False,
            "outcome": FetchOutcome.NONE,
            "note": "",
        }

    def in_stage(self, stage: str, limit: int | None = None) -> list[PageRow]:
        """Return pages in a stage."""
        query = self._pages.where(PAGES.c.stage == stage)
        if limit is not None:
            query = query.limit(limit)
        return self._read(query)

    def batches_in_stage(self, stage: str) -> Iterator[list[PageRow]]:
        """Yield all pages in a stage, some at a time."""
        return self._batches(PAGES.c.stage == stage)

    def enqueued_in(self, run: int) -> Iterator[PageRow]:
        """Return all pages that a run queued."""
        batches_of_run = self._batches(PAGES.c.queued_in == run)
        return chain.from_iterable(batches_of_run)

    def iterate(self) -> Iterator[PageRow]:
        """Return all pages, as `all` does, without having them in memory at once."""
        return chain.from_iterable(self._batches(true()))

    def _batches(self, condition: ColumnElement[bool]) -> Iterator[list[PageRow]]:
        query = self._pages.where(condition).limit(_BATCH_SIZE)
        last_id = 0
        while True:
            is_next = PAGES.c.id > last_id
            batch = self._read(query.where(is_next))
            if not batch:
                return
            yield batch
            last_id = batch[-1].id

    def count(self, stage: str) -> int:
        """Return how many pages are in a stage."""
        in_stage = self._in_collection & (PAGES.c.stage == stage)
        with self._store.reading() as connection:
            return count_rows(connection, PAGES, in_stage)

    def all(self) -> list[PageRow]:
        """Return all pages."""
        return self._read(self._pages)

    def get(self, url: str) -> PageRow | None:
        """Return a page by its address."""
        has_url = PAGES.c.url == url
        pages = self._read(self._pages.where(has_url))
        return pages[0] if pages else None

    def in_clusters(self, clusters: Iterable[int]) -> Iterator[tuple[int, str, int]]:
        """Yield id, address and cluster of all pages of some clusters."""
        in_clusters = self._in_collection & PAGES.c.cluster.in_(list(clusters))
        query = (
            select(PAGES.c.id, PAGES.c.url, PAGES.c.cluster)
            .where(in_clusters)
            .order_by(PAGES.c.id)
            .execution_options(yield_per=STREAMED_ROWS)
        )
        with self._store.reading() as connection:
            for row in connection.execute(query):
                yield row.id, row.url, row.cluster

    def body(self, body_hash: str) -> bytes:
        """Return the bytes of a page as they came."""
        return next(self.bodies([body_hash]))

    def bodies(self, hashes: Iterable[str]) -> Iterator[bytes]:
        """Yield the bytes of pages as they came, in the order of their hashes."""
        return self._bodies.load(hashes)

    def store_results(self, results: Iterable[FetchResult]) -> None:
        """Store how requests ended. A changed body is to be classified, a page that is
        back is to be extracted; all else is done. Only the first result of a page that
        is queued counts.
        """
        first: dict[int, FetchResult] = {}
        for result in results:
            first.setdefault(result.page, result)

        columns = [PAGES.c[name] for name in ("id", *_STATE_COLUMNS)]
        query = (
            select(*columns)
            .where(self._in_collection)
            .where(PAGES.c.stage == PageStage.QUEUED)
        )
        with self._store.writing() as connection:
            queued = rows_by_value(connection, query, PAGES.c.id, first)
            answered = [first[page] for page in queued]
            hashes = self._bodies.add(connection, _new_bodies(answered))

            changed = {}
            for page, row in queued.items():
                body_hash = hashes.get(page)
                changed[page] = _page_after(row, first[page], body_hash)
            update_all(connection, PAGES, changed)

            for page, row in queued.items():
                if row.body_hash is None:
                    continue
                if changed[page]["body_hash"] != row.body_hash:
                    self._bodies.delete_unused(connection, row.body_hash)

    def classify(
        self, classes: Mapping[int, tuple[int, str]], name: str, state: Any
    ) -> None:
        """Store the cluster and the kind of pages, with the state of the clustering
        (under a name by which `CollectionRows.load_state` returns it). Only fetched
        pages move to the next stage.
        """
        is_fetched = self._in_collection & (PAGES.c.stage == PageStage.FETCHED)
        query = select(PAGES.c.id).where(is_fetched)
        with self._store.writing() as connection:
            changed = {}
            for page in rows_by_value(connection, query, PAGES.c.id, classes):
                cluster, kind = classes[page]
                changed[page] = {
                    "cluster": cluster,
                    "kind": kind,
                    "stage": PageStage.CLASSIFIED,
                }
            update_all(connection, PAGES, changed)
            store_state(connection, self._collection, name, state)

    def reassign(self, clusters: Mapping[int, int]) -> None:
        """Store the clusters of pages that proved to belong to others than their own.
        Those that were extracted are to be extracted again.
        """
        with self._store.writing() as connection:
            for batch in batches(clusters):
                was_extracted = (
                    self._in_collection
                    & PAGES.c.id.in_(batch)
                    & PAGES.c.stage.in_((PageStage.EXTRACTED, PageStage.DONE))
                )
                connection.execute(
                    update(PAGES)
                    .where(was_extracted)
                    .values(stage=PageStage.CLASSIFIED)
                )
            changed = {page: {"cluster": new} for page, new in clusters.items()}
            update_all(connection, PAGES, changed)

    def set_stage(self, pages: Iterable[int], stage: str) -> None:
        """Move pages to a stage, where there is nothing to store with it."""
        with self._store.writing() as connection:
            update_all(connection, PAGES, {page: {"stage": stage} for page in pages})

    def set_kind(self, pages: Iterable[int], kind: str) -> None:
        """Store that pages are of another kind than they seemed."""
        with self._store.writing() as connection:
            update_all(connection, PAGES, {page: {"kind": kind} for page in pages})

    def mark_gone(self, urls: Iterable[str]) -> None:
        """Store that pages are gone, whose records have moved to other addresses."""
        for batch in batches(urls):
            is_there = self._in_collection & PAGES.c.gone_at.is_(None)
            is_there &= PAGES.c.url.in_(batch)
            statement = update(PAGES).where(is_there)
            with self._store.writing() as connection:
                connection.execute(statement.values(gone_at=now()))

    def count_outcomes(self, run: int) -> dict[str, int]:
        """Return how the requests for a run's pages ended: how many of each outcome."""
        is_queued_in_run = self._in_collection & (PAGES.c.queued_in == run)
        with self._store.reading() as connection:
            return count_by(connection, PAGES.c.outcome, is_queued_in_run)

    def count_stages(self, run: int) -> dict[str, int]:
        """Return how many of a run's pages are in each stage."""
        is_queued_in_run = self._in_collection & (PAGES.c.queued_in == run)
        with self._store.reading() as connection:
            return count_by(connection, PAGES.c.stage, is_queued_in_run)

    def count_kinds(self) -> dict[int, Counter[str]]:
        """Return how many pages of each kind a cluster has, by cluster."""
        columns = (PAGES.c.cluster, PAGES.c.kind)
        query = (
            select(*columns, func.count())
            .where(self._in_collection & PAGES.c.cluster.is_not(None))
            .group_by(*columns)
        )
        kinds: dict[int, Counter[str]] = {}
        with self._store.reading() as connection:
            for cluster, kind, count in connection.execute(query):
                kinds.setdefault(cluster, Counter())[kind] += count
        return kinds

    def _read(self, query: Select[Any]) -> list[PageRow]:
        with self._store.reading() as connection:
            return read_all(connection, query, PageRow)


def _new_bodies(results: Iterable[FetchResult]) -> dict[int, bytes]:
    bodies = {}
    for result in results:
        is_ok = result.outcome == FetchOutcome.OK
        if is_ok and result.body is not None:
            bodies[result.page] = result.body
    return bodies


def _page_after(
    row: Row[Any], result: FetchResult, body_hash: str | None
) -> dict[str, Any]:
    """Return the columns of a page after a request. Where that failed, they keep what
    is known of the last good state.
    """
    at = now()
    values = {name: getattr(row, name) for name in _STATE_COLUMNS}
    values.update(
        outcome=result.outcome,
        note=result.note,
        status=result.status,
        final_url=result.final_url,
        fetched_at=at,
        stage=PageStage.DONE,
        visits=row.visits + 1,
    )

    if body_hash is not None:
        values.update({name: getattr(result, name) for name in _BODY_COLUMNS})
        values["body_hash"] = body_hash
        if body_hash != row.body_hash:
            values.update(stage=PageStage.FETCHED, changed_at=at)
            if row.body_hash is not None:
                values["changes"] = row.changes + 1

    if result.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED):
        values.update(failures=0, gone_at=None)
        is_back = row.gone_at is not None and row.body_hash is not None
        if is_back and values["stage"] == PageStage.DONE:
            is_classified = row.cluster is not None
            stage = PageStage.CLASSIFIED if is_classified else PageStage.FETCHED
            values["stage"] = stage
    else:
        values["failures"] = row.failures + 1
        if result.outcome == FetchOutcome.GONE:
            values["gone_at"] = row.gone_at or at
    return values
