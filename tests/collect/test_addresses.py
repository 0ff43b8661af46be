"""One form for each address, patterns, and machines that are not asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.links.addresses import Reach, may_be_page, shape, slug
from scythe.urls import fetchable_url, is_private, same_site, url_key


def test_one_key_for_all_ways_to_write_an_address() -> None:
    ways = [
        "http://www.food.example/a/?b=2&a=1#x",
        "https://food.example/a/?a=1&b=2",
        "https://FOOD.example/a/index.html?a=1&b=2",
    ]
    assert len({url_key(way) for way in ways}) == 1
    assert url_key("https://food.example/a") != url_key("https://food.example/b")


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
    assert fetchable_url("javascript:alert(1)") is None
    assert fetchable_url("http://[bad") is None
    assert fetchable_url("x" * 3000, "https://food.example/") is None
    assert (
        fetchable_url("../pie#top", "https://food.example/a/b")
        == "https://food.example/pie"
    )
    assert not may_be_page("https://food.example/a.PDF")
    assert same_site("https://blog.food.example/", "https://www.food.example/x")
    assert not same_site("https://food.example.evil/", "https://food.example/")


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "::1",
        "[::ffff:10.0.0.1]",
        "0x7f.1",
        "2130706433",
        "fd00::1",
        "printer.local",
    ],
)
def test_private_machines(host: str) -> None:
    assert is_private(host)


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
