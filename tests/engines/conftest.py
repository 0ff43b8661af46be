"""What tests of engines share: a database of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scythe.engines.registry import Registry
from scythe.store import Store


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    """An empty database; `tests/store` sees to it that both kinds do the same."""
    with Store.open(str(tmp_path / "scythe.db")) as store:
        yield Registry(store)
