"""Pages fetched in another process, one result after the other. A reactor of Twisted
cannot be started twice; a process can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from scythe.collect.crawl.options import CrawlOptions, CrawlRequest
from scythe.errors import ScytheError, UsageError
from scythe.processes import WorkerProcess, worker_context
from scythe.store.collections.pages import FetchResult

PRELOAD = "scythe.collect.crawl.preload"


class CrawlerDied(ScytheError):
    """The process that fetches pages ended before its time."""


def fetch_pages(
    requests: Sequence[CrawlRequest],
    options: CrawlOptions,
    robots_txt: dict[str, bytes] | None = None,
) -> Iterator[FetchResult]:
    """Yield the result of each request, in the order of arrival. What is not yet
    answered when the caller stops is dropped.

    `robots_txt` has the text of every robots.txt that is known, by host, and is given
    those that are read.
    """
    robots_txt = {} if robots_txt is None else robots_txt
    if not requests:
        return
    require_scrapy()
    arguments = (list(requests), options, dict(robots_txt))
    worker = WorkerProcess(worker_context(PRELOAD), _crawl, *arguments)
    try:
        while True:
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError) as error:
                raise CrawlerDied(
                    "The process that fetches pages was ended from outside. "
                    "Run the collection again: it goes on from there."
                ) from error
            if message is None:
                return
            if isinstance(message, FetchResult):
                yield message
            else:
                robots_txt.update([message])
    finally:
        worker.end()


def _crawl(
    pipe: Any,
    requests: Sequence[CrawlRequest],
    options: CrawlOptions,
    robots_txt: dict[str, bytes],
) -> None:
    """Fetch all requests in the process of its own: Scrapy is loaded there, and not
    where the database is.
    """
    from scythe.collect.crawl.spider import crawl

    crawl(pipe, requests, options, robots_txt)


def require_scrapy() -> None:
    """Raise an error that says what to install where there is no Scrapy."""
    if find_spec("scrapy") is None:
        raise UsageError(
            "Collections are fetched by Scrapy, which is not installed. "
            "Install it: pip install 'scythe[crawl]'."
        )
