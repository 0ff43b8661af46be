"""The monitor: visits index pages that are due, one conditional request each, stores
what is new on them, and decides when to come again.

Intervals follow how often a page was found changed: a change halves the time to the
next visit, a visit in vain makes it half as long again. That keeps close to the rate of
changes of pages that change regularly, without a model of it, and within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from scythe.collect.context import MAX_INDEX_PAGES, RunContext, StateKey
from scythe.collect.crawl.options import CrawlRequest
from scythe.collect.links.index_pages import MAX_LINKS, LinkListing, parse_index_page
from scythe.errors import ScytheError
from scythe.store.collections.index_pages import (
    IndexPageRow,
    IndexPageVisit,
    NewIndexPage,
)
from scythe.store.collections.pages import FetchResult
from scythe.store.columns import now
from scythe.store.states import FetchOutcome, IndexPageKind
from scythe.tree.parse import parse
from scythe.urls import fetchable_url, url_key
from scythe.wrappers.find import records_on

FIRST_PERIOD = 24 * 3600.0
"""Seconds to the second visit: most lists that are worth watching change within a day
or a few.
"""
MIN_PERIOD = 3600.0
"""Bounds of the time between visits in seconds, not tuned: a site is not visited more
than once an hour, and none is forgotten for more than a month.
"""
MAX_PERIOD = 30 * 24 * 3600.0
FASTER = 0.5
"""What a change makes of the time to the next visit. Not tuned."""
SLOWER = 1.5
"""What a visit in vain makes of it. Not tuned."""
AFTER_FAILURE = 2.0
"""What a failure makes of it. Failures say nothing about changes; a site in trouble is
asked less often.
"""
RECORD_PERIODS = 7
"""A page of a record changes less often than a list: it is first fetched again after so
many first periods. Not tuned.
"""
MAX_FIELDS = 20
"""Fields kept of what an index page says of a record: an arbitrary cap against hostile
pages.
"""

CUT_NOTE = f"only its first {MAX_LINKS:,} links were read"
"""What is noted of an index page that has more."""

_IndexRecords = Mapping[str, Mapping[str, Any]]
"""What an index page says of the pages it lists, by their addresses."""


@dataclass(frozen=True)
class IndexPageResponse:
    """What the server answered when an index page was asked for."""

    outcome: FetchOutcome
    """`ok`, `unchanged` (it was not sent again), `gone`, or what went wrong."""
    listing: LinkListing | None = None
    etag: str | None = None
    last_modified: str | None = None
    note: str = ""


def next_period(period: float | None, outcome: FetchOutcome) -> float:
    """Return the seconds until the next visit, after one with an outcome."""
    if period is None:
        return FIRST_PERIOD
    if outcome is FetchOutcome.CHANGED:
        factor = FASTER
    elif outcome is FetchOutcome.UNCHANGED:
        factor = SLOWER
    else:
        factor = AFTER_FAILURE
    return min(max(period * factor, MIN_PERIOD), MAX_PERIOD)


def compare_visit(
    page: IndexPageRow,
    answer: IndexPageResponse,
    at: datetime,
    records: _IndexRecords | None = None,
) -> IndexPageVisit:
    """Return what came of a visit, compared with the last one. A page whose links are
    the same is unchanged, whatever else moved on it.
    """
    listing = answer.listing
    outcome = answer.outcome
    if outcome is FetchOutcome.OK:
        if listing is None:
            outcome = FetchOutcome.UNREADABLE
        elif listing.hash == page.content_hash:
            outcome = FetchOutcome.UNCHANGED
        else:
            outcome = FetchOutcome.CHANGED

    period = next_period(page.period, outcome)
    due = at + timedelta(seconds=period)
    if outcome is not FetchOutcome.CHANGED or listing is None:
        return IndexPageVisit(
            outcome,
            period,
            due,
            answer.etag,
            answer.last_modified,
            None,
            answer.note,
        )
    return IndexPageVisit(
        outcome,
        period,
        due,
        answer.etag,
        answer.last_modified,
        listing.hash,
        answer.note,
        links=listing.links,
        records=records or {},
    )


def is_record_due(
    fetched_at: datetime | None,
    changed_at: datetime | None,
    visits: int,
    changes: int,
    at: datetime,
) -> bool:
    """Return whether the page of a record should be fetched again: after about the time
    that it took to change before.
    """
    if fetched_at is None or changed_at is None:
        return True
    period = FIRST_PERIOD * RECORD_PERIODS
    quiet = max(visits - 1, 0)
    period *= SLOWER**quiet
    period *= (FASTER / SLOWER) ** changes
    period = min(max(period, FIRST_PERIOD), MAX_PERIOD)
    return at - fetched_at >= timedelta(seconds=period)


def visit_index_pages(context: RunContext) -> int:
    """Visit all index pages that are due, and those that these name; return how many."""
    visited = 0
    while due := _due_pages(context):
        requests = [
            CrawlRequest(page.id, page.url, page.etag, page.last_modified)
            for page in due
        ]
        by_id = {page.id: page for page in due}
        context.progress("index pages", 0, len(requests))
        context.tracker.add("index pages", known=len(requests))
        answered = 0
        with context.shell_renderer() as renderer:
            for result in context.fetcher.fetch(requests):
                _store_visit(context, by_id[result.page], renderer.rendered(result))
                answered += 1
                context.progress("index pages", answered, len(requests))
                context.tracker.add("index pages", fetched=1, read=1)
        visited += answered
        if answered < len(requests):
            break
    return visited


def _due_pages(context: RunContext) -> list[IndexPageRow]:
    """Return the index pages that this run has yet to visit. A start page is visited
    though it was gone the last time.
    """
    at = now()
    rules = context.rules
    start_keys = context.start_keys()
    pages = []
    for page in context.index_pages.all():
        if page.kind == IndexPageKind.RECORDS:
            continue
        is_start = url_key(page.url) in start_keys
        if not is_start and rules.forbids(page.url):
            continue
        is_there = page.gone_at is None or is_start
        is_visited = page.visited_in == context.run
        is_due = page.due_at is None or page.due_at <= at
        must_visit = is_due or not context.due_only
        if is_there and must_visit and not is_visited:
            pages.append(page)
    return pages


def _store_visit(context: RunContext, page: IndexPageRow, result: FetchResult) -> None:
    listing: LinkListing | None = None
    records: _IndexRecords = {}
    if result.outcome == FetchOutcome.OK and result.body is not None:
        listing, records = _read_index_page(context, page, result)
        _add_declared(context, page, listing)
    note = result.note
    if listing is not None and listing.is_cut:
        note = CUT_NOTE
    answer = IndexPageResponse(
        result.outcome,
        listing,
        result.etag,
        result.last_modified,
        note,
    )
    visit = compare_visit(page, answer, now(), records)
    context.index_pages.store_visit(page.id, context.run, visit)


def _read_index_page(
    context: RunContext, page: IndexPageRow, result: FetchResult
) -> tuple[LinkListing, _IndexRecords]:
    """Return the links of an index page to other pages, and what it says of them; store
    where its list goes on.
    """
    url = result.final_url or page.url
    body = result.body or b""
    listing = parse_index_page(body, url, result.charset)
    own_key = url_key(url)
    others = [link for link in listing.links if url_key(link.url) != own_key]
    listing = replace(listing, links=tuple(others))
    is_unchanged = listing.hash == page.content_hash
    if is_unchanged or listing.kind != IndexPageKind.HTML:
        return listing, {}

    tree = parse(body, charset=result.charset)
    try:
        found = records_on(tree, url)
        next_page = found.next_page
        rows = {row.link: _listed_fields(row.fields) for row in found if row.link}
    except ScytheError:
        return listing, {}
    next_url = fetchable_url(next_page, url) if next_page else None
    _store_next_page(context, page.id, next_url)

    records: dict[str, dict[str, Any]] = {}
    for link, fields in rows.items():
        address = fetchable_url(link, url)
        if address:
            records[address] = fields
    return listing, records


def _listed_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    others = dict(fields)
    others.pop("link", None)
    return dict(islice(others.items(), MAX_FIELDS))


def _store_next_page(context: RunContext, page: int, next_url: str | None) -> None:
    known = dict(context.load_state(StateKey.NEXT_PAGES) or {})
    if known.get(str(page)) != next_url:
        known[str(page)] = next_url
        context.store_state(StateKey.NEXT_PAGES, known)


def _add_declared(
    context: RunContext, page: IndexPageRow, listing: LinkListing
) -> None:
    """Store the feeds and sitemaps that a page of the site declares. Of feeds one is
    enough: formats say the same.
    """
    if page.kind != IndexPageKind.SITEMAP and page.visits > 0:
        return
    feeds: list[NewIndexPage] = []
    sitemaps: list[NewIndexPage] = []
    for url, kind in listing.index_pages:
        if not context.is_own(url):
            continue
        if kind is IndexPageKind.FEED:
            feeds.append(NewIndexPage(url, kind, f"declared by {page.url}"))
        elif kind is IndexPageKind.SITEMAP:
            sitemaps.append(NewIndexPage(url, kind, f"listed in {page.url}"))

    room = MAX_INDEX_PAGES - len(context.index_pages.all())
    declared = [*feeds[:1], *sitemaps]
    context.index_pages.add(declared[: max(room, 0)])
