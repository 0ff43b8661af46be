"""Pages fetched in another process, one result after the other. A reactor of Twisted
cannot be started twice; a process can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from scythe.closing import Closing
from scythe.collect.crawl.options import CrawlOptions, CrawlRequest
from scythe.errors import ScytheError, UsageError
from scythe.processes import WorkerProcess, worker_context
from scythe.store.collections.pages import FetchResult

PRELOAD = "scythe.collect.crawl.preload"


class CrawlerDied(ScytheError):
    """The process that fetches pages ended before its time."""


class Fetcher(Closing):
    """Fetches pages in a process of its own, which is started for the first of them and
    serves until it is closed.
    """

    def __init__(
        self, options: CrawlOptions, robots_txt: dict[str, bytes] | None = None
    ) -> None:
        self._options = options
        self._robots_txt = {} if robots_txt is None else robots_txt
        self._worker: WorkerProcess | None = None

    def fetch(self, requests: Sequence[CrawlRequest]) -> Iterator[FetchResult]:
        """Yield the result of each request, in the order of arrival. What is not yet
        answered when the caller stops is dropped.
        """
        if not requests:
            return
        is_done = False
        try:
            worker = self._started()
            worker.pipe.send(list(requests))
            while (message := worker.pipe.recv()) is not None:
                if isinstance(message, FetchResult):
                    yield message
                else:
                    self._robots_txt.update([message])
            is_done = True
        except (EOFError, OSError) as error:
            raise CrawlerDied(
                "The process that fetches pages was ended from outside. "
                "Run the collection again: it goes on from there."
            ) from error
        finally:
            if not is_done:
                self.close()

    def _started(self) -> WorkerProcess:
        if self._worker is None:
            require_scrapy()
            arguments = (self._options, dict(self._robots_txt))
            self._worker = WorkerProcess(worker_context(PRELOAD), _crawl, *arguments)
        return self._worker

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def fetch_pages(
    requests: Sequence[CrawlRequest],
    options: CrawlOptions,
    robots_txt: dict[str, bytes] | None = None,
) -> Iterator[FetchResult]:
    """Yield the result of each request, from a process for these alone.

    `robots_txt` has the text of every robots.txt that is known, by host, and is given
    those that are read.
    """
    with Fetcher(options, robots_txt) as fetcher:
        yield from fetcher.fetch(requests)


def _crawl(pipe: Any, options: CrawlOptions, robots_txt: dict[str, bytes]) -> None:
    """Serve requests in the process of its own: Scrapy is loaded there, and not where
    the database is.
    """
    from scythe.collect.crawl.spider import crawl

    crawl(pipe, options, robots_txt)


def require_scrapy() -> None:
    """Raise an error that says what to install where there is no Scrapy."""
    if find_spec("scrapy") is None:
        raise UsageError(
            "Collections are fetched by Scrapy, which is not installed. "
            "Install it: pip install 'webscythe[crawl]'."
        )
