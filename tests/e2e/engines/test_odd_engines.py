"""The odd engines themselves: each has its oddity and no other."""

from __future__ import annotations

import urllib.error
import urllib.request
from urllib.parse import urlencode

import pytest

from .odd import (
    CHINESE,
    GERMAN,
    JumpingShop,
    SuggestingShop,
    TokenShop,
    captcha_after,
    chinese_shop,
    latin_shop,
    limited_after,
    needs_cookie,
    overlapping_shops,
    with_robots,
)
from .serving import Server
from .shop import LAYOUTS, Layout, Shop


def search(server: Server, query: str, charset: str = "utf-8") -> str:
    with urllib.request.urlopen(
        server.url(f"/search?{urlencode({'q': query}, encoding=charset)}")
    ) as answer:
        page: str = answer.read().decode(charset)
        return page


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_shows_all_that_was_found(layout: Layout) -> None:
    shop = Shop(layout=layout)
    with Server(shop) as server:
        page = search(server, "meadow")
    for item in shop.truth("meadow", ""):
        assert item.title in page
        assert f"href='{item.url}'" in page


def test_words_are_read_in_the_charset_of_the_page() -> None:
    for shop, word in ((latin_shop(), GERMAN[3]), (chinese_shop(), CHINESE[0])):
        with Server(shop) as server:
            assert shop.truth(word, "")[0].title in search(server, word, shop.charset)
            assert "nothing was found" in search(
                server,
                word.encode().decode("latin-1"),
                "latin-1" if shop.charset != "gbk" else "utf-8",
            )


def test_a_token_is_good_once() -> None:
    with Server(TokenShop()) as server:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        token = (
            opener.open(server.url())
            .read()
            .decode()
            .split("name=token value=")[1]
            .split(">")[0]
        )
        sent = urlencode({"q": "meadow", "token": token}).encode()
        assert b"class=hits" in opener.open(server.url("/search"), sent).read()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            opener.open(server.url("/search"), sent)


def test_one_result_leads_to_its_page() -> None:
    with Server(JumpingShop()) as server:
        assert "<h1>The" in search(server, "no. 123")
        assert server.asked[-1].path == "/item/123"


def test_other_things_are_shown_where_nothing_was_found() -> None:
    with Server(SuggestingShop()) as server:
        assert "You may like" in search(server, "qzxvkwjy")


def test_limits_come_when_they_should() -> None:
    with Server(captcha_after(Shop(), 2)) as server:
        assert ["captcha" in search(server, "meadow") for _ in range(3)] == [
            False,
            False,
            True,
        ]
    with Server(limited_after(Shop(), 1, 30)) as server:
        search(server, "meadow")
        with pytest.raises(urllib.error.HTTPError, match="429") as refused:
            search(server, "meadow")
        assert refused.value.headers["Retry-After"] == "30"


def test_a_search_needs_the_cookie_of_the_first_page() -> None:
    with Server(
        with_robots(needs_cookie(Shop()), "User-agent: *\nDisallow:\n")
    ) as server:
        assert "Some of what we keep" in search(server, "meadow")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(server.url())
        assert b"class=hits" in opener.open(server.url("/search?q=meadow")).read()


def test_shops_overlap() -> None:
    shops = overlapping_shops()
    found = [{item.url for item in shop.truth("meadow", "")} for shop in shops]
    assert len(found) == 20
    assert len(set.union(*found)) < sum(map(len, found)) / 2
