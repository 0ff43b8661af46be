"""Records that moved and records that are gone: recognised before new pages become
records of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.collect.context import Work
from scythe.collect.crawl.known_pages import crawl
from scythe.collect.records.imports import read_records, record_url
from scythe.collect.records.moves import Thing, pairs
from scythe.store.collections.pages import PageRequest, PageRow
from scythe.store.collections.records import RecordRow
from scythe.store.collections.states import (
    FetchOutcome,
    LinkDecision,
    PageStage,
    RecordState,
)
from scythe.urls import url_key

CHECKED = 3
"""Old addresses of records that seem to have moved which are asked for: a site that
renames pages renames them all.
"""


def follow_moves(work: Work) -> int:
    """Give records that moved their new addresses; gives how many did."""
    moved = _redirected(work)
    vanished = _vanished(work)
    if not vanished:
        return moved
    fresh = _fresh(work)
    found = pairs([_thing(row) for row in vanished], fresh)
    paired = {old.key for old, _ in found}
    lone = [row for row in vanished if row.key not in paired]
    sample = [
        found[place * (len(found) - 1) // max(CHECKED - 1, 1)][0]
        for place in range(min(CHECKED, len(found)))
    ]
    _ask(work, [thing.url for thing in sample] + [row.url for row in lone])
    if any(_answers(work, thing.url) for thing in sample):
        _ask(work, [old.url for old, _ in found])
        found = [(old, new) for old, new in found if not _answers(work, old.url)]
    for old, new in found:
        moved += work.records.move(old.key, new.key, new.url, work.run)
    return moved


def mark_gone(work: Work) -> int:
    """Mark records whose pages the server says are gone, or leads to an index page
    instead; gives how many.
    """
    index = work.index_keys
    gone = [
        url_key(page.url)
        for page in work.pages.enqueued_in(work.run)
        if page.outcome == FetchOutcome.GONE
        or (page.outcome == FetchOutcome.OK and url_key(record_url(page)) in index)
    ]
    return work.records.mark_gone(gone, work.run)


def _redirected(work: Work) -> int:
    """Records whose pages lead to another address now."""
    index = work.index_keys
    moved = 0
    for batch in work.pages.batches_in_stage(PageStage.EXTRACTED):
        for page in batch:
            old, url = url_key(page.url), record_url(page)
            if url_key(url) != old and url_key(url) not in index:
                moved += work.records.move(old, url_key(url), url, work.run)
    return moved


def _vanished(work: Work) -> list[RecordRow]:
    """Records that no index page lists any more, where index pages were read in this
    run.
    """
    if not any(
        page.visited_in == work.run and page.outcome in ("changed", "unchanged")
        for page in work.index_pages.all()
    ):
        return []
    standing = {url_key(url) for url in work.links.current_urls()}
    return list(
        work.records.with_keys(
            name
            for name in work.records.keys(RecordState.OK, RecordState.REVIEW)
            if name not in standing
        )
    )


def _fresh(work: Work) -> list[Thing]:
    """Pages that were read now and are no records yet."""
    texts = {
        link.url: link.text for link in work.links.with_decision(LinkDecision.RECORD)
    }
    found = []
    for batch in work.pages.batches_in_stage(PageStage.EXTRACTED):
        known = {
            row.key
            for row in work.records.with_keys(
                url_key(record_url(page)) for page in batch
            )
        }
        for page, _, made in read_records(
            work, [page for page in batch if url_key(record_url(page)) not in known]
        ):
            url = record_url(page)
            found.append(
                Thing.of(url_key(url), url, made.fields, texts.get(page.url, ""))
            )
    return found


def _thing(row: RecordRow) -> Thing:
    return Thing.of(row.key, row.url, row.fields or row.pending or {})


def _ask(work: Work, urls: Sequence[str]) -> None:
    """Ask for pages that are known, to see whether they are still there."""
    work.pages.enqueue(
        [PageRequest(url, "no index page lists it any more") for url in urls], work.run
    )
    crawl(work)


def _answers(work: Work, url: str) -> bool:
    """Whether a page is still there under its own address."""
    page: PageRow | None = work.pages.get(url)
    return (
        page is not None
        and page.outcome in (FetchOutcome.OK, FetchOutcome.UNCHANGED)
        and url_key(record_url(page)) == url_key(page.url)
    )
