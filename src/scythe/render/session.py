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
from scythe.render.chromium import ARGUMENTS, is_sandboxed, require_chromium
from scythe.render.failures import browser_crashed, first_message_line, page_crashed
from scythe.render.options import RenderOptions
from scythe.render.public_proxy import PublicProxy
from scythe.render.tab import Tab
from scythe.urls import goes_through_proxy

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

Result = TypeVar("Result")

_START_SECONDS = 30.0
"""A bound on waiting, not tuned."""
_END_SECONDS = 5.0
"""A bound on waiting, not tuned: what does not end within it is killed."""
_MEMORY_CHECK_SECONDS = 0.25
"""Between two looks at the memory: a page can fill about 200 MB in that time."""


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
        self._inert_tab: Tab | None = None
        self._proxy: PublicProxy | None = None
        self.is_broken = False

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
                f"playwright does not start ({error}). "
                "Install it again: pip install 'webscythe[browser]'."
            ) from error

        scratch = TemporaryDirectory(prefix="scythe-", ignore_cleanup_errors=True)
        try:
            browser = await playwright.chromium.launch(
                executable_path=chromium,
                env=_environment(scratch.name),
                args=ARGUMENTS,
                chromium_sandbox=is_sandboxed(),
                timeout=1000 * _START_SECONDS,
                handle_sigint=False,
            )
            control = await browser.new_browser_cdp_session()
            session = cls(playwright, browser, control, scratch)
            await session._find_main_process()
        except BaseException as error:
            await _ends_in_time(playwright.stop())
            scratch.cleanup()
            if not isinstance(error, Error):
                raise
            raise NoBrowser(
                f"{chromium} does not start ({first_message_line(error)}). "
                "Start it by hand, or name another in SCYTHE_CHROMIUM."
            ) from error
        return session

    @property
    def is_alive(self) -> bool:
        """Whether the browser can be given another page."""
        return self._browser.is_connected() and not self.is_broken

    async def tab_for(self, options: RenderOptions) -> Tab:
        """Return a tab for one page.

        A page that runs no scripts and reaches no server leaves nothing behind, so that
        such pages share one tab, which takes half the time of a new one for each. Any
        other gets a context that no page was in before.
        """
        if not options.is_inert:
            proxy = await self._proxy_for(options)
            return await Tab.open(self._browser, options, proxy)
        shared = self._inert_tab
        if shared is not None and not shared.fits(options):
            await self.close_tab(shared)
        if self._inert_tab is None:
            self._inert_tab = await Tab.open(self._browser, options)
        return self._inert_tab

    async def _proxy_for(self, options: RenderOptions) -> str | None:
        """Return the proxy that leads a page to public machines only, where that is
        asked for. A machine that reaches the web by a proxy of its own keeps that one.
        """
        if not (options.network and options.public_only) or goes_through_proxy():
            return None
        if self._proxy is None:
            self._proxy = await PublicProxy.start()
        return self._proxy.url

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab; where that cannot be done, the browser is beyond repair, and
        ended.
        """
        if tab is self._inert_tab:
            self._inert_tab = None
        if not await _ends_in_time(tab.close()):
            self.kill()

    async def watch(
        self, tab: Tab, work: Coroutine[Any, Any, Result], options: RenderOptions
    ) -> Result:
        """Return the work's result, or raise an error as soon as it takes too much time
        or memory, or its process has ended.

        Where a page's process has ended, the browser may never answer what is asked of
        the page, hence the race.
        """
        job = asyncio.ensure_future(work)
        memory = asyncio.ensure_future(self._wait_for_memory(options.max_memory))
        loop = asyncio.get_running_loop()
        crash: asyncio.Future[ScytheError] = loop.create_future()

        def reporting(error: Callable[[], ScytheError]) -> Callable[[object], None]:
            def report(_: object) -> None:
                if not crash.done():
                    crash.set_result(error())

            return report

        on_page_crash = reporting(page_crashed)
        on_disconnect = reporting(browser_crashed)
        tab.page.on("crash", on_page_crash)
        self._browser.on("disconnected", on_disconnect)
        try:
            racers: set[asyncio.Future[Any]] = {job, crash, memory}
            await asyncio.wait(
                racers, timeout=options.timeout, return_when=asyncio.FIRST_COMPLETED
            )
            if job.done():
                return job.result()
            if crash.done():
                raise crash.result()
            if memory.done():
                memory.result()
                raise _too_large(options.max_memory)
            raise _too_late(options.timeout)
        finally:
            tab.page.remove_listener("crash", on_page_crash)
            self._browser.remove_listener("disconnected", on_disconnect)
            for task in (job, memory):
                task.cancel()
            await _ends_in_time(_all_done(job, memory))

    async def _wait_for_memory(self, max_memory: int) -> None:
        """Return when the browser's processes hold more than so many bytes of their own."""
        while sys.platform == "linux":
            processes = await self._processes()
            numbers = [number for _, number in processes]
            if _private_memory(numbers) > max_memory:
                return
            await asyncio.sleep(_MEMORY_CHECK_SECONDS)
        await asyncio.get_running_loop().create_future()

    async def _processes(self) -> list[tuple[str, int]]:
        """Return the kinds and numbers of the browser's processes."""
        answer: dict[str, Any] = await self._control.send("SystemInfo.getProcessInfo")
        processes = []
        for process in answer["processInfo"]:
            kind = process["type"]
            processes.append((kind, int(process["id"])))
        return processes

    async def _find_main_process(self) -> None:
        for kind, number in await self._processes():
            if kind == "browser":
                self._main_process = number
                return

    async def end(self) -> None:
        """Close the browser and the driver, by force where they do not answer."""
        if self.is_broken or not await _ends_in_time(self._browser.close()):
            self.kill()
        await _ends_in_time(self._playwright.stop())
        if self._proxy is not None:
            self._proxy.close()
        self._scratch.cleanup()

    def kill(self) -> None:
        """End the browser and all its processes at once. The driver, which started it,
        sees that and cleans up.
        """
        self.is_broken = True
        if self._main_process is None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                os.kill(self._main_process, signal.SIGTERM)
            else:
                group = os.getpgid(self._main_process)
                os.killpg(group, signal.SIGKILL)


def _too_large(max_memory: int) -> PageTooLarge:
    return PageTooLarge(
        f"The page takes more than {max_memory / 1e6:.0f} MB. "
        "Allow more (max_memory), or parse it."
    )


def _too_late(timeout: float) -> RenderTimeout:
    return RenderTimeout(
        f"The page was not ready within {timeout:g} seconds. "
        "Allow more (timeout), or no scripts."
    )


def _environment(scratch: str) -> dict[str, str | float | bool] | None:
    """Return an environment with a folder for what a killed Chromium leaves; on Linux
    only, as elsewhere its path may be too long for a socket.
    """
    if sys.platform != "linux":
        return None
    return {**os.environ, "TMPDIR": scratch}


async def _all_done(*tasks: asyncio.Future[Any]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)


async def _ends_in_time(work: Coroutine[Any, Any, None]) -> bool:
    """Return whether the work was done without an error in the time that ending anything
    may take.
    """
    try:
        await asyncio.wait_for(work, _END_SECONDS)
    except Exception:
        return False
    return True


def _private_memory(processes: Iterable[int]) -> int:
    """Return the bytes that the processes hold and share with no other."""
    pages = 0
    for process in processes:
        with suppress(OSError, ValueError):
            statm = Path(f"/proc/{process}/statm").read_text("ascii")
            _, resident, shared, *_ = statm.split()
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")
