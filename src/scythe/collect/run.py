"""A run of a collection, in small steps over the database:

    monitor -> link_decisions -> crawler -> pipeline (classifier, extractor)
    -> drafts -> moves -> redesigns, followed -> importer -> notices

Every step takes what waits for it, in an order that the database fixes, and stores what
it made in transactions that leave all else as it was. A run that was killed is open;
the next one resumes it, and ends as it would have.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from scythe.collect.context import ProgressCallback, RunContext
from scythe.collect.fields.drafts import mark_drafts_applied, update_drafts
from scythe.collect.fields.followed import follow_suggestions
from scythe.collect.fields.redesigns import carry_annotations
from scythe.collect.fields.same_values import notice_same_values
from scythe.collect.garbage import rare_garbage_collection
from scythe.collect.steps.crawler import crawl_pages
from scythe.collect.steps.importer import correct_records, import_records
from scythe.collect.steps.link_decisions import (
    decide_links,
    enqueue_links,
    reconsider_links,
)
from scythe.collect.steps.monitor import is_record_due, visit_index_pages
from scythe.collect.steps.moving.moves import follow_moves, mark_gone_records
from scythe.collect.steps.other_pages import update_facts
from scythe.collect.steps.pipeline import (
    process_classified,
    process_fetched,
    queue_unread_records,
)
from scythe.collect.steps.record_links import visit_record_links
from scythe.collect.steps.run_end import reached_limits, run_end
from scythe.errors import ScytheError
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.collections.runs import RunRow
from scythe.store.columns import now
from scythe.store.leases import has_ended, this_process
from scythe.store.states import (
    FetchOutcome,
    LinkDecision,
    PageStage,
    RuleAction,
    RunState,
)
from scythe.urls import url_key

LEASE_SECONDS = 3600.0
"""How long a collection is held without a sign of life: a bound, not tuned. A run that
is killed is resumed at once on the same machine.
"""
MAX_ROUNDS = 100
"""Times in a row that a run goes from new links to index pages and back without a new
page: a bound on work, not tuned. Traps are endless, runs are not.
"""
MAX_FAILURES = 50
"""Failures that a summary names: a bound on what is shown, not tuned."""


class Busy(ScytheError):
    """Another process works on a collection."""


@dataclass(frozen=True)
class RunSummary:
    """What came of a run."""

    number: int
    records: Mapping[str, int]
    """How many records of each change: new, changed, moved, gone, back, review."""
    pages: Mapping[str, int]
    """How many pages of each outcome."""
    links: Mapping[str, int]
    """How many links were decided about, by decision."""
    index_pages: Mapping[str, int]
    """How many index pages of each outcome."""
    notices: int = 0
    trouble: tuple[str, ...] = ()
    """Which pages failed and why, one line each."""
    limits: tuple[str, ...] = ()
    """Which bounds on work ended some of it, one line each."""
    state: RunState = RunState.DONE
    reason: str = ""
    """Why it is not done, in words."""

    def as_json(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        return {
            "number": self.number,
            "records": dict(self.records),
            "pages": dict(self.pages),
            "links": dict(self.links),
            "index_pages": dict(self.index_pages),
            "notices": self.notices,
            "trouble": list(self.trouble),
            "limits": list(self.limits),
            "reason": self.reason,
        }


@dataclass
class Run:
    """One run, from its beginning or from where it was killed."""

    context: RunContext
    _holder: str = field(default_factory=this_process)
    _limits: list[str] = field(default_factory=list)

    def execute(self) -> RunSummary:
        """Bring the collection up to date, and return what came of it."""
        context = self.context
        number = context.row.id
        if not context.collections.acquire_lease(
            number,
            self._holder,
            LEASE_SECONDS,
            has_ended,
            host=urlsplit(context.row.url).hostname or "",
        ):
            raise Busy(
                f"Another process works on {context.row.name} now, or on another "
                "collection of the same host. Wait for it to end."
            )
        context.progress = self._renewing_lease(context.progress)
        try:
            run = context.runs.begin("index pages")
            context.run = run.id
            context.started_at = run.started_at
            context.robots_txt.clear()
            context.pages_requested = 0
            self._start_progress(run)
            with rare_garbage_collection():
                self._collect()
            summary = self._summarize(run)
            context.runs.end(run.id, summary.as_json(), summary.state)
            return summary
        finally:
            context.fetcher.close()
            context.collections.release_lease(number, self._holder)

    def _start_progress(self, run: RunRow) -> None:
        """Count on from where the run was killed."""
        context = self.context
        context.tracker.store = partial(context.runs.set_progress, run.id)
        stages = context.pages.count_stages(run.id)
        known = sum(stages.values())
        fetched = known - stages.get(PageStage.QUEUED, 0)
        read = fetched - stages.get(PageStage.FETCHED, 0)
        records = sum(context.records.changes_in(run.id).values())
        context.tracker.start(known, fetched, read, records)

    def _renewing_lease(self, progress: ProgressCallback) -> ProgressCallback:
        """Return a callback for progress that is also the sign of life by which the
        collection stays held.
        """
        last_renewed = time.monotonic()

        def renew(step: str, done: int, total: int) -> None:
            nonlocal last_renewed
            seconds = time.monotonic() - last_renewed
            if seconds > LEASE_SECONDS / 4:
                if not self.context.collections.acquire_lease(
                    self.context.row.id,
                    self._holder,
                    LEASE_SECONDS,
                ):
                    raise Busy(
                        f"Another process has taken over {self.context.row.name}: "
                        "this one gave no sign of life for too long."
                    )
                last_renewed = time.monotonic()
            progress(step, done, total)

        return renew

    def _collect(self) -> None:
        context = self.context
        visit_index_pages(context)
        self._enqueue_known_pages()
        rounds_left = MAX_ROUNDS
        while rounds_left > 0:
            decided = decide_links(context)
            enqueued = enqueue_links(context)
            if decided:
                self._enqueue_known_pages()
            context.runs.set_stage(context.run, "pages")
            crawled = crawl_pages(context)
            processed = process_fetched(context)
            rounds_left = MAX_ROUNDS if crawled else rounds_left - 1
            if decided or enqueued or crawled or processed:
                continue
            if visit_index_pages(context):
                self._enqueue_known_pages()
                continue
            if not visit_record_links(context) and not reconsider_links(context):
                break

        if rounds_left <= 0:
            self._limits.append(
                f"{MAX_ROUNDS} times in a row links led to links and to no new page: "
                "the next run goes on from there"
            )
        context.runs.set_stage(context.run, "records")
        queue_unread_records(context)
        process_classified(context)
        has_new_drafts = update_drafts(context)
        follow_moves(context)
        process_fetched(context)
        process_classified(context)
        carry_annotations(context)
        has_new_names = bool(follow_suggestions(context))
        imported = import_records(context)
        if has_new_drafts or has_new_names:
            correct_records(context, without=imported)
        if has_new_drafts:
            mark_drafts_applied(context)
        mark_gone_records(context)
        notice_same_values(context)
        update_facts(context)

    def _enqueue_known_pages(self) -> None:
        """Enqueue known pages that index pages still list and that are due, or that one
        says were changed; a run fetches each once.
        """
        context, at = self.context, now()
        given = context.rules.given(RuleAction.RECORD)
        record_urls = context.links.urls(LinkDecision.RECORD)
        current_urls = context.links.current_urls()
        listed = set(map(url_key, record_urls))
        listed.intersection_update(map(url_key, current_urls))
        listed.update(map(url_key, given))
        seen: set[str] = set()
        changed: set[str] = set()
        for link in context.links.seen_in(context.run):
            seen.add(url_key(link.url))
            if link.modified and link.decision == LinkDecision.RECORD:
                changed.add(url_key(link.url))

        for batch in context.pages.batches_in_stage(PageStage.DONE):
            requests = []
            for page in batch:
                if page.queued_in == context.run:
                    continue
                key = url_key(page.url)
                may_be_there = page.gone_at is None or key in seen
                is_listed = key in listed and may_be_there
                if is_listed and self._is_due(page, at):
                    requests.append(PageRequest(page.url, page.reason))
                elif key in changed:
                    reason = "its index page says that it was changed"
                    requests.append(PageRequest(page.url, reason))
            enqueued = context.pages.enqueue(requests, context.run)
            context.tracker.add("pages", known=enqueued)

    def _is_due(self, page: PageRow, at: datetime) -> bool:
        is_read = page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED)
        if self.context.refetch_all or not is_read:
            return True
        return is_record_due(
            page.fetched_at,
            page.changed_at,
            page.visits,
            page.changes,
            at,
        )

    def _summarize(self, run: RunRow) -> RunSummary:
        context = self.context
        decisions = context.links.counts(decided_in=run.id)
        links = {decision: count for decision, count in decisions.items() if decision}

        visits: Counter[str] = Counter()
        for page in context.index_pages.all():
            if page.visited_in == run.id:
                visits[str(page.outcome)] += 1

        notices = 0
        for notice in context.runs.notices():
            if notice.run_id == run.id:
                notices += 1
        failures = self._failures(run)
        limits = [*self._limits, *reached_limits(context)]
        if len(failures) >= MAX_FAILURES:
            limits.append(f"only the first {MAX_FAILURES} failed pages are named")
        return RunSummary(
            run.number,
            context.records.changes_in(run.id),
            context.pages.count_outcomes(run.id),
            links,
            visits,
            notices,
            tuple(failures),
            tuple(limits),
            *run_end(context),
        )

    def _failures(self, run: RunRow) -> list[str]:
        """Return what failed in a run and why, one line each."""
        context = self.context
        failures = []
        good_visits = (
            FetchOutcome.CHANGED,
            FetchOutcome.UNCHANGED,
            FetchOutcome.GONE,
        )
        for index_page in context.index_pages.all():
            if (
                index_page.visited_in == run.id
                and index_page.outcome not in good_visits
            ):
                reason = index_page.note or index_page.outcome
                failures.append(f"{index_page.url}: {reason}")

        good_fetches = (
            FetchOutcome.NONE,
            FetchOutcome.OK,
            FetchOutcome.UNCHANGED,
            FetchOutcome.GONE,
        )
        failed = (
            page
            for page in context.pages.enqueued_in(run.id)
            if page.outcome not in good_fetches
        )
        failures += [
            f"{page.url}: {page.outcome}, {page.note}"
            for page in islice(failed, MAX_FAILURES)
        ]
        return failures[:MAX_FAILURES]
