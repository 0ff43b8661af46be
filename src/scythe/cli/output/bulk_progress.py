"""How far a bulk run is: a line that changes on a terminal, one line at the end in a
log.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scythe.bulk.run import Watch
    from scythe.bulk.workers.supervisor import Progress

_WINDOW = 30.0
"""Seconds over which pages per second are counted."""

Clock = Callable[[], float]


@contextmanager
def watched(*, to_terminal: bool) -> Iterator[tuple[Watch | None, Clock]]:
    """What a run is to call, and how long it has taken."""
    began = time.monotonic()

    def clock() -> float:
        return time.monotonic() - began

    if not to_terminal:
        yield None, clock
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    rate = Rate()
    with Live(
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=4,
        redirect_stdout=False,
    ) as live:

        def watch(progress: Progress, total: int) -> None:
            live.update(Text(rate.line(progress, total, time.monotonic())))

        yield watch, clock


class Rate:
    """Pages per second of the last moments, and what is left."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int, int]] = deque()

    def line(self, progress: Progress, total: int, now: float) -> str:
        """One line on how far the run is."""
        self._seen.append((now, progress.pages, progress.weight))
        while len(self._seen) > 2 and now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        began, pages, weight = self._seen[0]
        passed = max(now - began, 1e-9)
        speed = (progress.pages - pages) / passed
        parts = [
            f"{progress.weight / max(total, 1):.0%}",
            f"{progress.pages:,} pages",
            f"{speed:,.1f} pages/s",
        ]
        if progress.weight > weight:
            parts.append(
                f"{duration((total - progress.weight) * passed / (progress.weight - weight))} left"
            )
        return ", ".join([*parts, *kinds(progress.statuses)])


def kinds(statuses: Counter[str]) -> list[str]:
    """How many pages came out otherwise than `ok`, by kind."""
    return [
        f"{number:,} {status}"
        for status, number in sorted(statuses.items())
        if number and status != "ok"
    ]


def summary_line(statuses: Counter[str], seconds: float) -> str:
    """What a log says of a whole run."""
    pages = statuses.total()
    speed = pages / max(seconds, 1e-9)
    return (
        ", ".join(
            [
                f"{pages:,} pages in {duration(seconds)} ({speed:,.1f}/s): {statuses['ok']:,} ok",
                *kinds(statuses),
            ]
        )
        + "."
    )


def duration(seconds: float) -> str:
    """A time as people say it."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
