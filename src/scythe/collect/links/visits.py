"""Visits to index pages that are due: one conditional request each, what is new on it,
and where the list goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scythe.collect.context import MAX_INDEX_PAGES, NEXT, Work
from scythe.collect.crawl.fetching import fetch
from scythe.collect.crawl.job import Job
from scythe.collect.links.index_pages import Listing, read_index
from scythe.collect.links.monitor import Answered, visit
from scythe.errors import ScytheError
from scythe.store.collections.index_pages import IndexPageRow, NewIndexPage
from scythe.store.collections.pages import FetchResult
from scythe.store.collections.states import FetchOutcome, IndexPageKind
from scythe.store.columns import now
from scythe.tree.parse import parse
from scythe.urls import fetchable_url, url_key
from scythe.wrappers.find import records_on

MAX_FIELDS = 20
"""Fields kept of what an index page says of a record."""


def visit_due(work: Work) -> int:
    """Visit all index pages whose time has come, and those that these name; gives how
    many.
    """
    visited = 0
    while due := _due(work):
        jobs = [Job(page.id, page.url, page.etag, page.last_modified) for page in due]
        by_id = {page.id: page for page in due}
        work.report("index pages", 0, len(jobs))
        answered = 0
        with work.shells() as shells:
            for answer in fetch(jobs, work.options, work.robots):
                _store(work, by_id[answer.page], shells.filled(answer))
                answered += 1
                work.report("index pages", answered, len(jobs))
        visited += answered
        if answered < len(jobs):
            break
    return visited


def _due(work: Work) -> list[IndexPageRow]:
    if work.due_only:
        return work.index_pages.due(work.run)
    return [
        page
        for page in work.index_pages.all()
        if page.gone_at is None and page.visited_in != work.run
    ]


def _store(work: Work, page: IndexPageRow, answer: FetchResult) -> None:
    listing: Listing | None = None
    records: Mapping[str, Mapping[str, Any]] = {}
    if answer.outcome == FetchOutcome.OK and answer.body is not None:
        listing, records = _read(work, page, answer)
        _add_others(work, page, listing)
    note = answer.note
    told = Answered(answer.outcome, listing, answer.etag, answer.last_modified, note)
    work.index_pages.store_visit(page.id, work.run, visit(page, told, now(), records))


def _read(
    work: Work, page: IndexPageRow, answer: FetchResult
) -> tuple[Listing, Mapping[str, Mapping[str, Any]]]:
    url = answer.final_url or page.url
    listing = read_index(answer.body or b"", url, answer.charset)
    own = tuple(link for link in listing.links if url_key(link.url) != url_key(url))
    listing = Listing(listing.kind, own, listing.others)
    if listing.kind != IndexPageKind.HTML or listing.hash == page.content_hash:
        return listing, {}
    tree = parse(answer.body or b"", charset=answer.charset)
    try:
        found = records_on(tree, url)
        following = found.next_page
        rows = {row.link: _fields(row.fields) for row in found if row.link}
    except ScytheError:
        return listing, {}
    _remember_next(work, page.id, fetchable_url(following, url) if following else None)
    return listing, {
        address: fields
        for link, fields in rows.items()
        if (address := fetchable_url(link, url))
    }


def _fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name != "link"}
    return dict(list(kept.items())[:MAX_FIELDS])


def _remember_next(work: Work, page: int, following: str | None) -> None:
    known = dict(work.remembered(NEXT) or {})
    if known.get(str(page)) != following:
        known[str(page)] = following
        work.remember(NEXT, known)


def _add_others(work: Work, page: IndexPageRow, listing: Listing) -> None:
    """Keep the feeds and sitemaps that a page of the site declares. Of feeds one is
    enough: formats say the same.
    """
    others = [(url, kind) for url, kind in listing.others if work.is_own(url)]
    feeds = [url for url, kind in others if kind == IndexPageKind.FEED][:1]
    sitemaps = [url for url, kind in others if kind == IndexPageKind.SITEMAP]
    new = [
        NewIndexPage(url, IndexPageKind.FEED, f"declared by {page.url}")
        for url in feeds
    ]
    new += [
        NewIndexPage(url, IndexPageKind.SITEMAP, f"listed in {page.url}")
        for url in sitemaps
    ]
    room = MAX_INDEX_PAGES - len(work.index_pages.all())
    if page.kind == IndexPageKind.SITEMAP or page.visits == 0:
        work.index_pages.add(new[: max(room, 0)])
