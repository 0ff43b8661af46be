"""One running Chromium: started, watched and ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from scythe.errors import NoBrowser, PageTooLarge, RenderTimeout, ScytheError
from scythe.render.chromium import ARGUMENTS, require_chromium, sandboxed
from scythe.render.failures import crashed, page_crashed
from scythe.render.options import RenderOptions
from scythe.render.tab import Tab

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

Result = TypeVar("Result")
_START_SECONDS = 30.0
_END_SECONDS = 5.0
_LOOK_EVERY = 0.25
"""Seconds between two looks at the memory: a page can fill about 200 MB in that time."""


class Session:
    """A Chromium process and the driver that talks to it."""

    def __init__(
        self,
        playwright: Playwright,
        browser: Browser,
        control: CDPSession,
        scratch: TemporaryDirectory[str],
    ) -> None:
        self._playwright = playwright
        self._browser = browser
        self._control = control
        self._scratch = scratch
        self._main_process: int | None = None
        self._quiet: Tab | None = None
        self.broken = False

    @classmethod
    async def start(cls) -> Session:
        """Start the machine's Chromium, with an empty profile of its own that the
        driver removes afterwards.
        """
        chromium = require_chromium()
        from playwright.async_api import Error, async_playwright

        try:
            playwright = await async_playwright().start()
        except Exception as error:
            raise NoBrowser(
                f"playwright does not start ({error}). Install it again: pip install 'scythe[browser]'."
            ) from error
        scratch = TemporaryDirectory(prefix="scythe-", ignore_cleanup_errors=True)
        try:
            browser = await playwright.chromium.launch(
                executable_path=chromium,
                env=_environment(scratch.name),
                args=ARGUMENTS,
                chromium_sandbox=sandboxed(),
                timeout=1000 * _START_SECONDS,
                handle_sigint=False,
            )
            session = cls(
                playwright, browser, await browser.new_browser_cdp_session(), scratch
            )
            session._main_process = next(
                (
                    number
                    for kind, number in await session._processes()
                    if kind == "browser"
                ),
                None,
            )
        except BaseException as error:
            await _quickly(playwright.stop())
            scratch.cleanup()
            if not isinstance(error, Error):
                raise
            reason = (error.message.strip().splitlines() or ["no reason given"])[0]
            raise NoBrowser(
                f"{chromium} does not start ({reason}). Start it by hand, or name another in SCYTHE_CHROMIUM."
            ) from error
        return session

    @property
    def alive(self) -> bool:
        """Whether the browser can be given another page."""
        return self._browser.is_connected() and not self.broken

    async def tab_for(self, options: RenderOptions) -> Tab:
        """A tab for one page.

        A page that runs no scripts and reaches no server leaves nothing behind, so that
        such pages share one tab, which takes half the time of a new one for each. Any
        other gets a context that no page was in before.
        """
        if not options.quiet:
            return await Tab.open(self._browser, options)
        if self._quiet is not None and not self._quiet.fits(options):
            await self.leave(self._quiet)
        if self._quiet is None:
            self._quiet = await Tab.open(self._browser, options)
        return self._quiet

    async def leave(self, tab: Tab) -> None:
        """Close a tab; where that cannot be done, the browser is beyond repair, and
        ended.
        """
        if tab is self._quiet:
            self._quiet = None
        if not await _quickly(tab.close()):
            self.kill()

    async def watch(
        self, tab: Tab, work: Coroutine[Any, Any, Result], options: RenderOptions
    ) -> Result:
        """The work's result, or an error as soon as it takes too much time or memory,
        or its process has ended.

        Where a page's process has ended, the browser may never answer what is asked of
        the page, hence the race.
        """
        job = asyncio.ensure_future(work)
        ended: asyncio.Future[ScytheError] = asyncio.get_running_loop().create_future()
        memory = asyncio.ensure_future(self._too_much_memory(options.max_memory))

        def ending(reason: Callable[[], ScytheError]) -> Callable[[object], None]:
            return lambda _: None if ended.done() else ended.set_result(reason())

        on_crash, on_end = ending(page_crashed), ending(crashed)
        tab.page.on("crash", on_crash)
        self._browser.on("disconnected", on_end)
        try:
            racers: set[asyncio.Future[Any]] = {job, ended, memory}
            await asyncio.wait(
                racers, timeout=options.timeout, return_when=asyncio.FIRST_COMPLETED
            )
            if job.done():
                return job.result()
            if ended.done():
                raise ended.result()
            if memory.done():
                memory.result()
                raise PageTooLarge(
                    f"The page takes more than {options.max_memory / 1e6:.0f} MB. Allow more (max_memory), or parse it."
                )
            raise RenderTimeout(
                f"The page was not ready within {options.timeout:g} seconds. Allow more (timeout), or no scripts."
            )
        finally:
            tab.page.remove_listener("crash", on_crash)
            self._browser.remove_listener("disconnected", on_end)
            for task in (job, memory):
                task.cancel()
            await _quickly(_all_done(job, memory))

    async def _too_much_memory(self, bound: int) -> None:
        """Return when the browser's processes hold more than `bound` bytes of their
        own.
        """
        while sys.platform == "linux":
            if _private_memory(number for _, number in await self._processes()) > bound:
                return
            await asyncio.sleep(_LOOK_EVERY)
        await asyncio.get_running_loop().create_future()

    async def _processes(self) -> list[tuple[str, int]]:
        answer: dict[str, Any] = await self._control.send("SystemInfo.getProcessInfo")
        return [
            (process["type"], int(process["id"])) for process in answer["processInfo"]
        ]

    async def end(self) -> None:
        """Close the browser and the driver, by force where they do not answer."""
        if self.broken or not await _quickly(self._browser.close()):
            self.kill()
        await _quickly(self._playwright.stop())
        self._scratch.cleanup()

    def kill(self) -> None:
        """End the browser and all its processes at once. The driver, which started it,
        sees that and tidies up.
        """
        self.broken = True
        if self._main_process is None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                os.kill(self._main_process, signal.SIGTERM)
            else:
                os.killpg(os.getpgid(self._main_process), signal.SIGKILL)


def _environment(scratch: str) -> dict[str, str | float | bool] | None:
    """A folder for what a killed Chromium leaves; on Linux only, as elsewhere its path
    may be too long for a socket.
    """
    return {**os.environ, "TMPDIR": scratch} if sys.platform == "linux" else None


async def _all_done(*tasks: asyncio.Future[Any]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _quickly(work: Coroutine[Any, Any, None]) -> bool:
    """Whether the work was done without an error in the time that ending anything may
    take.
    """
    try:
        await asyncio.wait_for(work, _END_SECONDS)
    except Exception:
        return False
    return True


def _private_memory(processes: Iterable[int]) -> int:
    """Bytes that the processes hold and share with no other."""
    pages = 0
    for process in processes:
        with suppress(OSError, ValueError):
            _, resident, shared, *_ = (
                Path(f"/proc/{process}/statm").read_text("ascii").split()
            )
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")
