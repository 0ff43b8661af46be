"""One page in the browser: what it may do, how it gets there, and what is taken from
it.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from scythe.errors import PageTooLarge, RenderTimeout
from scythe.render.failures import require_page_response
from scythe.render.options import BrowserVisit, RenderOptions, Typing
from scythe.render.snapshot import REQUEST, snapshot_tree
from scythe.tree.encoding import PageText
from scythe.tree.tree import Tree
from scythe.urls import hostname, is_own_network, is_web_url

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page, ProxySettings

_NO_ADDRESS = "http://page.invalid/"
"""Where pages without an address are shown: a name that can never be a host's (RFC
2606).
"""
_NO_SERVER = "http://127.0.0.1:9"
"""The discard port, on which nothing answers."""
_READING_SHARE = 0.4
"""Share of the time that is kept for reading a page that does not finish loading:
200,000 nodes take 5 of 30 seconds.
"""
_REACTION_SECONDS = 3.0
"""Within which a page must react to what is typed: scripts that answer at all do so at
once.
"""
_SHADOW_ROOT = re.compile(r"(<template\b[^<>]*?\sshadowroot)(mode)\b", re.IGNORECASE)
_HIDDEN_SHADOW_ROOT = "\\1\ue000\\2"
_page_numbers = count(1)
_SETTLE_STEP = 0.2
_SETTLE_STEPS = 4
"""Seconds between two looks at a page that may grow, and how many looks in a row must
find it as it was: scripts that write results one by one take some milliseconds for
each. Not tuned.
"""
_SIZE = "document.getElementsByTagName('*').length"


class Tab:
    """A browser context with one page in it."""

    def __init__(self, page: Page, session: CDPSession, options: RenderOptions) -> None:
        self.page = page
        self._session = session
        self._options = options
        self._expected_url: str | None = None
        self._body = ""
        self._answers: set[asyncio.Task[Any]] = set()
        self._private_hosts: dict[str, bool] = {}

    @classmethod
    async def open(
        cls, browser: Browser, options: RenderOptions, proxy: str | None = None
    ) -> Tab:
        """Return a new tab with an empty page, which shares nothing with any other, and
        reaches the network by the proxy if there is one.
        """
        width, height = options.viewport
        context = await browser.new_context(
            java_script_enabled=options.scripts,
            offline=not options.network,
            proxy=_proxy_settings(options, proxy),
            viewport={"width": width, "height": height},
            accept_downloads=False,
            reduced_motion="reduce",
            service_workers="block",
        )
        page = await context.new_page()
        tab = cls(page, await context.new_cdp_session(page), options)
        tab._session.on("Fetch.requestPaused", tab._on_request)
        return tab

    def fits(self, options: RenderOptions) -> bool:
        """Return whether a page with these options can be shown in this tab."""
        own = self._options
        return (
            own.scripts == options.scripts
            and own.network == options.network
            and own.public_only == options.public_only
            and own.viewport == options.viewport
        )

    async def close(self) -> None:
        """Close the page and forget all it kept."""
        await self.page.context.close()

    async def tree(self, visit: BrowserVisit) -> Tree:
        """Return the page as a tree."""
        pending: set[object] = set()
        if visit.options.settle_timeout:
            self.page.on("request", lambda request: pending.add(request))
            self.page.on("requestfinished", lambda request: pending.discard(request))
            self.page.on("requestfailed", lambda request: pending.discard(request))
        cut = await self._show(visit)
        if visit.typing is not None:
            await self._type(visit.typing)
        if visit.options.settle_timeout:
            await self._settle(visit.options.settle_timeout, pending)
        await self._require_size(visit.options.limits.max_nodes)
        snapshot = await self._session.send(
            "DOMSnapshot.captureSnapshot", dict(REQUEST)
        )
        snapshot = _restore_shadow_roots(snapshot)
        source = visit.source or PageText("", _encoding(snapshot), ())
        return snapshot_tree(
            snapshot, visit.options.limits, source.encoding, source.cut + cut
        )

    async def _type(self, typing: Typing) -> None:
        """Type text into a field, key by key, and wait until the page reacts."""
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        field = self.page.locator(typing.field).first
        timeout = 1000 * _REACTION_SECONDS
        before = await self.page.evaluate(_SIZE)
        try:
            await field.click(timeout=timeout)
            await field.press_sequentially(typing.text, timeout=timeout)
            await self.page.wait_for_function(f"{_SIZE} != {before}", timeout=timeout)
        except PlaywrightTimeout:
            # A field that nobody can reach, or text that changes nothing.
            return

    async def _settle(self, seconds: float, pending: set[object]) -> None:
        """Wait until the page has stopped growing, and waits for no request itself."""
        deadline = time.monotonic() + seconds
        size, alike = -1, 0
        while alike < _SETTLE_STEPS and time.monotonic() < deadline:
            current = int(await self.page.evaluate(_SIZE))
            is_still = current == size and not pending
            alike = alike + 1 if is_still else 0
            size = current
            await asyncio.sleep(_SETTLE_STEP)

    async def screenshot(self, visit: BrowserVisit) -> bytes:
        """Return all of the page as a PNG image."""
        await self._show(visit)
        return await self.page.screenshot(full_page=True, animations="disabled")

    async def submit(self, visit: BrowserVisit, field: int, text: str) -> str:
        """Return where the page is after text was typed into one of its fields and sent
        by the enter key.
        """
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        await self._show(visit)
        before = self.page.url
        control = self.page.locator("input, textarea").nth(field)
        timeout = 1000 * _REACTION_SECONDS
        try:
            await control.fill(text, timeout=timeout)
            await control.press("Enter", timeout=timeout)
            await self.page.wait_for_url(
                lambda url: url != before, wait_until="commit", timeout=timeout
            )
        except PlaywrightTimeout:
            # A field that nobody can reach, or text that leads nowhere.
            return before
        return self.page.url

    async def _show(self, visit: BrowserVisit) -> tuple[str, ...]:
        """Load the page; return what was cut."""
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        options = visit.options
        loading_seconds = options.timeout * (1 - _READING_SHARE)
        deadline = time.monotonic() + loading_seconds
        url = visit.url or _NO_ADDRESS
        if options.is_inert:
            # The address decides nothing then, and a new one keeps the request for this
            # page apart from a late one for the last.
            url = f"{_NO_ADDRESS}{next(_page_numbers)}"
        has_refusals = options.network and options.public_only
        if visit.source is not None or has_refusals:
            await self._intercept(everything=has_refusals)
        if visit.source is not None:
            html = visit.source.text
            self._expect(url, html if options.scripts else _hide_shadow_roots(html))

        try:
            response = await self.page.goto(
                url, wait_until="commit", timeout=_milliseconds_until(deadline)
            )
        except PlaywrightTimeout as error:
            raise RenderTimeout(
                f"{url} did not answer in time. "
                "Try again later, or allow more time (timeout)."
            ) from error
        if visit.source is None:
            require_page_response(response, url)

        try:
            await self.page.wait_for_load_state(
                "load", timeout=_milliseconds_until(deadline)
            )
        except PlaywrightTimeout:
            return ("time",)
        if options.scripts and options.network_idle_timeout:
            with suppress(PlaywrightTimeout):
                await self.page.wait_for_load_state(
                    "networkidle", timeout=1000 * options.network_idle_timeout
                )
        return ()

    async def _intercept(self, *, everything: bool) -> None:
        """Have requests wait for an answer of ours: those for documents, which may be
        given, or all, where some may be refused.
        """
        pattern = {"urlPattern": "*"}
        if not everything:
            pattern["resourceType"] = "Document"
        await self._session.send("Fetch.enable", {"patterns": [pattern]})

    def _expect(self, url: str, text: str) -> None:
        """Answer the next request for this page's document with the text.

        A byte-order mark declares the charset more firmly than any declaration, and is
        all that is added.
        """
        self._expected_url = url
        marked = b"\xef\xbb\xbf" + text.encode()
        self._body = base64.b64encode(marked).decode("ascii")

    def _on_request(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        answer = self._answer(event["requestId"], url)
        task = asyncio.ensure_future(answer)
        self._answers.add(task)
        task.add_done_callback(self._on_answered)

    def _on_answered(self, task: asyncio.Task[Any]) -> None:
        self._answers.discard(task)
        if not task.cancelled():
            # A request that is gone by the time it is answered needs no answer: its
            # error is looked at, and so not reported.
            task.exception()

    async def _answer(self, request: str, url: str) -> None:
        is_expected = self._expected_url is not None and (
            not self._options.is_inert or url == self._expected_url
        )
        if is_expected:
            body = self._body
            self._body = ""
            self._expected_url = None
            header = {"name": "Content-Type", "value": "text/html; charset=utf-8"}
            answer = {
                "requestId": request,
                "responseCode": 200,
                "responseHeaders": [header],
                "body": body,
            }
            await self._session.send("Fetch.fulfillRequest", answer)
        elif self._options.network and await self._is_refused(url):
            failure = {"requestId": request, "errorReason": "BlockedByClient"}
            await self._session.send("Fetch.failRequest", failure)
        elif self._options.network:
            await self._session.send("Fetch.continueRequest", {"requestId": request})
        else:
            # Aborted, a redirection by the page leaves it where it is; failed in any
            # other way, it shows an error page.
            failure = {"requestId": request, "errorReason": "Aborted"}
            await self._session.send("Fetch.failRequest", failure)

    async def _is_refused(self, url: str) -> bool:
        """Return whether an address is of a machine that may not be asked. Names are
        looked up once a page, in a thread.
        """
        if not self._options.public_only or not is_web_url(url):
            return False
        host = hostname(url)
        if host not in self._private_hosts:
            private = await asyncio.to_thread(is_own_network, url)
            self._private_hosts[host] = private
        return self._private_hosts[host]

    async def _require_size(self, max_nodes: int) -> None:
        """Refuse a page with too many elements before its snapshot fills the memory of
        this process.

        The browser's own counter includes what earlier pages left; only where that is
        too many are this page's elements counted, in a world of its own, where the
        page's scripts have changed nothing.
        """
        counters = await self._session.send("Memory.getDOMCounters")
        if counters["nodes"] <= max_nodes:
            return
        frames = await self._session.send("Page.getFrameTree")
        frame = frames["frameTree"]["frame"]["id"]
        world = await self._session.send("Page.createIsolatedWorld", {"frameId": frame})
        counting = {
            "expression": "document.getElementsByTagName('*').length",
            "contextId": world["executionContextId"],
        }
        counted = await self._session.send("Runtime.evaluate", counting)
        elements = int(counted["result"]["value"])
        if elements > max_nodes:
            raise PageTooLarge(
                f"The page has {elements:,} elements; {max_nodes:,} nodes are allowed. "
                "Raise the limit, or parse it."
            )


def _proxy_settings(options: RenderOptions, proxy: str | None) -> ProxySettings | None:
    """Return the proxy of a page: also of one that may reach nothing, since not all that
    goes out is a request that could be refused (hosts are looked up and connected to in
    advance). This machine itself is no exception.
    """
    server = proxy if options.network else _NO_SERVER
    return {"server": server, "bypass": "<-loopback>"} if server else None


def _milliseconds_until(deadline: float) -> float:
    """Return the time left as playwright takes it; 0 would mean without end."""
    return max(1000 * (deadline - time.monotonic()), 1)


def _hide_shadow_roots(text: str) -> str:
    """Return the page without declared shadow trees, which browsers show in place of
    what parsing finds in it.
    """
    return _SHADOW_ROOT.sub(_HIDDEN_SHADOW_ROOT, text)


def _restore_shadow_roots(snapshot: dict[str, Any]) -> dict[str, Any]:
    strings = [
        text.replace("shadowroot\ue000mode", "shadowrootmode")
        for text in snapshot["strings"]
    ]
    return snapshot | {"strings": strings}


def _encoding(snapshot: dict[str, Any]) -> str | None:
    number = snapshot["documents"][0]["encodingName"]
    return snapshot["strings"][number].lower() if number >= 0 else None
