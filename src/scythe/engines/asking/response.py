"""A page that an engine sent, and what its status and headers ask of the sender."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from urllib.parse import urldefrag, urljoin

import httpx2

from scythe.content.status import is_blocked
from scythe.errors import Blocked, LoginNeeded, TooManyRequests, Unreachable
from scythe.sources.download import status_reason
from scythe.tree import Tree, parse
from scythe.tree.encoding import form_charset
from scythe.tree.links import page_base_url

LONGEST_REFRESH = 5.0
"""Seconds up to which a refresh is a redirect; a later one lets the page be read first.
Not tuned.
"""
LONGEST_REFRESHING_PAGE = 20_000
"""Bytes of a page that only redirects: longer ones have something to read. Not tuned."""
_REFRESH = re.compile(
    r"\s*(\d{1,4}(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?(\S[^\n]*)", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class Response:
    """A page that an engine sent."""

    data: bytes = field(repr=False)
    url: str
    """The address after all redirects."""
    status: int = 200
    charset: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By names in lower case."""
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
    def content_type(self) -> str:
        """The type of content that the server declared."""
        declared = self.headers.get("content-type", "")
        content_type = declared.partition(";")[0]
        return content_type.strip().lower()

    @property
    def retry_after(self) -> float | None:
        """Seconds that the host asks to wait; None where it does not."""
        value = self.headers.get("retry-after", "").strip()
        if value.isdecimal():
            return float(value[:9])
        try:
            moment = parsedate_to_datetime(value)
        except (ValueError, TypeError, IndexError):
            return None
        wait = moment.astimezone(UTC) - datetime.now(UTC)
        seconds = wait.total_seconds()
        return max(seconds, 0.0)

    @property
    def refresh_target(self) -> str | None:
        """Where `<meta http-equiv=refresh>` leads at once: a redirect by other means."""
        if b"refresh" not in self.data.lower():
            return None
        if len(self.data) > LONGEST_REFRESHING_PAGE:
            return None
        for node, name in self.tree.with_attribute("http-equiv").items():
            if name.strip().lower() != "refresh":
                continue
            content = self.tree.attributes(node).get("content", "")
            refresh = _REFRESH.match(content)
            if refresh is None:
                continue
            seconds, address = refresh.groups()
            if float(seconds) <= LONGEST_REFRESH:
                return self._other_address(address.strip(" \t\r\n'\""))
        return None

    def _other_address(self, address: str) -> str | None:
        """Return an absolute address; None where it is this page or none at all."""
        try:
            target = urljoin(page_base_url(self.tree, self.url), address)
        except ValueError:
            return None
        target_page = urldefrag(target).url
        is_same_page = target_page == urldefrag(self.url).url
        return None if is_same_page else target


def raise_for_status(response: Response, url: str) -> None:
    """Raise the `EngineError` that a status means; other statuses come with a page."""
    status = response.status
    reason = f"Cannot fetch {url}: {status_reason(httpx2.Response(status))}"
    if status in (401, 407):
        raise LoginNeeded(reason)
    asks_to_wait = status == 503 and response.retry_after is not None
    if status == 429 or asks_to_wait:
        raise TooManyRequests(reason, response.retry_after)
    is_error = status >= 400
    if status == 403 or (is_error and is_blocked(response.tree)):
        raise Blocked(reason)
    if status >= 500:
        raise Unreachable(reason)
