"""The counts of fuzzing: kept by seed, and summed up for the documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import common, fuzz_counts
from benchmarks.common import last_figures
from benchmarks.fuzz_counts import Kind, Run

KIND = Kind("fuzz_example", "Pages made at random", ("pages", "errors"))


@pytest.fixture(autouse=True)
def _results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (common, fuzz_counts):
        monkeypatch.setattr(module, "RESULTS", tmp_path)


def test_a_run_that_is_interrupted_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_counts, "KEPT_EVERY", 0)
    run = Run(KIND, 1, 3600)
    run.counts["pages"] = 7
    assert run.goes_on()
    assert last_figures("fuzz_example")["1"]["pages"] == 7


def test_counts_of_seeds_are_summed_up(tmp_path: Path) -> None:
    for seed, pages in ((1, 7), (2, 5), (2, 9)):
        KIND.keep(seed, {"pages": pages, "errors": 0, "CPU seconds": 1800})
    *_, row = (tmp_path / "fuzz_example.md").read_text("utf-8").splitlines()
    assert [cell.strip() for cell in row.split("|")] == ["", "2", "16", "0", "1.00", ""]


def test_a_run_ends_with_its_time() -> None:
    run = Run(KIND, 3, 0)
    assert not run.goes_on()
    assert last_figures("fuzz_example")["3"]["pages"] == 0
