"""Collections in the database: what is collected, who works on it now, and what
algorithms remember from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from scythe.errors import AlreadyStored, NotStored
from scythe.store.collections.sql_views import drop_view
from scythe.store.collections.states import CollectionState
from scythe.store.collections.tables import COLLECTIONS, STATES
from scythe.store.columns import now
from scythe.store.statements import columns_of, inserting
from scythe.store.store import Store

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class CollectionRow:
    """A collection."""

    id: int
    name: str
    url: str
    kind: str
    """What its records are: the name of a schema."""
    settings: Settings
    state: str
    added_at: datetime
    table_name: str | None
    """The view under which other programs find its records, once there is one."""
    holder: str | None
    """Who works on it, until `held_until`."""
    held_until: datetime | None


class CollectionRows:
    """The collections of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, name: str, url: str, kind: str, settings: Settings | None = None
    ) -> int:
        """Store a new collection under a name that none has; gives its number."""
        values = {
            "name": name,
            "url": url,
            "kind": kind,
            "settings": dict(settings or {}),
            "state": CollectionState.ACTIVE,
            "added_at": now(),
        }
        try:
            with self._store.writing() as connection:
                number: int = connection.execute(
                    insert(COLLECTIONS).values(values).returning(COLLECTIONS.c.id)
                ).scalar_one()
                return number
        except AlreadyStored as error:
            raise AlreadyStored(
                f"There is a collection {name} already. Give another name, or remove that one first."
            ) from error

    def all(self) -> list[CollectionRow]:
        """All collections, sorted by name."""
        wanted = select(*columns_of(COLLECTIONS, CollectionRow)).order_by(
            COLLECTIONS.c.name
        )
        with self._store.reading() as connection:
            return [
                CollectionRow(**row) for row in connection.execute(wanted).mappings()
            ]

    def get(self, name: str) -> CollectionRow:
        """One collection."""
        wanted = select(*columns_of(COLLECTIONS, CollectionRow)).where(
            COLLECTIONS.c.name == name
        )
        with self._store.reading() as connection:
            row = connection.execute(wanted).mappings().first()
            if row is None:
                raise NotStored(_unknown(connection, name))
            return CollectionRow(**row)

    def remove(self, name: str) -> None:
        """Forget a collection with all that belongs to it."""
        own = COLLECTIONS.c.name == name
        with self._store.writing() as connection:
            found = connection.execute(
                select(COLLECTIONS.c.table_name).where(own).with_for_update()
            ).first()
            if found is None:
                raise NotStored(_unknown(connection, name))
            if found.table_name:
                drop_view(connection, found.table_name)
            connection.execute(delete(COLLECTIONS).where(own))

    def change(
        self,
        number: int,
        *,
        settings: Settings | None = None,
        kind: str | None = None,
        state: str | None = None,
    ) -> None:
        """Change what is given, and leave the rest as it is."""
        values = {
            "settings": None if settings is None else dict(settings),
            "kind": kind,
            "state": state,
        }
        given = {name: value for name, value in values.items() if value is not None}
        if given:
            with self._store.writing() as connection:
                connection.execute(
                    update(COLLECTIONS)
                    .where(COLLECTIONS.c.id == number)
                    .values(**given)
                )

    def acquire_lease(
        self,
        number: int,
        holder: str,
        seconds: float,
        has_ended: Callable[[str], bool] = lambda holder: False,
    ) -> bool:
        """Take a collection, or keep it longer, so that no two processes work on it at
        once; False where another has it.

        A collection is free where nobody has it, where the time is up, and where
        `has_ended` says that the holder is no more: a run that was killed is gone on
        with at once.
        """
        own = COLLECTIONS.c.id == number
        with self._store.writing() as connection:
            found = connection.execute(
                select(COLLECTIONS.c.holder, COLLECTIONS.c.held_until)
                .where(own)
                .with_for_update()
            ).first()
            if found is None:
                raise NotStored(
                    "Another process has just removed this collection. Nothing was changed."
                )
            held = (
                found.holder is not None
                and found.held_until is not None
                and found.held_until > now()
            )
            if held and found.holder != holder and not has_ended(found.holder):
                return False
            until = now() + timedelta(seconds=seconds)
            connection.execute(
                update(COLLECTIONS).where(own).values(holder=holder, held_until=until)
            )
            return True

    def release_lease(self, number: int, holder: str) -> None:
        """Give a collection back, if it is still one's own."""
        own = (COLLECTIONS.c.id == number) & (COLLECTIONS.c.holder == holder)
        with self._store.writing() as connection:
            connection.execute(
                update(COLLECTIONS).where(own).values(holder=None, held_until=None)
            )

    def load_state(self, number: int, name: str) -> Any:
        """What an algorithm left under a name, None where it left nothing."""
        wanted = select(STATES.c.state).where(
            (STATES.c.collection_id == number) & (STATES.c.name == name)
        )
        with self._store.reading() as connection:
            return connection.execute(wanted).scalar()

    def store_state(self, number: int, name: str, state: Any) -> None:
        """Leave something for the next run, in place of what is there under this name."""
        with self._store.writing() as connection:
            store_state(connection, number, name, state)


def store_state(connection: Connection, number: int, name: str, state: Any) -> None:
    """As `CollectionRows.store_state`, as a part of a larger step."""
    values = {"state": state, "saved_at": now()}
    added = inserting(connection, STATES).values(
        collection_id=number, name=name, **values
    )
    connection.execute(
        added.on_conflict_do_update(
            index_elements=["collection_id", "name"], set_=values
        )
    )


def _unknown(connection: Connection, name: str) -> str:
    known: Iterable[str] = connection.execute(select(COLLECTIONS.c.name)).scalars()
    names = ", ".join(sorted(known))
    return f"There is no collection {name}. " + (
        f"There are: {names}." if names else "Add one with `scythe collect add URL`."
    )
