"""Learning an engine again when it no longer fits: when that is worth the requests, and
how it is done.

A page that the wrapper does not fit may be odd by itself, as where a search without
results lists popular records. So an engine in doubt is first checked with one or two
queries that it was learned from. Only where these fail as well is it learned again. What
was done is stored, and so are failures: the next attempt waits longer after each. One
process at a time repairs an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile

from scythe.engines.asking.results import SearchStatus
from scythe.engines.definition import EngineDefinition
from scythe.engines.discovery.discover import DiscoverOptions, ProgressCallback
from scythe.engines.engine import Engine
from scythe.engines.registry.checks import check_engine, fits_engine
from scythe.engines.registry.health import Health, doubled_pause
from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.errors import ScytheError
from scythe.store.columns import now
from scythe.store.engines.engines import AnswerRow, EventRow

CALM = timedelta(hours=1)
DOUBTS_IN_CALM = 3
"""After a check that went well, an engine is left alone for a while, unless it drifts
as often as this. Not tuned: both bound the requests to an engine that fits.
"""
FIRST_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=1)
"""How long the next attempt waits after one that failed; each further failure doubles
it. Bounds on requests, not tuned.
"""
LOCK_SECONDS = 600.0
"""Seconds for which a process may repair an engine: far more than learning takes, and
not for ever where it was killed.
"""
_ADVICE = ": learn the wrapper again."
"""The advice of a wrapper that does not fit to whoever uses it by hand; here it is being
done.
"""
_ANSWERING = frozenset(
    {
        SearchStatus.OK,
        SearchStatus.EMPTY,
        SearchStatus.DRIFTED,
        SearchStatus.JUMPED,
    }
)
"""Statuses of an engine that answers, so that it can be learned again."""


class RepairOutcome(StrEnum):
    """How a repair ended."""

    FITS = "fits"
    """The engine is as it was learned."""
    RELEARNED = "relearned"
    FAILED = "failed"
    """It has changed, and could not be learned again."""
    UNANSWERED = "unanswered"
    """It does not answer just now, so nothing is known."""
    BUSY = "busy"
    """Another process is repairing it."""


@dataclass(frozen=True)
class Repair:
    """An engine after it was checked or learned again."""

    stored: StoredEngine
    outcome: RepairOutcome
    note: str


def is_due(
    health: Health,
    answers: Sequence[AnswerRow],
    events: Sequence[EventRow],
    moment: datetime,
) -> bool:
    """Return whether an engine in doubt should be repaired now."""
    if not health.is_doubted:
        return False
    if not events:
        return True

    latest = events[-1]
    if latest.kind == RepairOutcome.FAILED:
        failures = list(takewhile(_has_failed, reversed(events)))
        pause = doubled_pause(FIRST_PAUSE, len(failures) - 1, LONGEST_PAUSE)
        return moment >= latest.happened_at + pause
    calm_until = latest.happened_at + CALM
    if latest.kind == RepairOutcome.FITS and moment < calm_until:
        drifted = 0
        for answer in answers:
            is_later = answer.answered_at > latest.happened_at
            if is_later and answer.status == SearchStatus.DRIFTED:
                drifted += 1
        return drifted >= DOUBTS_IN_CALM
    return True


def _has_failed(event: EventRow) -> bool:
    return event.kind == RepairOutcome.FAILED


def due_engines(
    registry: Registry, engines: Sequence[StoredEngine]
) -> list[StoredEngine]:
    """Return those of the engines that should be repaired now."""
    due = []
    for stored in engines:
        health = registry.health(stored)
        if not health.is_doubted:
            continue
        answers = registry.answers(stored)
        events = registry.events(stored)
        if is_due(health, answers, events, now()):
            due.append(stored)
    return due


def repair(
    registry: Registry,
    stored: StoredEngine,
    progress: ProgressCallback | None = None,
) -> Repair:
    """Check an engine in doubt, and learn it again if it has changed."""
    return _locked(
        registry, stored, lambda current: _repair(registry, current, progress)
    )


def relearn(
    registry: Registry,
    stored: StoredEngine,
    reason: str,
    progress: ProgressCallback | None = None,
) -> Repair:
    """Learn an engine again, whatever its health."""
    return _locked(
        registry, stored, lambda current: _relearn(registry, current, reason, progress)
    )


def _locked(
    registry: Registry,
    stored: StoredEngine,
    action: Callable[[StoredEngine], Repair],
) -> Repair:
    """Run an action on an engine that no other process repairs meanwhile."""
    if not registry.lock(stored, LOCK_SECONDS):
        note = "Another process is looking after it."
        return Repair(stored, RepairOutcome.BUSY, note)
    try:
        return action(registry.get(stored.name))
    finally:
        registry.unlock(stored)


def _repair(
    registry: Registry, stored: StoredEngine, progress: ProgressCallback | None
) -> Repair:
    doubt = registry.health(stored)
    answer = check_engine(registry, stored)
    if fits_engine(stored.engine, answer):
        note = f"{doubt.reason} A query it was learned from is answered as ever."
        registry.store_event(stored, RepairOutcome.FITS, note)
        return Repair(stored, RepairOutcome.FITS, note)
    if answer.status not in _ANSWERING:
        return Repair(stored, RepairOutcome.UNANSWERED, answer.note)
    return _relearn(registry, stored, doubt.reason or answer.note, progress)


def _relearn(
    registry: Registry,
    stored: StoredEngine,
    reason: str,
    progress: ProgressCallback | None,
) -> Repair:
    options = DiscoverOptions(name=stored.name, known=stored.engine)
    try:
        learned = Engine.discover(
            stored.engine.home, options=options, progress=progress
        )
    except ScytheError as error:
        registry.store_event(stored, RepairOutcome.FAILED, str(error))
        return Repair(stored, RepairOutcome.FAILED, str(error))

    changes = engine_changes(stored.engine, learned)
    if not changes:
        note = "Learned again, it is the same as before."
        outcome = RepairOutcome.FITS
        if registry.health(stored).is_doubted:
            outcome = RepairOutcome.FAILED
        registry.store_event(stored, outcome, note)
        return Repair(stored, outcome, note)

    cause = reason.removesuffix(_ADVICE).rstrip(".")
    what_changed = "; ".join(changes)
    newer = registry.replace(stored, learned, f"{cause}; {what_changed}")
    note = f"version {newer.engine.version}: {what_changed}"
    registry.store_event(newer, RepairOutcome.RELEARNED, note)
    return Repair(newer, RepairOutcome.RELEARNED, note)


def engine_changes(old: EngineDefinition, new: EngineDefinition) -> list[str]:
    """Return a line for each difference that matters to whoever reads the records."""
    before = old.wrapper
    after = new.wrapper
    changed_values = [
        ("records", str(before.rule), str(after.rule)),
        ("form", str(old.form), str(new.form)),
        (
            "records on a page",
            _range_text(before.expected.records),
            _range_text(after.expected.records),
        ),
    ]
    lines = []
    for what, old_value, new_value in changed_values:
        if old_value != new_value:
            lines.append(f"{what}: {old_value} -> {new_value}")

    lost = _missing(before.fields.columns, after.fields.columns)
    if lost:
        lines.append(f"columns lost: {', '.join(lost)}")
    added = _missing(after.fields.columns, before.fields.columns)
    if added:
        lines.append(f"columns new: {', '.join(added)}")
    has_other_fields = before.fields.as_json() != after.fields.as_json()
    if has_other_fields and not lines:
        lines.append("fields: the same columns, at other places in a record")
    return lines


def _missing(names: Sequence[str], others: Collection[str]) -> list[str]:
    return [name for name in names if name not in others]


def _range_text(bounds: tuple[int, int]) -> str:
    least, most = bounds
    return str(least) if least == most else f"{least} to {most}"
