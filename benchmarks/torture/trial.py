"""One function on one page, in a process of its own that is ended at its limits."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.torture.functions import FUNCTIONS
from benchmarks.torture.pages import PAGES
from scythe.errors import ScytheError

MAX_SECONDS = 5.0
"""CPU seconds that a call may take."""
MAX_MEGABYTES = 1_000
"""Memory that the process may hold at most, the page and the library included."""
PATIENCE = 2.5
"""A process is ended after so many times the allowed time, and its memory bounded by so
many times the allowed one: what lies between is measured and reported as too much.
"""


@dataclass(frozen=True)
class Trial:
    """What became of one function on one page."""

    page: str
    function: str
    seconds: float
    """CPU time of its longest call."""
    call: str
    """The longest call."""
    megabytes: int
    error: str = ""
    """The exception or signal that ended it, empty where it answered."""

    @property
    def is_over(self) -> bool:
        """Whether it broke a promise."""
        is_long = self.seconds > MAX_SECONDS
        return is_long or self.megabytes > MAX_MEGABYTES or bool(self.error)


def run_trial(page: str, function: str, scale: float = 1.0) -> Trial:
    """Return how a function gets on with a page, from a child of this process, which has
    loaded everything already.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _run_in_child(page, function, scale, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as answers:
        answer = answers.read()
    _, status, usage = os.wait4(child, 0)
    if answer:
        return Trial(page, function, **json.loads(answer))
    name = signal.Signals(os.WTERMSIG(status)).name if status else "no answer"
    seconds = usage.ru_utime + usage.ru_stime
    return Trial(page, function, seconds, "?", usage.ru_maxrss // 1_000, name)


def _run_in_child(page: str, function: str, scale: float, writer: int) -> None:
    code = 1
    try:
        html = PAGES[page](scale)
        memory = round(PATIENCE * MAX_MEGABYTES) * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        answer = json.dumps(timed_calls(html, function, _limit_time))
        os.write(writer, answer.encode())
        code = 0
    finally:
        os._exit(code)


def _limit_time() -> None:
    """Let the process be ended if the next call takes far too long."""
    seconds = round(time.process_time() + PATIENCE * MAX_SECONDS) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def timed_calls(
    html: str, function: str, before_call: Callable[[], None] = lambda: None
) -> dict[str, object]:
    """Return the longest call of a function and what it took."""
    longest, call, error = 0.0, "", ""
    before_call()
    start = time.process_time()
    try:
        for name in FUNCTIONS[function](html):
            used = time.process_time() - start
            if used > longest:
                longest, call = used, name
            before_call()
            start = time.process_time()
    except ScytheError:
        pass
    except Exception as foreign:  # that is what is looked for
        error = f"{type(foreign).__name__}: {foreign}"[:200]
    used = time.process_time() - start
    if used > longest:
        longest, call = used, "the end"
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000
    return {
        "seconds": round(longest, 2),
        "call": call,
        "megabytes": megabytes,
        "error": error,
    }
