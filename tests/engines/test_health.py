"""The state of an engine from its answers: good, empty, poor, changed, blocked, refused
and down are told apart.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from scythe.engines.registry.health import Health, HealthState
from scythe.store.engines.engines import AnswerRow
from scythe.wrappers.wrapper import Expectation

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
EXPECTED = Expectation((8, 10), 0.8, linked=True)


def answers(
    *statuses: str, records: int = 10, filled: float = 0.8, wait: float | None = None
) -> list[AnswerRow]:
    return [
        AnswerRow(
            version=1,
            answered_at=NOON + timedelta(minutes=place),
            query=f"query {place}",
            status=status,
            records=records if status == "ok" else 0,
            filled=filled if status == "ok" else None,
            seconds=0.5,
            wait=wait,
            note=f"It was {status}.",
        )
        for place, status in enumerate(statuses)
    ]


def health(rows: list[AnswerRow], version: int = 1) -> Health:
    return Health.from_answers(rows, version, EXPECTED)


def test_an_engine_that_nobody_used_is_new() -> None:
    assert health([]).state is HealthState.NEW
    assert health(answers("ok", "drifted"), version=2).state is HealthState.NEW, (
        "what an earlier version did is past"
    )


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        (["ok"] * 5, HealthState.GOOD),
        (["ok", "empty"], HealthState.GOOD),
        (["ok", "empty", "empty"], HealthState.EMPTY),
        (["ok", "jumped", "empty"], HealthState.EMPTY),
        (["empty", "empty", "ok"], HealthState.GOOD),
        (["drifted"], HealthState.CHANGED),
        (["drifted", "ok"], HealthState.GOOD),
        (["ok", "jumped"], HealthState.GOOD),
        (["ok", "blocked"], HealthState.BLOCKED),
        (["limited"], HealthState.BLOCKED),
        (["robots"], HealthState.REFUSED),
        (["login"], HealthState.REFUSED),
        (["ok", "unreachable"], HealthState.DOWN),
    ],
)
def test_states_are_told_apart(statuses: list[str], state: HealthState) -> None:
    found = health(answers(*statuses))
    assert found.state is state
    assert found.is_doubted == (state in (HealthState.EMPTY, HealthState.CHANGED)), (
        "only what may have changed is worth a request"
    )


def test_one_query_that_finds_nothing_again_and_again_is_no_reason() -> None:
    rows = [
        AnswerRow(**{**row.__dict__, "query": "nowhere"})
        for row in answers(*["empty"] * 9)
    ]
    assert health(rows).state is HealthState.GOOD


def test_a_query_that_once_found_something_is_a_reason_at_once() -> None:
    rows = [
        AnswerRow(**{**row.__dict__, "query": "barley"})
        for row in answers("ok", "empty")
    ]
    assert health(rows).state is HealthState.EMPTY


def test_records_that_lose_a_column_are_noticed_while_the_wrapper_still_fits() -> None:
    found = health(answers(*["ok"] * 5) + answers("ok", filled=0.45))
    assert (found.state, found.is_doubted) == (HealthState.POOR, True)
    assert "80% when it was learned" in found.reason
    assert health(answers("ok", filled=0.45, records=2)).state is HealthState.GOOD, (
        "two records say little"
    )


def test_pages_that_lose_most_records_are_noticed() -> None:
    assert (
        health(answers(*["ok"] * 5) + answers(*["ok"] * 5, records=2)).state
        is HealthState.POOR
    )
    assert (
        health(answers(*["ok"] * 4, records=2) + answers("ok", records=9)).state
        is HealthState.GOOD
    ), "some queries find little"


def test_figures() -> None:
    found = health(answers("ok", "ok", "empty", "unreachable", "drifted", "ok"))
    assert (found.searches, found.drifted, found.seconds, found.last) == (
        6,
        1,
        0.5,
        NOON + timedelta(minutes=5),
    )
    assert (found.records, found.answered) == (10.0, 5 / 6)
    assert found.filled == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("statuses", "minutes"),
    [
        (["ok"], None),
        (["drifted"], None),
        (["blocked"], 1),
        (["blocked"] * 3, 4),
        (["limited", "blocked", "limited"], 4),
        (["blocked"] * 20, 360),
        (["unreachable"] * 2, None),
        (["unreachable"] * 3, 1),
        (["unreachable", "ok", "unreachable"], None),
        (["unreachable"] * 30, 60),
        (["login"], 60),
        (["login"] * 30, 24 * 60),
    ],
)
def test_engines_that_refuse_are_left_alone_longer_each_time(
    statuses: list[str], minutes: int | None
) -> None:
    found = health(answers(*statuses))
    rest = (
        None
        if found.rests_until is None or found.last is None
        else found.rests_until - found.last
    )
    assert rest == (None if minutes is None else timedelta(minutes=minutes))


def test_an_engine_that_names_a_time_is_left_alone_until_then() -> None:
    found = health(answers("limited", wait=90))
    assert found.rests_until == NOON + timedelta(seconds=90)
    assert health(answers("limited", wait=1e9)).rests_until == NOON + timedelta(
        days=1
    ), "but not for ever"
