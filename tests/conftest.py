"""What every test can use: a web server on loopback, a real browser, and settings that make a run repeatable."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from loopback import Loopback
from scythe.tree.render import Browser, browser_available

settings.register_profile("scythe", deadline=None, derandomize=True)
settings.load_profile("scythe")
os.environ["NO_PROXY"] = "127.0.0.1"
os.environ.pop("SCYTHE_DEBUG", None)


@pytest.fixture
def web() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker. Where there is none, its tests are skipped; CI must have one."""
    if not browser_available():
        missing = "there is no Chromium on this machine, or no playwright: see `scythe.tree.render.find_chromium`"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    with Browser() as shared:
        yield shared
