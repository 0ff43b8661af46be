"""What every test can use: a web server on loopback, a real browser, databases, and
settings that make a run repeatable.
"""

import os
import tempfile
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from loopback import Loopback
from postgres import Postgres, find_programs
from scythe.engines.registry.registry import Registry
from scythe.processes import cores
from scythe.render import Browser, browser_available
from scythe.store import Store

settings.register_profile("scythe", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("scythe")
os.environ["NO_PROXY"] = "127.0.0.1"
os.environ.pop("SCYTHE_DEBUG", None)
# Processes that tests start would compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["SCYTHE_CONFIG"] = ""  # nor use the settings of whoever runs it
_CACHE = tempfile.TemporaryDirectory(prefix="scythe-cache-")
os.environ.setdefault("SCYTHE_CACHE", _CACHE.name)
os.environ["SCYTHE_DB"] = (
    "sqlite:///"  # no test may touch the database of whoever runs it
)

SLOW_FIXTURES = frozenset({"browser", "window", "firefox", "postgres", "ray"})
"""Fixtures that start a browser, a database server or a cluster."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="leave out end-to-end tests, and what needs a browser or a database server",
    )
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run also what takes minutes: see the markers `thorough` and `both_databases`",
    )
    parser.addoption(
        "--frameworks",
        action="store_true",
        help="run also the tests of heavy frameworks (`make integrations`)",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests of heavy frameworks, whose packages the suite does without."""
    is_heavy = "frameworks" in collection_path.parts
    return True if is_heavy and not config.getoption("--frameworks") else None


def pytest_xdist_auto_num_workers() -> int:
    """Return three workers a core: half of the time of a test goes by in waiting for
    servers, browsers and processes (two workers a core take a tenth longer).
    """
    return 3 * cores()


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    left_out: set[pytest.Item] = set()
    if not config.getoption("--thorough"):
        left_out.update(item for item in items if _is_thorough(item))
    if config.getoption("--quick"):
        left_out.update(item for item in items if _is_slow(item))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _is_thorough(item: pytest.Item) -> bool:
    """Return whether a test is left to `make thorough`: it is marked so, or runs end to
    end on the second database what the suite runs on the first.
    """
    if item.get_closest_marker("thorough"):
        return True
    is_second = "e2e" in item.path.parts and _is_on_postgres(item)
    return is_second and not item.get_closest_marker("both_databases")


def _is_on_postgres(item: pytest.Item) -> bool:
    """Return whether a test is one of two, for two databases, and this the second."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return "postgresql" in [str(value) for value in parameters.values()]


def _is_slow(item: pytest.Item) -> bool:
    if "e2e" in item.path.parts or item.get_closest_marker("slow"):
        return True
    fixtures = getattr(item, "fixturenames", ())
    return _is_on_postgres(item) or not SLOW_FIXTURES.isdisjoint(fixtures)


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
    """One browser for all tests of a worker. Where there is none, its tests are
    skipped; CI must have one.
    """
    if not browser_available():
        _miss(
            "there is no Chromium on this machine, or no playwright: see `scythe.render.find_chromium`"
        )
    with Browser() as shared:
        yield shared


@pytest.fixture(scope="module")
def window() -> Iterator[object]:
    """A browser to visit pages with, as `web_visit.Visitor` does."""
    if not browser_available():
        _miss(
            "there is no Chromium on this machine, or no playwright: see `scythe.render.find_chromium`"
        )
    from web_visit import playwright_browser

    with playwright_browser() as opened:
        yield opened


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[object]:
    """A window of Firefox, to visit pages with."""
    from firefox import find_firefox, running_firefox

    program = find_firefox()
    if program is None:
        _miss("there is no Firefox on this machine: apt install firefox-esr")
    else:
        with running_firefox(program, tmp_path) as window:
            yield window


@pytest.fixture
def ray() -> Iterator[ModuleType]:
    """Ray, to be started by the test and ended after it."""
    if find_spec("ray") is None:
        _miss("Ray is not installed: pip install 'webscythe[ray]'")
    module = import_module("ray")
    yield module
    module.shutdown()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of a worker."""
    programs = find_programs()
    if programs is None:
        _miss("there is no PostgreSQL on this machine: install the package postgresql")
    assert programs
    with Postgres(programs) as server:
        yield server


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    """An empty database of engines; `tests/store` sees to it that both kinds of
    databases do the same.
    """
    with Store.open(str(tmp_path / "scythe.db")) as store:
        yield Registry(store)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'scythe.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty database, open, of each kind in turn."""
    with Store.open(database) as opened:
        yield opened
