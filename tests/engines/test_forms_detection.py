"""Which of the forms of a page searches, and which of its fields takes the query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.engines.forms import page_forms, search_form, search_forms
from scythe.engines.forms.detection import asks_for_login, search_boxes
from scythe.tree import parse

URL = "http://site.example/"
LOGIN = "<form action=/login method=post><input name=user><input type=password name=pass><button>Log in</button></form>"
NEWS = "<form action=/subscribe method=post><input name=email placeholder='Your e-mail'><button>Subscribe</button></form>"
CONTACT = (
    "<form action=/contact method=post><input name=name><input type=email name=mail><textarea name=message></textarea>"
    "<input type=submit value='Send message'></form>"
)
CART = "<form action=/cart/add method=post><input name=quantity value=1><button>Add to cart</button></form>"
LANGUAGE = "<form action=/settings><select name=lang><option>English<option>Deutsch</select></form>"
SEARCHES = {
    "plain": "<form action=/search><input name=q><input type=submit value=Search></form>",
    "wordpress": "<form role=search class=search-form action=http://site.example/><input class=search-field name=s></form>",
    "german": "<form action=/suche.html><input name=suchbegriff><button>Suchen</button></form>",
    "russian": "<form action=/find/><input name=text placeholder='Поиск по сайту'><input type=submit value=Найти></form>",
    "chinese": "<form action=/s><input name=wd><input type=submit value=搜索></form>",
    "post": "<form action=/cgi-bin/htsearch method=post><input name=words><input type=submit value=Search></form>",
    "nameless": "<form id=searchbox><input type=search name=query><button><img src=glass.png alt=Search></button></form>",
}


@pytest.mark.parametrize("html", SEARCHES.values(), ids=list(SEARCHES))
def test_the_search_form_is_told_from_the_others(html: str) -> None:
    found = page_forms(parse(LOGIN + NEWS + CONTACT + html + CART + LANGUAGE), URL)
    assert [one.is_search for one in found] == [False, False, False, True, False, False]


@pytest.mark.parametrize(
    "html",
    [LOGIN, NEWS, CONTACT, CART, LANGUAGE, "<form></form>", "<p>No form.</p>", ""],
)
def test_a_page_without_a_search_form_has_none(html: str) -> None:
    assert search_form(parse(html), URL) is None


def test_the_field_for_the_words_is_told_from_those_that_refine() -> None:
    html = (
        "<form action=/jobs/search><input name=location placeholder='City or zip'><input name=author placeholder=Author>"
        "<input name=keywords placeholder='Job title or keywords'><input name=from_date><button>Search</button></form>"
    )
    assert [one.query_name for one in page_forms(parse(html), URL)] == ["keywords"]


def test_a_page_that_is_one_big_form_is_searched_by_its_search_box() -> None:
    html = (
        "<form action=/default.aspx method=post><input type=hidden name=__VIEWSTATE value=abc><input name=ctl00$Header$txtSearch>"
        "<input type=submit name=ctl00$Header$btnSearch value=Search><p>Text.</p><input name=ctl00$News$txtMail></form>"
    )
    (found,) = page_forms(parse(html), URL)
    assert found.is_search
    assert found.query_name == "ctl00$Header$txtSearch"


def test_the_likeliest_form_comes_first_and_alike_ones_once() -> None:
    search = SEARCHES["plain"]
    brands = "<select name=brand><option>A<option>B</select>"
    filters = f"<form action=/products>{brands}<input name=price_max><button>Filter</button></form>"
    found = search_forms(parse(filters + search + search), URL)
    assert found[0].query_name == "q"
    assert len([form for form in found if form.query_name == "q"]) == 1


def test_boxes_without_a_form_are_seen() -> None:
    html = (
        "<div role=search><input name=term></div><input type=search id=box><input name=city><search><input></search>"
        + LOGIN
    )
    assert [box.name for box in search_boxes(parse(html))] == ["term", "", ""]


def test_a_login_is_no_page_that_has_one_in_a_corner() -> None:
    assert asks_for_login(parse(LOGIN), URL)
    assert not asks_for_login(parse(LOGIN + SEARCHES["plain"]), URL)


@given(pages, st.text(max_size=20))
def test_any_page_gives_some_forms(html: str, url: str) -> None:
    controls = (
        html.replace("<p", "<input name=q")
        .replace("<div", "<form action='//['")
        .replace("<span", "<label for=x")
    )
    for found in page_forms(parse(controls), url):
        assert 0 <= found.score <= 1
        if found.form is not None:
            assert found.form.request("x").url


def test_a_deep_page_with_many_forms_is_read() -> None:
    html = "<div>" * 2000 + "<form action=/s><input type=search name=q>" * 500
    assert len(page_forms(parse(html), URL)) == 1
    html = "<form action=/s><input type=search name=q></form>" * 500
    assert len(search_forms(parse(html), URL)) == 1
