"""Jobs: the long work of the app, such as runs of collections and engines to be learned.

Each job is a process of its own, so that it slows no page. It reports its progress
through a pipe; what it has done so far is in the database anyway. It ends with the
server, and when it is started again it resumes.
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
from scythe.collect.views import now
from scythe.errors import ScytheError
from scythe.logins import without_logins
from scythe.processes import WorkerProcess, worker_context

PRELOAD = "scythe.web.server.tasks"
MAX_RUNNING = 4
"""Jobs that run at the same time: each may use a core and a browser. The others wait
for one of them to end. Not tuned.
"""
MAX_WAITING = 100
"""Jobs that wait: each has a thread. A bound on what is used, not tuned."""
MAX_JOBS = 100
"""Jobs that are remembered, the latest of them: a bound on memory."""
MAX_STEPS = 60
"""Steps of a job that are shown, the latest of them: a bound on memory."""


class JobState(StrEnum):
    """Whether a job has ended, and how."""

    WAITING = "waiting"
    """Others are running; it starts when one of them ends."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """A person ended it."""


@dataclass(frozen=True)
class Step:
    """One step of a job, with how much of it is done."""

    name: str
    detail: str = ""
    done: int = 0
    total: int = 0
    """How much there is to do; 0 where that is not known."""
    is_counter: bool = False
    """Whether the next step of the same name replaces it."""


@dataclass(frozen=True)
class Progress:
    """A job as it is now."""

    key: str
    title: str
    state: JobState = JobState.RUNNING
    steps: tuple[Step, ...] = ()
    result: Any = None
    """Its result as plain values."""
    frame: str = ""
    """A page that shows the result, for a sandboxed frame."""
    message: str = ""
    """Why it failed, and what to do."""
    started_at: datetime = field(default_factory=now)
    ended_at: datetime | None = None

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in (JobState.WAITING, JobState.RUNNING)

    def with_step(self, step: Step) -> Progress:
        """Return the job with one more step, or with the new count of one."""
        steps = self.steps
        if step.is_counter:
            steps = tuple(
                earlier
                for earlier in steps
                if not (earlier.is_counter and earlier.name == step.name)
            )
        return replace(self, steps=(*steps, step)[-MAX_STEPS:])

    def as_json(self) -> dict[str, Any]:
        """Return the job as plain values."""
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
class TaskResult:
    """What a task may return besides plain values: these, and a page for a frame."""

    result: Any
    frame: str = ""


ProgressCallback = Callable[[Step], None]
"""What a task calls with each of its steps."""
Task = Callable[..., Any]
"""What a job does: `task(report, *arguments)`, a function of a module, since another
process finds it by its name. It returns plain values, or a `TaskResult`.
"""


@dataclass
class _RunningJob:
    """A job that has not ended. Its process may have to wait, and take a while to start,
    so that the thread which then listens to it starts it.
    """

    thread: threading.Thread
    worker: WorkerProcess | None = None
    stopped: bool = False
    is_waiting: bool = False


class Jobs:
    """The jobs of an app. Threads may share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Condition(self._lock)
        """Told whenever a job ends or is stopped."""
        self._jobs: dict[str, Progress] = {}
        self._running: dict[str, _RunningJob] = {}

    def start(self, key: str, title: str, task: Task, *arguments: Any) -> Progress:
        """Start a job, or let it wait where enough are running; of one key there is one
        at a time.
        """
        with self._lock:
            if key in self._running:
                raise Busy(f"{title}: this is running already. Wait for it to end.")
            if len(self._running) >= MAX_RUNNING + MAX_WAITING:
                raise Busy(
                    f"{MAX_WAITING} jobs are waiting. Wait for one to end, or stop one."
                )
            must_wait = len(self._running) >= MAX_RUNNING
            state = JobState.WAITING if must_wait else JobState.RUNNING
            progress = Progress(key, title, state)
            thread = threading.Thread(
                target=self._run,
                args=(key, task, arguments),
                name=f"scythe job {key}",
                daemon=True,
            )
            self._jobs.pop(key, None)
            self._jobs[key] = progress
            self._running[key] = _RunningJob(thread, is_waiting=must_wait)
            self._drop_oldest()
            thread.start()
        return progress

    def of(self, key: str) -> Progress | None:
        """Return the job of a key, or None where this server had none."""
        with self._lock:
            return self._jobs.get(key)

    def is_running(self, key: str) -> bool:
        """Return whether a job of that key is running."""
        with self._lock:
            return key in self._running

    def all(self) -> list[Progress]:
        """Return all jobs that are remembered, the latest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def stop(self, key: str) -> None:
        """End a job at once, if it is running; the database keeps what it has stored."""
        with self._lock:
            job = self._running.get(key)
            if job is None:
                return
            job.stopped = True
            self._ended.notify_all()
            if job.worker is not None:
                job.worker.terminate()
        job.thread.join()

    def forget(self, key: str) -> None:
        """Drop a job that has ended, because what it was about no longer exists."""
        with self._lock:
            if key not in self._running:
                self._jobs.pop(key, None)

    def wait(self, key: str) -> Progress | None:
        """Return the job of a key when it has ended."""
        with self._lock:
            job = self._running.get(key)
        if job is not None:
            job.thread.join()
        return self.of(key)

    def close(self) -> None:
        """End all jobs."""
        with self._lock:
            keys = list(self._running)
            for job in self._running.values():
                job.stopped = True
        for key in keys:
            self.stop(key)

    def _run(self, key: str, task: Task, arguments: tuple[Any, ...]) -> None:
        """Run a job to its end, however that comes."""
        ending: dict[str, Any] = {}
        try:
            if not self._take_turn(key):
                return
            worker = WorkerProcess(worker_context(PRELOAD), run_task, task, arguments)
            with self._lock:
                job = self._running[key]
                job.worker = worker
                if job.stopped:
                    worker.terminate()
            try:
                ending = self._listen(key, worker)
            finally:
                with self._lock:
                    job.worker = None
                worker.end()
        finally:
            self._finish(key, ending)

    def _take_turn(self, key: str) -> bool:
        """Wait until a job may run, in the order in which they came; return whether it
        may, and was not stopped before.
        """
        with self._ended:
            job = self._running[key]
            self._ended.wait_for(lambda: job.stopped or self._is_next(key))
            job.is_waiting = False
            if not job.stopped:
                progress = self._jobs[key]
                started = replace(progress, state=JobState.RUNNING, started_at=now())
                self._jobs[key] = started
            return not job.stopped

    def _is_next(self, key: str) -> bool:
        """Return whether a job may run now. The caller holds the lock."""
        if not self._running[key].is_waiting:
            return True
        waiting = [name for name, job in self._running.items() if job.is_waiting]
        running = len(self._running) - len(waiting)
        return key in waiting[: max(MAX_RUNNING - running, 0)]

    def _listen(self, key: str, worker: WorkerProcess) -> dict[str, Any]:
        """Store the steps of a job, and return its ending; empty where its process died."""
        try:
            while isinstance(message := worker.pipe.recv(), Step):
                with self._lock:
                    self._jobs[key] = self._jobs[key].with_step(message)
        except (EOFError, OSError):
            return {}
        return dict(message)

    def _finish(self, key: str, ending: dict[str, Any]) -> None:
        with self._lock:
            if self._running.pop(key).stopped:
                message = "Stopped. Start it again to resume."
                ending = {"state": JobState.STOPPED, "message": message}
            elif not ending:
                message = (
                    "Its process was ended from outside. Start it again to resume."
                )
                ending = {"state": JobState.FAILED, "message": message}
            progress = self._jobs[key]
            self._jobs[key] = replace(progress, ended_at=now(), **ending)
            self._ended.notify_all()

    def _drop_oldest(self) -> None:
        """Drop the oldest jobs that have ended. The caller holds the lock."""
        ended = [key for key in self._jobs if key not in self._running]
        too_many = max(len(self._jobs) - MAX_JOBS, 0)
        for key in ended[:too_many]:
            del self._jobs[key]


def jobs_of(request: Request) -> Jobs:
    """Return the jobs of the app."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def run_task(pipe: Any, task: Task, arguments: tuple[Any, ...]) -> None:
    """Run a task in this process, and send its ending."""
    # A run has workers of its own, which end with this process.
    multiprocessing.current_process().daemon = False
    try:
        result = task(pipe.send, *arguments)
        if not isinstance(result, TaskResult):
            result = TaskResult(result)
        values = {"result": result.result, "frame": result.frame}
        pipe.send({"state": JobState.DONE, **values})
    except BrokenPipeError:
        return
    except ScytheError as error:
        pipe.send({"state": JobState.FAILED, "message": str(error)})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        message = without_logins(
            f"Unexpected {type(error).__name__}: {error}. "
            "This is a bug in Scythe: please report it."
        )
        pipe.send({"state": JobState.FAILED, "message": message})
