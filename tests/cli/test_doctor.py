"""`scythe doctor`: what is there, what is missing, and nothing changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from scythe.cli.main import app


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["doctor", *arguments])
    return done.exit_code, done.output


def test_the_doctor_names_what_is_there_and_makes_nothing(tmp_path: Path) -> None:
    database = tmp_path / "records.db"
    code, output = run("--db", str(database))
    assert code == 0
    for name in (
        "scythe",
        "core",
        "browser",
        "database",
        "temporary",
        "[web]",
        "[mcp]",
    ):
        assert f"  {name} " in output
    assert "made when it is first needed" in output
    assert not database.exists()


def test_a_database_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "notes.txt"
    broken.write_text("no database at all, but a list of tools and days " * 40)
    code, output = run("--db", str(broken))
    assert code == 1
    assert "!!  database" in output


def test_what_is_not_installed_comes_with_the_way_to_have_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from scythe.cli.commands import doctor

    monkeypatch.setattr(doctor, "_EXTRAS", {"hay": ("no_such_module_of_hay",)})
    code, output = run("--db", str(tmp_path / "records.db"))
    assert code == 0
    assert "pip install 'webscythe[hay]'" in output
