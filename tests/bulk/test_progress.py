"""What a person sees of a run, and what a log keeps of it."""

from __future__ import annotations

from collections import Counter

from scythe.bulk.workers.supervisor import Progress
from scythe.cli.output.bulk_progress import Rate, duration, summary_line, watched


def test_the_line_on_a_terminal() -> None:
    rate = Rate()
    rate.line(Progress(0, Counter()), 1000, 10.0)
    line = rate.line(Progress(250, Counter(ok=1500, list=20, time=1)), 1000, 20.0)
    assert line == "25%, 1,521 pages, 152.1 pages/s, 30 s left, 20 list, 1 time"


def test_a_line_before_anything_is_known() -> None:
    assert Rate().line(Progress(0, Counter()), 0, 1.0) == "0%, 0 pages, 0.0 pages/s"


def test_the_line_in_a_log() -> None:
    assert (
        summary_line(Counter(ok=90, list=9, broken=1), 50.0)
        == "100 pages in 50 s (2.0/s): 90 ok, 1 broken, 9 list."
    )


def test_times_as_people_say_them() -> None:
    assert [duration(seconds) for seconds in (5, 300, 9000)] == [
        "5 s",
        "5 min",
        "2.5 h",
    ]


def test_nothing_is_drawn_where_there_is_no_terminal() -> None:
    with watched(to_terminal=False) as (watch, clock):
        assert watch is None
        assert clock() >= 0
    with watched(to_terminal=True) as (watch, _):
        assert watch is not None
        watch(Progress(1, Counter(ok=1)), 2)
