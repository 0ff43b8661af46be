"""One running Chromium: started, driven and ended on an event loop."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from scythe.errors import BrowserCrashed, NoBrowser
from scythe.tree.render.chromium import launch_arguments, require_chromium, sandboxed

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

    from scythe.tree.render.options import RenderOptions

Result = TypeVar("Result")
_START_SECONDS = 30.0
_END_SECONDS = 5.0


class Session:
    """A Chromium process and the driver that talks to it."""

    def __init__(self, playwright: Playwright, browser: Browser, process: int | None) -> None:
        self._playwright = playwright
        self._browser = browser
        self._process = process

    @classmethod
    async def start(cls) -> Session:
        """Start the machine's Chromium with an empty profile of its own."""
        chromium = require_chromium()
        from playwright.async_api import Error, async_playwright

        playwright = await async_playwright().start()
        try:
            browser = await playwright.chromium.launch(
                executable_path=chromium,
                args=launch_arguments(),
                chromium_sandbox=sandboxed(),
                timeout=1000 * _START_SECONDS,
                handle_sigint=False,
            )
            return cls(playwright, browser, await _process_of(browser))
        except BaseException as error:
            with suppress(Exception):
                await playwright.stop()
            if isinstance(error, Error):
                reason = error.message.strip().splitlines()[0]
                raise NoBrowser(
                    f"{chromium} does not start ({reason}). Start it by hand to see why, or name another in SCYTHE_CHROMIUM."
                ) from error
            raise

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self._browser.is_connected()

    async def in_page(self, options: RenderOptions, work: Callable[[BrowserContext, Page], Awaitable[Result]]) -> Result:
        """What the work gives in a fresh page that shares nothing with any other, and is closed in any case."""
        width, height = options.viewport
        context = await self._browser.new_context(
            java_script_enabled=options.scripts,
            viewport={"width": width, "height": height},
            accept_downloads=False,
            reduced_motion="reduce",
            service_workers="block",
        )
        try:
            page = await context.new_page()
            return await self._unless_ended(page, asyncio.ensure_future(work(context, page)))
        finally:
            try:
                await asyncio.wait_for(context.close(), _END_SECONDS)
            except Exception:
                self.kill()

    async def _unless_ended(self, page: Page, work: asyncio.Future[Result]) -> Result:
        """The work's result, or an error as soon as the page's process or the browser has ended: answers may never come then."""
        ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def end(_: Any) -> None:
            if not ended.done():
                ended.set_result("ended")

        page.on("crash", end)
        self._browser.on("disconnected", end)
        try:
            await asyncio.wait({work, ended}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise BrowserCrashed("The browser ended while it worked on the page. Try again; the next page gets a new one.")
        finally:
            self._browser.remove_listener("disconnected", end)
            if not work.done():
                work.cancel()
                with suppress(BaseException):
                    await work

    async def end(self) -> None:
        """Close the browser and the driver, by force where they do not answer."""
        for close in (self._browser.close, self._playwright.stop):
            try:
                await asyncio.wait_for(close(), _END_SECONDS)
            except Exception:
                self.kill()

    def kill(self) -> None:
        """End the browser and all its processes at once."""
        if self._process is None:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(os.getpgid(self._process), signal.SIGKILL)
            else:
                os.kill(self._process, signal.SIGTERM)


async def _process_of(browser: Browser) -> int | None:
    """The number of the browser's main process, from the browser itself."""
    session = await browser.new_browser_cdp_session()
    answer: dict[str, Any] = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next((int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser"), None)
