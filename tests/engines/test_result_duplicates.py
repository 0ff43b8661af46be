"""Which results are one: addresses, titles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.engines.metasearch.duplicates import (
    echo_parameters,
    result_key,
    similar_titles,
    title_key,
)


@pytest.mark.parametrize(
    "url",
    [
        "https://hay.example/a?x=1&y=2",
        "http://www.hay.example/a/?y=2&x=1#top",
        "HTTPS://HAY.example:443/a?x=1&utm_source=mail&y=2&gclid=9",
        "https://hay.example/a;jsessionid=1A2B?x=1&y=2&PHPSESSID=7",
        "https://engine.example/click?n=3&url=https%3A%2F%2Fhay.example%2Fa%3Fx%3D1%26y%3D2",
    ],
)
def test_addresses_of_one_page_have_one_key(url: str) -> None:
    assert result_key(url) == "hay.example/a?x=1&y=2"


def test_the_start_page_has_one_key() -> None:
    addresses = [
        "https://hay.example",
        "https://hay.example/",
        "http://www.hay.example/index.html",
    ]
    assert {result_key(url) for url in addresses} == {"hay.example"}


@pytest.mark.parametrize(
    "other",
    [
        "https://hay.example/b",
        "https://hay.example/a?x=2",
        "https://oats.example/a",
        "https://hay.example:8080/a",
    ],
)
def test_other_pages_have_other_keys(other: str) -> None:
    assert result_key(other) != result_key("https://hay.example/a")


def test_a_place_on_a_page_counts_where_it_is_asked_for() -> None:
    assert result_key("https://hay.example/a#oats") == result_key(
        "https://hay.example/a#rye"
    )
    assert result_key("https://hay.example/a#oats", fragment=True) != result_key(
        "https://hay.example/a#rye", fragment=True
    )


@given(st.text())
def test_any_text_has_a_key(text: str) -> None:
    assert result_key(text) == result_key(text)
    assert isinstance(title_key(text), str)


def test_words_that_an_engine_adds_to_all_its_links_do_not_count() -> None:
    links = [
        f"https://wiki.example/?id={page}&s[]=hay&s[]=rake" for page in ("barn", "mill")
    ]
    assert echo_parameters(links, "Hay rake") == {"s[]"}
    assert result_key(links[0], ignored={"s[]"}) == "wiki.example?id=barn"
    assert echo_parameters(links[:1], "Hay rake") == frozenset(), (
        "one link does not show it"
    )
    assert echo_parameters(links, "oats") == frozenset()


def test_words_that_are_the_page_itself_count() -> None:
    assert (
        echo_parameters(
            ["https://words.example/?word=hay", "https://words.example/?word=haystack"],
            "hay",
        )
        == frozenset()
    )
    assert echo_parameters(
        ["https://words.example/?word=hay", "https://words.example/?word=hay#2"], "hay"
    ) == {"word"}
    assert (
        echo_parameters(
            [
                "https://words.example/?a=hay&b=rake",
                "https://words.example/?a=rake&b=hay",
            ],
            "hay rake",
        )
        == frozenset()
    )


def pairs(*titles: str) -> list[tuple[int, int]]:
    return list(similar_titles([title_key(title) for title in titles]))


def test_titles_may_differ_in_case_marks_and_a_letter() -> None:
    assert pairs(
        "The Barley Harvest of 1816",
        "the barley-harvest of 1816!",
        "The barley harvests of 1816",
    ) == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]
    assert pairs("收获大麦的古老方法与历史", "收获大麦的古老方法与历史。") == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The barley harvest of 1816", "The barley harvest of 1817"),
        ("A short history of the scythe", "A short history of the sickle"),
        ("Contact", "Contact"),
        ("Chapter two", "Chapter two"),
        ("", ""),
    ],
)
def test_titles_of_different_things_differ(one: str, other: str) -> None:
    assert pairs(one, other) == []
