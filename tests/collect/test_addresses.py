"""Patterns of addresses, and machines that are not asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.crawl.hosts import AllowedHosts
from scythe.collect.links.addresses import (
    may_be_page,
    url_family,
    url_pattern,
    url_slug,
)
from scythe.urls import fetchable_url, url_key


def test_shapes() -> None:
    assert url_pattern("https://food.example/r/12/soup.html") == url_pattern(
        "https://food.example/r/7/pie.html"
    )
    assert url_pattern("https://food.example/@soup.html") != url_pattern(
        "https://food.example/soup.html"
    )
    assert url_pattern("https://food.example/soup/") != url_pattern(
        "https://food.example/soup.html"
    )
    assert (
        url_pattern("https://food.example/p?id=1")
        == url_pattern("https://food.example/p?id=2")
        != url_pattern("https://food.example/p?tag=2")
    )
    assert (
        url_slug("https://food.example/r/Soup.html")
        == url_slug("https://food.example/soup/")
        == "soup"
    )


def test_what_is_no_page() -> None:
    assert not may_be_page("https://food.example/a.PDF")


def test_reach() -> None:
    public = AllowedHosts("https://food.example/")
    assert public.allows("https://other.example/")
    assert not public.allows("http://127.0.0.1/admin")
    own = AllowedHosts("http://127.0.0.1:8000/")
    assert own.allows("http://127.0.0.1:8000/x")
    assert not own.allows("http://127.0.0.1:9000/x")
    assert AllowedHosts("https://food.example/", private=True).allows(
        "http://127.0.0.1/pantry"
    )


@given(st.text(max_size=80))
def test_any_text_is_an_address_or_none(text: str) -> None:
    found = fetchable_url(text, "https://food.example/")
    if found is not None:
        assert url_key(found)
        assert url_pattern(found)


def test_numbers_behind_a_dot_are_no_ending() -> None:
    one, two = "http://a.org/abs/2015.0011", "http://a.org/abs/2021.0046v2"
    assert url_family(one) == url_family(two)
    assert url_pattern(one) == url_pattern("http://a.org/abs/2021.0046")
    assert url_slug(one) == "2015.0011"
    assert url_slug("http://a.org/abs/Pie.html") == "pie"
