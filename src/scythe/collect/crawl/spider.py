"""The spider that asks for pages and sends what came of each to the process that started it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from importlib.metadata import version
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError, StopDownload
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread
from twisted.python.failure import Failure
from w3lib.encoding import http_content_type_encoding

from scythe.collect.addresses import Reach
from scythe.collect.crawl.job import CrawlOptions, Job
from scythe.engines.manners import ROBOTS_BYTES
from scythe.sources.compression import is_cut
from scythe.sources.public import is_private, resolves_to_private
from scythe.store.pages import GONE, OK, UNCHANGED, Fetched

PAGE_TYPES = ("text/", "application/xhtml", "application/xml", "application/rss", "application/atom", "application/feed+json")
"""Types of content that pages, feeds and sitemaps have; an answer without a type is read."""
PACKED = ("application/gzip", "application/x-gzip", "application/octet-stream")
"""Types under which sitemaps come that are packed."""
ROBOTS, PRIVATE, LARGE, TYPE, LOOP, TIMEOUT = "robots", "private", "too large", "no page", "redirect loop", "timeout"
REFUSED, SERVER, UNREACHABLE, CUT = "refused", "server error", "unreachable", "cut off"


class Refused(IgnoreRequest):
    """A request that is not sent, with the fate of its page."""

    def __init__(self, fate: str, note: str) -> None:
        super().__init__(note)
        self.fate = fate


class PublicOnly:
    """Keeps requests, also redirected ones, from private machines: by name, by what the name leads to, by who answered."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._private: dict[str, bool] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PublicOnly:
        """As Scrapy makes it."""
        options: CrawlOptions = crawler.settings["SCYTHE_OPTIONS"]
        return cls(Reach(options.home, private=options.private))

    async def process_request(self, request: Request) -> None:
        """Refuse before anything is sent."""
        from scrapy.utils.httpobj import urlparse_cached

        host = urlparse_cached(request).hostname or ""
        if not self._reach.allows(request.url):
            raise Refused(PRIVATE, f"{host} is a private machine")
        if self._reach.is_private or is_private(host):
            return
        if host not in self._private:
            lookup = deferToThread(resolves_to_private, host)
            self._private[host] = await maybe_deferred_to_future(lookup)
        if self._private[host]:
            raise Refused(PRIVATE, f"{host} leads to a private machine")

    def process_response(self, request: Request, response: Response) -> Response:
        """Refuse an answer of a private machine that its name did not show."""
        answered_by = response.ip_address
        if self._reach.is_private or answered_by is None or request.meta.get("proxy"):
            return response  # a proxy is often private, and all that answers
        if is_private(str(answered_by)):
            raise Refused(PRIVATE, f"{answered_by} is a private machine")
        return response


class WholeBodies:
    """Retries a page whose compressed body ends early: Scrapy reads what there is of it, unless the
    server declared a length.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._most = crawler.settings.getint("DOWNLOAD_MAXSIZE")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WholeBodies:
        """As Scrapy makes it."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Retry a cut answer, before it is unpacked."""
        encoding = (response.headers.get("Content-Encoding") or b"").decode("latin-1")
        if "partial" not in response.flags or not is_cut(response.body, encoding, self._most):
            return response
        spider = self._crawler.spider
        again = get_retry_request(request, spider=spider, reason=CUT) if spider else None
        if again is None:
            raise ResponseDataLossError
        return again


class Robots(RobotsTxtMiddleware):
    """Obeys robots.txt, and asks for none that an earlier crawl of the same run has read."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._cut: set[str] = set()
        """Sites whose robots.txt came only in part."""

    def process_request_2(self, rp: Any, request: Request) -> None:
        """Refuse what robots.txt forbids, and everything where the missing part of it may do so."""
        from scrapy.utils.httpobj import urlparse_cached

        if urlparse_cached(request).netloc in self._cut:
            raise Refused(CUT, "its robots.txt was cut off, and may forbid it")
        super().process_request_2(rp, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, ResponseDataLossError):
            self._cut.add(netloc)
        super()._robots_error(exc, netloc)

    async def robot_parser(self, request: Request) -> Any:
        """The rules of a site."""
        from scrapy.utils.httpobj import urlparse_cached

        netloc = urlparse_cached(request).netloc
        known = self._spider.robots
        if netloc not in self._parsers and netloc in known:
            rules = self._parserimpl.from_crawler(self.crawler, known[netloc])
            self._parsers[netloc] = rules
            self.crawler.signals.send_catch_log(signal=signals.robots_parsed, robotparser=rules, request=request)
        return await super().robot_parser(request)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        """Keep what a site says; one that answers with an error of its own is closed to programs (RFC 9309, 2.3.1)."""
        if response.status >= 500:
            response = response.replace(status=200, body=b"User-agent: *\nDisallow: /")
        elif response.status >= 400:
            response = response.replace(body=b"")
        self._spider.pipe.send((netloc, response.body[:ROBOTS_BYTES]))
        await super()._parse_robots(response, netloc, request)

    @property
    def _spider(self) -> PageSpider:
        spider = self.crawler.spider
        assert isinstance(spider, PageSpider)  # noqa: S101 - no other is crawled with these settings
        return spider


class Throttle(AutoThrottle):
    """AutoThrottle that never goes below what a robots.txt asks for."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._asked: dict[str, float] = {}
        crawler.signals.connect(self._robots_parsed, signal=signals.robots_parsed)

    def _robots_parsed(self, robotparser: Any, request: Request) -> None:
        from scrapy.utils.httpobj import urlparse_cached

        delay = robotparser.crawl_delay(self.crawler.settings["USER_AGENT"])
        if delay:
            host = urlparse_cached(request).hostname or ""
            self._asked[host] = float(delay)
            slot = self.crawler.engine.downloader.slots.get(host) if self.crawler.engine else None
            if slot is not None:
                slot.delay = max(slot.delay, float(delay))

    def _response_downloaded(self, response: Response, request: Request, spider: Spider) -> None:
        super()._response_downloaded(response, request, spider)
        key, slot = self._get_slot(request, spider)
        if slot is not None and key is not None:
            slot.delay = max(slot.delay, self._asked.get(key, 0.0))


class PageSpider(Spider):
    """Asks for given pages, each once."""

    name = "scythe"
    custom_settings = {}  # noqa: RUF012 - Scrapy's own name and kind

    def __init__(self, jobs: Sequence[Job], pipe: Any, robots: dict[str, bytes], **given: Any) -> None:
        super().__init__(**given)
        self.jobs = jobs
        self.pipe = pipe
        self.robots = robots

    @classmethod
    def from_crawler(cls, crawler: Crawler, *given: Any, **named: Any) -> PageSpider:
        """As Scrapy makes it."""
        spider = super().from_crawler(crawler, *given, **named)
        crawler.signals.connect(_require_page, signal=signals.headers_received)
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """The requests."""
        for job in self.jobs:
            headers = {"If-None-Match": job.etag, "If-Modified-Since": job.last_modified}
            given = {name: value for name, value in headers.items() if value}
            try:
                yield Request(
                    job.url,
                    headers=given,
                    callback=self.answered,
                    errback=self.failed,
                    dont_filter=True,
                    cb_kwargs={"page": job.page},
                )
            except ValueError as error:
                self.pipe.send(Fetched(job.page, UNREACHABLE, note=str(error)))

    def answered(self, response: Response, page: int) -> None:
        """Send an answer on."""
        self.pipe.send(_fetched(response, page))

    def failed(self, failure: Failure) -> None:
        """Send a failure on."""
        request = failure.request  # type: ignore[attr-defined]  # Scrapy adds it
        fate, note = _fate(failure.value)
        self.pipe.send(Fetched(request.cb_kwargs["page"], fate, final_url=request.url, note=note))


def _require_page(headers: Any, body_length: int, request: Request, spider: Spider) -> None:
    """Stop before the body of what is no page."""
    kind = (headers.get(b"Content-Type") or b"").decode("latin-1").strip().lower()
    if kind and not kind.startswith((*PAGE_TYPES, *PACKED)):
        raise StopDownload(fail=True)


def _fetched(response: Response, page: int) -> Fetched:
    status, url = response.status, response.url
    if status == 304:
        return Fetched(page, UNCHANGED, status=status, final_url=url)
    if status in (404, 410):
        return Fetched(page, GONE, status=status, final_url=url, note=f"the server answered {status}")
    if status >= 500:
        return Fetched(page, SERVER, status=status, final_url=url, note=f"the server answered {status}")
    if status >= 400:
        return Fetched(page, REFUSED, status=status, final_url=url, note=f"the server answered {status}")
    if status >= 300:
        return Fetched(page, LOOP, status=status, final_url=url, note=f"the server answered {status} and led nowhere")
    headers = {name: _header(response, name) for name in ("ETag", "Last-Modified", "Content-Type")}
    kind = headers["Content-Type"]
    return Fetched(
        page,
        OK,
        body=response.body,
        status=status,
        final_url=url,
        etag=headers["ETag"],
        last_modified=headers["Last-Modified"],
        charset=http_content_type_encoding(kind) if kind else None,
        content_type=kind,
    )


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1")[:1_000] if value else None


def _fate(error: BaseException | None) -> tuple[str, str]:
    """What a failure means for a page."""
    told = str(error) or type(error).__name__
    kind = type(error).__name__
    if isinstance(error, Refused):
        return error.fate, told
    if isinstance(error, StopDownload):
        return TYPE, "it is not of a type that pages have"
    if isinstance(error, IgnoreRequest):
        return (
            (ROBOTS, "its robots.txt forbids it") if "robots" in told else (LOOP, told) if "redirect" in told else (REFUSED, told)
        )
    if isinstance(error, ResponseDataLossError):
        return CUT, "the connection ended before the whole page had come"
    if "Cancelled" in kind:
        return LARGE, "it is longer than max_bytes"
    if "Timeout" in kind:
        return TIMEOUT, "the server took too long"
    return UNREACHABLE, f"{kind}: {told}"[:300]


def crawl(pipe: Any, jobs: Sequence[Job], options: CrawlOptions, robots: dict[str, bytes]) -> None:
    """Fetch all jobs; each gives one `Fetched` through the pipe, every robots.txt its site and text, and None ends them."""
    logging.getLogger("scrapy").setLevel(logging.CRITICAL)
    logging.getLogger("twisted").setLevel(logging.CRITICAL)
    logging.getLogger().addHandler(logging.NullHandler())
    process = AsyncCrawlerProcess(settings_of(options))
    process.crawl(PageSpider, jobs=jobs, pipe=pipe, robots=robots)
    process.start()
    pipe.send(None)


def settings_of(options: CrawlOptions) -> dict[str, Any]:
    """What Scrapy is told."""
    module = "scythe.collect.crawl.spider"
    delay = 0.0 if is_private_home(options) else options.delay
    return {
        "SCYTHE_OPTIONS": options,
        "USER_AGENT": options.user_agent or f"scythe/{version('scythe')}",
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
        "DOWNLOAD_FAIL_ON_DATALOSS": True,  # half a page must never become a record's new version
        "RETRY_TIMES": options.retries,
        "REDIRECT_MAX_TIMES": 10,
        "METAREFRESH_MAXDELAY": 3,  # a page that is shown for longer is one, and no way to another
        "HTTPERROR_ALLOW_ALL": True,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "LOGSTATS_INTERVAL": 0,
        "EXTENSIONS": {"scrapy.extensions.throttle.AutoThrottle": None, f"{module}.Throttle": 0},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            f"{module}.PublicOnly": 50,
            f"{module}.Robots": 100,
            f"{module}.WholeBodies": 595,  # nearer to the server than what unpacks bodies, at 590
        },
    }


def is_private_home(options: CrawlOptions) -> bool:
    """Whether the collection is of a machine of one's own, which need not be spared."""
    return Reach(options.home).is_private
