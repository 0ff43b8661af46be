"""What the addresses of a page are relative to, alike for everything that reads one."""

from __future__ import annotations

import pytest

import scythe
from scythe.collect.links.index_pages import html_listing
from scythe.collect.steps.stylesheets import linked_stylesheets
from scythe.content.structures.links import Links
from scythe.engines.discovery.opensearch import description_links
from scythe.engines.forms.builder import FormPage
from scythe.tree import parse
from scythe.tree.links import page_base_url
from scythe.wrappers.export.spider_runtime import values
from scythe.wrappers.pagination import next_page

PAGE = "https://site.example/garden/page.html"

BASES = [
    ("", PAGE),
    ("<base target=_blank>", PAGE),
    (
        "<base target=_blank><base href=https://cdn.example/x/>",
        "https://cdn.example/x/",
    ),
    ("<base href=https://cdn.example/x/><base href=/y/>", "https://cdn.example/x/"),
    ("<base href=/tools/>", "https://site.example/tools/"),
    ("<base href=../tools/>", "https://site.example/tools/"),
    ("<base href=//cdn.example/x/>", "https://cdn.example/x/"),
    ("<base href=' \n/to\tols/ '>", "https://site.example/tools/"),
    ("<base href='/our tools/'>", "https://site.example/our%20tools/"),
    ("<base href=''><base href=/y/>", PAGE),
    ("<base href=http://[broken/><base href=/y/>", PAGE),
    ("<base href=http:///x/>", PAGE),
    ("<base href='javascript:alert(1)'>", PAGE),
    ("<base href=data:text/html,x>", PAGE),
    ("<base href=mailto:hay@site.example>", PAGE),
    (f"<base href='/{'x' * 100_000}/'>", PAGE),
]


@pytest.mark.parametrize(("head", "base"), BASES)
def test_the_base_is_that_of_browsers(head: str, base: str) -> None:
    assert page_base_url(parse(f"<head>{head}</head><p>Hay"), PAGE) == base


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", None),
        ("<base href=https://cdn.example/x/>", "https://cdn.example/x/"),
        ("<base href=//cdn.example/x/>", "https://cdn.example/x/"),
        ("<base href=/tools/>", "/tools/"),
        ("<base href=''>", None),
        ("<base href='javascript:alert(1)'>", None),
        ("<base href=http://[broken/>", None),
    ],
)
def test_a_page_without_an_address(head: str, base: str | None) -> None:
    assert page_base_url(parse(f"<head>{head}</head><p>Hay"), None) == base


@pytest.mark.parametrize(("head", "base"), BASES)
def test_everything_that_resolves_addresses_does_so_alike(head: str, base: str) -> None:
    tree = parse(
        f"<head>{head}<link rel=stylesheet href=a.css><link rel=search href=s.xml "
        "type=application/opensearchdescription+xml></head>"
        "<p><a href=hay.html>Hay</a>"
    )
    folder = base.rpartition("/")[0]
    assert Links(tree, PAGE).page("hay.html") == f"{folder}/hay.html"
    assert [link.url for link in html_listing(tree, PAGE).links] == [
        f"{folder}/hay.html"
    ]
    assert FormPage(tree, PAGE, "utf-8").absolute("find") == f"{folder}/find"
    assert list(linked_stylesheets(tree, PAGE).values()) == [f"{folder}/a.css"]
    assert [found.url for found in description_links(tree, PAGE)] == [f"{folder}/s.xml"]


@pytest.mark.parametrize(("head", "base"), BASES)
def test_the_image_of_a_document_and_its_links_agree(head: str, base: str) -> None:
    words = "The meadow was cut early in the morning, before the sun stood high. " * 5
    html = (
        f"<head><title>Hay</title>{head}<meta property=og:image content=hay.jpg></head>"
        f"<article><h1>Hay</h1><p>{words}<a href=next.html>more</a></p></article>"
    )
    document = scythe.extract(html, url=PAGE)
    folder = base.rpartition("/")[0]
    assert document.image == f"{folder}/hay.jpg"
    assert f"({folder}/next.html)" in document.markdown


@pytest.mark.parametrize(("head", "base"), BASES)
def test_exported_spiders_resolve_alike(head: str, base: str) -> None:
    root = pytest.importorskip("lxml.html").fromstring(
        f"<html><head>{head}</head><body><p>Hay</body></html>"
    )
    assert values.base_url(root, PAGE) == base


@pytest.mark.parametrize(("head", "base"), BASES)
def test_the_next_page_of_a_list(head: str, base: str) -> None:
    tree = parse(f"<head>{head}</head><p>Hay<a rel=next href=2.html>next</a>")
    following = f"{base.rpartition('/')[0]}/2.html"
    same_site = following.startswith("https://site.example/")
    assert next_page(tree, [], PAGE) == (following if same_site else None)
