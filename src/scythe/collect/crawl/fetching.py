"""Pages fetched in another process, one answer after the other. A reactor of Twisted
cannot be started twice; a process can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from scythe.collect.crawl.job import CrawlOptions, Job
from scythe.collect.crawl.worker import serve
from scythe.errors import ScytheError, UsageError
from scythe.processes import WorkerProcess, worker_context
from scythe.store.collections.pages import FetchResult

PRELOAD = "scythe.collect.crawl.preload"


class CrawlerDied(ScytheError):
    """The process that fetches pages ended before its time."""


def fetch(
    jobs: Sequence[Job], options: CrawlOptions, robots: dict[str, bytes] | None = None
) -> Iterator[FetchResult]:
    """What came of each job, in the order of arrival. What is not yet answered when the
    caller stops is dropped.

    `robots` has the text of every robots.txt that is known, by host, and is given those
    that are read.
    """
    robots = {} if robots is None else robots
    if not jobs:
        return
    require_scrapy()
    worker = WorkerProcess(
        worker_context(PRELOAD), serve, list(jobs), options, dict(robots)
    )
    try:
        while True:
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError) as error:
                raise CrawlerDied(
                    "The process that fetches pages was ended from outside. Run the collection again: it goes on from there."
                ) from error
            if answer is None:
                return
            if isinstance(answer, FetchResult):
                yield answer
            else:
                robots.update([answer])
    finally:
        worker.end()


def require_scrapy() -> None:
    """Say what to install where there is no Scrapy."""
    if find_spec("scrapy") is None:
        raise UsageError(
            "Collections are fetched by Scrapy, which is not installed. Install it: pip install 'scythe[crawl]'."
        )
