"""Learning an engine again when it no longer fits: when that is worth the requests, and
how it is done.

A page that the wrapper does not fit may be odd by itself, as where a search without
results lists popular things. So a doubt is first settled with one or two queries that
the engine was learned from. Only where these fail as well is it learned again. What was
done is stored, and so are failures: the next attempt waits longer after each. One
process at a time looks after an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING

from scythe.engines.asking.results import SearchStatus
from scythe.engines.metasearch.search import EngineAnswer, SearchOptions, ask_one
from scythe.engines.registry.changes import changes
from scythe.engines.registry.health import FIELDS_LEFT, RECORDS_LEFT, Health, doubled
from scythe.errors import ScytheError
from scythe.store.columns import now
from scythe.store.engines.engines import AnswerRow, EventRow

if TYPE_CHECKING:
    from scythe.engines.discovery.discover import Progress
    from scythe.engines.engine import Engine
    from scythe.engines.registry.registry import KnownEngine, Registry

CHECK_QUERIES = 2
"""Queries that settle a doubt at most: what one of them found may be gone from the
site.
"""
CALM = timedelta(hours=1)
DOUBTS_IN_CALM = 3
"""After a check that went well, an engine is left alone for a while, unless it drifts
as often as this.
"""
FIRST_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=1)
"""How long the next attempt waits after one that failed; each further failure doubles
it.
"""
TURN = 600.0
"""Seconds for which a process may look after an engine: far more than learning takes,
and not for ever where it was killed.
"""
_ADVICE = ": learn the wrapper again."
"""What a wrapper that does not fit says to whoever uses it by hand; here it is being
done.
"""
CHECKING = SearchOptions(deadline=20.0)


class Done(StrEnum):
    """What came of looking after an engine."""

    FITS = "fits"
    """It is as it was learned."""
    RELEARNED = "relearned"
    FAILED = "failed"
    """It has changed, and could not be learned again."""
    UNANSWERED = "unanswered"
    """It does not answer just now, so nothing can be said."""
    BUSY = "busy"
    """Another process is looking after it."""


@dataclass(frozen=True)
class Tended:
    """An engine after it was looked after."""

    known: KnownEngine
    done: Done
    note: str


def is_due(
    health: Health,
    answers: Sequence[AnswerRow],
    events: Sequence[EventRow],
    moment: datetime,
) -> bool:
    """Whether an engine in doubt should be looked at now."""
    if not health.is_doubted:
        return False
    failures = list(
        takewhile(lambda event: event.kind == Done.FAILED, reversed(events))
    )
    if failures:
        return moment >= failures[0].happened_at + doubled(
            FIRST_PAUSE, len(failures) - 1, LONGEST_PAUSE
        )
    if (
        events
        and events[-1].kind == Done.FITS
        and moment < events[-1].happened_at + CALM
    ):
        since = [
            answer for answer in answers if answer.answered_at > events[-1].happened_at
        ]
        return (
            sum(answer.status == SearchStatus.DRIFTED for answer in since)
            >= DOUBTS_IN_CALM
        )
    return True


def due(registry: Registry, known: Sequence[KnownEngine]) -> list[KnownEngine]:
    """Those of the engines that should be looked after now."""
    doubted = [
        (one, health) for one in known if (health := registry.health(one)).is_doubted
    ]
    return [
        one
        for one, health in doubted
        if is_due(health, registry.answers(one), registry.events(one), now())
    ]


def tend(
    registry: Registry, known: KnownEngine, progress: Progress | None = None
) -> Tended:
    """Settle a doubt: check the engine and learn it again if it has changed."""
    return _in_turn(
        registry, known, lambda current: _tended(registry, current, progress)
    )


def relearn(
    registry: Registry,
    known: KnownEngine,
    reason: str,
    progress: Progress | None = None,
) -> Tended:
    """Learn an engine again, whatever its health."""
    return _in_turn(
        registry, known, lambda current: _relearned(registry, current, reason, progress)
    )


def _in_turn(
    registry: Registry, known: KnownEngine, work: Callable[[KnownEngine], Tended]
) -> Tended:
    if not registry.take(known, TURN):
        return Tended(known, Done.BUSY, "Another process is looking after it.")
    try:
        return work(registry.get(known.name))
    finally:
        registry.give_back(known)


def check(registry: Registry, known: KnownEngine) -> EngineAnswer:
    """What the engine answers to a query it was learned from; this is remembered like
    any other answer.
    """
    engine = known.engine
    queries = engine.queries[:CHECK_QUERIES]
    answer = EngineAnswer(
        engine.name,
        SearchStatus.EMPTY,
        0.0,
        "It has no queries to check it with. Learn it again.",
    )
    for query in queries:
        answer = ask_one(engine, query, CHECKING)
        registry.note([(known, query, answer)])
        if answer.status is not SearchStatus.EMPTY:
            break
    return answer


def fits(engine: Engine, answer: EngineAnswer) -> bool:
    """Whether an answer to a query that an engine was learned from is as good as it was
    then.
    """
    expected = engine.wrapper.expected
    if (
        answer.status is not SearchStatus.OK
        or len(answer.given) < RECORDS_LEFT * expected.records[0]
    ):
        return False
    return answer.filled is None or answer.filled >= FIELDS_LEFT * expected.filled


def _tended(
    registry: Registry, known: KnownEngine, progress: Progress | None
) -> Tended:
    doubt = registry.health(known)
    answer = check(registry, known)
    if fits(known.engine, answer):
        note = f"{doubt.reason} A query it was learned from is answered as ever."
        registry.note_event(known, Done.FITS, note)
        return Tended(known, Done.FITS, note)
    if answer.status not in (
        SearchStatus.OK,
        SearchStatus.EMPTY,
        SearchStatus.DRIFTED,
        SearchStatus.JUMPED,
    ):
        return Tended(known, Done.UNANSWERED, answer.note)
    return _relearned(registry, known, doubt.reason or answer.note, progress)


def _relearned(
    registry: Registry, known: KnownEngine, reason: str, progress: Progress | None
) -> Tended:
    from scythe.engines.discovery.discover import DiscoverOptions, discover

    try:
        learned = discover(
            known.engine.home,
            options=DiscoverOptions(name=known.name),
            progress=progress,
        )
    except ScytheError as error:
        registry.note_event(known, Done.FAILED, str(error))
        return Tended(known, Done.FAILED, str(error))
    different = changes(known.engine, learned)
    if not different:
        note = "Learned again, it is the same as before."
        done = Done.FAILED if registry.health(known).is_doubted else Done.FITS
        registry.note_event(known, done, note)
        return Tended(known, done, note)
    cause = reason.removesuffix(_ADVICE).rstrip(".")
    newer = registry.replace(known, learned, "; ".join([cause, *different]))
    note = f"version {newer.engine.version}: {'; '.join(different)}"
    registry.note_event(newer, Done.RELEARNED, note)
    return Tended(newer, Done.RELEARNED, note)
