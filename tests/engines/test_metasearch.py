"""One search over many engines: good, dead, hanging and refusing ones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

import scythe
from scythe.engines.asking.results import SearchStatus
from scythe.engines.metasearch.search import SearchOptions, search
from scythe.errors import UsageError
from small_engine import HANGS, Item, SmallEngine, dead_engine, new_look

DEADLINE = 5.0


@pytest.fixture
def good() -> Iterator[list[SmallEngine]]:
    """Sixteen engines with different parts of one collection, which overlap."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                SmallEngine([Item(n) for n in range(place, 400, 1 + place % 5)])
            )
            for place in range(16)
        ]


@pytest.fixture
def hanging() -> Iterator[list[SmallEngine]]:
    with ExitStack() as stack:
        engines = [stack.enter_context(SmallEngine([])) for _ in range(2)]
        for engine in engines:
            engine.behaviour.hangs = True
        yield engines


def test_dead_and_hanging_engines_hold_nothing_back(
    good: list[SmallEngine], hanging: list[SmallEngine]
) -> None:
    known = [engine.known(f"good{place:02}") for place, engine in enumerate(good)]
    known += [dead_engine("dead0"), dead_engine("dead1")]
    known += [engine.known(f"hanging{place}") for place, engine in enumerate(hanging)]
    started = time.monotonic()
    hits = search(known, "scythe", SearchOptions(deadline=DEADLINE))
    assert time.monotonic() - started < HANGS, (
        "nobody waits for an engine that does not answer"
    )
    assert [answer.status for answer in hits.answers] == [
        *[SearchStatus.OK] * 16,
        *[SearchStatus.UNREACHABLE] * 2,
        *[SearchStatus.LATE] * 2,
    ]
    assert "5 seconds" in hits.answers[-1].note
    assert {name for hit in hits for name in hit.engines} == {
        f"good{place:02}" for place in range(16)
    }
    expected = {item.url for engine in good for item in engine.found("scythe")[:10]}
    assert sorted(hit.url or "" for hit in hits) == sorted(expected)
    again = search(
        list(reversed(known[:16])), "scythe", SearchOptions(deadline=DEADLINE)
    )
    assert [hit.as_json() for hit in again] == [hit.as_json() for hit in hits]


def test_statuses_are_told_apart(good: list[SmallEngine]) -> None:
    drifted, limited, blocked, broken = good[:4]
    drifted.behaviour.look = new_look
    limited.behaviour.status, limited.behaviour.headers = 429, {"Retry-After": "120"}
    blocked.behaviour.status = 403
    broken.behaviour.status = 500
    answers = search(
        [engine.known(f"engine{place}") for place, engine in enumerate(good[:5])],
        "meadow",
    ).answers
    statuses = [
        SearchStatus.DRIFTED,
        SearchStatus.LIMITED,
        SearchStatus.BLOCKED,
        SearchStatus.UNREACHABLE,
        SearchStatus.OK,
    ]
    assert [answer.status for answer in answers] == statuses
    assert answers[1].wait == 120
    assert all(answer.note for answer in answers[:4])
    (empty,) = search([good[5].known("only")], "nowhere").answers
    assert (empty.status, empty.results) == (SearchStatus.EMPTY, ())


def test_more_pages_give_more_hits_with_their_page(good: list[SmallEngine]) -> None:
    one = search([good[0].known()], "scythe", SearchOptions(pages=1))
    three = search([good[0].known()], "scythe", SearchOptions(pages=3))
    assert (len(one), len(three)) == (10, 30)
    assert [hit.results[0].rank for hit in three] == list(range(1, 31))
    assert [hit.results[0].page for hit in three][::10] == [
        f"{good[0].home}search?q=scythe&page={page}" for page in range(3)
    ]


def test_pages_that_came_in_time_count(good: list[SmallEngine]) -> None:
    site = good[0]
    page = site.page

    def page_or_hang(query: str, number: int = 0) -> str:
        if number:
            site.stopping.wait(HANGS)
        return page(query, number)

    site.page = page_or_hang  # type: ignore[method-assign]
    hits = search([site.known("hay")], "scythe", SearchOptions(pages=3, deadline=3))
    assert (len(hits), hits.answers[0].status) == (10, SearchStatus.OK)


def test_a_later_page_that_fails_says_so(good: list[SmallEngine]) -> None:
    site = good[0]
    page = site.page

    def page_or_login(query: str, number: int = 0) -> str:
        if number:
            site.behaviour.status = 404
            return "<p>There is no such page.</p>"
        return page(query, number)

    site.page = page_or_login  # type: ignore[method-assign]
    hits = search([site.known("hay")], "scythe", SearchOptions(pages=3))
    (answer,) = hits.answers
    assert (len(hits), answer.status) == (10, SearchStatus.OK)
    assert answer.note == "There may be more: page 2 answered 404."


def test_the_whole_answer_as_plain_values(good: list[SmallEngine]) -> None:
    values = scythe.search([good[0].known("hay")], "scythe").as_json()
    assert values["query"] == "scythe"
    assert [
        (one["engine"], one["status"], one["results"]) for one in values["engines"]
    ] == [("hay", "ok", 10)]
    assert values["hits"][0]["engines"][0]["fields"]["price"].startswith("€")


@pytest.mark.parametrize(
    ("query", "names", "options"),
    [
        (" ", ["a"], {}),
        ("hay", ["a", "a"], {}),
        ("hay", ["a"], {"deadline": 0}),
        ("hay", ["a"], {"pages": 0}),
    ],
)
def test_wrong_calls_are_refused(
    query: str, names: list[str], options: dict[str, float]
) -> None:
    with pytest.raises(UsageError):
        search([dead_engine(name) for name in names], query, SearchOptions(**options))  # type: ignore[arg-type]


def test_no_engine_finds_nothing() -> None:
    assert len(search([], "hay")) == 0
