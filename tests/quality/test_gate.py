"""The gate on the data folder, on results made up for the purpose."""

import json
from pathlib import Path

import pytest
from benchmarks import common, gate

FIGURES = {
    "wcxb/scythe learned": {
        "f1": 0.8812,
        "f1 article": 0.951,
        "f1 forum": 0.8,
        "precision": 0.9,
    },
    "wcxb/trafilatura": {"f1": 0.8},
    "zh/scythe learned": {"f1": 0.94},
}


class Bench:
    """A results file, a floors file and a data folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self.results, self.floors = (
            folder / "data",
            folder / "results",
            folder / "floors.json",
        )
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(common, "RESULTS", self.results)
        monkeypatch.setattr(gate, "FLOORS", self.floors)
        self.results.mkdir()
        for name in ("wcxb", "zh"):
            self.add_page(name, "1.json", "{}")

    def add_page(self, page_set: str, name: str, text: str) -> None:
        folder = self.data / "content" / page_set / "truth"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def measure(self, row: str = "wcxb/scythe learned", **changed: float) -> None:
        figures = FIGURES | {
            row: FIGURES[row]
            | {name.replace("_", " "): value for name, value in changed.items()}
        }
        (self.results / "content.json").write_text(json.dumps({"figures": figures}))

    def run(self, *options: str) -> object:
        self.monkeypatch.setattr("sys.argv", ["gate", str(self.data), *options])
        with pytest.raises(SystemExit) as end:
            gate.main()
        return end.value.code

    def floor(self, name: str, row: str = "wcxb/scythe learned") -> float:
        return float(json.loads(self.floors.read_text())["floors"][row][name])


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_without_results_it_says_what_to_run(bench: Bench) -> None:
    assert "benchmarks.content" in str(bench.run())


def test_without_floors_it_does_not_pass(bench: Bench) -> None:
    bench.measure()
    assert bench.run() == 1


def test_floors_are_a_little_below_the_figures_and_of_our_methods_only(
    bench: Bench,
) -> None:
    bench.measure()
    assert bench.run("--pin") == 0
    assert bench.floor("f1") == 0.879
    assert bench.floor("f1 article") == 0.949
    assert bench.floor("f1 forum") == 0.798
    stored = json.loads(bench.floors.read_text())["floors"]
    assert sorted(stored) == ["wcxb/scythe learned", "zh/scythe learned"]
    assert "precision" not in stored["wcxb/scythe learned"]


def test_a_fall_in_one_page_type_fails_and_is_named(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.measure()
    bench.run("--pin")
    bench.measure(f1_forum=0.7979)
    capsys.readouterr()
    assert bench.run() == 1
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "BELOW" in line]
    assert "wcxb/scythe learned" in line
    assert "f1 forum" in line


def test_a_fall_within_the_slack_passes(bench: Bench) -> None:
    bench.measure()
    bench.run("--pin")
    bench.measure(f1_forum=0.798)
    assert bench.run() == 0


def test_pinning_raises_and_does_not_lower(bench: Bench) -> None:
    bench.measure()
    bench.run("--pin")
    bench.measure(f1_article=0.96, f1_forum=0.5)
    assert bench.run("--pin") == 1
    assert bench.floor("f1 article") == 0.958
    assert bench.floor("f1 forum") == 0.798


def test_lowering_takes_a_flag_of_its_own(bench: Bench) -> None:
    bench.measure()
    bench.run("--pin")
    bench.measure(f1_forum=0.5)
    assert bench.run("--pin", "--allow-lower") == 0
    assert bench.floor("f1 forum") == 0.498
    assert bench.run("--allow-lower") == 2


def test_a_method_that_is_no_longer_measured_fails(bench: Bench) -> None:
    bench.measure()
    bench.run("--pin")
    (bench.results / "content.json").write_text(
        json.dumps({"figures": {"zh/scythe learned": {"f1": 0.94}}})
    )
    assert bench.run() == 1


def test_changed_pages_are_noticed(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.measure()
    bench.run("--pin")
    bench.add_page("zh", "2.json", "{}")
    capsys.readouterr()
    assert bench.run() == 1
    assert "pages of zh" in capsys.readouterr().out
    assert bench.run("--pin") == 1
    assert bench.run("--pin", "--allow-lower") == 0
