"""Workers over partitions, supervised from outside: a page that hangs or eats memory
costs one page.

A worker announces every page before it begins with it (`Heartbeat`). One that is over
its budget is killed; its page gets a row that says why, and a new worker resumes behind
it. A worker that something else killed is replaced, and its page tried once more.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from scythe.bulk.output.journal import PartitionResult
from scythe.bulk.output.tables import NO_TIMINGS
from scythe.bulk.page import Failure, PageFault, PagePosition
from scythe.bulk.reading.partitions import Partition
from scythe.bulk.workers.heartbeat import (
    Heartbeat,
    WorkerState,
    cpu_seconds,
    resident_bytes,
)
from scythe.bulk.workers.tasks import Budget, PartitionTask, process_partitions
from scythe.errors import ScytheError
from scythe.processes import WorkerProcess, worker_context

CHECK_INTERVAL = 0.2
"""Seconds between two checks of the workers: a bound on work, not tuned."""
WAITING_FACTOR = 20
"""How many times its processor time a page may take by the clock, where it waits for
something: a bound, not tuned.
"""
MAX_IDLE_DEATHS = 3
"""Times that a worker may end between pages of a partition before the run is given up."""
_KILLED_FROM_OUTSIDE = frozenset({-signal.SIGKILL, -signal.SIGTERM, 255})
"""Exit codes of workers that something else may have killed; 255 where the code is not
known, the fork server being gone too.
"""
_PRELOAD = "scythe.bulk.workers.preload"


@dataclass(slots=True)
class _PageTimer:
    """Since when a worker has been at the same page."""

    turn: int = -1
    clock: float = 0.0
    cpu: float | None = None


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    weight: int = 0
    """Bytes of input that are done."""
    statuses: Counter[str] = field(default_factory=Counter)

    @property
    def pages(self) -> int:
        """How many pages are done."""
        return self.statuses.total()


class _Worker(WorkerProcess):
    def __init__(self, context: BaseContext, task: PartitionTask) -> None:
        self.heartbeat = Heartbeat(context)
        super().__init__(
            context,
            process_partitions,
            task,
            self.heartbeat,
            with_main_module=b"__main__" in pickle.dumps(task),
        )
        self.partition: Partition | None = None
        self._timer = _PageTimer()

    def assign(self, partition: Partition) -> None:
        """Give it a partition. If it has died, that shows when its answer is read."""
        self.partition = partition
        with contextlib.suppress(OSError):
            self.pipe.send(partition)

    def exceeded(self, budget: Budget) -> tuple[WorkerState, PageFault] | None:
        """Return the page that has taken more than it may, and of what."""
        state = self.heartbeat.read()
        now = time.monotonic()
        cpu = cpu_seconds(self.pid)
        if state.turn != self._timer.turn:
            self._timer = _PageTimer(state.turn, now, cpu)
        if state.position is None:
            return None

        elapsed = now - self._timer.clock
        used = elapsed
        if cpu is not None and self._timer.cpu is not None:
            used = cpu - self._timer.cpu
        has_waited = elapsed > WAITING_FACTOR * budget.seconds
        if used > budget.seconds or has_waited:
            return state, PageFault(Failure.TIME, budget.time_reason)
        grown = resident_bytes(self.pid) - state.memory
        if grown > budget.memory:
            return state, PageFault(Failure.MEMORY, budget.memory_reason)
        return None


class Supervisor:
    """Runs a task over partitions on several processes."""

    def __init__(self, task: PartitionTask, workers: int) -> None:
        self._task = task
        self._max_workers = workers
        self._context = worker_context(_PRELOAD)
        self._workers: list[_Worker] = []
        self._queue: deque[Partition] = deque()
        self._deaths: Counter[tuple[int, PagePosition | None]] = Counter()
        self.progress = Progress()
        """How far the run is, by complete partitions."""

    def run(
        self, partitions: Iterable[Partition]
    ) -> Generator[Partition | None, None, None]:
        """Yield each partition when it is complete, and None at every check in between."""
        self._queue.extend(partitions)
        try:
            while self._queue or any(worker.partition for worker in self._workers):
                self._assign_partitions()
                yield from self._check_workers()
                yield None
        finally:
            for worker in self._workers:
                worker.kill()
            self._workers.clear()

    def current_progress(self) -> Progress:
        """Return how far the run is, with the pages of partitions that are not complete."""
        statuses = Counter(self.progress.statuses)
        for worker in self._workers:
            if worker.partition:
                statuses.update(worker.heartbeat.status_counts())
        return Progress(self.progress.weight, statuses)

    def _assign_partitions(self) -> None:
        for worker in self._workers:
            if worker.partition is None and self._queue:
                worker.assign(self._queue.popleft())
        while self._queue and len(self._workers) < self._max_workers:
            worker = _Worker(self._context, self._task)
            self._workers.append(worker)
            worker.assign(self._queue.popleft())

    def _check_workers(self) -> Iterator[Partition]:
        """Wait a moment for answers, then check all workers."""
        pipes = [worker.pipe for worker in self._workers]
        ready: Sequence[object] = wait(pipes, CHECK_INTERVAL)
        for worker in list(self._workers):
            if worker.pipe in ready:
                yield from self._receive_answer(worker)
            elif worker.partition:
                exceeded = worker.exceeded(self._task.budget)
                if exceeded:
                    self._kill(worker, *exceeded)

    def _receive_answer(self, worker: _Worker) -> Iterator[Partition]:
        partition = worker.partition
        try:
            error = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace_dead(worker)
            return
        if error is not None:
            raise error

        worker.partition = None
        if partition:
            result = PartitionResult(self._task.folder, partition.number)
            self.progress.weight += partition.weight
            self.progress.statuses.update(result.status_counts())
            yield partition

    def _kill(self, worker: _Worker, state: WorkerState, fault: PageFault) -> None:
        """Kill a worker over its budget; if it has just done that page after all, no
        page is to blame.
        """
        worker.kill()
        self._workers.remove(worker)
        last_state = worker.heartbeat.read()
        if worker.partition:
            if last_state.turn == state.turn:
                self._write_failure(worker.partition, last_state, fault)
            self._queue.appendleft(worker.partition)

    def _replace_dead(self, worker: _Worker) -> None:
        """Replace a worker that ended by itself. Its page is to blame, unless something
        else may have killed it, once.
        """
        code = worker.kill()
        self._workers.remove(worker)
        partition = worker.partition
        if partition is None:
            return
        if code == 0:  # it made way for a new one
            self._queue.appendleft(partition)
            return

        state = worker.heartbeat.read()
        key = (partition.number, state.position)
        self._deaths[key] += 1
        deaths = self._deaths[key]
        if state.position is None:
            if deaths > MAX_IDLE_DEATHS:
                raise ScytheError(
                    f"Reading {partition.source} ends every worker ({_exit_reason(code)}). "
                    "Leave it out, or repair it."
                )
        elif code not in _KILLED_FROM_OUTSIDE or deaths > 1:
            reason = f"the process that worked on it died ({_exit_reason(code)})"
            fault = PageFault(Failure.CRASHED, reason)
            self._write_failure(partition, state, fault)
        self._queue.appendleft(partition)

    def _write_failure(
        self, partition: Partition, state: WorkerState, fault: PageFault
    ) -> None:
        position = state.position or PagePosition(0)
        row = {
            "url": state.url,
            "status": str(fault.status),
            "reason": fault.reason,
            "source": state.source,
            "offset": position.offset,
            "inner": position.inner,
            "timings": NO_TIMINGS,
        }
        result = PartitionResult(self._task.folder, partition.number)
        with result.open(self._task.extra_size) as writer:
            if not writer.was_done and position not in writer.done:
                self._task.write_failure(writer, row)


def _exit_reason(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
