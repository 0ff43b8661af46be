"""What every test can use: a web server on loopback, and settings that make a run repeatable."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from loopback import Loopback

settings.register_profile("scythe", deadline=None, derandomize=True)
settings.load_profile("scythe")
os.environ["NO_PROXY"] = "127.0.0.1"
os.environ.pop("SCYTHE_DEBUG", None)


@pytest.fixture
def web() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server
