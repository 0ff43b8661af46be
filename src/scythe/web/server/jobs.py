"""Long work of the app: runs of collections, engines to be learned. Each is a process
of its own, so that it slows no page.

A job tells of its progress through a pipe; what it has done so far is in the database
anyway. It ends with the server, and what it had begun is gone on with when it is
started again.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from starlette.requests import Request

from scythe.collect.run import Busy
from scythe.errors import ScytheError
from scythe.processes import WorkerProcess, worker_context
from scythe.store.columns import now

PRELOAD = "scythe.web.server.tasks"
AT_ONCE = 4
"""Jobs under way at the same time: each may use a core and a browser."""
REMEMBERED = 100
"""Jobs whose end is remembered, the latest of them."""
STEPS = 60
"""Steps of a job that are shown, the latest of them."""


class JobState(StrEnum):
    """How a job is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """Somebody ended it."""


@dataclass(frozen=True)
class Step:
    """Something that a job did, or how much of it is done."""

    name: str
    detail: str = ""
    done: int = 0
    total: int = 0
    """How much there is to do; 0 where nobody knows."""
    counts: bool = False
    """Whether it is counted: the next of its name takes its place."""


@dataclass(frozen=True)
class Progress:
    """A job as it is now."""

    key: str
    title: str
    state: JobState = JobState.RUNNING
    steps: tuple[Step, ...] = ()
    result: Any = None
    """What came of it, as plain values."""
    frame: str = ""
    """A page that shows what came of it, for a sandboxed frame."""
    message: str = ""
    """Why it failed, and what to do."""
    started_at: datetime = field(default_factory=now)
    ended_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it is still at work."""
        return self.state is JobState.RUNNING

    def told(self, step: Step) -> Progress:
        """The same job with a step more, or with the new count of one."""
        kept = [
            each
            for each in self.steps
            if not (step.counts and each.counts and each.name == step.name)
        ]
        return replace(self, steps=(*kept, step)[-STEPS:])

    def as_json(self) -> dict[str, Any]:
        """The job as plain values."""
        return {
            "job": self.key,
            "title": self.title,
            "state": str(self.state),
            "steps": [
                {
                    "name": step.name,
                    "detail": step.detail,
                    "done": step.done,
                    "total": step.total,
                }
                for step in self.steps
            ],
            "result": self.result,
            "message": self.message,
            "started_at": self.started_at.isoformat(),
            "ended_at": None if self.ended_at is None else self.ended_at.isoformat(),
        }


@dataclass(frozen=True)
class Shown:
    """What a task may return besides plain values: these, and a page for a frame."""

    result: Any
    frame: str = ""


Tell = Callable[[Step], None]
"""Given to a task to tell of what it does."""
Task = Callable[..., Any]
"""What a job does: `task(tell, *arguments)`, a function of a module, for it is found by
its name in another process. It returns plain values, or `Shown`.
"""


@dataclass
class _Work:
    """A job at work. Its process may take a while to begin, so that it is begun by the
    thread that then listens to it.
    """

    thread: threading.Thread
    worker: WorkerProcess | None = None
    stopped: bool = False


class Jobs:
    """The jobs of an app. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Progress] = {}
        self._working: dict[str, _Work] = {}

    def start(self, key: str, title: str, task: Task, *arguments: Any) -> Progress:
        """Begin a job; of one key there is one at a time."""
        with self._lock:
            if key in self._working:
                raise Busy(f"{title}: this is being done already. Wait for it to end.")
            if len(self._working) >= AT_ONCE:
                raise Busy(
                    f"{AT_ONCE} jobs are under way. Wait for one of them to end, or stop one."
                )
            began = Progress(key, title)
            thread = threading.Thread(
                target=self._do,
                args=(key, task, arguments),
                name=f"scythe job {key}",
                daemon=True,
            )
            self._known.pop(key, None)
            self._known[key] = began
            self._working[key] = _Work(thread)
            self._forget()
            thread.start()
        return began

    def of(self, key: str) -> Progress | None:
        """The job of a key: the one at work, or the last one of this server; None where
        there was none.
        """
        with self._lock:
            return self._known.get(key)

    def is_running(self, key: str) -> bool:
        """Whether a job of that key is at work."""
        with self._lock:
            return key in self._working

    def all(self) -> list[Progress]:
        """All jobs that are known, the latest first."""
        with self._lock:
            return list(reversed(self._known.values()))

    def stop(self, key: str) -> None:
        """End a job at once, if it is at work; the database keeps what it has stored."""
        with self._lock:
            work = self._working.get(key)
            if work is None:
                return
            work.stopped = True
            if work.worker is not None:
                work.worker.terminate()
        work.thread.join()

    def forget(self, key: str) -> None:
        """Remember nothing of a job that has ended: what it was about is no longer
        there.
        """
        with self._lock:
            if key not in self._working:
                self._known.pop(key, None)

    def wait(self, key: str) -> Progress | None:
        """The job of a key when it has ended."""
        with self._lock:
            work = self._working.get(key)
        if work is not None:
            work.thread.join()
        return self.of(key)

    def close(self) -> None:
        """End all jobs."""
        with self._lock:
            keys = list(self._working)
        for key in keys:
            self.stop(key)

    def _do(self, key: str, task: Task, arguments: tuple[Any, ...]) -> None:
        """Do a job to its end, however that comes."""
        ended: dict[str, Any] = {}
        try:
            worker = WorkerProcess(worker_context(PRELOAD), serve, task, arguments)
            with self._lock:
                work = self._working[key]
                work.worker = worker
                if work.stopped:
                    worker.terminate()
            try:
                ended = self._listen(key, worker)
            finally:
                with self._lock:
                    work.worker = None
                worker.end()
        finally:
            self._end(key, ended)

    def _listen(self, key: str, worker: WorkerProcess) -> dict[str, Any]:
        """Take what a job tells, and give what it says at its end; nothing where it
        came to none.
        """
        try:
            while isinstance(told := worker.pipe.recv(), Step):
                with self._lock:
                    self._known[key] = self._known[key].told(told)
        except (EOFError, OSError):
            return {}
        return dict(told)

    def _end(self, key: str, ended: dict[str, Any]) -> None:
        with self._lock:
            if self._working.pop(key).stopped:
                ended = {
                    "state": JobState.STOPPED,
                    "message": "Stopped. Start it again, and it goes on from there.",
                }
            elif not ended:
                message = "The process that did this was ended from outside. Start it again: it goes on from there."
                ended = {"state": JobState.FAILED, "message": message}
            self._known[key] = replace(self._known[key], ended_at=now(), **ended)

    def _forget(self) -> None:
        """Let go of the oldest jobs that have ended. The caller holds the lock."""
        for key in [key for key in self._known if key not in self._working][
            : max(len(self._known) - REMEMBERED, 0)
        ]:
            del self._known[key]


def jobs_of(request: Request) -> Jobs:
    """The jobs of the app."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def serve(pipe: Any, task: Task, arguments: tuple[Any, ...]) -> None:
    """Do a task in this process, and tell what came of it."""
    multiprocessing.current_process().daemon = (
        False  # a run has workers of its own, which end with this process
    )
    try:
        made = task(pipe.send, *arguments)
        shown = made if isinstance(made, Shown) else Shown(made)
        pipe.send(
            {"state": JobState.DONE, "result": shown.result, "frame": shown.frame}
        )
    except BrokenPipeError:
        return
    except ScytheError as error:
        pipe.send({"state": JobState.FAILED, "message": str(error)})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        told = f"Unexpected {type(error).__name__}: {error}. This is a fault of Scythe: please report it."
        pipe.send({"state": JobState.FAILED, "message": told})
