"""Workers over slices, watched from outside: a page that hangs or eats memory costs one
page.

A worker announces every page before it begins with it (`Board`). One that is over its
budget is killed; its page gets a row that says why, and a new worker goes on behind it.
A worker that something else killed is replaced, and its page tried once more.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from scythe.bulk.page import Failure, Position
from scythe.bulk.reading.slices import Slice
from scythe.bulk.workers.board import Board, Sight, cpu_seconds, resident_bytes
from scythe.bulk.workers.journal import Part
from scythe.bulk.workers.worker import Budget, Job, serve
from scythe.errors import ScytheError
from scythe.processes import WorkerProcess, worker_context

LOOK_EVERY = 0.2
"""Seconds between two looks at the workers."""
WAITING = 20
"""How many times its processor time a page may take by the clock, where it waits for
something.
"""
_FROM_OUTSIDE = frozenset({-signal.SIGKILL, -signal.SIGTERM, 255})
"""Codes of workers that something else may have killed; 255 where nobody knows, the
fork server being gone too.
"""
_PRELOAD = "scythe.bulk.workers.preload"


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a worker was ended or has ended."""

    status: Failure
    reason: str


@dataclass(slots=True)
class _Watch:
    """Since when a worker has been at the same page."""

    turn: int = -1
    clock: float = 0.0
    processor: float | None = None


@dataclass(slots=True)
class Progress:
    """How far the work is."""

    weight: int = 0
    """Bytes of input that are done."""
    statuses: Counter[str] = field(default_factory=Counter)

    @property
    def pages(self) -> int:
        """How many pages are done."""
        return self.statuses.total()


class _Worker(WorkerProcess):
    def __init__(self, context: BaseContext, job: Job) -> None:
        self.board = Board(context)
        super().__init__(context, serve, job, self.board)
        self.slice: Slice | None = None
        self._watch = _Watch()

    def assign(self, part: Slice) -> None:
        """Give it a slice. If it has died, that shows when its answer is read."""
        self.slice = part
        with contextlib.suppress(OSError):
            self.pipe.send(part)

    def over_budget(self, budget: Budget) -> tuple[Sight, Failed] | None:
        """The page that has had more than it may, and of what."""
        sight = self.board.see()
        now, used = time.monotonic(), cpu_seconds(self.pid)
        if sight.turn != self._watch.turn:
            self._watch = _Watch(sight.turn, now, used)
        if sight.position is None:
            return None
        waited = now - self._watch.clock
        worked = (
            waited
            if used is None or self._watch.processor is None
            else used - self._watch.processor
        )
        if worked > budget.seconds or waited > WAITING * budget.seconds:
            return sight, Failed(Failure.TIME, budget.time_reason)
        if resident_bytes(self.pid) - sight.memory > budget.memory:
            return sight, Failed(Failure.MEMORY, budget.memory_reason)
        return None


class Supervisor:
    """Runs a job over slices on several processes."""

    def __init__(self, job: Job, workers: int) -> None:
        self._job = job
        self._size = workers
        self._context = worker_context(_PRELOAD)
        self._workers: list[_Worker] = []
        self._waiting: deque[Slice] = deque()
        self._deaths: Counter[tuple[int, Position | None]] = Counter()
        self.progress = Progress()

    def run(self, slices: Iterable[Slice]) -> Generator[Slice | None, None, None]:
        """Each slice when it is whole, and None at every look in between."""
        self._waiting.extend(slices)
        try:
            while self._waiting or any(worker.slice for worker in self._workers):
                self._assign()
                yield from self._look()
                yield None
        finally:
            for worker in self._workers:
                worker.kill()
            self._workers.clear()

    def now(self) -> Progress:
        """How far the work is, with what is not yet whole."""
        statuses = Counter(self.progress.statuses)
        for worker in self._workers:
            if worker.slice:
                statuses.update(worker.board.counts())
        return Progress(self.progress.weight, statuses)

    def _assign(self) -> None:
        for worker in self._workers:
            if worker.slice is None and self._waiting:
                worker.assign(self._waiting.popleft())
        while self._waiting and len(self._workers) < self._size:
            self._workers.append(_Worker(self._context, self._job))
            self._workers[-1].assign(self._waiting.popleft())

    def _look(self) -> Iterator[Slice]:
        """Wait a moment for answers, then look at all workers."""
        ready: Sequence[object] = wait(
            [worker.pipe for worker in self._workers], LOOK_EVERY
        )
        for worker in list(self._workers):
            if worker.pipe in ready:
                yield from self._answer(worker)
            elif worker.slice and (found := worker.over_budget(self._job.budget)):
                self._end(worker, *found)

    def _answer(self, worker: _Worker) -> Iterator[Slice]:
        part = worker.slice
        try:
            problem = worker.pipe.recv()
        except (EOFError, OSError):
            self._died(worker)
            return
        if problem is not None:
            raise problem
        worker.slice = None
        if part:
            self.progress.weight += part.weight
            self.progress.statuses.update(Part(self._job.folder, part.number).counts())
            yield part

    def _end(self, worker: _Worker, sight: Sight, failed: Failed) -> None:
        """Kill a worker over its budget; if it has just done that page after all, none
        is to blame.
        """
        worker.kill()
        self._workers.remove(worker)
        last = worker.board.see()
        if worker.slice:
            if last.turn == sight.turn:
                self._note(worker.slice, last, failed)
            self._waiting.appendleft(worker.slice)

    def _died(self, worker: _Worker) -> None:
        """Replace a worker that ended by itself. Its page is to blame, unless something
        else may have killed it, once.
        """
        code = worker.kill()
        self._workers.remove(worker)
        if worker.slice is None:
            return
        if code == 0:  # it was worn out
            self._waiting.appendleft(worker.slice)
            return
        sight = worker.board.see()
        key = (worker.slice.number, sight.position)
        self._deaths[key] += 1
        innocent = code in _FROM_OUTSIDE or sight.position is None
        if sight.position is None and self._deaths[key] > _MOST_DEATHS:
            raise ScytheError(
                f"Reading {worker.slice.source} ends every worker ({_died_of(code)}). Leave it out, or repair it."
            )
        if sight.position is not None and (not innocent or self._deaths[key] > 1):
            self._note(
                worker.slice,
                sight,
                Failed(
                    Failure.CRASHED,
                    f"the process that worked on it died ({_died_of(code)})",
                ),
            )
        self._waiting.appendleft(worker.slice)

    def _note(self, part: Slice, sight: Sight, failed: Failed) -> None:
        position = sight.position or Position(0)
        row = {
            "url": sight.url,
            "status": str(failed.status),
            "reason": failed.reason,
            "source": sight.source,
            "offset": position.offset,
            "inner": position.inner,
            "timings": {"read": None, "extract": None},
        }
        with Part(self._job.folder, part.number).open(self._job.extra_size) as writer:
            if not writer.was_done and position not in writer.done:
                self._job.failed(part, writer, row)


_MOST_DEATHS = 3
"""Times that a worker may end between pages of a slice before the run is given up."""


def _died_of(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
