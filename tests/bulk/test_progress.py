"""What a person sees of a run, and what a log keeps of it."""

from __future__ import annotations

from collections import Counter

from scythe.bulk.workers.supervisor import Progress
from scythe.cli.output.progress import (
    Speedometer,
    bulk_progress,
    format_duration,
    summary_line,
)


def test_the_line_on_a_terminal() -> None:
    speedometer = Speedometer()
    speedometer.line(Progress(0, Counter()), 1000, 10.0)
    line = speedometer.line(
        Progress(250, Counter(ok=1500, list=20, time=1)), 1000, 20.0
    )
    assert line == "25%, 1,521 pages, 152.1 pages/s, 30 s left, 20 list, 1 time"


def test_a_line_before_anything_is_known() -> None:
    assert (
        Speedometer().line(Progress(0, Counter()), 0, 1.0) == "0%, 0 pages, 0.0 pages/s"
    )


def test_the_line_in_a_log() -> None:
    assert (
        summary_line(Counter(ok=90, list=9, broken=1), 50.0)
        == "100 pages in 50 s (2.0/s): 90 ok, 1 broken, 9 list."
    )


def test_pages_of_an_earlier_run_are_no_speed() -> None:
    assert (
        summary_line(Counter(ok=90, list=10), 50.0, resumed=80)
        == "100 pages, 20 of them now, in 50 s (0.4/s): 90 ok, 10 list."
    )


def test_times_as_people_say_them() -> None:
    assert [format_duration(seconds) for seconds in (5, 300, 9000)] == [
        "5 s",
        "5 min",
        "2.5 h",
    ]


def test_nothing_is_drawn_where_there_is_no_terminal() -> None:
    with bulk_progress(to_terminal=False) as (on_progress, elapsed):
        assert on_progress is None
        assert elapsed() >= 0
    with bulk_progress(to_terminal=True) as (on_progress, _):
        assert on_progress is not None
        on_progress(Progress(1, Counter(ok=1)), 2)
