"""A function over many items on all cores: results in the order of the items, little in
memory, and no item stops another.

A dead worker shows as the end of its pipe (`scythe.processes`), which names the item
that killed it.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from typing import Generic, TypeVar

from scythe.processes import WorkerProcess, worker_context

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_PENDING = 8
"""Items per worker that are being worked on, or done but not yet yielded: enough that
one slow item does not leave the others idle.
"""

_MAX_ASSIGNED = 2
"""Items given to a worker at once: the one it works on, and the next, so that it never
waits for this process.
"""


class _Worker(WorkerProcess, Generic[Item, Result]):
    """A process that applies one function to what comes through its pipe."""

    def __init__(
        self, context: BaseContext, function: Callable[[Item], Result]
    ) -> None:
        super().__init__(context, _serve, function)
        self.assigned: deque[tuple[int, Item]] = deque()

    def assign(self, number: int, item: Item) -> None:
        """Give it an item. If it has died, that shows when its results are read."""
        self.assigned.append((number, item))
        with contextlib.suppress(OSError):
            self.pipe.send(item)


class WorkerPool(Generic[Item, Result]):
    """Worker processes that apply one function, and are replaced when an item kills one
    of them.
    """

    def __init__(
        self, function: Callable[[Item], Result], size: int, preload: str
    ) -> None:
        self._function = function
        self._size = size
        self._context = worker_context(preload)
        self._workers: list[_Worker[Item, Result]] = []
        self._done: dict[int, tuple[Item, Result | None]] = {}
        self._returned: deque[tuple[int, Item]] = deque()
        """Items that a worker had before it died of another."""

    def map(
        self, items: Iterable[Item], is_process_local: Callable[[Item], bool]
    ) -> Generator[tuple[Item, Result | None], None, None]:
        """Yield each item with its result, None where it killed its worker. Items that
        only this process can handle are done here.
        """
        numbered = enumerate(items)
        next_number = 0
        try:
            while True:
                self._distribute(numbered, is_process_local)
                if next_number in self._done:
                    yield self._done.pop(next_number)
                    next_number += 1
                elif self._assigned_count():
                    self._collect()
                else:
                    return
        finally:
            for worker in self._workers:
                worker.end()

    def _distribute(
        self,
        numbered: Iterator[tuple[int, Item]],
        is_process_local: Callable[[Item], bool],
    ) -> None:
        """Assign items while there are any, a worker has room, and not too many are
        pending.
        """
        while self._assigned_count() + len(self._done) < MAX_PENDING * self._size:
            worker = self._available_worker()
            if worker is None:
                return
            following = self._next_item(numbered)
            if following is None:
                return
            number, item = following
            if is_process_local(item):
                self._done[number] = (item, self._function(item))
            else:
                worker.assign(number, item)

    def _next_item(
        self, numbered: Iterator[tuple[int, Item]]
    ) -> tuple[int, Item] | None:
        if self._returned:
            return self._returned.popleft()
        return next(numbered, None)

    def _assigned_count(self) -> int:
        return sum(len(worker.assigned) for worker in self._workers)

    def _available_worker(self) -> _Worker[Item, Result] | None:
        """Return the worker with the fewest items: a new one rather than a second item
        for one that is busy.
        """
        idlest = min(
            self._workers, key=lambda worker: len(worker.assigned), default=None
        )
        if (idlest is None or idlest.assigned) and len(self._workers) < self._size:
            idlest = _Worker(self._context, self._function)
            self._workers.append(idlest)
        if idlest is None or len(idlest.assigned) >= _MAX_ASSIGNED:
            return None
        return idlest

    def _collect(self) -> None:
        """Wait for results and receive those that have come."""
        busy = [worker for worker in self._workers if worker.assigned]
        ready = wait([worker.pipe for worker in busy])
        for worker in busy:
            if worker.pipe in ready:
                self._receive(worker)

    def _receive(self, worker: _Worker[Item, Result]) -> None:
        """Receive a result. The first item of a worker that died was the one it worked
        on.
        """
        number, item = worker.assigned.popleft()
        try:
            self._done[number] = (item, worker.pipe.recv())
        except (EOFError, OSError):
            self._done[number] = (item, None)
            self._returned.extend(worker.assigned)
            self._workers.remove(worker)
            worker.end()


def _serve(
    pipe: Connection[object, object], function: Callable[[object], object]
) -> None:
    """Apply the function to the items that come through the pipe, until it ends."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(function(pipe.recv()))
