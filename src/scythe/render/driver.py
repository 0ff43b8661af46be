"""A Chromium kept at work on a thread of its own: started when needed, replaced when
broken, ended in any case.

Callers stay ordinary and synchronous, may have an event loop of their own (notebooks
do), and may be any thread; Ctrl-C reaches the caller, who waits, and never the middle
of a conversation with the browser.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from scythe.render.failures import browser_crashed, render_error
from scythe.render.options import BrowserVisit
from scythe.render.session import Session
from scythe.render.tab import Tab
from scythe.tree.tree import Tree

Result = TypeVar("Result")

_CLEANUP_SECONDS = 15.0
"""For a cancelled job to clean up after itself; it needs one where the browser is well,
and kills it where it is not.
"""
_TAB_SECONDS = 20.0
"""A browser that opens no tab within this time, a hundred times what it takes, does not
answer at all.
"""


class BackgroundLoop:
    """An event loop on a thread, which runs coroutines for threads that are not
    asynchronous.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._run_loop, name="scythe-browser", daemon=True
        )
        self._thread.start()

    def _run_loop(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    @property
    def is_current_thread(self) -> bool:
        """Whether the caller is the loop's own thread, which must not wait for it."""
        return threading.current_thread() is self._thread

    def run(self, job: Coroutine[Any, Any, Result]) -> Result:
        """Return the job's result. What interrupts the wait cancels the job, and is
        raised when the job has cleaned up.
        """
        done = threading.Event()
        future: Future[Result] = asyncio.run_coroutine_threadsafe(
            _with_event(job, done), self._loop
        )
        try:
            return future.result()
        except BaseException:
            future.cancel()
            done.wait(_CLEANUP_SECONDS)
            raise

    def stop(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        if not self.is_current_thread:
            self._thread.join(_CLEANUP_SECONDS)


async def _with_event(
    job: Coroutine[Any, Any, Result], done: threading.Event
) -> Result:
    try:
        return await job
    finally:
        done.set()


class BrowserDriver:
    """Shows one page at a time, in one Chromium for all of them as long as it is well."""

    def __init__(self) -> None:
        self._background = BackgroundLoop()
        self._session: Session | None = None
        self._turn = threading.Lock()
        self._process = os.getpid()

    @property
    def is_of_this_process(self) -> bool:
        """Whether this process started it: a forked one has a copy of the object, but
        neither thread nor browser.
        """
        return self._process == os.getpid()

    def tree(self, visit: BrowserVisit) -> Tree:
        """Return the page as a tree."""
        return self._run(visit, lambda tab: tab.tree(visit))

    def screenshot(self, visit: BrowserVisit) -> bytes:
        """Return the page as an image."""
        return self._run(visit, lambda tab: tab.screenshot(visit))

    def submit(self, visit: BrowserVisit, field: int, text: str) -> str:
        """Return where the page is after text was typed into one of its fields."""
        return self._run(visit, lambda tab: tab.submit(visit, field, text))

    def _run(
        self, visit: BrowserVisit, work: Callable[[Tab], Coroutine[Any, Any, Result]]
    ) -> Result:
        with self._turn:
            return self._background.run(self._work_in_tab(visit, work))

    async def _work_in_tab(
        self, visit: BrowserVisit, work: Callable[[Tab], Coroutine[Any, Any, Result]]
    ) -> Result:
        session = await self._live_session()
        from playwright.async_api import Error

        tab = None
        try:
            tab = await asyncio.wait_for(session.tab_for(visit.options), _TAB_SECONDS)
            result = await session.watch(tab, work(tab), visit.options)
        except BaseException as error:
            if tab is None:
                session.kill()
            else:
                await session.close_tab(tab)
            if isinstance(error, TimeoutError):
                raise browser_crashed() from error
            if isinstance(error, Error):
                raise render_error(error, visit.url) from error
            raise
        if not visit.options.is_inert:
            await session.close_tab(tab)
        return result

    async def _live_session(self) -> Session:
        if self._session is not None and not self._session.is_alive:
            await self._session.end()
            self._session = None
        if self._session is None:
            self._session = await Session.start()
        return self._session

    def close(self) -> None:
        """End the browser and the thread."""
        if not self.is_of_this_process:
            return
        session, self._session = self._session, None
        if session is not None:
            # The garbage collector, which may call this, runs on any thread.
            if self._background.is_current_thread:
                session.kill()
            else:
                self._background.run(session.end())
        self._background.stop()
