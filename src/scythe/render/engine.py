"""A Chromium kept at work: started when needed, replaced when broken, ended in any
case.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from scythe.render.background import BackgroundLoop
from scythe.render.failures import crashed, failure
from scythe.render.session import Session
from scythe.render.tab import Tab, Visit
from scythe.tree.tree import Tree

Result = TypeVar("Result")
_TAB_SECONDS = 20.0
"""A browser that opens no tab within this time, a hundred times what it takes, does not
answer at all.
"""


class Engine:
    """Shows one page at a time, in one Chromium for all of them as long as it is well."""

    def __init__(self) -> None:
        self._background = BackgroundLoop()
        self._session: Session | None = None
        self._turn = threading.Lock()
        self._process = os.getpid()

    @property
    def is_ours(self) -> bool:
        """Whether this process started it: a forked one has a copy of the object, but
        neither thread nor browser.
        """
        return self._process == os.getpid()

    def tree(self, visit: Visit) -> Tree:
        """The page as a tree."""
        return self._run(visit, lambda tab: tab.tree(visit))

    def picture(self, visit: Visit) -> bytes:
        """The page as an image."""
        return self._run(visit, lambda tab: tab.picture(visit))

    def asked(self, visit: Visit, box: int, words: str) -> str:
        """Where the page is after words were typed into one of its fields."""
        return self._run(visit, lambda tab: tab.asked(visit, box, words))

    def _run(
        self, visit: Visit, work: Callable[[Tab], Coroutine[Any, Any, Result]]
    ) -> Result:
        with self._turn:
            return self._background.run(self._visit(visit, work))

    async def _visit(
        self, visit: Visit, work: Callable[[Tab], Coroutine[Any, Any, Result]]
    ) -> Result:
        session = await self._ready()
        from playwright.async_api import Error

        tab = None
        try:
            tab = await asyncio.wait_for(session.tab_for(visit.options), _TAB_SECONDS)
            result = await session.watch(tab, work(tab), visit.options)
        except BaseException as error:
            if tab is None:
                session.kill()
            else:
                await session.leave(tab)
            if isinstance(error, TimeoutError):
                raise crashed() from error
            if isinstance(error, Error):
                raise failure(error, visit.url) from error
            raise
        if not visit.options.quiet:
            await session.leave(tab)
        return result

    async def _ready(self) -> Session:
        if self._session is not None and not self._session.alive:
            await self._session.end()
            self._session = None
        if self._session is None:
            self._session = await Session.start()
        return self._session

    def close(self) -> None:
        """End the browser and the thread."""
        if not self.is_ours:
            return
        session, self._session = self._session, None
        if (
            session is not None and self._background.is_here
        ):  # the garbage collector runs on any thread
            session.kill()
        elif session is not None:
            self._background.run(session.end())
        self._background.stop()
