"""What other packages add, by entry points."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scythe
from example_plugin import install
from scythe.errors import UsageError

ROOT = Path(__file__).parents[1]


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment in which the example is installed, as pip would have it."""
    return install(tmp_path / "installed", "broken = no_such_module:no\n")


def extract(
    environment: dict[str, str], method: str
) -> subprocess.CompletedProcess[str]:
    page = str(ROOT / "examples" / "harvest.html")
    command = [sys.executable, "-m", "scythe", "extract", page, "--method", method]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )


def scythe_output(environment: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "scythe", *arguments]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_exporter_of_another_package_has_its_format(
    installed: dict[str, str], tmp_path: Path
) -> None:
    page, out = ROOT / "examples" / "results-hay.html", tmp_path / "hay.columns"
    scythe_output(installed, "records", "--no-render", str(page), "-o", str(out))
    columns = json.loads(out.read_text())
    assert columns["title"][0] == "Hay fork, three tines"


def test_a_kind_of_another_package_is_read_and_suggested(
    installed: dict[str, str], tmp_path: Path
) -> None:
    film = tmp_path / "film.html"
    declared = {"@type": "Movie", "name": "Mowers", "director": {"name": "Ada Roe"}}
    film.write_text(f"<script type=application/ld+json>{json.dumps(declared)}</script>")
    for kind in ("auto", "film"):
        text = scythe_output(installed, "page", str(film), "--kind", kind)
        answer = json.loads(text)
        assert (answer["kind"], answer["record"]["director"]) == ("film", "Ada Roe")

    pages = []
    for number, name in enumerate(["Ada Roe", "Bo Lind", "Cy Marsh", "Di Field"]):
        page = tmp_path / f"{number}.html"
        page.write_text(
            f"<body><h1>Film {number}</h1><dl><dt>Directed by</dt><dd>{name}</dd></dl>"
        )
        pages.append(str(page))
    template = scythe_output(installed, "template", "induce", *pages)
    assert '"director"' in template


def test_a_method_of_another_package_has_its_name(installed: dict[str, str]) -> None:
    done = extract(installed, "longest")
    assert done.returncode == 0, done.stderr
    assert "Three villages in the valley" in done.stdout


def test_a_broken_plug_in_says_so(installed: dict[str, str]) -> None:
    done = extract(installed, "broken")
    assert done.returncode == 2
    assert "no_such_module" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_method_lists_those_there_are(installed: dict[str, str]) -> None:
    done = extract(installed, "nothing")
    assert done.returncode == 2
    assert "lbda, broken, longest" in done.stderr
    with pytest.raises(UsageError, match="auto, learned"):
        scythe.extract("<p>hay", method="nothing")
