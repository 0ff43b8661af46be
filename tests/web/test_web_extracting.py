"""Extraction in the web app: a page by its address or pasted, seen with its content
marked, by every method, as rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loopback import Loopback
from scythe.content.extract import METHODS
from scythe.store import Store
from scythe.urls import completed_url
from scythe.web.extract.extractions import MAX_PAGES, MAX_PASTED, Extractions, load_page
from small_engine import Item, SmallEngine
from visitor import Visitor, words_of

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:alert(1)'>here</a>"


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with Store.open(str(tmp_path / "web.db")) as store, Visitor(store) as visitor:
        yield visitor


def test_a_page_is_read_from_its_address_and_shown_with_its_content_marked(
    visitor: Visitor, web: Loopback
) -> None:
    page = visitor.send("/extract", url=web.url("/mowing"))
    assert page.status_code == 200
    assert "On mowing" in page.text
    markdown = visitor.get(str(page.url).replace("=rendered", "=markdown"))
    assert "The first cut is made at dawn" in markdown.text
    at = page.url.path
    frame = visitor.get(f"{at}/frame")
    assert frame.headers["content-security-policy"].startswith(
        "default-src 'none'; style-src 'unsafe-inline'"
    )
    assert 'class="scythe-chosen"' in frame.text
    assert '<scythe-text class="scythe-chosen" id="scythe-first">' in frame.text
    assert "Imprint" in frame.text
    assert "scythe-chosen" not in frame.text[frame.text.index("<footer") :]


def test_a_page_is_shown_as_it_looks_with_its_stylesheets(
    visitor: Visitor, web: Loopback
) -> None:
    links = "".join(
        f"<link rel=stylesheet href=/{name}.css>"
        for name in ("good", "none", "page", "large")
    )
    web.add(
        "/styled",
        f"<html><head>{links}</head><body><p>A page about the mowing of barley.</p></body></html>".encode(),
    )
    web.add(
        "/good.css",
        b"p { color: teal; background: url(http://spy.example/x) } @import 'http://spy.example/y';",
        "text/css",
    )
    web.add("/none.css", b"nothing", "text/css", 404)
    web.add("/page.css", b"p { color: red }", "text/html")
    web.add("/large.css", b"p { color: blue }" + b" " * 2_000_000, "text/css")
    frame = visitor.get(
        visitor.send("/extract", url=web.url("/styled")).url.path + "/frame"
    ).text
    assert "teal" in frame
    for absent in ("spy.example", "color: red", "color: blue", "nothing"):
        assert absent not in frame


def test_every_view_has_an_address(visitor: Visitor, web: Loopback) -> None:
    at = visitor.send("/extract", url=web.url("/mowing")).url.path
    assert "[sky](" in visitor.get(f"{at}?show=markdown").text
    assert "[sky](" not in visitor.get(f"{at}?show=text").text
    assert "&#34;markdown&#34;" in visitor.get(f"{at}?show=json").text
    side_by_side = visitor.get(f"{at}?show=methods").text
    for method in METHODS:
        assert f"Text by {method}" in side_by_side
        assert (
            visitor.get(f"{at}?method={method.replace('+', '%2B')}").status_code == 200
        )
    assert "<html" not in visitor.piece(f"{at}?show=text").text
    assert visitor.get(f"{at}?method=magic").status_code == 400
    assert visitor.get(f"{at}?show=magic").status_code == 400


def test_the_content_comes_as_a_file(visitor: Visitor, web: Loopback) -> None:
    at = visitor.send("/extract", url=web.url("/mowing")).url.path
    markdown = visitor.get(f"{at}/file?show=markdown")
    assert (
        markdown.headers["content-disposition"] == 'attachment; filename="extracted.md"'
    )
    assert "The first cut" in markdown.text
    assert json.loads(visitor.get(f"{at}/file?show=json").text)["title"] == "On mowing"
    assert visitor.get(f"{at}/file?show=methods").status_code == 400


def test_the_records_of_a_list_page_are_a_table_and_boxes(visitor: Visitor) -> None:
    site = SmallEngine([Item(number) for number in range(40)])
    at = visitor.send(
        "/extract", html=site.page("barley"), url="http://things.example/search"
    ).url.path
    shown = visitor.get(f"{at}?show=records").text
    assert site.found("barley")[0].title in shown
    assert "confidence" in shown
    assert 'data-scythe-number="3"' in visitor.get(f"{at}/frame?show=records").text
    rows = visitor.api(
        "POST", "/api/extract/records", {"html": site.page("barley")}
    ).json()
    assert [record["fields"]["title"] for record in rows["records"]] == [
        item.title for item in site.found("barley")[:10]
    ]
    assert (
        "no list"
        in visitor.get(
            visitor.send("/extract", html="<p>One line.</p>").url.path + "?show=records"
        ).text
    )


def test_pasted_html_is_fetched_from_nowhere(visitor: Visitor, web: Loopback) -> None:
    page = visitor.send(
        "/extract",
        html="<h1>Oats</h1><p>They are sown in spring and cut in late summer.</p>",
        url=web.url("/mowing"),
    )
    markdown = visitor.get(str(page.url).replace("=rendered", "=markdown"))
    assert "They are sown in spring" in markdown.text
    assert not web.asked


@pytest.mark.parametrize("show", ["markdown", "text", "json", "methods", "records"])
def test_hostile_pages_do_nothing_in_any_view(visitor: Visitor, show: str) -> None:
    html = (
        f"<title>{HOSTILE}</title><article><h1>A title {HOSTILE}</h1>"
        + f"<p>Some longer text about barley. {HOSTILE}</p>" * 9
    )
    at = visitor.send("/extract", html=html, url="javascript:alert(1)").url.path
    for path in (f"{at}?show={show}", f"{at}/frame?show={show}"):
        page = visitor.get(path).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert 'href="javascript' not in page
        assert "href='javascript" not in page


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"url": "", "html": ""}, "nothing to read"),
        ({"url": "file:///etc/passwd"}, "only http and https"),
        ({"html": "%PDF-1.4 " + "x" * 50}, "PDF"),
    ],
)
def test_what_cannot_be_read_is_said_and_kept_in_the_form(
    visitor: Visitor, fields: dict[str, Any], told: str
) -> None:
    answer = visitor.send("/extract", **fields)
    assert answer.status_code == 400
    assert told in answer.text


def test_this_machine_is_not_read_unless_that_is_allowed(
    tmp_path: Path, web: Loopback
) -> None:
    web.add("/away", b"", status=302, Location="http://127.0.0.1/")
    with (
        Store.open(str(tmp_path / "x.db")) as store,
        Visitor(store, allow_private=False) as visitor,
    ):
        answer = visitor.send("/extract", url=web.url("/mowing"))
        assert answer.status_code == 400
        assert "--allow-private" in answer.text
        assert (
            visitor.api("POST", "/api/extract", {"url": web.url("/mowing")}).status_code
            == 400
        )
    assert not web.asked


def test_pages_are_kept_for_a_while_and_no_more(visitor: Visitor) -> None:
    kept = Extractions()
    words = [
        kept.add(load_page("", f"<p>{number}</p>", allow_private=False))
        for number in range(MAX_PAGES + 1)
    ]
    assert kept.get(words[-1]).document("auto").text == str(MAX_PAGES)
    assert visitor.get("/extract/unknown").status_code == 404
    assert "no longer kept" in visitor.get("/extract/unknown").text


def test_what_is_too_large_is_refused(visitor: Visitor) -> None:
    assert (
        "larger than"
        in visitor.api(
            "POST", "/api/extract", {"html": "<p>" + "a" * MAX_PASTED}
        ).json()["message"]
    )


def test_deep_and_odd_pages_are_shown(visitor: Visitor) -> None:
    for html in (
        "<div>" * 3000 + "text" + "</div>" * 3000,
        "<table><tr><td>" * 200 + "x",
        "\x00\ud7ff<p>&#xD800;</p>",
        "<p><svg><style><p>x",
    ):
        page = visitor.send("/extract", html=html)
        assert page.status_code == 200
        for show in ("json", "methods", "records"):
            assert visitor.get(f"{page.url.path}?show={show}").status_code == 200
        assert visitor.get(f"{page.url.path}/frame").status_code == 200
    assert words_of(page.text)


def test_an_address_without_a_scheme_is_completed() -> None:
    assert completed_url(" oats.example/list ") == "https://oats.example/list"
    assert completed_url("127.0.0.1:80/x") == "http://127.0.0.1:80/x"
    assert completed_url("localhost:80") == "http://localhost:80"
    assert completed_url("http://oats.example") == "http://oats.example"
    for other in ("", "no address", "javascript:alert(1)", "/path"):
        assert completed_url(other) == other


def test_content_is_rendered_in_a_frame_that_does_nothing(visitor: Visitor) -> None:
    rows = "".join(f"<tr><td>{n}</td><td>of {n} oats</td></tr>" for n in range(6))
    text = "<p>Oats grow in fields, and fields are mown in July by many hands.</p>" * 6
    html = f"<h1>Oats</h1>{text}<table>{rows}</table><script>alert(1)</script>"
    at = visitor.send("/extract", html=html).url
    key = str(at).partition("/extract/")[2].partition("?")[0]
    reading = visitor.get(f"/extract/{key}/reading")
    assert "sandbox" in reading.headers["content-security-policy"]
    assert "<td>of 3 oats</td>" in reading.text
    assert "alert" not in reading.text


def test_a_list_opens_as_records_with_a_file_and_a_way_to_collect(
    visitor: Visitor,
) -> None:
    items = "".join(
        f"<li><a href=/{n}>Oats no. {n}</a> <b>{n} €</b><p>From field {n}.</p></li>"
        for n in range(12)
    )
    html = f"<title>Shop</title><h1>Oats</h1><ul>{items}</ul>"
    page = visitor.send("/extract", html=html, url="https://oats.example/")
    key = str(page.url).partition("/extract/")[2].partition("?")[0]
    records = visitor.get(f"/extract/{key}?show=records").text
    assert "/collections/add?url=https%3A//oats.example/" in records
    table = visitor.get(f"/extract/{key}/file?show=records")
    assert table.headers["content-type"].startswith("text/csv")
    assert "Oats no. 11" in table.text
