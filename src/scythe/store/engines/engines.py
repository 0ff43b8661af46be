"""Search engines in the database: every change is one transaction, and none undoes what
another process did meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, delete, insert, or_, select, update

from scythe.errors import AlreadyStored, NotStored
from scythe.store.columns import now
from scythe.store.engines.tables import ANSWERS, ENGINES, EVENTS, VERSIONS
from scythe.store.store import Store

ANSWERS_KEPT = 200
"""Answers that are kept of each engine: several times what its health looks at, and a
few kilobytes.
"""

Definition = Mapping[str, Any]


@dataclass(frozen=True)
class EngineRow:
    """An engine in the version that is in use."""

    id: int
    name: str
    home: str
    version: int
    weight: float
    added_at: datetime
    definition: Definition


@dataclass(frozen=True)
class VersionRow:
    """One of all versions of an engine."""

    version: int
    definition: Definition
    reason: str
    stored_at: datetime


@dataclass(frozen=True)
class AnswerRow:
    """What came of one search."""

    version: int
    answered_at: datetime
    query: str
    status: str
    records: int
    filled: float | None
    """The share of the columns that the records filled."""
    seconds: float
    wait: float | None
    """Seconds that the engine asked to wait."""
    note: str


@dataclass(frozen=True)
class EventRow:
    """Something that was done about an engine."""

    happened_at: datetime
    kind: str
    note: str


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
        """Store a new engine as version 1, under a name that none has; gives its
        number.
        """
        try:
            with self._store.writing() as connection:
                values = {
                    "name": name,
                    "home": home,
                    "version": 1,
                    "weight": weight,
                    "added_at": now(),
                }
                number: int = connection.execute(
                    insert(ENGINES).values(values).returning(ENGINES.c.id)
                ).scalar_one()
                _add_version(
                    connection, number, VersionRow(1, definition, reason, now())
                )
                return number
        except AlreadyStored as error:
            raise AlreadyStored(
                f"There is an engine {name} already. Give another name, or remove that one first."
            ) from error

    def all(self) -> list[EngineRow]:
        """All engines, sorted by name."""
        with self._store.reading() as connection:
            rows = connection.execute(_in_use().order_by(ENGINES.c.name)).mappings()
            return [EngineRow(**row) for row in rows]

    def get(self, name: str) -> EngineRow:
        """One engine."""
        with self._store.reading() as connection:
            row = (
                connection.execute(_in_use().where(ENGINES.c.name == name))
                .mappings()
                .first()
            )
            if row is None:
                raise NotStored(
                    _unknown(name, connection.execute(select(ENGINES.c.name)).scalars())
                )
            return EngineRow(**row)

    def remove(self, name: str) -> None:
        """Forget an engine with all that belongs to it."""
        with self._store.writing() as connection:
            if not connection.execute(
                delete(ENGINES).where(ENGINES.c.name == name)
            ).rowcount:
                raise NotStored(
                    _unknown(name, connection.execute(select(ENGINES.c.name)).scalars())
                )

    def set_weight(self, number: int, weight: float) -> None:
        """Say how much an engine counts among others."""
        with self._store.writing() as connection:
            connection.execute(
                update(ENGINES).where(ENGINES.c.id == number).values(weight=weight)
            )

    def replace(
        self, number: int, after: int, definition: Definition, reason: str
    ) -> bool:
        """Put a new version in use, if `after` is still the one in use; False where
        another process was first.
        """
        with self._store.writing() as connection:
            current = (ENGINES.c.id == number) & (ENGINES.c.version == after)
            if not connection.execute(
                update(ENGINES).where(current).values(version=after + 1)
            ).rowcount:
                return False
            _add_version(
                connection, number, VersionRow(after + 1, definition, reason, now())
            )
            return True

    def versions(self, number: int) -> list[VersionRow]:
        """Every version of an engine, the first one first."""
        columns = [VERSIONS.c[name] for name in VersionRow.__dataclass_fields__]
        wanted = (
            select(*columns)
            .where(VERSIONS.c.engine_id == number)
            .order_by(VERSIONS.c.version)
        )
        with self._store.reading() as connection:
            return [VersionRow(**row) for row in connection.execute(wanted).mappings()]

    def note_answers(self, answers: Iterable[tuple[int, AnswerRow]]) -> None:
        """Remember what came of searches, each with the number of its engine; of
        engines removed meanwhile, nothing.
        """
        with self._store.writing() as connection:
            known = set(
                connection.execute(
                    select(ENGINES.c.id).with_for_update(read=True)
                ).scalars()
            )
            for number, answer in answers:
                if number in known:
                    connection.execute(
                        insert(ANSWERS).values(engine_id=number, **asdict(answer))
                    )
                    _prune(connection, number)

    def answers(self, number: int) -> list[AnswerRow]:
        """The latest answers of an engine, oldest first."""
        columns = [ANSWERS.c[name] for name in AnswerRow.__dataclass_fields__]
        wanted = (
            select(*columns).where(ANSWERS.c.engine_id == number).order_by(ANSWERS.c.id)
        )
        with self._store.reading() as connection:
            return [AnswerRow(**row) for row in connection.execute(wanted).mappings()]

    def note_event(self, number: int, kind: str, note: str) -> None:
        """Remember what was done about an engine."""
        with self._store.writing() as connection:
            connection.execute(
                insert(EVENTS).values(
                    engine_id=number, happened_at=now(), kind=kind, note=note
                )
            )

    def events(self, number: int) -> list[EventRow]:
        """What was done about an engine, oldest first."""
        columns = [EVENTS.c[name] for name in EventRow.__dataclass_fields__]
        wanted = (
            select(*columns).where(EVENTS.c.engine_id == number).order_by(EVENTS.c.id)
        )
        with self._store.reading() as connection:
            return [EventRow(**row) for row in connection.execute(wanted).mappings()]

    def tend(self, number: int, seconds: float) -> bool:
        """Take an engine for some time, so that no two processes probe it at once;
        False where another has it.
        """
        free = or_(ENGINES.c.tended_until.is_(None), ENGINES.c.tended_until <= now())
        taken = (
            update(ENGINES)
            .where((ENGINES.c.id == number) & free)
            .values(tended_until=now() + timedelta(seconds=seconds))
        )
        with self._store.writing() as connection:
            return bool(connection.execute(taken).rowcount)

    def release(self, number: int) -> None:
        """Give an engine back."""
        with self._store.writing() as connection:
            connection.execute(
                update(ENGINES).where(ENGINES.c.id == number).values(tended_until=None)
            )


def _in_use() -> Select[Any]:
    """Engines with the version of each that is in use."""
    names = ("id", "name", "home", "version", "weight", "added_at")
    joined = ENGINES.join(
        VERSIONS,
        (VERSIONS.c.engine_id == ENGINES.c.id)
        & (VERSIONS.c.version == ENGINES.c.version),
    )
    return select(
        *[ENGINES.c[name] for name in names], VERSIONS.c.definition
    ).select_from(joined)


def _add_version(connection: Connection, number: int, version: VersionRow) -> None:
    connection.execute(insert(VERSIONS).values(engine_id=number, **asdict(version)))


def _prune(connection: Connection, number: int) -> None:
    """Let go of all but the latest answers."""
    own = ANSWERS.c.engine_id == number
    oldest = (
        select(ANSWERS.c.id)
        .where(own)
        .order_by(ANSWERS.c.id.desc())
        .offset(ANSWERS_KEPT - 1)
        .limit(1)
        .scalar_subquery()
    )
    connection.execute(delete(ANSWERS).where(own & (ANSWERS.c.id < oldest)))


def _unknown(name: str, names: Iterable[str]) -> str:
    known = ", ".join(sorted(names))
    return f"There is no engine {name}. " + (
        f"There are: {known}." if known else "Add one with `scythe engine add URL`."
    )
