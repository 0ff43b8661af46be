"""A browser that renders one page after the other."""

from __future__ import annotations

import threading
import weakref
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from scythe.closing import Closing
from scythe.errors import FetchError, UsageError
from scythe.render.options import OFFLINE, ONLINE, BrowserVisit, RenderOptions, Typing
from scythe.tree.encoding import page_text
from scythe.tree.tree import Tree

if TYPE_CHECKING:
    from scythe.render.driver import BrowserDriver


class Browser(Closing):
    """A real Chromium, started when the first page needs it and kept for the next.

    Use it in a `with` statement, or `close` it; it is closed at the end of the program
    at the latest. Any thread may use it, one page at a time. Where Chromium has crashed
    or was killed, the page in it is an error, and the next one gets a new Chromium.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._driver: BrowserDriver | None = None
        self._finalizer: weakref.finalize[[], Browser] | None = None

    def render(
        self,
        html: bytes | str,
        *,
        url: str | None = None,
        charset: str | None = None,
        options: RenderOptions = OFFLINE,
    ) -> Tree:
        """Return the tree of a page, with boxes and layout; it is decoded as `parse`
        does.

        `url` is where the page came from, against which its links and images resolve,
        if it may load any.
        """
        return self._started_driver().tree(_html_visit(html, url, charset, options))

    def open(self, url: str, *, options: RenderOptions = ONLINE) -> Tree:
        """Return the tree of the page that the browser finds at an address."""
        return self._started_driver().tree(_url_visit(url, options))

    def type_into(
        self, url: str, typing: Typing, *, options: RenderOptions = ONLINE
    ) -> Tree:
        """Return the tree of the page at an address after text was typed into one of its
        fields.
        """
        visit = replace(_url_visit(url, options), typing=typing)
        return self._started_driver().tree(visit)

    def screenshot(
        self,
        html: bytes | str,
        *,
        url: str | None = None,
        charset: str | None = None,
        options: RenderOptions = OFFLINE,
    ) -> bytes:
        """Return all of a page as a PNG image, in which every pixel is where `render`
        says it is.
        """
        visit = _html_visit(html, url, charset, options)
        return self._started_driver().screenshot(visit)

    def submit(
        self, url: str, field: int, text: str, *, options: RenderOptions = ONLINE
    ) -> str:
        """Return the address that a page leads to when text is typed into one of its
        fields and sent by the enter key.

        `field` is the number of the field among the inputs and text areas of the page.
        A page that stays where it is gives its own address.
        """
        return self._started_driver().submit(_url_visit(url, options), field, text)

    def close(self) -> None:
        """End the browser and all its processes. A page given later starts a new one."""
        with self._lock:
            self._driver = None
            if self._finalizer is not None:
                self._finalizer()

    def _started_driver(self) -> BrowserDriver:
        from scythe.render.driver import (
            BrowserDriver,
        )  # asyncio: only rendering needs it

        with self._lock:
            if self._driver is None or not self._driver.is_of_this_process:
                self._driver = BrowserDriver()
                self._finalizer = weakref.finalize(self, self._driver.close)
            return self._driver


def render_page(
    html: bytes | str, *, url: str | None = None, options: RenderOptions = OFFLINE
) -> Tree:
    """Return the tree of one page. For several, a `Browser` that is kept saves a second
    for each.
    """
    with Browser() as browser:
        return browser.render(html, url=url, options=options)


def _html_visit(
    html: bytes | str, url: str | None, charset: str | None, options: RenderOptions
) -> BrowserVisit:
    source = page_text(html, options.limits.max_bytes, charset)
    page_url = None
    if url and _is_http(url):
        page_url = urldefrag(url).url
    return BrowserVisit(options, page_url, source)


def _url_visit(url: str, options: RenderOptions) -> BrowserVisit:
    if not _is_http(url):
        raise FetchError(
            f"Cannot open {url}: only http and https addresses can be opened. "
            "For a file, render what it holds."
        )
    if not options.network:
        raise UsageError(
            "RenderOptions: a page cannot be opened with network=False. "
            "Give its HTML to `render`, or allow the network."
        )
    return BrowserVisit(options, url)


def _is_http(url: str) -> bool:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        return False
    return bool(rest.strip("/"))
