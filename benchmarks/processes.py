"""What the processes of a run take: looked at from a thread while the run goes on."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from scythe.bulk.workers.heartbeat import cpu_seconds, resident_bytes

QUIET = 0.15
"""The share of a machine that others may take while it is called quiet."""
LOOK_FOR = 1.5


class Watched:
    """The processor time and memory of this process's descendants, and of this process,
    while the block runs.
    """

    def __init__(self, look_every: float) -> None:
        self._look_every = look_every
        self.memory: list[int] = []
        """The memory of the largest process below this one, at every look."""
        self._last: dict[int, float] = {}
        self._first: dict[int, float] = {}
        self._ended = threading.Event()
        self._looking = 0.0
        self.others = 0.0
        """The share of the machine that other processes took."""

    def __enter__(self) -> Watched:
        self._busy, self._clock = busy_seconds(), time.monotonic()
        self._first = {os.getpid(): cpu_seconds(os.getpid()) or 0.0} | {
            pid: cpu_seconds(pid) or 0.0 for pid in descendants()
        }
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        passed = time.monotonic() - self._clock
        others = busy_seconds() - self._busy - self.cpu - self._looking
        self.others = max(others, 0.0) / (passed * (os.cpu_count() or 1))

    @property
    def cpu(self) -> float:
        """Processor seconds of all processes, without those that looking took."""
        return (
            sum(
                seconds - self._first.get(pid, 0.0)
                for pid, seconds in self._last.items()
            )
            - self._looking
        )

    def _watch(self) -> None:
        while not self._ended.wait(self._look_every):
            pids = descendants()
            for pid in (os.getpid(), *pids):
                seconds = cpu_seconds(pid)
                if seconds is not None:
                    self._last[pid] = seconds
            self.memory.append(max((resident_bytes(pid) for pid in pids), default=0))
        self._looking = time.thread_time()


def descendants() -> list[int]:
    """Return the processes below this one."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found.extend(below)
        waiting.extend(below)
    return found


def busy_seconds() -> float:
    """Return the processor time of everything on this machine."""
    numbers = [
        int(field)
        for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    ]
    idle = numbers[3] + numbers[4]
    return (sum(numbers) - idle) / os.sysconf("SC_CLK_TCK")


def wait_for_quiet(longest: float) -> None:
    """Wait until others leave the machine alone, or until it was waited long enough."""
    end = time.monotonic() + longest
    while time.monotonic() < end:
        before = busy_seconds()
        time.sleep(LOOK_FOR)
        if busy_seconds() - before < QUIET * LOOK_FOR * (os.cpu_count() or 1):
            return
