"""What Scrapy does with every request and response of a crawl: private machines are
left alone, robots.txt is obeyed, cut answers are asked for again.
"""

from __future__ import annotations

from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.threads import deferToThread

from scythe.collect.crawl.hosts import AllowedHosts
from scythe.collect.crawl.options import CrawlOptions
from scythe.sources.compression import is_truncated
from scythe.sources.crawl_policy import ROBOTS_BYTES
from scythe.store.states import FetchOutcome
from scythe.urls import is_private, resolves_to_private


class RequestRefused(IgnoreRequest):
    """A request that is not sent, with the outcome of its page."""

    def __init__(self, outcome: FetchOutcome, note: str) -> None:
        super().__init__(note)
        self.outcome = outcome


class PublicHostsMiddleware:
    """Keeps requests, also redirected ones, from private machines: by name, by what the
    name leads to, by who answered.
    """

    def __init__(self, hosts: AllowedHosts) -> None:
        self._hosts = hosts
        self._leads_to_private: dict[str, bool] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PublicHostsMiddleware:
        """Return the middleware, as Scrapy makes it."""
        options: CrawlOptions = crawler.settings["SCYTHE_OPTIONS"]
        return cls(AllowedHosts(options.home, private=options.private))

    async def process_request(self, request: Request) -> None:
        """Refuse before anything is sent."""
        host = urlparse_cached(request).hostname or ""
        if not self._hosts.allows(request.url):
            raise RequestRefused(FetchOutcome.PRIVATE, f"{host} is a private machine")
        if self._hosts.include_private or is_private(host):
            return
        if host not in self._leads_to_private:
            lookup = deferToThread(resolves_to_private, host)
            self._leads_to_private[host] = await maybe_deferred_to_future(lookup)
        if self._leads_to_private[host]:
            raise RequestRefused(
                FetchOutcome.PRIVATE,
                f"{host} leads to a private machine",
            )

    def process_response(self, request: Request, response: Response) -> Response:
        """Refuse an answer of a private machine that its name did not show."""
        answered_by = response.ip_address
        if self._hosts.include_private or answered_by is None:
            return response
        if request.meta.get("proxy"):
            return response  # a proxy is often private, and all that answers
        if is_private(str(answered_by)):
            raise RequestRefused(
                FetchOutcome.PRIVATE,
                f"{answered_by} is a private machine",
            )
        return response


class WholeBodiesMiddleware:
    """Retries a page whose compressed body ends early: Scrapy reads what there is of
    it, unless the server declared a length.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._max_bytes = crawler.settings.getint("DOWNLOAD_MAXSIZE")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> WholeBodiesMiddleware:
        """Return the middleware, as Scrapy makes it."""
        return cls(crawler)

    def process_response(
        self, request: Request, response: Response
    ) -> Request | Response:
        """Retry a cut answer, before it is unpacked."""
        encoding = (response.headers.get("Content-Encoding") or b"").decode("latin-1")
        if "partial" not in response.flags:
            return response
        if not is_truncated(response.body, encoding, self._max_bytes):
            return response

        spider = self._crawler.spider
        retry = None
        if spider:
            retry = get_retry_request(
                request,
                spider=spider,
                reason=FetchOutcome.CUT_OFF,
            )
        if retry is None:
            raise ResponseDataLossError
        return retry


class RobotsMiddleware(RobotsTxtMiddleware):
    """Obeys robots.txt, and fetches none that an earlier crawl of the same run has
    read. The spider has the texts that are known, and sends new ones on.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._cut: set[str] = set()
        """Sites whose robots.txt came only in part."""
        self._closed: dict[str, int] = {}
        """The status of sites that answered with an error of their own."""

    def process_request_2(self, rp: Any, request: Request) -> None:
        """Refuse what robots.txt forbids, and everything where the missing part of it
        may do so.
        """
        netloc = urlparse_cached(request).netloc
        status = self._closed.get(netloc)
        if status is not None:
            raise RequestRefused(
                FetchOutcome.SERVER_ERROR,
                f"the server answered {status} when asked for its robots.txt: "
                "it is down or overloaded for now",
            )
        if netloc in self._cut:
            raise RequestRefused(
                FetchOutcome.CUT_OFF,
                "its robots.txt was cut off, and may forbid it",
            )
        super().process_request_2(rp, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, ResponseDataLossError):
            self._cut.add(netloc)
        super()._robots_error(exc, netloc)

    async def robot_parser(self, request: Request) -> Any:
        """Return the rules of a site."""
        netloc = urlparse_cached(request).netloc
        known: dict[str, bytes] = self._spider.robots_txt
        if netloc not in self._parsers and netloc in known:
            rules = self._parserimpl.from_crawler(self.crawler, known[netloc])
            self._parsers[netloc] = rules
            self.crawler.signals.send_catch_log(
                signal=signals.robots_parsed,
                robotparser=rules,
                request=request,
            )
        return await super().robot_parser(request)

    async def _parse_robots(
        self, response: Response, netloc: str, request: Request
    ) -> None:
        """Send the text on, and parse it; a site that answers with an error of its own
        is closed to programs (RFC 9309, 2.3.1).
        """
        if response.status >= 500:
            self._closed[netloc] = response.status
            response = response.replace(status=200, body=b"User-agent: *\nDisallow: /")
        elif response.status >= 400:
            response = response.replace(body=b"")
        if netloc not in self._closed:
            text = response.body[:ROBOTS_BYTES]
            self._spider.pipe.send((netloc, text))
        await super()._parse_robots(response, netloc, request)

    @property
    def _spider(self) -> Any:
        """The `PageSpider` of the crawl: no other is crawled with these settings."""
        return self.crawler.spider


class Throttle(AutoThrottle):
    """AutoThrottle that never goes below what a robots.txt asks for."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl_delays: dict[str, float] = {}
        crawler.signals.connect(self._robots_parsed, signal=signals.robots_parsed)

    def _robots_parsed(self, robotparser: Any, request: Request) -> None:
        delay = robotparser.crawl_delay(self.crawler.settings["USER_AGENT"])
        if not delay:
            return
        host = urlparse_cached(request).hostname or ""
        self._crawl_delays[host] = float(delay)
        engine = self.crawler.engine
        slot = engine.downloader.slots.get(host) if engine else None
        if slot is not None:
            slot.delay = max(slot.delay, float(delay))

    def _response_downloaded(
        self, response: Response, request: Request, spider: Spider
    ) -> None:
        super()._response_downloaded(response, request, spider)
        key, slot = self._get_slot(request, spider)
        if slot is not None and key is not None:
            slot.delay = max(slot.delay, self._crawl_delays.get(key, 0.0))
