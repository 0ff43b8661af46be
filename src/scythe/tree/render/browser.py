"""A browser that renders one page after the other."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from scythe.tree.encoding import page_text
from scythe.tree.render.background import BackgroundLoop
from scythe.tree.render.options import GIVEN, LIVE, RenderOptions
from scythe.tree.render.session import Session
from scythe.tree.render.visit import NOWHERE, Visit
from scythe.tree.tree import Tree


class Browser:
    """A real browser, started when the first page needs it and kept for the next; close it, or use it in a `with` statement."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._loop: BackgroundLoop | None = None
        self._session: Session | None = None

    def render(
        self, html: bytes | str, *, url: str | None = None, charset: str | None = None, options: RenderOptions = GIVEN
    ) -> Tree:
        """The tree of a page with boxes and layout."""
        return self._visit("tree", html, url, charset, options)

    def _visit(self, what, html, url, charset, options):
        visit = Visit(url or NOWHERE, page_text(html, options.limits.max_bytes, charset) if html is not None else None, options)
        with self._lock:
            if self._loop is None:
                self._loop = BackgroundLoop()
            return self._loop.run(self._job(visit, what))

    async def _job(self, visit, what):
        if self._session is not None and not self._session.alive:
            await self._session.end()
            self._session = None
        if self._session is None:
            self._session = await Session.start()
        return await self._session.in_page(visit.options, getattr(visit, what))

    def close(self) -> None:
        with self._lock:
            loop, self._loop = self._loop, None
            session, self._session = self._session, None
            if loop:
                if session:
                    loop.run(session.end())
                loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
