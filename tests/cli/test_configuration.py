"""One file and the environment give defaults of options; what is typed stands above."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scythe.cli.main import app

EXAMPLE = Path(__file__).parents[2] / "examples" / "harvest.html"
TITLE = "Why the old barley fields are cut by hand again"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("SCYTHE_CONFIG", str(path))
    monkeypatch.delenv("SCYTHE_DB")
    return path


def test_what_is_typed_is_above_the_environment_and_that_above_the_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('[extract]\nformat = "json"\nno-such-thing = 1\n')
    assert "extract.no-such-thing" in run("extract", str(EXAMPLE)).stderr
    config.write_text('no-such-thing = 1\n[extract]\nformat = "json"\n')
    checked = run("doctor")
    assert (checked.exit_code, "no-such-thing" in checked.stdout) == (1, True)
    config.write_text('[extract]\nformat = "json"\n')
    assert json.loads(run("extract", str(EXAMPLE)).stdout)["title"] == TITLE
    monkeypatch.setenv("SCYTHE_EXTRACT_FORMAT", "html")
    assert run("extract", str(EXAMPLE)).stdout.startswith("<!DOCTYPE")
    typed = run("extract", str(EXAMPLE), "--format", "md")
    assert typed.stdout.startswith(f"# {TITLE}")


@pytest.mark.parametrize("text", ["a=" + "[" * 5_000, "a=" + "{b=" * 5_000, "a = \0"])
def test_a_file_that_nobody_can_read_is_named(config: Path, text: str) -> None:
    config.write_text(text)
    refused = run("extract", str(EXAMPLE))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "is not valid TOML" in refused.stderr


def test_a_key_at_the_top_is_for_every_command_that_has_the_option(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text(f'db = "{tmp_path / "kitchen.db"}"\n[collect.add]\ndelay = 2.5\n')
    added = run("collect", "add", "https://oats.example/", "--name", "oats")
    assert added.exit_code == 0, added.output
    assert "oats" in run("collect", "status").stdout
    shown = run("collect", "set", "oats", "max_pages=7").stdout
    assert "delay = 2.5" in shown
    monkeypatch.setenv("SCYTHE_DB", str(tmp_path / "other.db"))
    assert "oats" not in run("collect", "status").stdout


def test_the_file_sets_variables_that_are_not_set(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('[environment]\nSCYTHE_TOKEN = "from the file"\n')
    monkeypatch.setenv("SCYTHE_TOKEN", "mine")
    run("doctor")
    assert os.environ["SCYTHE_TOKEN"] == "mine"
    config.write_text('[environment]\nPATH = "/nowhere"\n')
    refused = run("doctor")
    assert (refused.exit_code, "PATH" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    "text", ["db = ", "environment = 3", f"db = {'[' * 9_000}", f"db = {'9' * 9_000}"]
)
def test_a_file_that_is_wrong_is_named(config: Path, text: str) -> None:
    config.write_text(text)
    refused = run("extract", str(EXAMPLE))
    assert refused.exit_code == 2
    assert str(config) in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_file_that_is_not_there_is_named(config: Path) -> None:
    assert "cannot be read" in run("extract", str(EXAMPLE)).stderr


def test_quiet_leaves_errors(tmp_path: Path) -> None:
    empty = tmp_path / "empty.html"
    empty.write_text("<p> </p>")
    assert "warning" in run("extract", str(empty)).stderr
    assert run("extract", str(empty), "--quiet").stderr == ""
    assert "error" in run("--quiet", "extract", str(tmp_path / "none")).stderr
    assert "warning" in run("extract", str(empty)).stderr


def test_messages_are_json_lines_on_request(tmp_path: Path) -> None:
    command = ["extract", "--log", "json", str(tmp_path / "none"), str(EXAMPLE)]
    done = run(*command)
    entries = [json.loads(line) for line in done.stderr.splitlines()]
    assert {entry["level"] for entry in entries} >= {"error"}
    assert entries[0]["source"] == str(tmp_path / "none")
    assert all(entry["message"] and entry["time"] for entry in entries)


def test_no_color_is_heeded_and_shells_complete() -> None:
    environment = {**os.environ, "NO_COLOR": "1", "FORCE_COLOR": "", "COLUMNS": "80"}
    command = [sys.executable, "-m", "scythe"]
    shown = subprocess.run(
        [*command, "--help"], env=environment, capture_output=True, check=True
    )
    assert b"\x1b[3" not in shown.stdout
    assert b"--install-completion" in shown.stdout
