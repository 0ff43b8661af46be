"""The query sender: requests to engines, polite, bounded, and with a reason for every refusal."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from types import TracebackType
from typing import Self
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx2

from scythe.content.status import is_blocked
from scythe.engines.forms.form import Request
from scythe.engines.manners import ROBOTS_BYTES, SHARED, Manners, Rules, is_loopback, site_of
from scythe.errors import Blocked, FetchError, LoginNeeded, RobotsRefused, ScytheError, TooManyRequests, Unreachable, UsageError
from scythe.sources.deadline import Deadline
from scythe.sources.download import (
    ACCEPT,
    agent,
    failure_reason,
    read_body,
    require_http,
    status_reason,
)
from scythe.sources.options import ReadOptions
from scythe.sources.public import is_own_network, require_public
from scythe.tree import Tree, parse
from scythe.tree.encoding import form_charset

LONGEST_HOLD = 3600.0
"""Seconds for which a host is left alone that asks for it, at most: some say a year."""
REFRESHES = 3
"""Pages in a row that may send their readers on."""
SOON = 5.0
"""Seconds within which a page does so to lead elsewhere; later it wants to be read first."""
LONGEST_REFRESHING = 20_000
"""Bytes of such a page: longer ones have something to read."""
_REFRESH = re.compile(r"\s*(\d{1,4}(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?(\S[^\n]*)", re.IGNORECASE)
DEFAULT_READING = ReadOptions(timeout=20.0, max_bytes=10_000_000)


@dataclass(frozen=True, slots=True)
class SendOptions:
    """Bounds and manners of asking engines."""

    read: ReadOptions = DEFAULT_READING
    """Time, size, redirects, name and headers of one request."""
    pause: float = 1.0
    """Seconds between two requests to one host, more where its robots.txt asks for more."""
    loopback_pause: float = 0.05
    """The same for hosts on this machine, which belong to whoever runs it."""
    longest_wait: float = 30.0
    """Seconds that a request may wait for its turn, or for a host that asks to come back later; beyond it is refused."""
    robots: bool = True
    """Whether robots.txt is obeyed. Switch it off only for sites that allowed you to ask them."""

    def __post_init__(self) -> None:
        for name in ("pause", "loopback_pause", "longest_wait"):
            if getattr(self, name) < 0:
                raise UsageError(f"SendOptions: {name} cannot be {getattr(self, name)}. Give 0 or more seconds.")


DEFAULT_OPTIONS = SendOptions()


@dataclass(frozen=True, eq=False)
class Answer:
    """A page that an engine sent."""

    data: bytes = field(repr=False)
    url: str
    """The address after all redirects."""
    status: int = 200
    charset: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By small names."""
    redirected: bool = False

    @cached_property
    def tree(self) -> Tree:
        """The page as a tree."""
        return parse(self.data, charset=self.charset)

    @property
    def form_charset(self) -> str:
        """The charset that forms of the page are sent in."""
        return form_charset(self.data, self.charset)

    @property
    def kind(self) -> str:
        """The type of content that the server declared."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Sender:
    """Asks one engine: keeps its cookies, obeys its robots.txt, and leaves a pause between requests.

    Calls wait for their turn; threads may share a sender. It has nothing to close but the cookies it forgets.
    """

    def __init__(self, options: SendOptions = DEFAULT_OPTIONS, manners: Manners = SHARED) -> None:
        self.options = options
        self.manners = manners
        self.sent = 0
        """Requests sent so far, those for robots.txt included."""
        read = options.read
        self._client = httpx2.Client(
            headers={"User-Agent": agent(read), "Accept": ACCEPT, **read.headers},
            timeout=httpx2.Timeout(min(read.idle_timeout, read.timeout)),
            limits=httpx2.Limits(max_keepalive_connections=0),  # a deadline can only shut a connection made under it
            max_redirects=read.max_redirects,
        )

    def get(self, url: str) -> Answer:
        """Fetch a page."""
        return self.send(Request(url))

    def send(self, request: Request) -> Answer:
        """Ask. A refusal is an `EngineError` that says what to do; a page of any other status is an answer."""
        answer = self._once(request)
        if answer.status in (429, 503) and (wait := _retry_after(answer)) is not None:
            self.manners.hold(request.url, min(wait, LONGEST_HOLD))
            if wait <= self.options.longest_wait:
                answer = self._once(request)
        _require_welcome(answer, request.url)
        for _ in range(REFRESHES):
            if (target := _refreshed(answer)) is None:
                break
            answer = replace(self._once(Request(target)), redirected=True)
            _require_welcome(answer, target)
        return answer

    def allow(self, url: str) -> None:
        """Wait for the turn of an address that something else, such as a browser, will ask for."""
        self._require_address(url)
        delay = 0.0
        if self.options.robots:
            rules, name = self.manners.rules(url, self._robots), self._agent
            _require_allowed(rules, url, name)
            delay = rules.delay(name)
        pause = self.options.loopback_pause if is_loopback(url) else self.options.pause
        if delay > self.options.longest_wait:
            raise TooManyRequests(
                f"{site_of(url)} asks in its robots.txt for {delay:g} seconds between requests, which is more than the"
                f" {self.options.longest_wait:g} allowed. Allow a longer wait, or ask it by hand.",
                delay,
            )
        wait = self.manners.book(url, max(pause, delay))
        if wait > self.options.longest_wait:
            raise TooManyRequests(f"{site_of(url)} asked to be left alone for another {wait:.0f} seconds. Try again then.", wait)
        if wait > 0:
            time.sleep(wait)

    def has_cookies(self) -> bool:
        """Whether the engine has set any."""
        return bool(self._client.cookies.jar)

    def fresh(self) -> Sender:
        """A sender with the same manners and without cookies."""
        return Sender(self.options, self.manners)

    def close(self) -> None:
        """Close what is open."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def _agent(self) -> str:
        return str(self._client.headers["User-Agent"])

    def _once(self, request: Request) -> Answer:
        self.allow(request.url)
        with self._failing(request.url) as deadline:
            asked = self._client.build_request(
                request.method.upper(), request.url, content=request.body, headers=dict(request.headers)
            )
            for _ in range(self.options.read.max_redirects + 1):
                self.sent += 1
                asked.extensions["trace"] = deadline.trace
                response = self._client.send(asked, stream=True)
                try:
                    if response.next_request is None:
                        redirected = asked.url != httpx2.URL(request.url)
                        return self._answer(response, deadline, redirected=redirected)
                    asked = response.next_request
                finally:
                    response.close()
                self._require_redirect(str(asked.url))
            raise httpx2.TooManyRedirects("too many redirects", request=asked)

    def _require_address(self, url: str) -> None:
        _require_address(url)
        if self.options.read.public_only:
            require_public(url)

    def _require_redirect(self, url: str) -> None:
        self._require_address(url)
        if self.options.robots:
            _require_allowed(self.manners.rules(url, self._robots), url, self._agent)

    def _answer(self, response: httpx2.Response, deadline: Deadline, *, redirected: bool) -> Answer:
        data = read_body(response, deadline, self.options.read.read_size)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(data, str(response.url), response.status_code, response.charset_encoding, headers, redirected)

    def _robots(self, url: str) -> Rules:
        """The rules at an address; a site that answers with an error of its own is closed to programs (RFC 9309, 2.3.1)."""
        self.sent += 1
        try:
            with (
                self._failing(url) as deadline,
                httpx2.Client(
                    headers=self._client.headers, timeout=self._client.timeout, follow_redirects=True, max_redirects=5
                ) as client,
                client.stream("GET", url, extensions={"trace": deadline.trace}) as response,
            ):
                text = read_body(response, deadline, ROBOTS_BYTES).decode("utf-8", "replace")
        except Unreachable as error:
            if isinstance(error.__cause__, (httpx2.ConnectError, httpx2.TimeoutException)):
                raise
            return Rules()  # broken for this one address: the page itself will show
        if response.status_code >= 500:
            return Rules(closed=f"its robots.txt cannot be read (the server answered {response.status_code})")
        return Rules.of(text) if response.is_success else Rules()

    @contextmanager
    def _failing(self, url: str) -> Iterator[Deadline]:
        """A deadline; what fails under it is `Unreachable`, with the reason."""
        deadline = Deadline(self.options.read.timeout, public_only=self.options.read.public_only)
        try:
            with deadline:
                yield deadline
        except ScytheError:
            raise
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, OSError, ValueError) as error:
            reason = failure_reason(error, deadline, self.options.read)
            raise Unreachable(f"Cannot fetch {url}: {reason}") from error


def sender_for(home: str, options: SendOptions = DEFAULT_OPTIONS) -> Sender:
    """A sender for the engine of a page. One of the public web leads to no private machine, one of one's own network may."""
    return Sender(replace(options, read=replace(options.read, public_only=not is_own_network(home))))


def _require_address(url: str) -> None:
    """Refuse what is no address of the web, or none at all."""
    require_http(url)
    try:
        urlsplit(url).port  # noqa: B018 - it is read here, or fails
    except ValueError as error:
        raise FetchError(f"Cannot fetch {url}: the address is not valid ({error}). Check it.") from error


def _require_allowed(rules: Rules, url: str, agent: str) -> None:
    if rules.closed:
        raise RobotsRefused(f"{site_of(url)} cannot be asked: {rules.closed}. Try again later.")
    if not rules.allows(url, agent):
        raise RobotsRefused(
            f"{site_of(url)} asks programs in its robots.txt not to fetch {url}."
            " Ask its owner; with permission, give a Sender with SendOptions(robots=False)."
        )


def _require_welcome(answer: Answer, url: str) -> None:
    """Raise what a status means for whoever asked."""
    status, reason = answer.status, f"Cannot fetch {url}: {status_reason(httpx2.Response(answer.status))}"
    if status in (401, 407):
        raise LoginNeeded(reason)
    if status == 429 or (status == 503 and _retry_after(answer) is not None):
        raise TooManyRequests(reason, _retry_after(answer))
    if status == 403 or (status >= 400 and is_blocked(answer.tree)):
        raise Blocked(reason)
    if status >= 500:
        raise Unreachable(reason)


def _refreshed(answer: Answer) -> str | None:
    """Where a page sends its readers at once by `<meta http-equiv=refresh>`, which is a redirect by other means."""
    if b"refresh" not in answer.data.lower() or len(answer.data) > LONGEST_REFRESHING:
        return None
    tree = answer.tree
    for node, name in tree.holders("http-equiv").items():
        found = _REFRESH.match(tree.attributes(node).get("content", "")) if name.strip().lower() == "refresh" else None
        if found is not None and float(found[1]) <= SOON:
            try:
                target = urljoin(answer.url, found[2].strip(" \t\r\n'\""))
            except ValueError:
                return None
            return None if urldefrag(target).url == urldefrag(answer.url).url else target
    return None


def _retry_after(answer: Answer) -> float | None:
    """Seconds that the host asks to wait; None where it says nothing."""
    said = answer.headers.get("retry-after", "").strip()
    if said.isdecimal():
        return float(said[:9])
    try:
        moment = parsedate_to_datetime(said)
    except (ValueError, TypeError, IndexError):
        return None
    return max((moment.astimezone(UTC) - datetime.now(UTC)).total_seconds(), 0.0)
