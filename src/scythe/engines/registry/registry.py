"""The engines in the database: those in use, their earlier versions, their health, and
what was done about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from scythe.engines.engine import Engine
from scythe.engines.metasearch.search import EngineAnswer
from scythe.engines.registry.health import Health
from scythe.errors import AlreadyStored, UsageError
from scythe.store import Store
from scythe.store.columns import now
from scythe.store.engines.engines import AnswerRow, EngineRow, EngineRows, EventRow
from scythe.store.engines.harvests import HarvestRows

LONGEST_NAME = 80
"""Characters of an engine's name: an arbitrary cap, names are typed by hand."""


@dataclass(frozen=True)
class StoredEngine:
    """An engine of the database."""

    id: int
    engine: Engine
    weight: float
    added_at: datetime

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name


@dataclass(frozen=True)
class EngineVersion:
    """One version of an engine, and why it was made."""

    engine: Engine
    reason: str
    stored_at: datetime

    def as_json(self) -> dict[str, Any]:
        """Return the version as plain values."""
        return {
            "version": self.engine.version,
            "stored_at": self.stored_at.isoformat(),
            "reason": self.reason,
            "engine": self.engine.as_json(),
        }


class Registry:
    """All engines of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = EngineRows(store)

    @classmethod
    @contextmanager
    def open(cls, database: str | None = None) -> Iterator[Self]:
        """Open the engines of a database for a while."""
        with Store.open(database) as store:
            yield cls(store)

    def add(
        self, engine: Engine, *, weight: float = 1.0, number_if_taken: bool = False
    ) -> StoredEngine:
        """Store an engine that was discovered.

        Its name must be new, or gets a number where `number_if_taken` allows it.
        """
        _require_name(engine.name)
        require_weight(weight)
        version = replace(engine, version=1)
        number = 1
        while True:
            try:
                engine_id = self._rows.add(
                    version.name,
                    version.home,
                    version.as_json(),
                    reason="added",
                    weight=weight,
                )
            except AlreadyStored:
                if not number_if_taken:
                    raise
            else:
                return StoredEngine(engine_id, version, weight, now())
            number += 1
            version = replace(version, name=f"{engine.name}-{number}")

    def require_new(self, name: str | None, home: str) -> None:
        """Refuse what is stored already, before any request to its site."""
        for row in self._rows.all():
            if name is not None and row.name == name:
                raise AlreadyStored(
                    f"There is an engine {name} already. Give another --name, or remove"
                    " that one first."
                )
            if name is None and row.home == home:
                raise AlreadyStored(
                    f"{home} is stored already, as {row.name}. Learn it again with"
                    f" `scythe engine relearn {row.name}`, or store it once more under"
                    " a --name."
                )

    def has(self, name: str) -> bool:
        """Return whether there is an engine of that name."""
        return any(row.name == name for row in self._rows.all())

    def all(self) -> list[StoredEngine]:
        """Return every engine, sorted by name."""
        return [_stored_engine(row) for row in self._rows.all()]

    def get(self, name: str) -> StoredEngine:
        """Return the engine of a name."""
        return _stored_engine(self._rows.get(name))

    def select(self, names: Sequence[str]) -> list[StoredEngine]:
        """Return the engines of these names, each once; without names, every engine."""
        if not names:
            return self.all()
        distinct = dict.fromkeys(names)
        return [self.get(name) for name in distinct]

    def remove(self, names: Sequence[str]) -> None:
        """Remove engines with their versions, their health and their harvest; none of
        them where one is not there.
        """
        for name in names:
            self._rows.get(name)
        for name in dict.fromkeys(names):
            self._rows.remove(name)

    def set_weight(self, stored: StoredEngine, weight: float) -> None:
        """Store how much an engine counts in a search over many."""
        require_weight(weight)
        self._rows.set_weight(stored.id, weight)

    def replace(
        self, stored: StoredEngine, engine: Engine, reason: str
    ) -> StoredEngine:
        """Put a newly learned engine into use; the one before stays as an earlier version.

        Where another process has been first, its version stays in use.
        """
        version = stored.engine.version
        newer = replace(engine, name=stored.name, version=version + 1)
        is_stored = self._rows.replace(stored.id, version, newer.as_json(), reason)
        if not is_stored:
            return self.get(stored.name)
        return replace(stored, engine=newer)

    def versions(self, stored: StoredEngine) -> list[EngineVersion]:
        """Return every version of an engine, the first one first."""
        versions = []
        for row in self._rows.versions(stored.id):
            engine = Engine.from_json(row.definition)
            versions.append(EngineVersion(engine, row.reason, row.stored_at))
        return versions

    def history(self, stored: StoredEngine) -> dict[str, Any]:
        """Return all versions and events of an engine as plain values."""
        versions = [version.as_json() for version in self.versions(stored)]
        events = [
            {
                "at": event.happened_at.isoformat(),
                "kind": event.kind,
                "note": event.note,
            }
            for event in self.events(stored)
        ]
        return {"versions": versions, "events": events}

    def store_answers(
        self, answers: Iterable[tuple[StoredEngine, str, EngineAnswer]]
    ) -> None:
        """Store what engines answered to queries."""
        rows = []
        for stored, query, answer in answers:
            row = _answer_row(stored, query, answer)
            rows.append((stored.id, row))
        if rows:
            self._rows.add_answers(rows)

    def answers(self, stored: StoredEngine) -> list[AnswerRow]:
        """Return the latest answers of an engine, oldest first."""
        return self._rows.answers(stored.id)

    def health(self, stored: StoredEngine) -> Health:
        """Return the health of an engine."""
        engine = stored.engine
        answers = self._rows.answers(stored.id)
        return Health.from_answers(answers, engine.version, engine.wrapper.expected)

    def store_event(self, stored: StoredEngine, kind: str, note: str) -> None:
        """Store what was done about an engine."""
        self._rows.add_event(stored.id, kind, note)

    def events(self, stored: StoredEngine) -> list[EventRow]:
        """Return what was done about an engine, oldest first."""
        return self._rows.events(stored.id)

    def lock(self, stored: StoredEngine, seconds: float) -> bool:
        """Lock an engine, so that no two processes repair it at once.

        Return False where another process has it.
        """
        return self._rows.acquire_lease(stored.id, seconds)

    def unlock(self, stored: StoredEngine) -> None:
        """Release what `lock` took."""
        self._rows.release_lease(stored.id)

    def harvest(self, stored: StoredEngine) -> HarvestRows:
        """Return what was harvested from an engine."""
        return HarvestRows(self._store, stored.id)


def require_weight(weight: float) -> None:
    """Refuse what is no weight."""
    if not 0 <= weight < float("inf"):
        raise UsageError(
            f"The weight of an engine is 0 or more, not {weight}."
            " 1 is what every engine has at first."
        )


def _require_name(name: str) -> None:
    is_readable = bool(name.strip()) and name.isprintable()
    looks_like_option = name.startswith("-")
    if not is_readable or len(name) > LONGEST_NAME or looks_like_option:
        raise UsageError(
            f"{name!r} cannot be the name of an engine."
            " Give a short one, such as the name of its site."
        )


def _stored_engine(row: EngineRow) -> StoredEngine:
    try:
        engine = Engine.from_json(row.definition)
    except UsageError as error:
        raise UsageError(
            f"The engine {row.name} cannot be read: {error}"
            " Remove it with `scythe engine remove`."
        ) from error
    return StoredEngine(row.id, engine, row.weight, row.added_at)


def _answer_row(stored: StoredEngine, query: str, answer: EngineAnswer) -> AnswerRow:
    return AnswerRow(
        version=stored.engine.version,
        answered_at=now(),
        query=query,
        status=str(answer.status),
        records=len(answer.results),
        filled=answer.filled,
        seconds=answer.seconds,
        wait=answer.wait,
        note=answer.note,
    )
