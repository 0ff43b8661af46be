"""Exports that other programs load: whatever a page has put into its names, they are
read as they were written, and find what the wrapper finds.

`searxng_rows` does what the `xpath` engine of searx and SearXNG is documented to do;
`tests/e2e/engines/test_searx.py` runs searx itself.
"""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import urljoin

import lxml.html
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine_pages import result_page, row_page
from scythe.sections.fields import learn_fields
from scythe.tree import parse
from scythe.wrappers.export import scrapy_spider, searxng
from scythe.wrappers.rule import ElementSelector, LocatedRule
from scythe.wrappers.wrapper import Expectation, Wrapper

SEARCH = "http://x.example/find?q={query}"
NASTY = "'\"\\\n\r\t\0\x01\x7f\x85\u2028\ufeff\ufffe\ud83d\U0001f33e{}[]()%#:&*!|>@`,-?"


def wrapper_of(rule: LocatedRule, *pages: str) -> Wrapper:
    trees = [parse(page) for page in pages]
    fields = learn_fields([(tree, rule.cut(tree)) for tree in trees])
    return Wrapper(rule, fields, Expectation((10, 10), 0.5, linked=True))


def entry_of(wrapper: Wrapper, name: str = "hay") -> dict[str, Any]:
    settings = yaml.safe_load(searxng(wrapper, name, SEARCH))
    (entry,) = settings["engines"]
    return dict(entry)


def searxng_rows(entry: dict[str, Any], page: str) -> list[tuple[str, str, str]]:
    root = lxml.html.fromstring(page)
    rows = []
    for record in root.xpath(entry["results_xpath"]):
        (link,) = record.xpath(entry["url_xpath"])
        texts = []
        for name in ("title_xpath", "content_xpath"):
            values = record.xpath(entry[name])
            found = [v if isinstance(v, str) else v.text_content() for v in values]
            texts.append(" ".join("".join(found).split()))
        title, content = texts
        rows.append((title, urljoin(entry["search_url"], link), content))
    return rows


def rows_of(wrapper: Wrapper, page: str) -> list[tuple[str, str, str]]:
    records = wrapper.extract(page, url="http://x.example/find")
    rows = []
    for record in records:
        title, snippet = record.fields["title"], record.fields.get("snippet", "")
        rows.append((str(title), record.link or "", str(snippet)))
    return rows


def described_page(start: int) -> str:
    """Terms with their descriptions: every third lacks one, every fourth has a date."""
    rows = ""
    for n in range(start, start + 9):
        rows += f"<dt><a href='/d/{n}'>Term number {n}</a></dt>"
        if n % 3:
            rows += f"<dd class=text>Words that describe the term {n}, and more.</dd>"
        if n % 4 == 0:
            rows += f"<dd class=day>2024-05-{n + 1:02}</dd>"
    return f"<!DOCTYPE html><body><dl>{rows}</dl>"


TERMS = LocatedRule(ElementSelector("dl"), (), ElementSelector("dt"), runs=True)
ROWS = LocatedRule(
    ElementSelector("table", "results"),
    ("tbody",),
    ElementSelector("tr", None, ("head",)),
    runs=True,
)


def test_a_record_of_several_siblings_is_read_from_its_first() -> None:
    wrapper = wrapper_of(TERMS, described_page(0), described_page(9))
    assert "snippet" in wrapper.fields.columns
    unseen = described_page(18)
    rows = searxng_rows(entry_of(wrapper), unseen)
    assert rows == rows_of(wrapper, unseen)
    assert [bool(content) for _, _, content in rows] == [n % 3 > 0 for n in range(9)]


def test_rows_of_a_table_in_twos() -> None:
    wrapper = wrapper_of(ROWS, row_page(0))
    rows = searxng_rows(entry_of(wrapper), row_page(1))
    expected = rows_of(wrapper, row_page(1))
    assert [row[:2] for row in rows] == [row[:2] for row in expected]


def test_an_address_without_tls_is_allowed_by_name() -> None:
    rule = LocatedRule(
        ElementSelector("ol", "results"), (), ElementSelector("li", None, ("hit",))
    )
    wrapper = wrapper_of(rule, result_page(0), result_page(1))
    assert entry_of(wrapper)["enable_http"] is True
    secure = searxng(wrapper, "hay", SEARCH.replace("http:", "https:"))
    assert "enable_http" not in secure


names = st.text(st.one_of(st.sampled_from(NASTY), st.characters()), min_size=1)


@given(name=names, label=names)
def test_whatever_a_page_calls_things_the_exports_load_and_find(
    name: str, label: str
) -> None:
    class_name = "".join(name.split()) or "x"
    rows = ""
    for n in range(6):
        rows += (
            f'<li class="{escape(class_name)}"><a href="/i/{n}">Item number {n}</a>'
            f'<p class="{escape(class_name)}-t">{escape(label)}: some words {n}</p></li>'
        )
    page = f'<!DOCTYPE html><body><ul id="{escape(name)}">{rows}</ul>'
    tree = parse(page)
    container = next(node for node in range(len(tree)) if tree.name(node) == "ul")
    identity = tree.attributes(container).get("id", "")
    classes = tree.attributes(container + 1).get("class", "").split()
    rule = LocatedRule(
        ElementSelector("ul", identity), (), ElementSelector("li", None, tuple(classes))
    )
    wrapper = wrapper_of(rule, page)
    entry = entry_of(wrapper)
    lxml.html.fromstring("<p>x").xpath(entry["results_xpath"])
    for key in ("url_xpath", "title_xpath", "content_xpath"):
        lxml.html.fromstring("<p>x").xpath(entry[key])
    loaded: dict[str, Any] = {"__name__": "exported"}
    source = scrapy_spider(wrapper, "http://x.example/", name)
    exec(compile(source.encode(), "exported.py", "exec"), loaded)
    assert loaded["RecordsSpider"].name == name
    items = spider_items(loaded["RecordsSpider"], page)
    if items is not None:
        assert [item["link"] for item in items] == [
            f"http://x.example/i/{n}" for n in range(6)
        ]


def spider_items(spider: Any, page: str) -> list[dict[str, Any]] | None:
    """What a spider reads; None of a page that cannot be sent."""
    from scrapy.http import HtmlResponse

    try:
        body = page.encode()
    except UnicodeEncodeError:
        return None
    response = HtmlResponse("http://x.example/", body=body, encoding="utf-8")
    return [item for item in spider().parse(response) if isinstance(item, dict)]


@pytest.mark.parametrize("class_name", ["🌾", "a'b", 'a"b', "a\\n", "\U0001f33e-row"])
def test_odd_class_names_are_found_again(class_name: str) -> None:
    rows = "".join(
        f'<li class="{escape(class_name)}"><a href=/i/{n}>Item number {n}</a></li>'
        for n in range(5)
    )
    page = f"<!DOCTYPE html><body><ul><li><a href=/ad>Buy</a></li>{rows}</ul>"
    selector = ElementSelector("li", None, (class_name,))
    wrapper = wrapper_of(LocatedRule(ElementSelector("ul"), (), selector), page)
    assert len(searxng_rows(entry_of(wrapper), page)) == 5
    loaded: dict[str, Any] = {"__name__": "exported"}
    exec(scrapy_spider(wrapper, "http://x.example/"), loaded)
    items = spider_items(loaded["RecordsSpider"], page)
    assert items is not None
    assert len(items) == 5
