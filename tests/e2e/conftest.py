"""A real Chromium for the tests that need one."""

import os
from collections.abc import Iterator

import pytest

from scythe.tree.render import Browser, browser_available


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
