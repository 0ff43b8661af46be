"""The engines and collections in the database that a command works with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scythe.collect.collection import Collection
    from scythe.engines.registry.registry import Registry


@contextmanager
def open_registry(database: str | None) -> Iterator[Registry]:
    """Open the engines of a database for a while."""
    from scythe.engines.registry.registry import Registry

    with Registry.open(database) as registry:
        yield registry


@contextmanager
def open_collection(name: str, db: str | None) -> Iterator[Collection]:
    """Open one collection of a database for a while."""
    from scythe.collect.collection import Collection

    with Collection.open(name, db=db) as collection:
        yield collection
