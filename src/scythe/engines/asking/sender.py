"""The query sender: polite, bounded requests to engines, with a reason for every refusal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import httpx2

from scythe.closing import Closing
from scythe.engines.asking.response import Response, raise_for_status
from scythe.engines.forms.form import Request
from scythe.errors import (
    FetchError,
    LateTurn,
    RobotsRefused,
    ScytheError,
    TooManyRequests,
    Unreachable,
    UsageError,
)
from scythe.sources.crawl_policy import SHARED_POLICY, CrawlPolicy, RobotsRules
from scythe.sources.deadline import Deadline
from scythe.sources.download import (
    ACCEPT,
    failure_reason,
    read_body,
    require_http,
    tls_context,
    user_agent,
    withhold_headers,
)
from scythe.sources.options import ReadOptions
from scythe.sources.robots import fetch_robots
from scythe.urls import is_loopback_url, is_own_network, origin, require_public

LONGEST_HOLD = 3600.0
"""Seconds for which a host that asks for it is not asked, at most: some ask for a year."""
MAX_REFRESHES = 3
"""Pages in a row that may redirect by a refresh: a bound on work, not tuned."""
DEFAULT_READING = ReadOptions(timeout=20.0, max_bytes=10_000_000)


@dataclass(frozen=True, slots=True)
class SendOptions:
    """Bounds and crawl policy of requests to engines."""

    read: ReadOptions = DEFAULT_READING
    """Time, size, redirects, name and headers of one request."""
    pause: float = 1.0
    """Seconds between two requests to one host, more where its robots.txt asks for
    more.
    """
    loopback_pause: float = 0.05
    """The same for hosts on this machine, which belong to whoever runs it."""
    longest_wait: float = 30.0
    """Seconds that a request may wait for its turn, or for a host that asks to come
    back later; beyond it is refused.
    """
    robots: bool = True
    """Whether robots.txt is obeyed. Switch it off only for sites that allowed you to
    search them.
    """

    def __post_init__(self) -> None:
        for name in ("pause", "loopback_pause", "longest_wait"):
            seconds = getattr(self, name)
            if seconds < 0:
                raise UsageError(
                    f"SendOptions: {name} cannot be {seconds}. Give 0 or more seconds."
                )


DEFAULT_OPTIONS = SendOptions()


class Sender(Closing):
    """Sends requests to one engine.

    It keeps the engine's cookies, obeys its robots.txt, and leaves a pause between
    requests. Calls wait for their turn; threads may share a sender. It has nothing to
    close but the cookies it forgets.
    """

    def __init__(
        self,
        options: SendOptions = DEFAULT_OPTIONS,
        policy: CrawlPolicy = SHARED_POLICY,
    ) -> None:
        self.options = options
        self.policy = policy
        self.sent = 0
        """Requests sent so far, those for robots.txt included."""
        read = options.read
        self._client = httpx2.Client(
            headers={"User-Agent": user_agent(read), "Accept": ACCEPT, **read.headers},
            timeout=httpx2.Timeout(min(read.idle_timeout, read.timeout)),
            verify=tls_context(),
            # A deadline can only shut a connection made under it.
            limits=httpx2.Limits(max_keepalive_connections=0),
            max_redirects=read.max_redirects,
            event_hooks={"request": [self._withhold_headers]},
        )
        self._first_url: str | None = None

    def get(self, url: str) -> Response:
        """Fetch a page."""
        return self.send(Request(url))

    def send(self, request: Request) -> Response:
        """Send a request and return the page that answers it, whatever its status.

        A refusal is an `EngineError` that says what to do.
        """
        response = self._send_once(request)
        wait = response.retry_after if response.status in (429, 503) else None
        if wait is not None:
            self.policy.hold(request.url, min(wait, LONGEST_HOLD))
            if wait <= self.options.longest_wait:
                response = self._send_once(request)
        raise_for_status(response, request.url)

        for _ in range(MAX_REFRESHES):
            target = response.refresh_target
            if target is None:
                break
            response = replace(self._send_once(Request(target)), redirected=True)
            raise_for_status(response, target)
        return response

    def wait_turn(self, url: str) -> None:
        """Wait until an address may be requested, here or by something like a browser."""
        self._require_address(url)
        pause = (
            self.options.loopback_pause if is_loopback_url(url) else self.options.pause
        )
        if self.options.robots:
            pause = max(pause, self._robots_delay(url))

        wait = self.policy.reserve(url, pause)
        if wait > self.options.longest_wait:
            raise _refused_turn(
                f"{origin(url)} asks for a pause of another {wait:.0f} seconds."
                " Try again then.",
                wait,
            )
        if wait > 0:
            time.sleep(wait)

    def _robots_delay(self, url: str) -> float:
        """Return the delay of the site's robots.txt; refuse what it does not allow."""
        rules = self._require_allowed(url)
        delay = rules.delay(self._agent)
        if delay > self.options.longest_wait:
            raise _refused_turn(
                f"{origin(url)} asks in its robots.txt for {delay:g} seconds between"
                f" requests, which is more than the {self.options.longest_wait:g}"
                " allowed. Allow a longer wait, or ask it by hand.",
                delay,
            )
        return delay

    def has_cookies(self) -> bool:
        """Return whether the engine has set any."""
        return bool(self._client.cookies.jar)

    def without_cookies(self) -> Sender:
        """Return a sender with the same options and crawl policy, and no cookies."""
        return Sender(self.options, self.policy)

    def close(self) -> None:
        """Close what is open."""
        self._client.close()

    @property
    def _agent(self) -> str:
        return str(self._client.headers["User-Agent"])

    def _send_once(self, request: Request) -> Response:
        """Send a request in its turn, and follow its redirects."""
        self.wait_turn(request.url)
        with self._fetching(request.url) as deadline:
            following = self._client.build_request(
                request.method.upper(),
                request.url,
                content=request.body,
                headers=dict(request.headers),
            )
            for _ in range(self.options.read.max_redirects + 1):
                self.sent += 1
                following.extensions["trace"] = deadline.trace
                response = self._client.send(following, stream=True)
                try:
                    if response.next_request is None:
                        _require_no_redirect(response)
                        redirected = following.url != httpx2.URL(request.url)
                        return self._read_response(
                            response, deadline, redirected=redirected
                        )
                    following = response.next_request
                finally:
                    response.close()
                self._require_redirect(str(following.url))
            raise httpx2.TooManyRedirects("too many redirects", request=following)

    def _withhold_headers(self, request: httpx2.Request) -> None:
        """Keep the user's headers for the site that was asked first."""
        if self._first_url is None:
            self._first_url = str(request.url)
        withhold_headers(request, self._first_url, self.options.read)

    def _read_response(
        self, response: httpx2.Response, deadline: Deadline, *, redirected: bool
    ) -> Response:
        data = read_body(response, deadline, self.options.read.read_size)
        return Response(
            data,
            str(response.url),
            response.status_code,
            response.charset_encoding,
            {name.lower(): value for name, value in response.headers.items()},
            redirected,
        )

    def _require_address(self, url: str) -> None:
        """Refuse what is no address of the web, or may not be requested from here."""
        require_http(url)
        if self.options.read.public_only:
            require_public(url)

    def _require_redirect(self, url: str) -> None:
        self._require_address(url)
        if self.options.robots:
            self._require_allowed(url)

    def _require_allowed(self, url: str) -> RobotsRules:
        """Return the rules of a site; refuse an address that they do not allow."""
        rules = self.policy.rules(url, self._fetch_robots)
        if rules.closed:
            raise RobotsRefused(
                f"{origin(url)} cannot be asked: {rules.closed}. Try again later."
            )
        if not rules.allows(url, self._agent):
            raise RobotsRefused(
                f"{origin(url)} asks programs in its robots.txt not to fetch {url}."
                " Ask its owner; with permission, give a Sender with"
                " SendOptions(robots=False)."
            )
        return rules

    def _fetch_robots(self, url: str) -> RobotsRules:
        """Fetch a robots.txt and return its rules."""
        self.sent += 1
        try:
            return fetch_robots(url, self.options.read)
        except FetchError as error:
            if error.__cause__ is None:
                raise
            raise Unreachable(str(error)) from error.__cause__

    @contextmanager
    def _fetching(self, url: str) -> Iterator[Deadline]:
        """Yield a deadline; what fails under it is `Unreachable`, with the reason."""
        read = self.options.read
        deadline = Deadline(read.timeout, public_only=read.public_only)
        try:
            with deadline:
                yield deadline
        except ScytheError:
            raise
        except (
            httpx2.HTTPError,
            httpx2.InvalidURL,
            httpx2.StreamError,
            OSError,
            ValueError,
        ) as error:
            reason = failure_reason(error, deadline, read)
            raise Unreachable(f"Cannot fetch {url}: {reason}") from error


def _require_no_redirect(response: httpx2.Response) -> None:
    """Refuse a redirect that leads to nothing that can be requested."""
    if response.has_redirect_location:
        target = response.headers["Location"]
        raise httpx2.InvalidURL(f"it leads to {target}")


def _refused_turn(message: str, wait: float) -> TooManyRequests:
    """Return the refusal of a request whose turn comes too late: for this caller alone,
    or for whoever has the usual patience too.
    """
    is_usual = wait > DEFAULT_OPTIONS.longest_wait
    return TooManyRequests(message, wait) if is_usual else LateTurn(message, wait)


def sender_for(home: str, options: SendOptions = DEFAULT_OPTIONS) -> Sender:
    """Return a sender for the engine of a page.

    One of the public web leads to no private machine, one of one's own network may.
    """
    read = replace(options.read, public_only=not is_own_network(home))
    return Sender(replace(options, read=read))
