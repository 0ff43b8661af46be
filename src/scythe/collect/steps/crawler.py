"""The crawler: enqueued pages are fetched and stored in small batches, so that a run
that is killed loses none that it has stored.
"""

from __future__ import annotations

import time

from scythe.collect.context import RunContext
from scythe.collect.crawl.options import CrawlRequest
from scythe.store.collections.pages import FetchResult
from scythe.store.states import FetchOutcome, PageStage

BATCH_SIZE = 25
"""Results that are stored together. A bound on what a kill loses, not tuned."""
BATCH_SECONDS = 2.0
"""The longest that a result waits for others. A bound on what a kill loses, not tuned.
"""


def crawl_pages(context: RunContext) -> int:
    """Fetch enqueued pages, in the order in which they were enqueued; return how many
    were answered.
    """
    limit = max(context.max_pages - context.pages_requested, 0)
    pages = context.pages.in_stage(PageStage.QUEUED, limit)
    context.pages_requested += len(pages)
    requests = [
        CrawlRequest(page.id, page.url, page.etag, page.last_modified) for page in pages
    ]

    done = 0
    batch: list[FetchResult] = []
    last_stored = time.monotonic()
    with context.shell_renderer() as renderer:
        for result in context.fetcher.fetch(requests):
            batch.append(renderer.rendered(result))
            is_late = time.monotonic() - last_stored > BATCH_SECONDS
            if len(batch) >= BATCH_SIZE or is_late:
                done += _store_batch(context, batch)
                batch = []
                last_stored = time.monotonic()
                context.progress("pages", done, len(requests))
    if batch:
        done += _store_batch(context, batch)
        context.progress("pages", done, len(requests))
    return done


def _store_batch(context: RunContext, batch: list[FetchResult]) -> int:
    """Store results, and return how many."""
    context.pages.store_results(batch)
    is_read = (FetchOutcome.OK, FetchOutcome.UNCHANGED)
    failed = sum(result.outcome not in is_read for result in batch)
    context.tracker.add("pages", fetched=len(batch), read=failed)
    return len(batch)
