"""Patterns of addresses, and machines that are not asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.links.addresses import Reach, may_be_page, shape, slug
from scythe.urls import fetchable_url, url_key


def test_shapes() -> None:
    assert shape("https://food.example/r/12/soup.html") == shape(
        "https://food.example/r/7/pie.html"
    )
    assert shape("https://food.example/@soup.html") != shape(
        "https://food.example/soup.html"
    )
    assert shape("https://food.example/soup/") != shape(
        "https://food.example/soup.html"
    )
    assert (
        shape("https://food.example/p?id=1")
        == shape("https://food.example/p?id=2")
        != shape("https://food.example/p?tag=2")
    )
    assert (
        slug("https://food.example/r/Soup.html")
        == slug("https://food.example/soup/")
        == "soup"
    )


def test_what_is_no_page() -> None:
    assert not may_be_page("https://food.example/a.PDF")


def test_reach() -> None:
    public = Reach("https://food.example/")
    assert public.allows("https://other.example/")
    assert not public.allows("http://127.0.0.1/admin")
    own = Reach("http://127.0.0.1:8000/")
    assert own.allows("http://127.0.0.1:8000/x")
    assert not own.allows("http://127.0.0.1:9000/x")
    assert Reach("https://food.example/", private=True).allows(
        "http://127.0.0.1/pantry"
    )


@given(st.text(max_size=80))
def test_any_text_is_an_address_or_none(text: str) -> None:
    found = fetchable_url(text, "https://food.example/")
    if found is not None:
        assert url_key(found)
        assert shape(found)
