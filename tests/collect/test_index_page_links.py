"""Links of HTML pages, feeds and sitemaps."""

from __future__ import annotations

import gzip

from hypothesis import given
from hypothesis import strategies as st

from scythe.collect.links.index_pages import parse_index_page
from scythe.store.states import IndexPageKind

URL = "https://food.example/list/"


def test_html_links_with_text_and_path() -> None:
    page = b"""<base href="/base/"><ul class=all><li><a href="soup.html#top"> Hot
      <b>soup</b></a></li><li><a href='/pie'>Pie</a></li></ul><a href="mailto:x@y">Mail</a><a href="/cat.jpg">Cat</a>
      <link rel=alternate type="application/rss+xml" href="/feed.xml">"""
    found = parse_index_page(page, URL)
    assert found.kind == IndexPageKind.HTML
    assert [(link.url, link.text) for link in found.links] == [
        ("https://food.example/base/soup.html", "Hot soup"),
        ("https://food.example/pie", "Pie"),
    ]
    assert found.links[1].path.endswith("/ul.all[1]/li[2]/a[1]")
    assert found.index_pages == (("https://food.example/feed.xml", IndexPageKind.FEED),)


def test_rss_and_atom() -> None:
    rss = b"""<?xml version="1.0"?><rss><channel><link>/</link><item><title>Soup</title><link>/soup</link>
      <pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>"""
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><entry><title>Soup</title>
      <link href="/soup"/><updated>2024-01-01</updated></entry></feed>"""
    for data, at in ((rss, "Mon, 01 Jan 2024 00:00:00 GMT"), (atom, "2024-01-01")):
        found = parse_index_page(data, URL)
        assert found.kind == IndexPageKind.FEED
        assert [(link.url, link.text, link.modified) for link in found.links] == [
            ("https://food.example/soup", "Soup", at)
        ]


def test_json_feed() -> None:
    found = parse_index_page(
        b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "url": "/soup", "title": "Soup"}]}',
        URL,
    )
    assert [(link.url, link.text) for link in found.links] == [
        ("https://food.example/soup", "Soup")
    ]


def test_sitemaps_nested_and_packed() -> None:
    sitemap = b"<urlset><url><loc>https://food.example/a&amp;b</loc><lastmod>2024-01-01</lastmod></url></urlset>"
    index = b"<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>"
    found = parse_index_page(gzip.compress(sitemap), URL)
    assert found.kind == IndexPageKind.SITEMAP
    assert [(link.url, link.modified) for link in found.links] == [
        ("https://food.example/a&b", "2024-01-01")
    ]
    assert parse_index_page(index, URL).index_pages == (
        ("https://food.example/one.xml.gz", IndexPageKind.SITEMAP),
    )


def test_broken_and_hostile_xml_is_read_as_far_as_it_goes() -> None:
    broken = b"<rss><item><link>https://food.example/soup</link><item>"
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><item><link>https://food.example/pie</link></item></rss>'
    assert [link.url for link in parse_index_page(broken, URL).links] == [
        "https://food.example/soup"
    ]
    assert [link.url for link in parse_index_page(bomb, URL).links] == [
        "https://food.example/pie"
    ]


def test_the_hash_depends_on_links_alone() -> None:
    one, two = (
        parse_index_page(f"<p>Visit {visit}</p><a href=/soup>Soup</a>".encode(), URL)
        for visit in (1, 2)
    )
    assert one.hash == two.hash
    assert one.hash != parse_index_page(b"<a href=/soup>Soup!</a>", URL).hash


@given(
    st.sampled_from(
        [
            b"",
            b"<rss>",
            b"<urlset>",
            b"\x1f\x8b",
            b"<feed>",
            b'{"version":"https://jsonfeed.org/"',
        ]
    ),
    st.binary(max_size=200),
)
def test_any_bytes_give_a_listing(start: bytes, data: bytes) -> None:
    parse_index_page(start + data, URL)
