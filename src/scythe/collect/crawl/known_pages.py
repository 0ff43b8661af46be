"""Queued pages fetched and stored in small batches, so that a run that is killed loses
none that it has stored.
"""

from __future__ import annotations

import time

from scythe.collect.context import Work
from scythe.collect.crawl.fetching import fetch
from scythe.collect.crawl.job import Job
from scythe.store.collections.pages import FetchResult
from scythe.store.collections.states import PageStage

BATCH, SECONDS = 25, 2.0
"""Answers that are stored together, and the longest that one waits for others."""


def crawl(work: Work) -> int:
    """Fetch what is wanted, in the order in which it was wanted; gives how many pages
    were answered.
    """
    wanted = work.pages.in_stage(PageStage.QUEUED, max(work.max_pages - work.asked, 0))
    work.asked += len(wanted)
    jobs = [Job(page.id, page.url, page.etag, page.last_modified) for page in wanted]
    done = 0
    batch: list[FetchResult] = []
    last = time.monotonic()
    with work.shells() as shells:
        for answer in fetch(jobs, work.options, work.robots):
            batch.append(shells.filled(answer))
            if len(batch) >= BATCH or time.monotonic() - last > SECONDS:
                work.pages.store_results(batch)
                done, batch, last = done + len(batch), [], time.monotonic()
                work.report("pages", done, len(jobs))
    if batch:
        work.pages.store_results(batch)
        work.report("pages", done + len(batch), len(jobs))
    return done + len(batch)
