"""The engines in the database: those in use, their earlier versions, their health, and
what was done about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from scythe.engines.engine import Engine
from scythe.engines.metasearch.search import EngineAnswer
from scythe.engines.registry.health import Health
from scythe.errors import AlreadyStored, UsageError
from scythe.store import Store
from scythe.store.columns import now
from scythe.store.engines.engines import AnswerRow, EngineRow, EngineRows, EventRow
from scythe.store.engines.harvests import HarvestRows

LONGEST_NAME = 80


@dataclass(frozen=True)
class KnownEngine:
    """An engine of the database."""

    id: int
    engine: Engine
    weight: float
    added_at: datetime

    @property
    def name(self) -> str:
        """What it is called."""
        return self.engine.name


@dataclass(frozen=True)
class EngineVersion:
    """An engine as it was, or is, and why this version was made."""

    engine: Engine
    reason: str
    stored_at: datetime


class Registry:
    """All engines of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows = EngineRows(store)

    def add(
        self, engine: Engine, *, weight: float = 1.0, numbered: bool = False
    ) -> KnownEngine:
        """Store an engine that was discovered. Its name must be new; one that may be
        `numbered` gets a number where it is not.
        """
        _require_name(engine.name)
        require_weight(weight)
        first, place = replace(engine, version=1), 1
        while True:
            try:
                number = self._rows.add(
                    first.name,
                    first.home,
                    first.as_json(),
                    reason="added",
                    weight=weight,
                )
            except AlreadyStored:
                if not numbered:
                    raise
            else:
                return KnownEngine(number, first, weight, now())
            place += 1
            first = replace(first, name=f"{engine.name}-{place}")

    def require_new(self, name: str | None, home: str) -> None:
        """Refuse what is stored already, before its site is asked anything."""
        for row in self._rows.all():
            if name is not None and row.name == name:
                raise AlreadyStored(
                    f"There is an engine {name} already. Give another --name, or remove that one first."
                )
            if name is None and row.home == home:
                raise AlreadyStored(
                    f"{home} is stored already, as {row.name}. Learn it again with `scythe engine relearn {row.name}`, "
                    "or store it once more under a --name."
                )

    def has(self, name: str) -> bool:
        """Whether there is an engine of that name."""
        return any(row.name == name for row in self._rows.all())

    def all(self) -> list[KnownEngine]:
        """Every engine, sorted by name."""
        return [_known(row) for row in self._rows.all()]

    def get(self, name: str) -> KnownEngine:
        """The engine of a name."""
        return _known(self._rows.get(name))

    def some(self, names: Sequence[str]) -> list[KnownEngine]:
        """The engines of these names, each once; without names, every engine."""
        return (
            [self.get(name) for name in dict.fromkeys(names)] if names else self.all()
        )

    def remove(self, names: Sequence[str]) -> None:
        """Forget engines with their versions, their health and their harvest; none of
        them where one is not there.
        """
        for name in names:
            self._rows.get(name)
        for name in dict.fromkeys(names):
            self._rows.remove(name)

    def set_weight(self, known: KnownEngine, weight: float) -> None:
        """Say how much an engine counts in a search over many."""
        require_weight(weight)
        self._rows.set_weight(known.id, weight)

    def replace(self, known: KnownEngine, engine: Engine, reason: str) -> KnownEngine:
        """Put a newly learned engine in the place of a known one, which stays as an
        earlier version.

        Where another process has been first, its version stays in use.
        """
        after = known.engine.version
        newer = replace(engine, name=known.name, version=after + 1)
        if not self._rows.replace(known.id, after, newer.as_json(), reason):
            return self.get(known.name)
        return replace(known, engine=newer)

    def versions(self, known: KnownEngine) -> list[EngineVersion]:
        """Every version of an engine, the first one first."""
        rows = self._rows.versions(known.id)
        return [
            EngineVersion(Engine.from_json(row.definition), row.reason, row.stored_at)
            for row in rows
        ]

    def history(self, known: KnownEngine) -> dict[str, Any]:
        """All versions and events of an engine as plain values."""
        versions = [
            {
                "version": one.engine.version,
                "stored_at": one.stored_at.isoformat(),
                "reason": one.reason,
                "engine": one.engine.as_json(),
            }
            for one in self.versions(known)
        ]
        events = [
            {
                "at": event.happened_at.isoformat(),
                "kind": event.kind,
                "note": event.note,
            }
            for event in self.events(known)
        ]
        return {"versions": versions, "events": events}

    def note(self, answers: Iterable[tuple[KnownEngine, str, EngineAnswer]]) -> None:
        """Remember what engines answered to queries."""
        rows = [
            (known.id, _answer_row(known, query, answer))
            for known, query, answer in answers
        ]
        if rows:
            self._rows.note_answers(rows)

    def health(self, known: KnownEngine) -> Health:
        """How an engine is."""
        return Health.of(
            self._rows.answers(known.id),
            known.engine.version,
            known.engine.wrapper.expected,
        )

    def answers(self, known: KnownEngine) -> list[AnswerRow]:
        """The latest answers of an engine, oldest first."""
        return self._rows.answers(known.id)

    def note_event(self, known: KnownEngine, kind: str, note: str) -> None:
        """Remember what was done about an engine."""
        self._rows.note_event(known.id, kind, note)

    def events(self, known: KnownEngine) -> list[EventRow]:
        """What was done about an engine, oldest first."""
        return self._rows.events(known.id)

    def take(self, known: KnownEngine, seconds: float) -> bool:
        """Reserve an engine, so that no two processes look after it at once; False
        where another has it.
        """
        return self._rows.tend(known.id, seconds)

    def give_back(self, known: KnownEngine) -> None:
        """End what `take` began."""
        self._rows.release(known.id)

    def harvest(self, known: KnownEngine) -> HarvestRows:
        """What was harvested from an engine."""
        return HarvestRows(self._store, known.id)


def require_weight(weight: float) -> None:
    """Refuse what is no weight."""
    if not 0 <= weight < float("inf"):
        raise UsageError(
            f"The weight of an engine is 0 or more, not {weight}. 1 is what every engine has at first."
        )


def _require_name(name: str) -> None:
    if (
        not name.strip()
        or not name.isprintable()
        or len(name) > LONGEST_NAME
        or name.startswith("-")
    ):
        raise UsageError(
            f"{name!r} cannot be the name of an engine. Give a short one, such as the name of its site."
        )


def _known(row: EngineRow) -> KnownEngine:
    try:
        engine = Engine.from_json(row.definition)
    except UsageError as error:
        raise UsageError(
            f"The engine {row.name} cannot be read: {error} Remove it with `scythe engine remove`."
        ) from error
    return KnownEngine(row.id, engine, row.weight, row.added_at)


def _answer_row(known: KnownEngine, query: str, answer: EngineAnswer) -> AnswerRow:
    return AnswerRow(
        version=known.engine.version,
        answered_at=now(),
        query=query,
        status=str(answer.status),
        records=len(answer.given),
        filled=answer.filled,
        seconds=answer.seconds,
        wait=answer.wait,
        note=answer.note,
    )
