"""Records that moved and records that are gone, found before new pages become records
of their own.

A record has moved where the same content is under a new address, while the old one is
no longer listed (`records/fingerprints` says which are the same). Whether the old
address is really gone is asked of the server.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.collect.context import RunContext
from scythe.collect.records.fingerprints import RecordFingerprint, match_moved
from scythe.collect.steps.crawler import crawl_pages
from scythe.collect.steps.importer import import_known_records, record_url
from scythe.collect.steps.moving.splits import follow_splits, new_fingerprints
from scythe.collect.steps.moving.vanished import vanished_records
from scythe.store.collections.pages import PageRequest
from scythe.store.states import FetchOutcome, PageStage
from scythe.urls import url_key

CHECKED_MOVES = 3
"""Old addresses of records that seem to have moved which are asked for: a site that
renames pages renames them all.
"""


def follow_moves(context: RunContext) -> int:
    """Give records that moved their new addresses; return how many did."""
    moved = _follow_redirects(context) + follow_splits(context)
    vanished = vanished_records(context)
    if not vanished:
        return moved
    fingerprints = []
    for row in vanished:
        fields = row.fields or row.pending or {}
        fingerprint = RecordFingerprint.from_fields(row.key, row.url, fields)
        fingerprints.append(fingerprint)
    pairs = match_moved(fingerprints, new_fingerprints(context))

    paired = {old.key: old.url for old, _ in pairs}
    unpaired = [row.url for row in vanished if row.key not in paired]
    sample = _sample_urls(pairs)
    import_known_records(context)
    _fetch_again(context, sample + unpaired)
    must_check_all = any(_is_still_there(context, url) for url in sample)
    if must_check_all:
        all_urls = [old.url for old, _ in pairs]
        _fetch_again(context, all_urls)
        gone = []
        for old, new in pairs:
            if not _is_still_there(context, old.url):
                pair = (old, new)
                gone.append(pair)
        pairs = gone
    run = context.run
    with context.store.writing():
        for old, new in pairs:
            moved += context.records.move(old.key, new.key, new.url, run)
        context.pages.mark_gone(old.url for old, _ in pairs)
    return moved


def _sample_urls(
    pairs: Sequence[tuple[RecordFingerprint, RecordFingerprint]],
) -> list[str]:
    """Return some old addresses of pairs, from the first to the last."""
    last = len(pairs) - 1
    gaps = max(CHECKED_MOVES - 1, 1)
    sample = []
    sample_size = min(CHECKED_MOVES, len(pairs))
    for number in range(sample_size):
        index = number * last // gaps
        old, _ = pairs[index]
        sample.append(old.url)
    return sample


def mark_gone_records(context: RunContext) -> int:
    """Mark records whose pages the server says are gone, or leads to an index page
    instead; return how many.
    """
    index_keys = context.index_keys
    gone = []
    for page in context.pages.enqueued_in(context.run):
        is_gone = page.outcome == FetchOutcome.GONE
        if page.outcome == FetchOutcome.OK:
            final_key = url_key(record_url(page))
            is_gone = final_key in index_keys
        if is_gone:
            gone.append(url_key(page.url))
    return context.records.mark_gone(gone, context.run)


def _follow_redirects(context: RunContext) -> int:
    """Move records whose pages lead to another address now; return how many did."""
    index_keys = context.index_keys
    moved = 0
    for batch in context.pages.batches_in_stage(PageStage.EXTRACTED):
        for page in batch:
            old_key = url_key(page.url)
            url = record_url(page)
            new_key = url_key(url)
            if new_key != old_key and new_key not in index_keys:
                moved += context.records.move(old_key, new_key, url, context.run)
    return moved


def _fetch_again(context: RunContext, urls: Sequence[str]) -> None:
    """Fetch known pages, to see whether they are still there."""
    reason = "no index page lists it any more"
    requests = [PageRequest(url, reason) for url in urls]
    context.pages.enqueue(requests, context.run)
    crawl_pages(context)


def _is_still_there(context: RunContext, url: str) -> bool:
    """Return whether a page is still there under its own address."""
    page = context.pages.get(url)
    if page is None:
        return False
    if page.outcome not in (FetchOutcome.OK, FetchOutcome.UNCHANGED):
        return False
    final_key = url_key(record_url(page))
    return final_key == url_key(page.url)
