"""The spider that fetches pages and sends the result of each to the process that
started it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError, StopDownload
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from w3lib.encoding import http_content_type_encoding

from scythe.collect.crawl.hosts import AllowedHosts
from scythe.collect.crawl.middlewares import RequestRefused
from scythe.collect.crawl.options import CrawlOptions, CrawlRequest
from scythe.store.collections.pages import FetchResult
from scythe.store.states import FetchOutcome
from scythe.version import installed_version

PAGE_TYPES = (
    "text/",
    "application/xhtml",
    "application/xml",
    "application/rss",
    "application/atom",
    "application/feed+json",
)
"""Types of content that pages, feeds and sitemaps have; an answer without a type is
read.
"""
PACKED_TYPES = ("application/gzip", "application/x-gzip", "application/octet-stream")
"""Types under which packed sitemaps come."""

UNUSED_COMPONENTS = (
    "scrapy.extensions.telnet.TelnetConsole",
    "scrapy.extensions.remote_control.RemoteControl",
    "scrapy.extensions.feedexport.FeedExporter",
)
"""Extensions that a crawl never uses: two of them listen for commands."""
UNUSED_SCHEMES = ("data", "file", "ftp", "s3")
"""Schemes of addresses that no page may lead the crawler to."""

_STATUS_WORDS = {
    401: "it asks for a login",
    403: "it does not let this program in",
    404: "there is no such page",
    410: "the page was removed",
    429: "it is asked too often",
    451: "it may not show the page for legal reasons",
    503: "it is down or overloaded for now",
}
_FAILURE_WORDS = {
    "ConnectionRefusedError": "the server refused the connection",
    "ConnectionRefused": "the server refused the connection",
    "CannotResolveHostError": "there is no host of that name, or no network",
    "DNSLookupError": "there is no host of that name, or no network",
    "NoRouteError": "there is no way to the server",
    "ConnectionLost": "the server ended the connection",
    "ConnectionDone": "the server ended the connection",
    "ResponseFailed": "the server ended the connection",
    "ResponseNeverReceived": "the server ended the connection without an answer",
}
"""Failures of a connection by the names that Twisted and Scrapy give them, in words."""

_MAX_HEADER = 1_000
"""Characters of a header that are kept: an arbitrary cap against hostile servers."""
_MAX_NOTE = 300
"""Characters of a note on a failure: an arbitrary cap against hostile servers."""


class PageSpider(Spider):
    """Fetches the pages that come through its pipe, one batch after the other; None
    ends each batch of results, and the spider.
    """

    name = "scythe"
    custom_settings = {}  # noqa: RUF012 - Scrapy's own name and kind

    def __init__(self, pipe: Any, robots_txt: dict[str, bytes], **options: Any) -> None:
        super().__init__(**options)
        self.pipe = pipe
        self.robots_txt = robots_txt
        self._unanswered: set[int] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> PageSpider:
        """Return the spider, as Scrapy makes it."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(_require_page, signal=signals.headers_received)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests of each batch, and wait for the next one."""
        while True:
            received = deferToThread(self._receive)
            batch = await maybe_deferred_to_future(received)
            if batch is None:
                return
            self._unanswered = {request.page for request in batch}
            for request in batch:
                try:
                    yield self._scrapy_request(request)
                except ValueError as error:
                    outcome = FetchOutcome.UNREACHABLE
                    result = FetchResult(request.page, outcome, note=str(error))
                    self._send(result)

    def _receive(self) -> Sequence[CrawlRequest] | None:
        """Wait for the next batch; None where there will be none."""
        try:
            batch: Sequence[CrawlRequest] | None = self.pipe.recv()
        except (EOFError, OSError):
            return None
        return batch

    def _scrapy_request(self, request: CrawlRequest) -> Request:
        headers = {}
        if request.etag:
            headers["If-None-Match"] = request.etag
        if request.last_modified:
            headers["If-Modified-Since"] = request.last_modified
        return Request(
            request.url,
            headers=headers,
            callback=self.send_result,
            errback=self.send_failure,
            dont_filter=True,
            cb_kwargs={"page": request.page},
        )

    def send_result(self, response: Response, page: int) -> None:
        """Send the result of a response on."""
        self._send(_fetch_result(response, page))

    def send_failure(self, failure: Failure) -> None:
        """Send a failure on."""
        request = failure.request  # type: ignore[attr-defined]  # Scrapy adds it
        page: int = request.cb_kwargs["page"]
        outcome, note = _failure_outcome(failure.value)
        result = FetchResult(page, outcome, final_url=request.url, note=note)
        self._send(result)

    def _send(self, result: FetchResult) -> None:
        """Send a result, and the end of the batch behind the last one."""
        self.pipe.send(result)
        self._unanswered.discard(result.page)
        if not self._unanswered:
            self.pipe.send(None)


def _require_page(
    headers: Any, body_length: int, request: Request, spider: Spider
) -> None:
    """Stop before the body of what is no page."""
    content_type = headers.get(b"Content-Type") or b""
    type_ = content_type.decode("latin-1").strip().lower()
    options: CrawlOptions = spider.settings["SCYTHE_OPTIONS"]
    types: tuple[str, ...] = (*PAGE_TYPES, *PACKED_TYPES)
    if options.accepts_media:
        types = (*types, "image/")
    if type_ and not type_.startswith(types):
        raise StopDownload(fail=True)


def _fetch_result(response: Response, page: int) -> FetchResult:
    """Return the result of a response."""
    status, url = response.status, response.url
    if status >= 300:
        outcome, note = _status_outcome(status)
        return FetchResult(page, outcome, status=status, final_url=url, note=note)

    content_type = _header(response, "Content-Type")
    charset = http_content_type_encoding(content_type) if content_type else None
    return FetchResult(
        page,
        FetchOutcome.OK,
        body=response.body,
        status=status,
        final_url=url,
        etag=_header(response, "ETag"),
        last_modified=_header(response, "Last-Modified"),
        charset=charset,
        content_type=content_type,
    )


def _status_outcome(status: int) -> tuple[FetchOutcome, str]:
    """Return what an HTTP status from 300 on means for a page."""
    if status == 304:
        return FetchOutcome.UNCHANGED, ""
    meaning = _STATUS_WORDS.get(status, "")
    if not meaning and status >= 500:
        meaning = "it has an error of its own"
    note = f"the server answered {status}" + (f": {meaning}" if meaning else "")
    if status in (404, 410):
        return FetchOutcome.GONE, note
    if status >= 500:
        return FetchOutcome.SERVER_ERROR, note
    if status >= 400:
        return FetchOutcome.REFUSED, note
    return FetchOutcome.REDIRECT_LOOP, f"{note} and led nowhere"


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1")[:_MAX_HEADER] if value else None


def _failure_outcome(error: BaseException | None) -> tuple[FetchOutcome, str]:
    """Return what a failure means for a page."""
    error_type = type(error).__name__
    message = str(error) or error_type
    if isinstance(error, RequestRefused):
        return error.outcome, message
    if isinstance(error, StopDownload):
        return FetchOutcome.NO_PAGE, "it is not of a type that pages have"
    if isinstance(error, IgnoreRequest):
        if "robots" in message:
            return FetchOutcome.ROBOTS, "its robots.txt forbids it"
        if "redirect" in message:
            return FetchOutcome.REDIRECT_LOOP, message
        return FetchOutcome.REFUSED, message
    if isinstance(error, ResponseDataLossError):
        note = "the connection ended before the whole page had come"
        return FetchOutcome.CUT_OFF, note
    if "Cancelled" in error_type:
        return FetchOutcome.TOO_LARGE, "it is longer than max_bytes"
    if "Timeout" in error_type:
        return FetchOutcome.TIMEOUT, "the server took too long"
    words = _FAILURE_WORDS.get(error_type.removeprefix("Download"))
    if words is None and "ConnectionDone" in message:
        words = "the server closed the connection before it answered"
    elif words is None:
        words = f"the connection failed ({error_type}: {message})"
    return FetchOutcome.UNREACHABLE, words[:_MAX_NOTE]


def crawl(pipe: Any, options: CrawlOptions, robots_txt: dict[str, bytes]) -> None:
    """Fetch the batches of requests that come through the pipe, until None comes: each
    request gives one `FetchResult`, every robots.txt its site and text, and None ends
    the results of a batch.
    """
    logging.getLogger("scrapy").setLevel(logging.CRITICAL)
    logging.getLogger("twisted").setLevel(logging.CRITICAL)
    logging.getLogger().addHandler(logging.NullHandler())
    process = AsyncCrawlerProcess(scrapy_settings(options))
    process.crawl(PageSpider, pipe=pipe, robots_txt=robots_txt)
    process.start()


def scrapy_settings(options: CrawlOptions) -> dict[str, Any]:
    """Return the settings of Scrapy for a crawl."""
    middlewares = "scythe.collect.crawl.middlewares"
    delay = 0.0 if is_private_home(options) else options.delay
    return {
        "SCYTHE_OPTIONS": options,
        "USER_AGENT": options.user_agent or f"scythe/{installed_version()}",
        "ROBOTSTXT_OBEY": options.robots,
        "DOWNLOAD_DELAY": delay,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.concurrency,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": delay,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": float(options.concurrency),
        "DOWNLOAD_TIMEOUT": options.timeout,
        "DOWNLOAD_MAXSIZE": options.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        # Half a page must never become a record's new version.
        "DOWNLOAD_FAIL_ON_DATALOSS": True,
        "RETRY_TIMES": options.retries,
        "REDIRECT_MAX_TIMES": 10,
        # A page that is shown for longer is one, and no way to another.
        "METAREFRESH_MAXDELAY": 3,
        "HTTPERROR_ALLOW_ALL": True,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOGSTATS_INTERVAL": 0,
        "EXTENSIONS": {
            **dict.fromkeys(UNUSED_COMPONENTS),
            "scrapy.extensions.throttle.AutoThrottle": None,
            f"{middlewares}.Throttle": 0,
        },
        "DOWNLOAD_HANDLERS": dict.fromkeys(UNUSED_SCHEMES),
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            f"{middlewares}.PublicHostsMiddleware": 50,
            f"{middlewares}.RobotsMiddleware": 100,
            # Nearer to the server than what unpacks bodies, at 590.
            f"{middlewares}.WholeBodiesMiddleware": 595,
        },
    }


def is_private_home(options: CrawlOptions) -> bool:
    """Return whether the collection is of a machine of one's own, which need not be
    spared.
    """
    return AllowedHosts(options.home).include_private
