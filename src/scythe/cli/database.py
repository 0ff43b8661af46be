"""The database that a command works with, and the engines in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from scythe.engines.registry.registry import Registry

Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: a file, or postgresql://...; by default SCYTHE_DB, else in your data folder.",
    ),
]


@contextmanager
def engines_in(database: str | None) -> Iterator[Registry]:
    """The engines of the database that was asked for."""
    from scythe.engines.registry.registry import Registry
    from scythe.store import Store

    with Store.open(database) as store:
        yield Registry(store)
