"""Search engines in the database: every change is one transaction, and none undoes what
another process did meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from scythe.errors import AlreadyStored, NotStored
from scythe.store.columns import now
from scythe.store.engines.tables import (
    ANSWERS,
    ENGINES,
    EVENTS,
    VERSIONS,
    AnswerRow,
    EngineRow,
    EngineVersionRow,
    EventRow,
)
from scythe.store.rows import read_all, read_first, row_values, select_rows
from scythe.store.store import Store

__all__ = ["AnswerRow", "EngineRow", "EngineRows", "EngineVersionRow", "EventRow"]

MAX_ANSWERS = 200
"""Answers that are stored of each engine: several times what its health looks at, and a
few kilobytes.
"""

Definition = Mapping[str, Any]


class EngineRows:
    """The engines of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self,
        name: str,
        home: str,
        definition: Definition,
        *,
        reason: str,
        weight: float = 1.0,
    ) -> int:
        """Store a new engine as version 1, under a name that none has; return its id."""
        values = {
            "name": name,
            "home": home,
            "version": 1,
            "weight": weight,
            "added_at": now(),
        }
        insertion = insert(ENGINES).values(values).returning(ENGINES.c.id)
        version = EngineVersionRow(1, definition, reason, now())
        try:
            with self._store.writing() as connection:
                number: int = connection.execute(insertion).scalar_one()
                _add_version(connection, number, version)
                return number
        except AlreadyStored as error:
            raise AlreadyStored(
                f"There is an engine {name} already. "
                "Give another name, or remove that one first."
            ) from error

    def all(self) -> list[EngineRow]:
        """Return all engines, sorted by name."""
        query = _select_engines().order_by(ENGINES.c.name)
        with self._store.reading() as connection:
            return read_all(connection, query, EngineRow)

    def get(self, name: str) -> EngineRow:
        """Return one engine."""
        query = _select_engines().where(ENGINES.c.name == name)
        with self._store.reading() as connection:
            row = read_first(connection, query, EngineRow)
            if row is None:
                raise NotStored(_unknown(connection, name))
            return row

    def remove(self, name: str) -> None:
        """Delete an engine with all that belongs to it."""
        statement = delete(ENGINES).where(ENGINES.c.name == name)
        with self._store.writing() as connection:
            if not connection.execute(statement).rowcount:
                raise NotStored(_unknown(connection, name))

    def set_weight(self, number: int, weight: float) -> None:
        """Store how much an engine counts among others."""
        with self._store.writing() as connection:
            connection.execute(
                update(ENGINES).where(ENGINES.c.id == number).values(weight=weight)
            )

    def replace(
        self, number: int, after: int, definition: Definition, reason: str
    ) -> bool:
        """Put a new version in use, if `after` is still the one in use; return False
        where another process was first.
        """
        is_current = (ENGINES.c.id == number) & (ENGINES.c.version == after)
        newer = after + 1
        statement = update(ENGINES).where(is_current).values(version=newer)
        with self._store.writing() as connection:
            if not connection.execute(statement).rowcount:
                return False
            version = EngineVersionRow(newer, definition, reason, now())
            _add_version(connection, number, version)
            return True

    def versions(self, number: int) -> list[EngineVersionRow]:
        """Return every version of an engine, the first one first."""
        query = (
            select_rows(VERSIONS, EngineVersionRow)
            .where(VERSIONS.c.engine_id == number)
            .order_by(VERSIONS.c.version)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, EngineVersionRow)

    def add_answers(self, answers: Iterable[tuple[int, AnswerRow]]) -> None:
        """Store how searches were answered, each with the id of its engine; nothing of
        engines that were removed meanwhile.
        """
        with self._store.writing() as connection:
            ids = select(ENGINES.c.id).with_for_update(read=True)
            known = set(connection.execute(ids).scalars())
            for number, answer in answers:
                if number not in known:
                    continue
                values = row_values(answer)
                connection.execute(insert(ANSWERS).values(engine_id=number, **values))
                _delete_old_answers(connection, number)

    def answers(self, number: int) -> list[AnswerRow]:
        """Return the latest answers of an engine, oldest first."""
        query = (
            select_rows(ANSWERS, AnswerRow)
            .where(ANSWERS.c.engine_id == number)
            .order_by(ANSWERS.c.id)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, AnswerRow)

    def add_event(self, number: int, kind: str, note: str) -> None:
        """Store a check or a relearning of an engine."""
        values = {"happened_at": now(), "kind": kind, "note": note}
        with self._store.writing() as connection:
            connection.execute(insert(EVENTS).values(engine_id=number, **values))

    def events(self, number: int) -> list[EventRow]:
        """Return the checks and relearnings of an engine, oldest first."""
        query = (
            select_rows(EVENTS, EventRow)
            .where(EVENTS.c.engine_id == number)
            .order_by(EVENTS.c.id)
        )
        with self._store.reading() as connection:
            return read_all(connection, query, EventRow)

    def acquire_lease(self, number: int, seconds: float) -> bool:
        """Take the lease of an engine, so that no two processes probe it at once;
        return False where another has it.
        """
        held_until = ENGINES.c.tended_until
        is_free = or_(held_until.is_(None), held_until <= now())
        is_free &= ENGINES.c.id == number
        until = now() + timedelta(seconds=seconds)
        statement = update(ENGINES).where(is_free).values(tended_until=until)
        with self._store.writing() as connection:
            return bool(connection.execute(statement).rowcount)

    def release_lease(self, number: int) -> None:
        """Give the lease of an engine back."""
        with self._store.writing() as connection:
            connection.execute(
                update(ENGINES).where(ENGINES.c.id == number).values(tended_until=None)
            )


def _select_engines() -> Select[Any]:
    """Return a query for engines, each with the version that is in use."""
    is_in_use = (VERSIONS.c.engine_id == ENGINES.c.id) & (
        VERSIONS.c.version == ENGINES.c.version
    )
    return select(
        ENGINES.c.id,
        ENGINES.c.name,
        ENGINES.c.home,
        ENGINES.c.version,
        ENGINES.c.weight,
        ENGINES.c.added_at,
        VERSIONS.c.definition,
    ).select_from(ENGINES.join(VERSIONS, is_in_use))


def _add_version(
    connection: Connection, number: int, version: EngineVersionRow
) -> None:
    values = row_values(version)
    connection.execute(insert(VERSIONS).values(engine_id=number, **values))


def _delete_old_answers(connection: Connection, number: int) -> None:
    """Delete all but the latest answers."""
    of_engine = ANSWERS.c.engine_id == number
    oldest = (
        select(ANSWERS.c.id)
        .where(of_engine)
        .order_by(ANSWERS.c.id.desc())
        .offset(MAX_ANSWERS - 1)
        .limit(1)
        .scalar_subquery()
    )
    is_old = of_engine & (ANSWERS.c.id < oldest)
    connection.execute(delete(ANSWERS).where(is_old))


def _unknown(connection: Connection, name: str) -> str:
    stored = connection.execute(select(ENGINES.c.name)).scalars()
    names = ", ".join(sorted(stored))
    advice = "Add one with `scythe engine add URL`."
    if names:
        advice = f"There are: {names}."
    return f"There is no engine {name}. {advice}"
