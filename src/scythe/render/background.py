"""An event loop on a thread of its own, on which the browser is driven.

Callers stay ordinary and synchronous, may have an event loop of their own (notebooks
do), and may be any thread; Ctrl-C reaches the caller, who waits, and never the middle
of a conversation with the browser.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")
_LAST_WORDS = 15.0
"""Seconds for a cancelled job to tidy up after itself; it needs one where the browser
is well, and kills it where it is not.
"""


class BackgroundLoop:
    """Runs coroutines for threads that are not asynchronous."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._work, name="scythe-browser", daemon=True
        )
        self._thread.start()

    def _work(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    @property
    def is_here(self) -> bool:
        """Whether the caller is the loop's own thread, which must not wait for it."""
        return threading.current_thread() is self._thread

    def run(self, job: Coroutine[Any, Any, Result]) -> Result:
        """The job's result. What interrupts the wait cancels the job, and is raised
        when the job has tidied up.
        """
        done = threading.Event()
        future: Future[Result] = asyncio.run_coroutine_threadsafe(
            _announced(job, done), self._loop
        )
        try:
            return future.result()
        except BaseException:
            future.cancel()
            done.wait(_LAST_WORDS)
            raise

    def stop(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        if not self.is_here:
            self._thread.join(_LAST_WORDS)


async def _announced(job: Coroutine[Any, Any, Result], done: threading.Event) -> Result:
    try:
        return await job
    finally:
        done.set()
