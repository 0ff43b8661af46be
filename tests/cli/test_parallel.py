"""Many items on several processes, of which some die."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scythe.cli.parallel import MAX_PENDING, WorkerPool

KILLER, WORKERS = -1, 2


def square(number: int) -> int:
    if number == KILLER:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def process_of(_: int) -> int:
    return os.getpid()


def touch_and_wait(path: str) -> None:
    Path(path).touch()
    threading.Event().wait(30)


def pool_results(items: list[int]) -> list[tuple[int, int | None]]:
    return list(
        WorkerPool(square, WORKERS, preload="scythe.cli.parallel").map(
            items, is_process_local=lambda _: False
        )
    )


def test_results_come_in_the_order_of_the_items() -> None:
    assert pool_results(list(range(60))) == [
        (number, number * number) for number in range(60)
    ]


def test_nothing_to_do() -> None:
    assert pool_results([]) == []


def test_an_item_that_kills_its_worker_stops_no_other() -> None:
    items = [0, 1, KILLER, 3, 4, 5, KILLER, KILLER, *range(8, 30)]
    assert pool_results(items) == [
        (item, None if item == KILLER else item * item) for item in items
    ]


def test_only_killers() -> None:
    assert pool_results([KILLER] * 3) == [(KILLER, None)] * 3


def test_what_is_process_local_is_done_here() -> None:
    results = dict(
        WorkerPool(process_of, WORKERS, preload="scythe.cli.parallel").map(
            range(6), is_process_local=lambda item: item == 3
        )
    )
    assert results[3] == os.getpid()
    assert os.getpid() not in {results[item] for item in results if item != 3}


def test_items_are_taken_only_as_fast_as_results_are() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = WorkerPool(square, WORKERS, preload="scythe.cli.parallel").map(
        items(), is_process_local=lambda _: False
    )
    assert next(results) == (0, 0)
    assert taken <= MAX_PENDING * WORKERS
    results.close()


def test_an_interrupt_ends_the_workers_at_once(tmp_path: Path) -> None:
    started = tmp_path / "started"

    def interrupted() -> Iterator[str]:
        yield str(started)
        while not started.exists():
            threading.Event().wait(0.01)
        raise KeyboardInterrupt

    pool = WorkerPool(touch_and_wait, WORKERS, preload="scythe.cli.parallel")
    with pytest.raises(KeyboardInterrupt):
        list(pool.map(interrupted(), is_process_local=lambda _: False))
