"""How an engine is, from the answers it gave to real searches. No engine is asked for
the sake of its health.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import takewhile
from statistics import median

from scythe.engines.asking.results import SearchStatus
from scythe.store.engines.engines import AnswerRow
from scythe.wrappers.outcome import Expectation

LOOKED_AT = 30
"""The latest answers of the version in use that count."""
RECENT = 0.3
"""The weight of the latest answer in the averages: the last five make up five sixths of
them.
"""
NOTHING_FOUND = 2
"""Different searches in a row that find nothing before the engine is doubted; a doubt
costs a request or two an hour.
"""
LEAST = 3
"""Records on a page that its filled columns are believed of."""
PAGES = 4
"""Pages in a row that are short of records: some queries find little."""
FIELDS_LEFT = 0.75
RECORDS_LEFT = 0.5
"""Shares of the fields and of the records on a page, against those learned, below which
an engine is doubted. A wrapper itself gives up at half of the fields
(`wrappers.outcome.TRUSTED_SHARE`); a redesign that loses one of four columns is found
here.
"""

_DAY = timedelta(days=1)


class State(StrEnum):
    """How an engine is."""

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
    """It answers with bot checks, or wants fewer requests."""
    REFUSED = "refused"
    """Its robots.txt or a login keep programs out."""
    DOWN = "down"
    """It does not answer, not in time, or with errors."""


_STATES = {
    SearchStatus.DRIFTED: State.CHANGED,
    SearchStatus.BLOCKED: State.BLOCKED,
    SearchStatus.LIMITED: State.BLOCKED,
    SearchStatus.ROBOTS: State.REFUSED,
    SearchStatus.LOGIN: State.REFUSED,
    SearchStatus.UNREACHABLE: State.DOWN,
}
_NOTHING = (SearchStatus.EMPTY, SearchStatus.JUMPED)
_DOUBTED = frozenset({State.EMPTY, State.POOR, State.CHANGED})
_RESTS = {
    State.BLOCKED: (1, timedelta(minutes=1), timedelta(hours=6)),
    State.REFUSED: (1, timedelta(hours=1), _DAY),
    State.DOWN: (3, timedelta(minutes=1), timedelta(hours=1)),
}
"""After how many such answers in a row an engine is left alone, for how long at first
(each further answer doubles it), and for how long at most.
"""


@dataclass(frozen=True)
class Health:
    """The state of an engine, why, and the figures behind it."""

    state: State
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
    """How long half of the answers took at most."""
    last: datetime | None = None
    rests_until: datetime | None = None
    """Until when the engine is left alone, unless somebody asks for it by name."""

    @property
    def is_doubted(self) -> bool:
        """Whether a look at the engine is worth a request."""
        return self.state in _DOUBTED

    @classmethod
    def of(
        cls, answers: Sequence[AnswerRow], version: int, expected: Expectation
    ) -> Health:
        """The health of a version of an engine whose pages were as `expected` when it
        was learned.
        """
        counted = [answer for answer in answers if answer.version == version][
            -LOOKED_AT:
        ]
        if not counted:
            return cls(State.NEW, "Nobody has searched with it yet.")
        full = [answer for answer in counted if answer.status == SearchStatus.OK]
        state, reason = _state(counted, full, expected)
        return cls(
            state,
            reason,
            len(counted),
            sum(
                _STATES.get(SearchStatus(answer.status)) in (None, State.CHANGED)
                for answer in counted
            )
            / len(counted),
            _average([answer.records for answer in full]),
            _average([answer.filled for answer in full if answer.filled is not None]),
            sum(answer.status == SearchStatus.DRIFTED for answer in counted),
            median(answer.seconds for answer in counted),
            counted[-1].answered_at,
            _rests_until(counted, state),
        )


def _average(values: Sequence[float]) -> float | None:
    """The average of values in which each earlier one counts less."""
    average: float | None = None
    for value in values:
        average = value if average is None else average + RECENT * (value - average)
    return average


def _state(
    counted: Sequence[AnswerRow], full: Sequence[AnswerRow], expected: Expectation
) -> tuple[State, str]:
    latest = counted[-1]
    state = _STATES.get(SearchStatus(latest.status))
    if state is not None:
        return state, latest.note
    nothing = {
        answer.query
        for answer in takewhile(
            lambda answer: answer.status in _NOTHING, reversed(counted)
        )
    }
    if len(nothing) >= NOTHING_FOUND:
        return State.EMPTY, f"The last {len(nothing)} searches found nothing."
    if nothing & {answer.query for answer in full}:
        return (
            State.EMPTY,
            f"A search for {latest.query!r} found nothing, and once found something.",
        )
    if lost := _lost(full, expected):
        return State.POOR, lost
    return State.GOOD, ""


def _lost(full: Sequence[AnswerRow], expected: Expectation) -> str:
    """What the answers with records have less of than when the wrapper was learned."""
    if not full:
        return ""
    latest = full[-1]
    if (
        latest.filled is not None
        and latest.records >= LEAST
        and latest.filled < FIELDS_LEFT * expected.filled
    ):
        return f"Records fill {latest.filled:.0%} of the columns, {expected.filled:.0%} when it was learned."
    records = [answer.records for answer in full[-PAGES:]]
    if len(records) == PAGES and max(records) < RECORDS_LEFT * expected.records[0]:
        return f"The last pages have {max(records)} records at most, {expected.records[0]} and more when it was learned."
    return ""


def _rests_until(counted: Sequence[AnswerRow], state: State) -> datetime | None:
    if state not in _RESTS:
        return None
    latest = counted[-1]
    if latest.wait:
        return latest.answered_at + min(timedelta(seconds=latest.wait), _DAY)
    after, first, longest = _RESTS[state]
    run = sum(
        1
        for _ in takewhile(
            lambda answer: _STATES.get(SearchStatus(answer.status)) is state,
            reversed(counted),
        )
    )
    return (
        latest.answered_at + doubled(first, run - after, longest)
        if run >= after
        else None
    )


def doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    """A pause that doubles with every time, up to the longest."""
    return min(first * 2 ** min(times, 16), longest)
