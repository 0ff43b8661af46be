"""The health of an engine, from the answers it gave to real searches. No engine is asked
for the sake of its health.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from statistics import median
from typing import NamedTuple

from scythe.engines.asking.results import SearchStatus
from scythe.store.engines.engines import AnswerRow
from scythe.wrappers.wrapper import Expectation

COUNTED_ANSWERS = 30
"""The latest answers of the version in use that count: a bound, not tuned."""
LATEST_WEIGHT = 0.3
"""The weight of the latest answer in the averages: the last five make up five sixths of
them.
"""
EMPTY_SEARCHES = 2
"""Different searches in a row that find nothing before the engine is doubted; a doubt
costs a request or two an hour.
"""
MIN_RECORDS = 3
"""Records on a page from which the share of its filled columns is believed; not tuned."""
SHORT_PAGES = 4
"""Pages in a row that are short of records: some queries find little. Not tuned."""
MIN_FIELDS_SHARE = 0.75
MIN_RECORDS_SHARE = 0.5
"""Shares of the fields and of the records on a page, against those learned, below which
an engine is doubted. A wrapper itself gives up at half of the fields
(`wrappers.wrapper.TRUSTED_SHARE`); a redesign that loses one of four columns is found
here.
"""
MAX_DOUBLINGS = 16
"""Doublings of a pause: far beyond the longest one, it only bounds the arithmetic."""

_DAY = timedelta(days=1)


class HealthState(StrEnum):
    """How well an engine works."""

    NEW = "new"
    """Nobody has searched with it yet."""
    GOOD = "good"
    EMPTY = "empty"
    """It answers, but the last searches found nothing."""
    POOR = "poor"
    """It gives fewer records or fields than when it was learned."""
    CHANGED = "changed"
    """Its result pages have a list that the wrapper does not know."""
    BLOCKED = "blocked"
    """It answers with bot checks, or asks for fewer requests."""
    REFUSED = "refused"
    """Its robots.txt or a login keep programs out."""
    DOWN = "down"
    """It does not answer, not in time, or with errors."""


class Rest(NamedTuple):
    """How long an engine that fails is skipped."""

    failures: int
    """Such answers in a row before it is."""
    first: timedelta
    """How long at first; each further answer doubles it."""
    longest: timedelta


_FAILURE_STATES = {
    SearchStatus.DRIFTED: HealthState.CHANGED,
    SearchStatus.BLOCKED: HealthState.BLOCKED,
    SearchStatus.LIMITED: HealthState.BLOCKED,
    SearchStatus.ROBOTS: HealthState.REFUSED,
    SearchStatus.LOGIN: HealthState.REFUSED,
    SearchStatus.UNREACHABLE: HealthState.DOWN,
}
_FOUND_NOTHING = (SearchStatus.EMPTY, SearchStatus.JUMPED)
_DOUBTED = frozenset({HealthState.EMPTY, HealthState.POOR, HealthState.CHANGED})
_RESTS = {
    HealthState.BLOCKED: Rest(1, timedelta(minutes=1), timedelta(hours=6)),
    HealthState.REFUSED: Rest(1, timedelta(hours=1), _DAY),
    HealthState.DOWN: Rest(3, timedelta(minutes=1), timedelta(hours=1)),
}
"""Bounds on requests to hosts that refuse them, not tuned."""


@dataclass(frozen=True)
class Health:
    """The state of an engine, why, and the figures behind it."""

    state: HealthState
    reason: str = ""
    searches: int = 0
    """Answers that count."""
    answered: float = 1.0
    """The share of them in which the engine did answer."""
    records: float | None = None
    """Records an answer with any, on average, the latest counting most."""
    filled: float | None = None
    """The share of the columns that records filled, on the same average."""
    drifted: int = 0
    """Answers that the wrapper did not fit."""
    seconds: float | None = None
    """The median time of an answer."""
    last: datetime | None = None
    """When the latest answer came."""
    rests_until: datetime | None = None
    """Until when searches skip the engine, unless it is named."""

    @property
    def is_doubted(self) -> bool:
        """Whether a check of the engine is worth a request."""
        return self.state in _DOUBTED

    @classmethod
    def from_answers(
        cls, answers: Sequence[AnswerRow], version: int, expected: Expectation
    ) -> Health:
        """Return the health of a version of an engine.

        `expected` is what its pages were like when it was learned.
        """
        of_version = [answer for answer in answers if answer.version == version]
        counted = of_version[-COUNTED_ANSWERS:]
        if not counted:
            return cls(HealthState.NEW, "Nobody has searched with it yet.")

        full: list[AnswerRow] = []
        filled: list[float] = []
        seconds: list[float] = []
        answered = 0
        drifted = 0
        for answer in counted:
            seconds.append(answer.seconds)
            if _did_answer(answer):
                answered += 1
            if answer.status == SearchStatus.DRIFTED:
                drifted += 1
            if answer.status == SearchStatus.OK:
                full.append(answer)
                if answer.filled is not None:
                    filled.append(answer.filled)

        state, reason = _state(counted, full, expected)
        records = [answer.records for answer in full]
        return cls(
            state=state,
            reason=reason,
            searches=len(counted),
            answered=answered / len(counted),
            records=_moving_average(records),
            filled=_moving_average(filled),
            drifted=drifted,
            seconds=median(seconds),
            last=counted[-1].answered_at,
            rests_until=_rests_until(counted, state),
        )


def _failure_state(answer: AnswerRow) -> HealthState | None:
    return _FAILURE_STATES.get(SearchStatus(answer.status))


def _did_answer(answer: AnswerRow) -> bool:
    return _failure_state(answer) in (None, HealthState.CHANGED)


def _moving_average(values: Sequence[float]) -> float | None:
    """Return the average of values in which each earlier one counts less."""
    average: float | None = None
    for value in values:
        if average is None:
            average = value
        else:
            average += LATEST_WEIGHT * (value - average)
    return average


def _state(
    counted: Sequence[AnswerRow], full: Sequence[AnswerRow], expected: Expectation
) -> tuple[HealthState, str]:
    """Return the state that answers show, and the reason."""
    latest = counted[-1]
    failure = _failure_state(latest)
    if failure is not None:
        return failure, latest.note

    empty_queries: set[str] = set()
    for answer in reversed(counted):
        if answer.status not in _FOUND_NOTHING:
            break
        empty_queries.add(answer.query)
    if len(empty_queries) >= EMPTY_SEARCHES:
        reason = f"The last {len(empty_queries)} searches found nothing."
        return HealthState.EMPTY, reason
    full_queries = {answer.query for answer in full}
    if empty_queries & full_queries:
        reason = (
            f"A search for {latest.query!r} found nothing, and once found something."
        )
        return HealthState.EMPTY, reason

    loss = _loss(full, expected)
    if loss:
        return HealthState.POOR, loss
    return HealthState.GOOD, ""


def _loss(full: Sequence[AnswerRow], expected: Expectation) -> str:
    """Return what the answers with records have less of than when the wrapper was
    learned.
    """
    if not full:
        return ""
    latest = full[-1]
    has_enough_records = latest.records >= MIN_RECORDS
    if latest.filled is not None and has_enough_records:
        share = latest.filled
        if share < MIN_FIELDS_SHARE * expected.filled:
            return (
                f"Records fill {share:.0%} of the columns,"
                f" {expected.filled:.0%} when it was learned."
            )

    records = [answer.records for answer in full[-SHORT_PAGES:]]
    most = max(records)
    fewest = expected.records[0]
    if len(records) == SHORT_PAGES and most < MIN_RECORDS_SHARE * fewest:
        return (
            f"The last pages have {most} records at most,"
            f" {fewest} and more when it was learned."
        )
    return ""


def _rests_until(counted: Sequence[AnswerRow], state: HealthState) -> datetime | None:
    if state not in _RESTS:
        return None
    latest = counted[-1]
    if latest.wait:
        return latest.answered_at + min(timedelta(seconds=latest.wait), _DAY)

    rest = _RESTS[state]
    failures = list(
        takewhile(lambda answer: _failure_state(answer) is state, reversed(counted))
    )
    doublings = len(failures) - rest.failures
    if doublings < 0:
        return None
    return latest.answered_at + doubled_pause(rest.first, doublings, rest.longest)


def doubled_pause(first: timedelta, times: int, longest: timedelta) -> timedelta:
    """Return a pause that was doubled some times, up to the longest."""
    return min(first * 2 ** min(times, MAX_DOUBLINGS), longest)
