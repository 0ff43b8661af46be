"""What is done in one page of the browser: load it, take its snapshot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scythe.errors import FetchError, RenderTimeout
from scythe.tree.encoding import PageText
from scythe.tree.render.options import RenderOptions
from scythe.tree.render.snapshot import REQUEST, tree_of
from scythe.tree.tree import Tree

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request, Route

NOWHERE = "http://page.invalid/"
"""The address of a page that has none: a name that can never be one of a host (RFC 2606)."""


@dataclass(frozen=True)
class Visit:
    """One page to be loaded: given as text, or fetched by the browser where `source` is None."""

    url: str
    source: PageText | None
    options: RenderOptions

    async def tree(self, context: BrowserContext, page: Page) -> Tree:
        """The page as a tree."""
        cut = await self._load(context, page)
        session = await context.new_cdp_session(page)
        snapshot = await session.send("DOMSnapshot.captureSnapshot", dict(REQUEST))
        given = self.source or PageText("", None, ())
        return tree_of(snapshot, self.options.limits, given.encoding, (*given.cut, *cut))

    async def picture(self, context: BrowserContext, page: Page) -> bytes:
        """The whole page as a PNG image."""
        await self._load(context, page)
        return await page.screenshot(full_page=True, animations="disabled")

    async def _load(self, context: BrowserContext, page: Page) -> list[str]:
        async def answer(route: Route, request: Request) -> None:
            await self._answer(route, request)

        await context.route("**/*", answer)
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        try:
            await page.goto(self.url, wait_until="load", timeout=1000 * self.options.timeout)
        except PlaywrightTimeout:
            return ["load"]
        return []

    async def _answer(self, route: Route, request: Request) -> None:
        if self.source is not None and request.url == self.url and request.is_navigation_request():
            await route.fulfill(status=200, headers=self._headers(), body="\ufeff" + self.source.text)
        elif self.options.network:
            await route.continue_()
        else:
            await route.abort("aborted")

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if not self.options.network:
            headers["Content-Security-Policy"] = "default-src data: 'unsafe-inline' 'unsafe-eval'"
        return headers
