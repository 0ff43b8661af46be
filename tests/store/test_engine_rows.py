"""Engines in the database: versions, answers, events, and the turn to tend an engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from scythe.errors import AlreadyStored, NotStored
from scythe.store import Store
from scythe.store.engines.engines import MAX_ANSWERS, AnswerRow, EngineRows

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def engines(database: str) -> Iterator[EngineRows]:
    with Store.open(database) as store:
        yield EngineRows(store)


def answer(query: str = "hay", **values: object) -> AnswerRow:
    given = {
        "status": "ok",
        "records": 10,
        "filled": 0.9,
        "seconds": 0.2,
        "wait": None,
        "note": "",
        **values,
    }
    return AnswerRow(version=1, answered_at=NOON, query=query, **given)  # type: ignore[arg-type]


def test_an_engine_comes_back_as_it_was(engines: EngineRows) -> None:
    definition = {
        "form": {"query": "q"},
        "words": ["ä", "屋", "\ud800", "\0"],
        "number": 1.5,
    }
    number = engines.add(
        "Müller & Söhne", "https://x.example/", definition, reason="added", weight=2.5
    )
    row = engines.get("Müller & Söhne")
    assert (row.id, row.home, row.version, row.weight, row.definition) == (
        number,
        "https://x.example/",
        1,
        2.5,
        definition,
    )
    assert abs(datetime.now(UTC) - row.added_at) < timedelta(minutes=5)
    assert [version.reason for version in engines.versions(number)] == ["added"]


def test_names_are_given_once(engines: EngineRows) -> None:
    engines.add("hay", "https://one.example/", {}, reason="added")
    with pytest.raises(AlreadyStored, match="engine hay already"):
        engines.add("hay", "https://two.example/", {}, reason="added")
    assert [row.home for row in engines.all()] == ["https://one.example/"]


def test_an_unknown_name_is_answered_with_the_known_ones(engines: EngineRows) -> None:
    with pytest.raises(NotStored, match="scythe engine add"):
        engines.get("hay")
    engines.add("oats", "https://oats.example/", {}, reason="added")
    engines.add("barley", "https://barley.example/", {}, reason="added")
    with pytest.raises(NotStored, match=r"There are: barley, oats\."):
        engines.remove("hay")


def test_a_new_version_keeps_the_old_one_and_wins_only_once(
    engines: EngineRows,
) -> None:
    number = engines.add("hay", "https://hay.example/", {"rule": "old"}, reason="added")
    assert engines.replace(number, 1, {"rule": "new"}, "the list moved")
    assert not engines.replace(number, 1, {"rule": "late"}, "the list moved")
    assert engines.get("hay").definition == {"rule": "new"}
    versions = [
        (one.version, one.definition, one.reason) for one in engines.versions(number)
    ]
    assert versions == [
        (1, {"rule": "old"}, "added"),
        (2, {"rule": "new"}, "the list moved"),
    ]


def test_removing_takes_all_that_belongs_to_an_engine(engines: EngineRows) -> None:
    number = engines.add("hay", "https://hay.example/", {}, reason="added")
    engines.add_answers([(number, answer())])
    engines.add_event(number, "checked", "")
    engines.remove("hay")
    assert (
        engines.all(),
        engines.versions(number),
        engines.answers(number),
        engines.events(number),
    ) == ([], [], [], [])
    engines.add_answers([(number, answer())])
    assert engines.answers(number) == []
    with pytest.raises(NotStored, match="just removed"):
        engines.add_event(number, "checked", "")


def test_answers_come_back_in_order_and_old_ones_go(engines: EngineRows) -> None:
    number = engines.add("hay", "https://hay.example/", {}, reason="added")
    other = engines.add("oats", "https://oats.example/", {}, reason="added")
    engines.add_answers([(other, answer("first", note="a\0b", filled=None))])
    engines.add_answers(
        [(number, answer(f"query {place}")) for place in range(MAX_ANSWERS + 5)]
    )
    assert [row.query for row in engines.answers(number)] == [
        f"query {place}" for place in range(5, MAX_ANSWERS + 5)
    ]
    assert engines.answers(other) == [answer("first", note="a\ufffdb", filled=None)]


def test_times_mean_the_same_whatever_zone_they_were_given_in(
    engines: EngineRows,
) -> None:
    number = engines.add("hay", "https://hay.example/", {}, reason="added")
    east = NOON.astimezone(timezone(timedelta(hours=8)))
    row = answer()
    engines.add_answers([(number, AnswerRow(**{**row.__dict__, "answered_at": east}))])
    assert engines.answers(number)[0].answered_at == NOON


def test_one_at_a_time_tends_an_engine(engines: EngineRows) -> None:
    number = engines.add("hay", "https://hay.example/", {}, reason="added")
    assert engines.acquire_lease(number, 60)
    assert not engines.acquire_lease(number, 60)
    engines.release_lease(number)
    assert engines.acquire_lease(number, -1)
    assert engines.acquire_lease(number, 60), (
        "whoever died with an engine in hand loses it when the time is up"
    )


def test_weights_can_be_changed(engines: EngineRows) -> None:
    number = engines.add("hay", "https://hay.example/", {}, reason="added")
    engines.set_weight(number, 0.5)
    assert engines.get("hay").weight == 0.5
