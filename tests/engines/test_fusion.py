"""Many lists as one: merged by address and title, ranked by reciprocal rank, in an
order that does not depend on chance.
"""

from __future__ import annotations

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from scythe.engines.metasearch.fusion import EngineResult, K, fuse


def listed(engine: str, *names: str) -> list[EngineResult]:
    return [
        EngineResult(
            engine,
            rank,
            f"All there is to know of {name}",
            f"https://{name}.example/",
            f"On {name}",
        )
        for rank, name in enumerate(names, 1)
    ]


def titles(
    lists: dict[str, list[EngineResult]], weights: dict[str, float] | None = None
) -> list[str]:
    return [
        hit.title.removeprefix("All there is to know of ")
        for hit in fuse(lists, weights or {})
    ]


def test_what_several_engines_have_comes_first() -> None:
    lists = {
        "one": listed("one", "hay", "oats"),
        "two": listed("two", "rye", "oats"),
        "three": listed("three", "oats", "wheat"),
    }
    first, *others = fuse(lists, {})
    assert (first.url, first.engines) == (
        "https://oats.example/",
        ("three", "one", "two"),
    )
    assert first.score == round(1 / (K + 1) + 2 / (K + 2), 9)
    assert [(hit.url, hit.engines) for hit in others] == [
        ("https://hay.example/", ("one",)),
        ("https://rye.example/", ("two",)),
        ("https://wheat.example/", ("three",)),
    ]


def test_weights_move_what_an_engine_gives() -> None:
    lists = {"one": listed("one", "hay", "oats"), "two": listed("two", "rye", "wheat")}
    assert titles(lists) == ["hay", "rye", "oats", "wheat"]
    assert titles(lists, {"two": 2.0}) == ["rye", "wheat", "hay", "oats"]
    assert titles(lists, {"one": 0.0}) == ["rye", "wheat", "hay", "oats"]


def test_each_hit_says_who_gave_it_and_where() -> None:
    one = EngineResult(
        "one",
        3,
        "The barley harvest of 1816",
        "https://hay.example/1816?utm_source=one",
        page="https://one.example/?q=x",
    )
    two = EngineResult(
        "two",
        1,
        "Barley harvest, the year 1816",
        "http://www.hay.example/1816",
        "Words",
        "https://two.example/?q=x",
    )
    (hit,) = fuse({"one": [one], "two": [two]}, {})
    assert (hit.title, hit.snippet) == ("Barley harvest, the year 1816", "Words")
    assert [
        (who["engine"], who["rank"], who["page"]) for who in hit.as_json()["engines"]
    ] == [
        ("two", 1, "https://two.example/?q=x"),
        ("one", 3, "https://one.example/?q=x"),
    ]


def test_words_marked_by_one_engine_do_not_part_its_hits_from_those_of_others() -> None:
    marked = [
        EngineResult("one", rank, name, f"https://wiki.example/?id={name}&hl=hay")
        for rank, name in enumerate("abc", 1)
    ]
    plain = [
        EngineResult("two", rank, name, f"https://wiki.example/?id={name}")
        for rank, name in enumerate("cb", 1)
    ]
    assert len(fuse({"one": marked, "two": plain}, {}, "hay")) == 3


def test_copies_elsewhere_are_one_hit_with_both_addresses() -> None:
    lists = {
        "one": [
            EngineResult(
                "one", 1, "The barley harvest of 1816", "https://hay.example/1"
            )
        ],
        "two": [
            EngineResult(
                "two", 1, "The Barley Harvest of 1816", "https://mirror.example/x"
            )
        ],
    }
    (hit,) = fuse(lists, {})
    assert [given.url for given in hit.results] == [
        "https://hay.example/1",
        "https://mirror.example/x",
    ]


def test_what_one_engine_lists_as_two_things_stays_two() -> None:
    same = "Minutes of the yearly meeting"
    lists = {
        "one": [
            EngineResult("one", rank, same, f"https://hay.example/{rank}")
            for rank in (1, 2)
        ],
        "two": [EngineResult("two", 1, same, "https://hay.example/2")],
    }
    assert [hit.engines for hit in fuse(lists, {})] == [("two", "one"), ("one",)]


def test_places_on_one_page_stay_apart_where_an_engine_lists_several() -> None:
    several = [
        EngineResult("one", rank, name, f"https://hay.example/all#{name}")
        for rank, name in enumerate(["oats", "rye"], 1)
    ]
    assert len(fuse({"one": several}, {})) == 2
    lists = {
        "one": several[:1],
        "two": [EngineResult("two", 1, "All kinds", "https://hay.example/all")],
    }
    assert len(fuse(lists, {})) == 1


def test_the_same_page_twice_in_one_list_counts_once() -> None:
    (hit,) = fuse({"one": [*listed("one", "hay"), *listed("one", "hay")]}, {})
    assert hit.score == round(1 / (K + 1), 9)


def test_results_without_an_address_are_told_apart_by_their_words() -> None:
    lists = {
        "one": [
            EngineResult("one", 1, "Hay", None, "a"),
            EngineResult("one", 2, "Hay", None, "b"),
        ],
        "two": [EngineResult("two", 1, "hay", None, "A")],
    }
    assert [hit.engines for hit in fuse(lists, {})] == [("one", "two"), ("one",)]


def test_the_order_does_not_depend_on_who_answers_first() -> None:
    lists = {
        "one": listed("one", "a", "b", "c"),
        "two": listed("two", "c", "d"),
        "three": listed("three", "d", "a", "e"),
    }
    assert (
        len(
            {
                str(fuse({name: lists[name] for name in order}, {}))
                for order in permutations(lists)
            }
        )
        == 1
    )


@given(st.integers(0, 10_000))
def test_nothing_is_lost_and_nothing_is_twice(seed: int) -> None:
    chance = random.Random(seed)
    names = [f"thing{number}" for number in range(12)]
    lists = {
        engine: listed(engine, *chance.sample(names, chance.randrange(8)))
        for engine in ("one", "two", "three", "four")
    }
    hits = fuse(lists, {"two": chance.random()})
    every = {one.url for given in lists.values() for one in given}
    assert sorted(str(hit.url) for hit in hits) == sorted(str(url) for url in every)
    assert [hit.score for hit in hits] == sorted(
        (hit.score for hit in hits), reverse=True
    )
    assert all(len(set(hit.engines)) == len(hit.engines) for hit in hits)
