"""Collections in the database: what is collected, which process works on it now, and
what algorithms keep from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, delete, func, insert, select, update

from scythe.errors import AlreadyStored, NotStored
from scythe.store.collection_tables import COLLECTIONS, STATES, CollectionRow
from scythe.store.collections.sql_views import drop_view
from scythe.store.columns import now
from scythe.store.leases import is_running
from scythe.store.rows import read_all, read_first, select_rows
from scythe.store.statements import insert_into
from scythe.store.states import CollectionState
from scythe.store.store import Store

__all__ = ["CollectionRow", "CollectionRows", "Settings", "store_state"]

Settings = Mapping[str, Any]


def _never(holder: str) -> bool:
    return False


def _is_held(holder: str | None, until: datetime | None) -> bool:
    """Return whether a lease is not free yet: where its holder certainly runs, no clock
    that jumps takes it away.
    """
    if holder is None:
        return False
    if is_running(holder):
        return True
    return until is not None and until > now()


class CollectionRows:
    """The collections of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, name: str, url: str, kind: str, settings: Settings | None = None
    ) -> int:
        """Store a new collection under a name that none has; return its id."""
        values = {
            "name": name,
            "url": url,
            "kind": kind,
            "settings": dict(settings or {}),
            "state": CollectionState.ACTIVE,
            "added_at": now(),
        }
        insertion = insert(COLLECTIONS).values(values).returning(COLLECTIONS.c.id)
        try:
            with self._store.writing() as connection:
                return connection.execute(insertion).scalar_one()
        except AlreadyStored as error:
            raise AlreadyStored(
                f"There is a collection {name} already. "
                "Give another name, or remove that one first."
            ) from error

    def all(self) -> list[CollectionRow]:
        """Return all collections, sorted by name."""
        query = select_rows(COLLECTIONS, CollectionRow).order_by(COLLECTIONS.c.name)
        with self._store.reading() as connection:
            return read_all(connection, query, CollectionRow)

    def get(self, name: str) -> CollectionRow:
        """Return one collection."""
        query = select_rows(COLLECTIONS, CollectionRow)
        with self._store.reading() as connection:
            row = read_first(
                connection, query.where(COLLECTIONS.c.name == name), CollectionRow
            )
            if row is None:
                raise NotStored(_unknown(connection, name))
            return row

    def remove(self, name: str) -> None:
        """Delete a collection with all that belongs to it."""
        has_name = COLLECTIONS.c.name == name
        query = select(COLLECTIONS.c.table_name).where(has_name).with_for_update()
        with self._store.writing() as connection:
            row = connection.execute(query).first()
            if row is None:
                raise NotStored(_unknown(connection, name))
            if row.table_name:
                drop_view(connection, row.table_name)
            connection.execute(delete(COLLECTIONS).where(has_name))

    def change(
        self,
        number: int,
        *,
        settings: Settings | None = None,
        kind: str | None = None,
        state: str | None = None,
        name: str | None = None,
        url: str | None = None,
    ) -> None:
        """Change what is given, and leave the rest as it is."""
        given = {"kind": kind, "state": state, "name": name, "url": url}
        values: dict[str, Any] = {
            column: value for column, value in given.items() if value is not None
        }
        if settings is not None:
            values["settings"] = dict(settings)
        if not values:
            return
        statement = update(COLLECTIONS).where(COLLECTIONS.c.id == number)
        try:
            with self._store.writing() as connection:
                connection.execute(statement.values(**values))
        except AlreadyStored as error:
            raise AlreadyStored(
                f"There is a collection {name} already. Give another name."
            ) from error

    def with_id(self, number: int) -> CollectionRow:
        """Return one collection by its id."""
        query = select_rows(COLLECTIONS, CollectionRow)
        with self._store.reading() as connection:
            row = read_first(
                connection, query.where(COLLECTIONS.c.id == number), CollectionRow
            )
        if row is None:
            raise NotStored("Another process has just removed this collection.")
        return row

    def acquire_lease(
        self,
        number: int,
        holder: str,
        seconds: float,
        has_ended: Callable[[str], bool] = _never,
        *,
        host: str = "",
    ) -> bool:
        """Take or prolong the lease of a collection; return False where another process
        has it. With `host`, that of the site, also where another one has the lease of a
        collection of the same host.

        The lease is free where nobody has it, where it has run out, and where
        `has_ended` says that its holder is no more: a run that was killed is resumed at
        once.
        """
        has_id = COLLECTIONS.c.id == number
        lease = select(COLLECTIONS.c.holder, COLLECTIONS.c.held_until).where(has_id)
        with self._store.writing() as connection:
            row = connection.execute(lease.with_for_update()).first()
            if row is None:
                raise NotStored(
                    "Another process has just removed this collection. "
                    "Nothing was changed."
                )
            is_held = _is_held(row.holder, row.held_until)
            is_other = is_held and row.holder != holder
            if is_other and not has_ended(row.holder):
                return False
            if host and self._is_host_busy(connection, number, host, holder, has_ended):
                return False
            until = now() + timedelta(seconds=seconds)
            connection.execute(
                update(COLLECTIONS)
                .where(has_id)
                .values(holder=holder, held_until=until)
            )
            return True

    def _is_host_busy(
        self,
        connection: Connection,
        number: int,
        host: str,
        holder: str,
        has_ended: Callable[[str], bool],
    ) -> bool:
        """Return whether another process has the lease of a collection of the host."""
        if connection.dialect.name == "postgresql":
            # Two processes that take two collections of one host do so in turn.
            lock = func.pg_advisory_xact_lock(func.hashtext(host))
            connection.execute(select(lock))
        query = (
            select(COLLECTIONS.c.url, COLLECTIONS.c.holder, COLLECTIONS.c.held_until)
            .where(COLLECTIONS.c.id != number)
            .where(COLLECTIONS.c.holder.is_not(None))
        )
        for row in connection.execute(query):
            if row.holder == holder or has_ended(row.holder):
                continue
            is_held = _is_held(row.holder, row.held_until)
            row_host = urlsplit(row.url).hostname or ""
            if is_held and row_host == host:
                return True
        return False

    def release_lease(self, number: int, holder: str) -> None:
        """Give the lease of a collection back, if this holder still has it."""
        has_id = COLLECTIONS.c.id == number
        is_held = has_id & (COLLECTIONS.c.holder == holder)
        released = update(COLLECTIONS).where(is_held)
        with self._store.writing() as connection:
            connection.execute(released.values(holder=None, held_until=None))

    def load_state(self, number: int, name: str) -> Any:
        """Return what an algorithm stored under a name, None where it stored nothing."""
        query = select(STATES.c.state).where(
            (STATES.c.collection_id == number) & (STATES.c.name == name)
        )
        with self._store.reading() as connection:
            return connection.execute(query).scalar()

    def store_state(self, number: int, name: str, state: Any) -> None:
        """Store something for the next run, in place of what is there under the name."""
        with self._store.writing() as connection:
            store_state(connection, number, name, state)

    def state_since(self, number: int, name: str, state: Any) -> datetime:
        """Return since when this is what is stored under a name, which it is now."""
        query = select(STATES.c.state, STATES.c.saved_at).where(
            (STATES.c.collection_id == number) & (STATES.c.name == name)
        )
        with self._store.writing() as connection:
            stored = connection.execute(query).first()
            if stored is None or stored.state != state:
                store_state(connection, number, name, state)
                stored = connection.execute(query).one()
        since: datetime = stored.saved_at
        return since


def store_state(connection: Connection, number: int, name: str, state: Any) -> None:
    """As `CollectionRows.store_state`, as a part of a larger step."""
    values = {"state": state, "saved_at": now()}
    insertion = insert_into(connection, STATES).values(
        collection_id=number, name=name, **values
    )
    connection.execute(
        insertion.on_conflict_do_update(
            index_elements=["collection_id", "name"], set_=values
        )
    )


def _unknown(connection: Connection, name: str) -> str:
    stored = connection.execute(select(COLLECTIONS.c.name)).scalars()
    names = ", ".join(sorted(stored))
    advice = "Add one with `scythe collect add URL`."
    if names:
        advice = f"There are: {names}."
    return f"There is no collection {name}. {advice}"
