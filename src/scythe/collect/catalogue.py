"""The collections of a database: listed, opened, and those that are kept up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from scythe.closing import Closing
from scythe.collect.collection import Collection
from scythe.store.collections import overviews
from scythe.store.collections.collections import CollectionRow, CollectionRows
from scythe.store.collections.overviews import Overview
from scythe.store.location import DatabaseLocation, locate_database
from scythe.store.states import CollectionState
from scythe.store.store import Store


class Collections(Closing):
    """The collections of a database."""

    def __init__(self, store: Store) -> None:
        self.store = store
        """The database, for the other rooms that keep something in it."""

    @classmethod
    def open(cls, db: str | None = None) -> Self:
        """Return the collections of the database at an address, or of the user's own."""
        return cls(Store.open(db))

    @staticmethod
    def locate(db: str | None = None) -> DatabaseLocation:
        """Return where a database is, without opening or making it."""
        return locate_database(db)

    @property
    def address(self) -> str:
        """The whole address of the database, for processes of our own; a password in it
        is for nobody else.
        """
        return self.store.address

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def all(self) -> list[CollectionRow]:
        """Return all collections, sorted by name."""
        return CollectionRows(self.store).all()

    def overviews(self, name: str | None = None) -> list[Overview]:
        """Return all collections at a glance, sorted by name; or the one of a name, if
        there is any.
        """
        return overviews.load_overviews(self.store, name)

    def get(self, name: str) -> Collection:
        """Return one collection; raise `NotStored` where there is none."""
        return Collection(self.store, CollectionRows(self.store).get(name))

    def active(self, names: Sequence[str] = ()) -> list[Collection]:
        """Return the collections of given names, or all that are not paused."""
        rows = CollectionRows(self.store)
        if names:
            chosen = [rows.get(name) for name in names]
        else:
            chosen = [row for row in rows.all() if row.state == CollectionState.ACTIVE]
        return [Collection(self.store, row) for row in chosen]
