"""What a page may take: a page that takes more costs one page."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from crawl import article, articles_warc, page_record, rows_of, write_warc
from hostile_method import hostile
from scythe.bulk import Budget, BulkOptions, Documents, InputOptions, run

pytestmark = pytest.mark.slow

BUDGET = Budget(seconds=1.0, memory=400_000_000)


def statuses(
    tmp_path: Path, *texts: str, workers: int = 1
) -> list[tuple[str, str | None]]:
    pages = [
        f"<article><p>{text}</p></article>" if text else article(1) for text in texts
    ]
    records = [
        page_record(f"https://farm.example/{number}", page)
        for number, page in enumerate(pages)
    ]
    path = write_warc(tmp_path / "crawl.warc.gz", records, packed=True)
    options = BulkOptions(workers=workers, budget=BUDGET)
    run([path], tmp_path / "out.jsonl", Documents(method=hostile), options)
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["url"] for row in rows] == [
        f"https://farm.example/{number}" for number in range(len(texts))
    ]
    return [(row["status"], row["reason"]) for row in rows]


GOOD = ("ok", None)


def test_a_page_that_never_ends(tmp_path: Path) -> None:
    found = statuses(tmp_path, "", "LOOP", "")
    assert found == [GOOD, ("time", "it takes longer than 1 seconds"), GOOD]


@pytest.mark.parametrize("how", ["EAT SLOWLY", "EAT AT ONCE"])
def test_a_page_that_needs_more_memory_than_there_is(tmp_path: Path, how: str) -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("this system does not tell the memory of processes")
    assert statuses(tmp_path, "", how, "") == [
        GOOD,
        ("memory", "it takes more than 400 MB of memory"),
        GOOD,
    ]


def test_a_page_that_kills_its_worker(tmp_path: Path) -> None:
    found = statuses(tmp_path, "", "CRASH", "", "KILLED ALWAYS", "")
    assert found == [
        GOOD,
        ("crashed", "the process that worked on it died (SIGABRT)"),
        GOOD,
        ("crashed", "the process that worked on it died (SIGKILL)"),
        GOOD,
    ]


def test_a_page_whose_worker_was_killed_by_something_else_is_done_again(
    tmp_path: Path,
) -> None:
    mark = tmp_path / "mark"
    assert statuses(tmp_path, "", f"KILLED ONCE {mark}", "")[1][0] == "ok"
    assert mark.exists()


def test_a_fault_of_ours_is_a_row(tmp_path: Path) -> None:
    found = statuses(tmp_path, "FAULT", "")
    assert found == [
        ("error", "a fault of Scythe, please report it: KeyError: 'straw'"),
        GOOD,
    ]


def test_nothing_but_hostile_pages_with_two_workers(tmp_path: Path) -> None:
    found = statuses(tmp_path, "LOOP", "CRASH", "EAT AT ONCE", "LOOP", workers=2)
    assert [status for status, _ in found] == ["time", "crashed", "memory", "time"]


def test_no_process_is_left(tmp_path: Path) -> None:
    statuses(tmp_path, "LOOP", "CRASH", "")
    assert multiprocessing.active_children() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "crawl.warc.gz",
        "out.jsonl",
    ]


def test_a_worker_that_holds_much_makes_way_for_a_new_one(tmp_path: Path) -> None:
    crawl = articles_warc(tmp_path / "crawl.warc.gz", 12)
    options = BulkOptions(
        workers=2,
        budget=Budget(memory=60_000_000),
        inputs=InputOptions(partition_bytes=700),
    )
    run([crawl], tmp_path / "out.jsonl", Documents(method="coreex"), options)
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["url"] for row in rows] == [
        f"https://farm.example/{number}" for number in range(12)
    ]
    assert {row["status"] for row in rows} == {"ok"}
