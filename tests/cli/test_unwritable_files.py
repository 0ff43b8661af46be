"""Files that cannot be written, wherever results go: one line that names the file which
was asked for, an exit code, and no traceback of anybody's library.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import run_here
from read_pages import read_collection
from scythe.collect.collection import Collection
from scythe.store import Store

NOBODYS = Path("/proc")
"""A folder in which nobody makes files, not even the user of containers."""
LIST = "<ul>" + "".join(
    f"<li><a href=/{n}>Barley no. {n}</a> is mown" for n in range(9)
)
SMALL = 100
"""Bytes that a file may have where the disk is full for more."""

pytestmark = pytest.mark.skipif(
    not NOBODYS.joinpath("self").exists(), reason="there is no /proc"
)


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "list.html"
    path.write_text(LIST)
    return str(path)


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = str(tmp_path / "scythe.db")
    with Store.open(path) as store:
        read_collection(store)
    with Collection.open("oats", db=path) as collection:
        collection.accept_suggestions()
    return path


@pytest.mark.parametrize("extension", ["csv", "jsonl", "xlsx", "json"])
def test_records(page: str, extension: str) -> None:
    _require_named("records", page, "-o", str(NOBODYS / f"out.{extension}"))


def test_wrappers_and_templates(page: str) -> None:
    _require_named("wrapper", "learn", page, "-o", str(NOBODYS / "out.json"))
    _require_named("template", "induce", page, page, "-o", str(NOBODYS / "out.json"))


@pytest.mark.parametrize("extension", ["csv", "jsonl", "parquet", "sql", "xlsx"])
def test_exports(database: str, extension: str) -> None:
    out = str(NOBODYS / f"out.{extension}")
    _require_named("collect", "export", "oats", "-o", out, "--db", database)


def test_copies_feeds_and_databases(database: str) -> None:
    out = str(NOBODYS / "out.db")
    _require_named("db", "backup", out, "--db", database)
    _require_named("collect", "feed", "oats", "-o", out, "--db", database)
    _require_named("collect", "status", "--db", out)


def _require_named(*arguments: str) -> None:
    done = run_here(arguments)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "/proc/out." in done.stderr


@pytest.mark.parametrize("extension", ["csv", "xlsx", "json"])
def test_a_disk_that_is_full_in_the_middle(
    page: str, tmp_path: Path, extension: str
) -> None:
    out = tmp_path / f"out.{extension}"
    out.write_text("what was there before")
    command = ["records", page, "--no-render", "-o", str(out)]
    done = subprocess.run(
        [sys.executable, "-B", "-m", "scythe", *command],
        preexec_fn=_fill_disk,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {out}")
    assert done.stderr.count("\n") == 1
    assert out.read_text() == "what was there before"
    assert not list(tmp_path.glob("*.part"))


def _fill_disk() -> None:
    """Bound the size of files: also of bytecode, which a process may not write then."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


def test_copies_have_names_of_any_characters(database: str, tmp_path: Path) -> None:
    copy, new = tmp_path / "a copy?mode=rw#1 %41.db", tmp_path / "new.db"
    assert run_here(["db", "backup", str(copy), "--db", database]).returncode == 0
    done = run_here(["db", "restore", str(copy), "--db", str(new)])
    assert done.returncode == 0, done.stderr
    with Collection.open("oats", db=str(new)) as collection:
        assert collection.counts()
