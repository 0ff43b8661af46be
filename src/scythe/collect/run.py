"""A run of a collection: monitor, decide, crawl, classify, extract, preprocess, import,
in small steps over the database.

Every step takes what waits for it, in an order that the database fixes, and stores what
it made in transactions that leave all else as it was. A run that was killed is open;
the next one goes on with it, and ends as it would have.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from scythe.collect.context import Report, Work
from scythe.collect.crawl.known_pages import crawl
from scythe.collect.fields.redesigns import carry_names
from scythe.collect.links.decisions import decide, want
from scythe.collect.links.monitor import page_is_due
from scythe.collect.links.visits import visit_due
from scythe.collect.pages.pipeline import process, process_rest
from scythe.collect.records.imports import import_records
from scythe.collect.records.moved_pages import follow_moves, mark_gone
from scythe.errors import ScytheError
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.collections.runs import RunRow
from scythe.store.collections.states import FetchOutcome, LinkDecision, PageStage
from scythe.store.columns import now
from scythe.store.leases import has_ended, this_process
from scythe.urls import url_key

HELD = 3600.0
"""Seconds that a collection is held without a sign of life; a run that is killed is
gone on with at once on the same machine.
"""
ROUNDS = 100
"""Times that a run goes from new links to pages and back; traps are endless, runs are
not.
"""
MOST_TROUBLE = 50
"""Lines of trouble that a summary has."""


class Busy(ScytheError):
    """Another process works on a collection."""


@dataclass(frozen=True)
class Summary:
    """What came of a run."""

    number: int
    records: Mapping[str, int]
    """How many records of each change: new, changed, moved, gone, back, review."""
    pages: Mapping[str, int]
    """How many pages of each fate."""
    links: Mapping[str, int]
    """How many links were decided about, by decision."""
    index_pages: Mapping[str, int]
    """How many index pages of each fate."""
    notices: int = 0
    trouble: tuple[str, ...] = ()
    """What could not be fetched and why, one line each."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}


def _plain(value: Any) -> Any:
    return (
        dict(value)
        if isinstance(value, Mapping)
        else list(value)
        if isinstance(value, tuple)
        else value
    )


@dataclass
class Run:
    """One run, from its beginning or from where it was killed."""

    work: Work
    _holder: str = field(default_factory=this_process)

    def execute(self) -> Summary:
        """Do all that is to do, and tell what came of it."""
        work = self.work
        if not work.collections.acquire_lease(
            work.row.id, self._holder, HELD, has_ended
        ):
            raise Busy(
                f"Another process works on {work.row.name} now. Wait for it to end."
            )
        work.report = self._reporting(work.report)
        try:
            run = work.runs.begin("index pages")
            work.run, work.began, work.robots, work.asked = (
                run.id,
                run.started_at,
                {},
                0,
            )
            self._collect()
            summary = self._summary(run)
            work.runs.end(run.id, summary.as_json())
            return summary
        finally:
            work.collections.release_lease(work.row.id, self._holder)

    def _reporting(self, report: Report) -> Report:
        """Progress is also the sign of life that keeps the collection held."""
        last = time.monotonic()

        def told(what: str, done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last > HELD / 4:
                self.work.collections.acquire_lease(
                    self.work.row.id, self._holder, HELD
                )
                last = time.monotonic()
            report(what, done, total)

        return told

    def _collect(self) -> None:
        work = self.work
        visit_due(work)
        self._want_again()
        for _ in range(ROUNDS):
            decided = decide(work)
            wanted = want(work)
            work.runs.set_stage(work.run, "pages")
            crawled = crawl(work)
            processed = process(work)
            if not (decided or wanted or crawled or processed or visit_due(work)):
                break
        work.runs.set_stage(work.run, "records")
        process_rest(work)
        follow_moves(work)
        process(work)
        process_rest(work)
        carry_names(work)
        import_records(work)
        mark_gone(work)

    def _want_again(self) -> None:
        """Ask again for known pages that index pages still list and whose time has
        come, or that one says were changed.
        """
        work, at = self.work, now()
        listed = {url_key(url) for url in work.links.urls(LinkDecision.RECORD)}
        listed.intersection_update(map(url_key, work.links.current_urls()))
        fresh = [
            (url_key(link.url), link.modified and link.decision == LinkDecision.RECORD)
            for link in work.links.seen_in(work.run)
        ]
        seen, hinted = (
            {address for address, _ in fresh},
            {address for address, is_changed in fresh if is_changed},
        )
        for batch in work.pages.batches_in_stage(PageStage.DONE):
            again = []
            for page in batch:
                address = url_key(page.url)
                if (
                    address in listed
                    and (page.gone_at is None or address in seen)
                    and self._is_due(page, at)
                ):
                    again.append(PageRequest(page.url, page.reason))
                elif address in hinted:
                    again.append(
                        PageRequest(page.url, "its index page says that it was changed")
                    )
            work.pages.enqueue(again, work.run)

    def _is_due(self, page: PageRow, at: datetime) -> bool:
        if self.work.everything or page.outcome not in (
            FetchOutcome.OK,
            FetchOutcome.UNCHANGED,
        ):
            return True
        return page_is_due(
            page.fetched_at, page.changed_at, page.visits, page.changes, at
        )

    def _summary(self, run: RunRow) -> Summary:
        work = self.work
        links = {
            decision: count
            for decision, count in work.links.counts(decided_in=run.id).items()
            if decision
        }
        visited = [page for page in work.index_pages.all() if page.visited_in == run.id]
        trouble = [
            f"{page.url}: {page.note or page.outcome}"
            for page in visited
            if page.outcome not in ("changed", "unchanged", FetchOutcome.GONE)
        ]
        failed = (
            page
            for page in work.pages.enqueued_in(run.id)
            if page.outcome
            not in (FetchOutcome.OK, FetchOutcome.UNCHANGED, FetchOutcome.GONE, "")
        )
        trouble += [
            f"{page.url}: {page.outcome}, {page.note}"
            for page in islice(failed, MOST_TROUBLE)
        ]
        if left := work.pages.count(PageStage.QUEUED):
            trouble.insert(
                0,
                f"{left} pages are left for the next run: one run asks for {work.max_pages} at most",
            )
        notices = sum(notice.run_id == run.id for notice in work.runs.notices())
        fates = work.pages.count_outcomes(run.id)
        visits = Counter(str(page.outcome) for page in visited)
        return Summary(
            run.number,
            work.records.changes_in(run.id),
            fates,
            links,
            visits,
            notices,
            tuple(trouble[:MOST_TROUBLE]),
        )
