"""A function over many items on all cores: results in the order of the items, little in memory, and no item stops another."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 8
"""Items under way or done but not yet taken, per worker: enough that one slow item does not leave the others idle."""


class Crew(Generic[Item, Result]):
    """Worker processes that apply one function, and are replaced when an item kills one of them.

    Workers come from a fork server: it has loaded everything once, so each starts at once, and unlike a fork of this process
    it has no threads whose locks a child could inherit.
    """

    def __init__(self, work: Callable[[Item], Result], workers: int, preload: str) -> None:
        self._work = work
        self._workers = workers
        methods = multiprocessing.get_all_start_methods()
        self._context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            self._context.set_forkserver_preload([preload])
        self._pool = self._new_pool(workers)

    def map(self, items: Iterable[Item], is_bound_here: Callable[[Item], bool]) -> Iterator[tuple[Item, Result | None]]:
        """Each item with its result, None where it killed its worker. Items that only this process can do are done here."""
        remaining = iter(items)
        window: deque[tuple[Item, Future[Result]]] = deque()
        try:
            while True:
                for item in islice(remaining, AHEAD * self._workers - len(window)):
                    window.append((item, self._done_here(item) if is_bound_here(item) else self._submit(item)))
                if not window:
                    break
                item, future = window.popleft()
                try:
                    result: Result | None = future.result()
                except BrokenProcessPool:
                    result = self._alone(item)
                    window = self._resubmitted(window)
                yield item, result
        except BaseException:
            self._end_now()
            raise
        self._pool.shutdown()

    def _new_pool(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, self._context, initializer=_prepare_worker)

    def _submit(self, item: Item) -> Future[Result]:
        try:
            return self._pool.submit(self._work, item)
        except BrokenProcessPool as broken:
            future: Future[Result] = Future()
            future.set_exception(broken)
            return future

    def _done_here(self, item: Item) -> Future[Result]:
        future: Future[Result] = Future()
        future.set_result(self._work(item))
        return future

    def _alone(self, item: Item) -> Result | None:
        """Try an item again in a pool of its own: if the worker dies again, it was this item that killed it."""
        with self._new_pool(1) as pool:
            try:
                return pool.submit(self._work, item).result()
            except BrokenProcessPool:
                return None

    def _resubmitted(self, window: deque[tuple[Item, Future[Result]]]) -> deque[tuple[Item, Future[Result]]]:
        self._pool.shutdown(wait=False)
        self._pool = self._new_pool(self._workers)
        return deque((item, future if _succeeded(future) else self._submit(item)) for item, future in window)

    def _end_now(self) -> None:
        """Stop without waiting for what is under way."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


def _succeeded(future: Future[Result]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _prepare_worker() -> None:
    """Leave Ctrl-C to the main process, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        with contextlib.suppress(OSError):
            parent.join()
        os._exit(1)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
