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

from scythe.processes import WorkerProcess, cores, worker_context

__all__ = ["AHEAD", "Crew", "cores"]

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 8
"""Items under way or done but not yet taken, per worker: enough that one slow item does
not leave the others idle.
"""

_ASSIGNED = 2
"""Items given to a worker at once: the one it works on, and the next, so that it never
waits for this process.
"""


class _Worker(WorkerProcess, Generic[Item, Result]):
    """A process that applies one function to what comes through its pipe."""

    def __init__(self, context: BaseContext, work: Callable[[Item], Result]) -> None:
        super().__init__(context, _serve, work)
        self.assigned: deque[tuple[int, Item]] = deque()

    def assign(self, number: int, item: Item) -> None:
        """Give it an item. If it has died, that shows when its results are read."""
        self.assigned.append((number, item))
        with contextlib.suppress(OSError):
            self.pipe.send(item)


class Crew(Generic[Item, Result]):
    """Worker processes that apply one function, and are replaced when an item kills one
    of them.
    """

    def __init__(self, work: Callable[[Item], Result], size: int, preload: str) -> None:
        self._work = work
        self._size = size
        self._context = worker_context(preload)
        self._workers: list[_Worker[Item, Result]] = []
        self._done: dict[int, tuple[Item, Result | None]] = {}
        self._returned: deque[tuple[int, Item]] = deque()

    def map(
        self, items: Iterable[Item], is_bound_here: Callable[[Item], bool]
    ) -> Generator[tuple[Item, Result | None], None, None]:
        """Each item with its result, None where it killed its worker. Items that only
        this process can do are done here.
        """
        numbered = enumerate(items)
        wanted = 0
        try:
            while True:
                self._distribute(numbered, is_bound_here)
                if wanted in self._done:
                    yield self._done.pop(wanted)
                    wanted += 1
                elif self._under_way():
                    self._collect()
                else:
                    return
        finally:
            for worker in self._workers:
                worker.end()

    def _distribute(
        self,
        numbered: Iterator[tuple[int, Item]],
        is_bound_here: Callable[[Item], bool],
    ) -> None:
        """Give out items while there are any, a worker has room, and not too much is
        ahead of what was taken.
        """
        while self._under_way() + len(self._done) < AHEAD * self._size:
            worker = self._with_room()
            following = worker and (
                self._returned.popleft() if self._returned else next(numbered, None)
            )
            if not worker or not following:
                return
            number, item = following
            if is_bound_here(item):
                self._done[number] = (item, self._work(item))
            else:
                worker.assign(number, item)

    def _under_way(self) -> int:
        return sum(len(worker.assigned) for worker in self._workers)

    def _with_room(self) -> _Worker[Item, Result] | None:
        """The worker with the least to do: a new one rather than a second item for one
        that is busy.
        """
        least = min(
            self._workers, key=lambda worker: len(worker.assigned), default=None
        )
        if (least is None or least.assigned) and len(self._workers) < self._size:
            self._workers.append(_Worker(self._context, self._work))
            return self._workers[-1]
        return least if least and len(least.assigned) < _ASSIGNED else None

    def _collect(self) -> None:
        """Wait for results and take what has come. The first item of a worker that died
        was the one it worked on.
        """
        busy = [worker for worker in self._workers if worker.assigned]
        ready = wait([worker.pipe for worker in busy])
        for worker in busy:
            if worker.pipe in ready:
                self._take(worker)

    def _take(self, worker: _Worker[Item, Result]) -> None:
        number, item = worker.assigned.popleft()
        try:
            self._done[number] = (item, worker.pipe.recv())
        except (EOFError, OSError):
            self._done[number] = (item, None)
            self._returned.extend(worker.assigned)
            self._workers.remove(worker)
            worker.end()


def _serve(pipe: Connection[object, object], work: Callable[[object], object]) -> None:
    """What a worker does until its pipe ends."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(work(pipe.recv()))
