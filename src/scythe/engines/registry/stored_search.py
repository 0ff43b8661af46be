"""A search with the engines of the database: which of them are asked, and what is
remembered of their answers.
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
from scythe.engines.registry.registry import KnownEngine, Registry
from scythe.engines.registry.relearn import due
from scythe.errors import UsageError
from scythe.store.columns import now


@dataclass(frozen=True)
class StoredSearch:
    """What was found, and which engines were asked for it."""

    hits: Hits
    asked: tuple[KnownEngine, ...]

    def remember(self, registry: Registry) -> list[KnownEngine]:
        """Store what the engines answered, once the user has it. Gives those to be
        looked after now, with `relearn.tend`.
        """
        answers = {answer.engine: answer for answer in self.hits.answers}
        registry.note(
            [(known, self.hits.query, answers[known.name]) for known in self.asked]
        )
        return due(registry, self.asked)


def search_stored(
    registry: Registry,
    query: str,
    names: Sequence[str] = (),
    options: SearchOptions = DEFAULT_OPTIONS,
) -> StoredSearch:
    """Search with the engines of these names, or with all that are not resting."""
    known = registry.some(names)
    if not known:
        raise UsageError(
            "There is no engine to search with. Add one with `scythe engine add URL`."
        )
    resting = {} if names else _resting(registry, known)
    asked = [one for one in known if one.name not in resting]
    weights = {one.name: one.weight for one in known} | dict(options.weights)
    hits = search(
        [one.engine for one in asked], query, replace(options, weights=weights)
    )
    answers = {answer.engine: answer for answer in hits.answers}
    every = [
        answers.get(one.name) or _not_asked(one, resting[one.name]) for one in known
    ]
    return StoredSearch(replace(hits, answers=tuple(every)), tuple(asked))


def _resting(registry: Registry, known: Sequence[KnownEngine]) -> dict[str, Health]:
    """The engines that are left alone for now, after they have blocked, refused or not
    answered.
    """
    moment = now()
    healths = {one.name: registry.health(one) for one in known}
    return {
        name: health
        for name, health in healths.items()
        if health.rests_until and health.rests_until > moment
    }


def _not_asked(known: KnownEngine, health: Health) -> EngineAnswer:
    until = f"{health.rests_until:%Y-%m-%d %H:%M} UTC"
    note = f"Not asked, it is left alone until {until}: {health.reason}"
    return EngineAnswer(known.name, SearchStatus.RESTING, 0.0, note)
