"""What an input is, by how it begins, what it is declared to be, and its name."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scythe
from scythe.media import MediaKind, recognize

STORY = "They cut the barley at dawn, rested at noon, and went on until dark. " * 10
RSS = '<?xml version="1.0"?><!-- made by hand --><rss version="2.0"><channel><title>News</title></channel></rss>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>'
RSS_1 = '<?xml version="1.0"?><rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel/></rdf:RDF>'
SITEMAP = (
    '<?xml version="1.0"?><urlset><url><loc>https://farm.example/</loc></url></urlset>'
)
SITEMAPS = (
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>'
)
CSV = "name,price\nbarley,3\noats,4\n"

PAGES = [
    "",
    "<p>Barley",
    "Barley<br>and oats",
    f"<!-- {STORY} --><!DOCTYPE html><html><p>x</html>",
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml"/>',
    '<?xml version="1.0" encoding="utf-8"?><div>A part of a page</div>',
    "<my-app></my-app><script src=app.js></script>",
    f'<html><script type="application/json">{json.dumps({"a": 1})}</script></html>',
    f"[ <b>note</b> ] <p>{STORY}</p>",
]
OTHERS = [
    (RSS, MediaKind.FEED, "RSS"),
    (RSS_1, MediaKind.FEED, "RSS"),
    (ATOM, MediaKind.FEED, "Atom"),
    (SITEMAP, MediaKind.SITEMAP, "sitemap"),
    (SITEMAPS, MediaKind.SITEMAP, "sitemap"),
    ('{"name": "<p>barley</p>"}', MediaKind.DATA, "JSON"),
    ('[{"name": "barley"}, {}]', MediaKind.DATA, "JSON"),
    ("[1, 2, 3]", MediaKind.DATA, "JSON"),
    ('{"a": 1}\n{"a": 2}\n', MediaKind.DATA, "JSON"),
    (CSV, MediaKind.DATA, "CSV"),
    ('name;price;note\n"a;b";3;x\nc;4;y\n', MediaKind.DATA, "CSV"),
    ("name\tprice\nbarley\t3\noats\t4\n", MediaKind.DATA, "TSV"),
    ('<?xml version="1.0"?><inventory><item/></inventory>', MediaKind.DATA, "XML"),
    (
        '<?xml version="1.0"?><!DOCTYPE farm [<!ENTITY b "c">]><farm>&b;</farm>',
        MediaKind.DATA,
        "XML",
    ),
    ("<svg xmlns='http://www.w3.org/2000/svg'/>", MediaKind.OTHER, "SVG"),
    ("%PDF-1.7 ...", MediaKind.OTHER, "PDF"),
    (STORY, MediaKind.TEXT, "plain text"),
    (
        "Bread, butter, jam\nTea, milk, sugar\nSalt, oil, rye\n",
        MediaKind.TEXT,
        "plain text",
    ),
    ("#include <vector>\nint main() { return a < b; }", MediaKind.TEXT, "plain text"),
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_pages_are_pages_in_any_charset(page: str, codec: str) -> None:
    assert recognize(page).kind is MediaKind.PAGE
    assert recognize(page.encode(codec)).kind is MediaKind.PAGE


@pytest.mark.parametrize(("text", "kind", "name"), OTHERS)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_is_no_page_says_what_it_is(
    text: str, kind: MediaKind, name: str, codec: str
) -> None:
    data = text.encode("utf-8" if name == "PDF" else codec)
    for media in (recognize(data), recognize(f"\n{text}".encode())):
        assert media.kind is kind
        assert name in media.name


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 8,
        b"\x89PNG\r\n\x1a\n",
        b"PK\x03\x04",
        b"\xff\xd8\xff\xe0",
        b"RIFF\0\0\0\0WEBP",
    ],
)
def test_binary_data(data: bytes) -> None:
    assert recognize(data).kind is MediaKind.OTHER


@pytest.mark.parametrize(
    ("data", "media_type", "name", "kind"),
    [
        ("See <b>this</b>.", "text/plain; charset=utf-8", None, MediaKind.TEXT),
        ("See <b>this</b>.", None, "notes.md", MediaKind.TEXT),
        ("See <b>this</b>.", "text/html", "page", MediaKind.PAGE),
        ("<html><p>x", "text/plain", "page.txt", MediaKind.PAGE),
        ("<html><p>x", "application/json", None, MediaKind.PAGE),
        ("a,b\n", None, "table.csv", MediaKind.DATA),
        ("a = 1;", None, "app.js", MediaKind.OTHER),
        ("ok", "application/json", None, MediaKind.DATA),
    ],
)
def test_declarations_count_where_the_beginning_says_nothing(
    data: str, media_type: str | None, name: str | None, kind: MediaKind
) -> None:
    assert recognize(data, media_type, name).kind is kind
    assert recognize(data.encode(), media_type, name).kind is kind


@given(st.binary(max_size=500) | st.text(max_size=500))
def test_any_input_is_something(data: bytes | str) -> None:
    assert recognize(data).kind in MediaKind


def test_a_feed_gives_a_document_that_names_the_command_for_it() -> None:
    document = scythe.extract(RSS)
    assert document.status == scythe.Status.FEED
    assert "scythe collect" in document.note
    assert document.text == document.markdown == document.html == ""
    assert scythe.extract(SITEMAP.encode()).status == scythe.Status.SITEMAP


@pytest.mark.parametrize(
    "data", ['{"text": "Long, long ago."}', CSV, b"%PDF-1.7", b"GIF89a"]
)
def test_other_inputs_give_no_text(data: bytes | str) -> None:
    document = scythe.extract(data)
    assert document.status == scythe.Status.NOT_HTML
    assert document.text == ""
    assert document.to_dict()["note"] == document.note != ""


def test_plain_text_passes_line_by_line() -> None:
    text = "A title\n\nThe first line,\nand the second: a < b & c.\n\n\nThe end.\n"
    document = scythe.extract(text)
    assert document.status == scythe.Status.TEXT
    assert document.text.split("\n") == [
        "A title",
        "The first line,",
        "and the second: a < b & c.",
        "The end.",
    ]


def test_among_pages_of_a_site_other_inputs_stay_apart() -> None:
    pages = [f"<p>{STORY}{number}</p>" for number in range(3)]
    documents = scythe.extract_many([*pages, RSS])
    assert [str(document.status) for document in documents] == ["ok"] * 3 + ["feed"]
