"""A search with the engines of the database: which of them are asked, and what is stored
of their answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scythe.engines.asking.results import SearchStatus
from scythe.engines.metasearch.search import (
    DEFAULT_OPTIONS,
    EngineAnswer,
    Hits,
    SearchOptions,
    search,
)
from scythe.engines.registry.health import Health
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.engines.registry.relearn import due_engines
from scythe.errors import UsageError
from scythe.store.columns import now


@dataclass(frozen=True)
class StoredSearch:
    """What was found, and which engines were asked for it."""

    hits: Hits
    asked: tuple[StoredEngine, ...]

    def store(self, registry: Registry) -> list[StoredEngine]:
        """Store what the engines answered, once the user has it.

        What came too late for a caller in a hurry is not held against an engine. Return
        those to be repaired now, with `relearn.repair`.
        """
        answers = {answer.engine: answer for answer in self.hits.answers}
        query = self.hits.query
        known = []
        for stored in self.asked:
            answer = answers[stored.name]
            if answer.status is not SearchStatus.LATE:
                known.append((stored, query, answer))
        registry.store_answers(known)
        return due_engines(registry, self.asked)


def search_stored(
    registry: Registry,
    query: str,
    names: Sequence[str] = (),
    options: SearchOptions = DEFAULT_OPTIONS,
) -> StoredSearch:
    """Search with the engines of these names, or with all that are not resting."""
    engines = registry.select(names)
    if not engines:
        raise UsageError(
            "There is no engine to search with. Add one with `scythe engine add URL`."
        )
    resting = {} if names else _resting_engines(registry, engines)
    weights = {stored.name: stored.weight for stored in engines}
    weights.update(options.weights)
    options = replace(options, weights=weights)
    asked = [stored for stored in engines if stored.name not in resting]
    asked_engines = [stored.engine for stored in asked]
    hits = search(asked_engines, query, options)

    answers = []
    arrived = iter(hits.answers)
    for stored in engines:
        name = stored.name
        if name in resting:
            answers.append(_resting_answer(name, resting[name]))
        else:
            answers.append(next(arrived))
    all_hits = replace(hits, answers=tuple(answers))
    return StoredSearch(all_hits, tuple(asked))


def _resting_engines(
    registry: Registry, engines: Sequence[StoredEngine]
) -> dict[str, Health]:
    """Return the health of engines that are skipped for now, by name.

    They have blocked, refused or not answered.
    """
    moment = now()
    resting = {}
    for stored in engines:
        health = registry.health(stored)
        if health.rests_until and health.rests_until > moment:
            resting[stored.name] = health
    return resting


def _resting_answer(name: str, health: Health) -> EngineAnswer:
    until = f"{health.rests_until:%Y-%m-%d %H:%M} UTC"
    note = f"Skipped until {until}: {health.reason}"
    return EngineAnswer(name, SearchStatus.RESTING, 0.0, note)
