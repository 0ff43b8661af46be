"""What every test can use: a web server on loopback, a real browser, databases, and settings that make a run repeatable."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from loopback import Loopback
from postgres import Postgres, find_programs
from scythe.tree.render import Browser, browser_available

settings.register_profile("scythe", deadline=None, derandomize=True)
settings.load_profile("scythe")
os.environ["NO_PROXY"] = "127.0.0.1"
os.environ.pop("SCYTHE_DEBUG", None)
os.environ["SCYTHE_DB"] = "sqlite:///"  # no test may touch the database of whoever runs it


@pytest.fixture
def web() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def _miss(what: str) -> None:
    """Skip where a machine lacks something; fail in CI, which must have it."""
    if os.environ.get("CI") == "true":
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker. Where there is none, its tests are skipped; CI must have one."""
    if not browser_available():
        _miss("there is no Chromium on this machine, or no playwright: see `scythe.tree.render.find_chromium`")
    with Browser() as shared:
        yield shared


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of a worker."""
    programs = find_programs()
    if programs is None:
        _miss("there is no PostgreSQL on this machine: install the package postgresql")
    assert programs
    with Postgres(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'scythe.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()
