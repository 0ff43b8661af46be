"""One page in the browser: what it may do, how it gets there, and what is taken from
it.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from scythe.errors import PageTooLarge, RenderTimeout
from scythe.render.failures import require_page
from scythe.render.options import RenderOptions
from scythe.render.snapshot import REQUEST, tree_of
from scythe.tree.encoding import PageText
from scythe.tree.tree import Tree

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Page

_NOWHERE = "http://page.invalid/"
"""Where pages without an address are shown: a name that can never be a host's (RFC
2606).
"""
_PORT_OF_NO_SERVER = "http://127.0.0.1:9"
_RESERVE = 0.4
"""Share of the time that is kept for reading a page that does not finish loading:
200,000 nodes take 5 of 30 seconds.
"""
_REACTION = 3.0
"""Seconds within which a page must react to what is typed: scripts that answer at all
do so at once.
"""
_SHADOW_TREE = re.compile(r"(<template\b[^<>]*?\sshadowroot)(mode)\b", re.IGNORECASE)
_DISGUISE = "\\1\ue000\\2"
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Visit:
    """A page to be shown: the one at `url`, or `source` as if it had come from there."""

    options: RenderOptions
    url: str | None = None
    source: PageText | None = None


class Tab:
    """A browser context with one page in it."""

    def __init__(self, page: Page, session: CDPSession, options: RenderOptions) -> None:
        self.page = page
        self._session = session
        self._options = options
        self._awaited: str | None = None
        self._body = ""
        self._answers: set[asyncio.Task[Any]] = set()

    @classmethod
    async def open(cls, browser: Browser, options: RenderOptions) -> Tab:
        """A new tab with an empty page, which shares nothing with any other."""
        width, height = options.viewport
        context = await browser.new_context(
            java_script_enabled=options.scripts,
            offline=not options.network,
            # Not all that goes out is a request that could be refused: hosts are looked
            # up and connected to in advance.
            proxy=None if options.network else {"server": _PORT_OF_NO_SERVER},
            viewport={"width": width, "height": height},
            accept_downloads=False,
            reduced_motion="reduce",
            service_workers="block",
        )
        page = await context.new_page()
        tab = cls(page, await context.new_cdp_session(page), options)
        tab._session.on("Fetch.requestPaused", tab._paused)
        return tab

    def fits(self, options: RenderOptions) -> bool:
        """Whether a page with these options can be shown in this tab."""
        mine = self._options
        return (mine.scripts, mine.network, mine.viewport) == (
            options.scripts,
            options.network,
            options.viewport,
        )

    async def close(self) -> None:
        """Close the page and forget all it kept."""
        await self.page.context.close()

    async def tree(self, visit: Visit) -> Tree:
        """The page as a tree."""
        cut = await self._show(visit)
        await self._require_size(visit.options.limits.max_nodes)
        snapshot = _undisguised(
            await self._session.send("DOMSnapshot.captureSnapshot", dict(REQUEST))
        )
        source = visit.source or PageText("", _encoding_of(snapshot), ())
        return tree_of(
            snapshot, visit.options.limits, source.encoding, source.cut + cut
        )

    async def picture(self, visit: Visit) -> bytes:
        """All of the page as a PNG image."""
        await self._show(visit)
        return await self.page.screenshot(full_page=True, animations="disabled")

    async def asked(self, visit: Visit, box: int, words: str) -> str:
        """Where the page is after words were typed into one of its fields and sent by
        the enter key.
        """
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        await self._show(visit)
        before, field = self.page.url, self.page.locator("input, textarea").nth(box)
        try:
            await field.fill(words, timeout=1000 * _REACTION)
            await field.press("Enter", timeout=1000 * _REACTION)
            await self.page.wait_for_url(
                lambda url: url != before, wait_until="commit", timeout=1000 * _REACTION
            )
        except (
            PlaywrightTimeout
        ):  # a field that nobody can reach, or words that lead nowhere
            return before
        return self.page.url

    async def _show(self, visit: Visit) -> tuple[str, ...]:
        """Load the page; the answer names what was cut."""
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        deadline = time.monotonic() + visit.options.timeout * (1 - _RESERVE)
        url = visit.url or _NOWHERE
        if visit.options.quiet:
            url = f"{_NOWHERE}{next(_numbers)}"  # it has no say in anything, and tells this page's request from a late one
        if visit.source is not None:
            await self._expect(
                url,
                visit.source.text
                if visit.options.scripts
                else _disguised(visit.source.text),
            )
        try:
            response = await self.page.goto(
                url, wait_until="commit", timeout=_milliseconds_until(deadline)
            )
        except PlaywrightTimeout as error:
            raise RenderTimeout(
                f"{url} did not answer in time. Try again later, or allow more time (timeout)."
            ) from error
        if visit.source is None:
            require_page(response, url)
        try:
            await self.page.wait_for_load_state(
                "load", timeout=_milliseconds_until(deadline)
            )
        except PlaywrightTimeout:
            return ("time",)
        if visit.options.scripts and visit.options.network_idle_timeout:
            with suppress(PlaywrightTimeout):
                await self.page.wait_for_load_state(
                    "networkidle", timeout=1000 * visit.options.network_idle_timeout
                )
        return ()

    async def _expect(self, url: str, text: str) -> None:
        """Answer the next request for this page's document with the text.

        A byte-order mark tells the charset more firmly than any declaration, and is all
        that is added.
        """
        self._awaited = url
        self._body = base64.b64encode(b"\xef\xbb\xbf" + text.encode()).decode("ascii")
        await self._session.send(
            "Fetch.enable",
            {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]},
        )

    def _paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(
            self._answer(event["requestId"], event["request"]["url"])
        )
        self._answers.add(task)
        task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._answers.discard(task)
        if not task.cancelled():
            task.exception()  # a request that is gone by the time it is answered needs no answer

    async def _answer(self, request: str, url: str) -> None:
        if self._awaited is not None and (
            not self._options.quiet or url == self._awaited
        ):
            self._awaited, body = None, self._body
            self._body = ""
            headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
            answer = {
                "requestId": request,
                "responseCode": 200,
                "responseHeaders": headers,
                "body": body,
            }
            await self._session.send("Fetch.fulfillRequest", answer)
        elif self._options.network:
            await self._session.send("Fetch.continueRequest", {"requestId": request})
        else:  # aborted, a redirection by the page leaves it where it is; failed in any other way, it shows an error page
            await self._session.send(
                "Fetch.failRequest", {"requestId": request, "errorReason": "Aborted"}
            )

    async def _require_size(self, max_nodes: int) -> None:
        """Refuse a page with too many elements before its snapshot fills the memory of
        this process.

        The browser's own counter includes what earlier pages left; only where that is
        too many are this page's elements counted, in a world of its own, where the
        page's scripts have changed nothing.
        """
        if (await self._session.send("Memory.getDOMCounters"))["nodes"] <= max_nodes:
            return
        frame = (await self._session.send("Page.getFrameTree"))["frameTree"]["frame"][
            "id"
        ]
        world = await self._session.send("Page.createIsolatedWorld", {"frameId": frame})
        counting = {
            "expression": "document.getElementsByTagName('*').length",
            "contextId": world["executionContextId"],
        }
        elements = int(
            (await self._session.send("Runtime.evaluate", counting))["result"]["value"]
        )
        if elements > max_nodes:
            raise PageTooLarge(
                f"The page has {elements:,} elements; {max_nodes:,} nodes are allowed. Raise the limit, or parse it."
            )


def _milliseconds_until(deadline: float) -> float:
    """As playwright takes it; 0 would mean without end."""
    return max(1000 * (deadline - time.monotonic()), 1)


def _disguised(text: str) -> str:
    """The page without declared shadow trees, which browsers show in place of what
    parsing finds in it.
    """
    return _SHADOW_TREE.sub(_DISGUISE, text)


def _undisguised(snapshot: dict[str, Any]) -> dict[str, Any]:
    strings = [
        text.replace("shadowroot\ue000mode", "shadowrootmode")
        for text in snapshot["strings"]
    ]
    return snapshot | {"strings": strings}


def _encoding_of(snapshot: dict[str, Any]) -> str | None:
    number = snapshot["documents"][0]["encodingName"]
    return snapshot["strings"][number].lower() if number >= 0 else None
