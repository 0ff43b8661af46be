"""XML and TEI: well-formed whatever the page, with the words of the plain text."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import PAGE_URL, Selected, chosen_words, pages, selections

import scythe
from scythe.content.extract import build_document
from scythe.content.formats.markup import clean_text
from scythe.content.options import ExtractOptions
from scythe.content.selection import Selection
from scythe.tree.tree import Bools
from scythe.tree.visibility import visible

PAGE = """
<html lang=en><title>Barley prices | Courier</title>
<meta property="og:site_name" content="Courier"><meta name=author content="Ada Miller">
<meta property="article:published_time" content="2024-05-03">
<meta name=description content="Prices &amp; crops.">
<body><h1>Barley prices</h1><p>The <a href="/market">market</a> is <b>open</b>.<br>Still.
<h2>Crops</h2><ul><li>rye</li><li>oats</li></ul><ol start=3><li>c</ol>
<dl><dt>awn</dt><dt>beard</dt><dd>a bristle</dd><dt>chaff</dt><dd>a husk</dd></dl>
<blockquote><h3>Said</h3><p>Rain.</p></blockquote>
<figure><img src="field.jpg" alt="A field"><figcaption>The field.</figcaption></figure>
<pre class=language-python>a &lt; b
  c</pre><hr>
<h2>Table</h2><table><caption>Prices</caption><tr><th>Year</th><th>Price</th></tr>
<tr><td>2023</td><td>190</td></tr><tr><td>2024</td><td>205</td></tr></table>
"""
TEI = "{http://www.tei-c.org/ns/1.0}"
PHRASES = {
    "hi",
    "ref",
    "del",
    "add",
    "code",
    "q",
    "abbr",
    "term",
    "date",
    "graphic",
    "lb",
}
CHUNKS = {"p", "ab", "list", "quote", "figure", "table", "milestone"}
ALLOWED = {
    "TEI": {"teiHeader", "text"},
    "teiHeader": {"fileDesc", "profileDesc"},
    "fileDesc": {"titleStmt", "publicationStmt", "sourceDesc"},
    "titleStmt": {"title", "author"},
    "publicationStmt": {"publisher", "date", "ref", "p"},
    "sourceDesc": {"bibl"},
    "bibl": {"title", "author", "publisher", "date", "ref"},
    "profileDesc": {"abstract", "langUsage"},
    "abstract": {"p"},
    "langUsage": {"language"},
    "text": {"body", "back"},
    "back": {"div"},
    "body": CHUNKS | {"div"},
    "div": CHUNKS | {"div", "head", "note"},
    "note": {"ref"},
    "list": {"item"},
    "item": CHUNKS | {"label"},
    "quote": CHUNKS,
    "figure": CHUNKS | {"graphic", "head"},
    "table": {"head", "row"},
    "row": {"cell"},
    "graphic": {"desc"},
    "code": set(),
    **dict.fromkeys(("p", "ab", "head", "label", "cell"), PHRASES),
    **dict.fromkeys(("hi", "ref", "del", "add", "q", "abbr", "term", "date"), PHRASES),
}
"""Which elements may stand in which, of those that we write."""
ANY_OPTIONS = st.builds(
    ExtractOptions,
    links=st.sampled_from(["inline", "footnotes", "none"]),
    images=st.booleans(),
    tables=st.sampled_from(["grid", "rows"]),
)


def document(
    html: bytes | str, nodes: Bools | None = None, options: ExtractOptions | None = None
) -> scythe.Document:
    """The document of all a reader sees of a page, or of some nodes."""

    def select(tree: scythe.Tree) -> Selection:
        return Selection(visible(tree) if nodes is None else nodes, confidence=1.0)

    return scythe.extract(html, PAGE_URL, select, options=options or ExtractOptions())


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def words_of(element: ET.Element | None) -> list[str]:
    """The words of the content; alternative texts are none."""
    assert element is not None
    for part in element.iter():
        if part.tag == TEI + "desc":
            part.text = ""
        if part.tag in ("br", TEI + "lb", "td", "th", TEI + "cell"):
            part.tail = "\n" + (part.tail or "")
    text = "".join(element.itertext())
    return text.replace("\u200b", " ").replace("\ufeff", " ").split()


def clean_words(selected: Selected) -> list[str]:
    return clean_text(" ".join(chosen_words(*selected))).split()


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=100) | pages(), ANY_OPTIONS)
def test_any_page_gives_well_formed_xml(
    html: bytes | str, options: ExtractOptions
) -> None:
    result = document(html, options=options)
    assert parsed(result.xml).tag == "document"
    assert parsed(result.tei).tag == f"{TEI}TEI"


@settings(max_examples=100, deadline=None)
@given(pages(), ANY_OPTIONS)
def test_tei_elements_stand_where_they_may(html: str, options: ExtractOptions) -> None:
    for element in parsed(document(html, options=options).tei).iter():
        name = element.tag.removeprefix(TEI)
        for child in element:
            assert child.tag.removeprefix(TEI) in ALLOWED[name], (name, child.tag)
        if name == "list":
            assert len(element)


@settings(max_examples=100, deadline=None)
@given(selections())
def test_words_are_those_of_the_plain_text(selected: Selected) -> None:
    tree, nodes = selected
    result = build_document(tree, Selection(nodes, 1.0), "all", PAGE_URL)
    # The headline is written once, wherever and how often the page has it.
    headline = set(clean_text(result.title or "").split())
    is_body = headline.isdisjoint
    words = clean_words((result.tree, result.selection.nodes))
    expected = [word for word in words if is_body([word])]
    for content in (
        parsed(result.xml).find("content"),
        parsed(result.tei).find(f"{TEI}text/{TEI}body"),
    ):
        assert [word for word in words_of(content) if is_body([word])] == expected


def test_tei_of_a_page() -> None:
    root = parsed(document(PAGE).tei)

    def texts(path: str) -> list[str]:
        steps = "/".join(TEI + step for step in path.split("/"))
        return [
            "".join(found.itertext()).strip() for found in root.iterfind(f".//{steps}")
        ]

    assert texts("titleStmt/title") == ["Barley prices"]
    assert texts("titleStmt/author") == ["Ada Miller"]
    assert texts("publicationStmt/publisher") == ["Courier"]
    assert texts("bibl/date") == ["2024-05-03"]
    assert texts("bibl/ref") == [PAGE_URL]
    assert texts("abstract/p") == ["Prices & crops."]
    assert texts("body/div/head") == ["Barley prices"]
    assert texts("body/div/div/head") == ["Crops", "Table"]
    assert texts("list/item/label") == ["awn", "beard", "chaff"]
    assert texts("quote/ab") == ["Said"]
    assert texts("figure/head") == ["The field."]
    assert texts("code") == ["a < b\n  c"]
    assert texts("table/head") == ["Prices"]
    assert texts("row/cell") == ["Year", "Price", "2023", "190", "2024", "205"]
    assert texts("p/hi") == ["open"]
    graphic = root.find(f".//{TEI}figure/{TEI}graphic")
    assert graphic is not None
    assert graphic.get("url") == "https://example.org/news/field.jpg"


def test_xml_of_a_page() -> None:
    root = parsed(document(PAGE).xml)
    assert root.findtext("metadata/title") == "Barley prices"
    assert root.findtext("metadata/status") == "ok"
    assert [item.get("start") for item in root.iter("ol")] == ["3"]
    assert [cell.text for cell in root.iter("td")] == ["2023", "190", "2024", "205"]
    link = root.find(".//a")
    assert link is not None
    assert link.get("href") == "https://example.org/market"


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    result = document("<p>be\x08ll \x0b and \ufffe\x1b[31m more</p>")
    assert "bell" in result.xml
    assert words_of(parsed(result.tei).find(f"{TEI}text"))[:2] == ["bell", "and"]


def test_footnotes_stand_at_the_back() -> None:
    result = document(PAGE, options=ExtractOptions(links="footnotes"))
    note = parsed(result.tei).find(f".//{TEI}back//{TEI}note/{TEI}ref")
    assert note is not None
    assert note.get("target") == "https://example.org/market"
    assert '<a href="#note-1">market</a>' in result.xml
