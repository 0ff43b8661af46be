"""How far a long task is, on a terminal only: a bar, a line that says what is being
done, or the speed of a bulk run, which also leaves one line in a log.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scythe.cli.output.messages import one_line, shows_progress

if TYPE_CHECKING:
    from scythe.bulk import Progress, ProgressCallback

Item = TypeVar("Item")

_WINDOW = 30.0
"""Seconds over which pages per second are counted: a choice for the eye, not tuned."""
_MIN_LINE_WIDTH = 10
"""Characters of a line on the narrowest terminal: a choice for the eye, not tuned."""
_TWO_MINUTES = 120
_TWO_HOURS = 7200

Elapsed = Callable[[], float]
"""Returns the seconds since a run began."""
ShowDetail = Callable[[str], None]
"""Shows what a task is doing just now."""


@contextmanager
def progress_bar(
    count: Callable[[], int] | None, task_name: str = "extracting"
) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error; gives a function to call after each source. `count`
    returns how many sources there are; None shows no bar.
    """
    if count is None:
        yield lambda: None
        return

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    )
    with bar:
        task = bar.add_task(task_name, total=count())
        yield lambda: bar.advance(task)


def with_progress(items: Sequence[Item], task_name: str = "reading") -> Iterator[Item]:
    """Yield items, with a bar on a terminal where there are several. What is written
    meanwhile must not go to a terminal.
    """
    is_shown = len(items) > 1 and shows_progress()
    with progress_bar((lambda: len(items)) if is_shown else None, task_name) as advance:
        for item in items:
            yield item
            advance()


@contextmanager
def status_line(task: str) -> Iterator[ShowDetail]:
    """Show a task as long as it lasts; gives a function that shows what it is doing."""
    if not shows_progress():
        yield lambda _: None
        return

    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)

    def fitted(line: str) -> Text:
        text = Text(one_line(line))
        text.truncate(max(console.width - 4, _MIN_LINE_WIDTH), overflow="ellipsis")
        return text

    with console.status(fitted(task)) as status:

        def show_detail(detail: str) -> None:
            line = f"{task}: {detail}" if detail else task
            status.update(fitted(line))

        yield show_detail


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


def summary_line(statuses: Counter[str], seconds: float, resumed: int = 0) -> str:
    """Return the line on a whole run for a log. Pages per second are those of this run,
    without what it resumed.
    """
    pages = statuses.total()
    speed = (pages - resumed) / max(seconds, 1e-9)
    own = f", {pages - resumed:,} of them now," if resumed else ""
    took = f"in {format_duration(seconds)} ({speed:,.1f}/s)"
    counts = [f"{statuses['ok']:,} ok", *other_status_counts(statuses)]
    return f"{pages:,} pages{own} {took}: {', '.join(counts)}."


def format_duration(seconds: float) -> str:
    """Return a time in the unit that people use for it."""
    if seconds < _TWO_MINUTES:
        return f"{seconds:.0f} s"
    if seconds < _TWO_HOURS:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
