"""Real search engines for tests: each is indexed once a run and added once a run, and
served by every worker that needs it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scythe.engines.engine import Engine

from .all import REAL_ENGINES
from .commands import Scythe, added
from .real import RealEngine, Running, missing, running


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of a run have in common."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "engines"


@pytest.fixture(scope="session", params=REAL_ENGINES, ids=lambda engine: engine.name)
def real(request: pytest.FixtureRequest, shared_folder: Path) -> Iterator[Running]:
    """One of the real engines after the other. Where its packages are missing, its
    tests are skipped; CI must have them.
    """
    engine: RealEngine = request.param
    if lacking := missing(engine):
        if os.environ.get("CI") == "true":
            pytest.fail(lacking)
        pytest.skip(lacking)
    with running(engine, shared_folder) as served:
        yield served


@pytest.fixture(scope="session")
def engine(real: Running, shared_folder: Path) -> Engine:
    """The real engine as `scythe engine add URL` stores it."""
    return added(real, shared_folder)


@pytest.fixture
def scythe(tmp_path: Path) -> Scythe:
    """The command line, with an empty database."""
    return Scythe(tmp_path / "scythe.db")
