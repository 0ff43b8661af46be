"""How far a bulk run is: a line that changes on a terminal, one line at the end in a
log.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scythe.bulk import Progress, ProgressCallback

_WINDOW = 30.0
"""Seconds over which pages per second are counted: a choice for the eye, not tuned."""
_TWO_MINUTES = 120
_TWO_HOURS = 7200

Elapsed = Callable[[], float]
"""Returns the seconds since a run began."""


@contextmanager
def bulk_progress(
    *, to_terminal: bool
) -> Iterator[tuple[ProgressCallback | None, Elapsed]]:
    """Show the progress of a run on a terminal; gives what the run is to call, and a
    function that returns how long it has taken.
    """
    started = time.monotonic()

    def elapsed() -> float:
        return time.monotonic() - started

    if not to_terminal:
        yield None, elapsed
        return

    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    speedometer = Speedometer()
    display = Live(
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=4,
        redirect_stdout=False,
    )
    with display:

        def on_progress(progress: Progress, total: int) -> None:
            line = speedometer.line(progress, total, time.monotonic())
            display.update(Text(line))

        yield on_progress, elapsed


class _Sample(NamedTuple):
    time: float
    pages: int
    weight: int


class Speedometer:
    """Pages per second of the last moments, and the time that is left."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque()

    def line(self, progress: Progress, total: int, now: float) -> str:
        """Return one line on how far the run is."""
        self._samples.append(_Sample(now, progress.pages, progress.weight))
        while len(self._samples) > 2 and now - self._samples[0].time > _WINDOW:
            self._samples.popleft()
        oldest = self._samples[0]

        seconds = max(now - oldest.time, 1e-9)
        speed = (progress.pages - oldest.pages) / seconds
        parts = [
            f"{progress.weight / max(total, 1):.0%}",
            f"{progress.pages:,} pages",
            f"{speed:,.1f} pages/s",
        ]
        done = progress.weight - oldest.weight
        if done > 0:
            remaining = (total - progress.weight) * seconds / done
            parts.append(f"{format_duration(remaining)} left")
        parts.extend(other_status_counts(progress.statuses))
        return ", ".join(parts)


def other_status_counts(statuses: Counter[str]) -> list[str]:
    """Return how many pages have another status than `ok`, by status."""
    counts = []
    for status, number in sorted(statuses.items()):
        if number and status != "ok":
            counts.append(f"{number:,} {status}")
    return counts


def summary_line(statuses: Counter[str], seconds: float) -> str:
    """Return the line on a whole run for a log."""
    pages = statuses.total()
    speed = pages / max(seconds, 1e-9)
    beginning = f"{pages:,} pages in {format_duration(seconds)} ({speed:,.1f}/s): {statuses['ok']:,} ok"
    return ", ".join([beginning, *other_status_counts(statuses)]) + "."


def format_duration(seconds: float) -> str:
    """Return a time in the unit that people use for it."""
    if seconds < _TWO_MINUTES:
        return f"{seconds:.0f} s"
    if seconds < _TWO_HOURS:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
