"""Pages made to keep a pattern busy: runs it can take in many ways, and beginnings
without end.

Each is so large that a pattern which tries all ways would not come back. They run in a
process of their own, each with a deadline far beyond what it needs.
"""

from __future__ import annotations

import multiprocessing
from importlib import import_module
from multiprocessing.connection import Connection

import pytest

from scythe.collect.crawl.shells import is_shell
from scythe.collect.links.index_pages import parse_index_page
from scythe.content.embedded import select_embedded
from scythe.content.methods.learned.declared import read_declared
from scythe.store.search.documents import facet_terms
from scythe.tree import parse
from scythe.tree.encoding import decode
from scythe.tree.static_page import doctype
from scythe.web.snapshots.css import harmless_css
from scythe.web.snapshots.frame import render_snapshot

pytestmark = pytest.mark.slow

DEADLINE = 60
"""Seconds after which a process does not come back."""
MANY = 1_000_000
DATA = "data:image/png;base64,AAAA"


def spaces_in_an_address() -> None:
    style = "background:url(" + " " * 19_000
    assert "none(" in render_snapshot(parse(f'<p style="{style}">words</p>'))


def spaces_in_an_address_of_a_stylesheet() -> None:
    assert harmless_css("url(" + " " * MANY).startswith("none(")


def lines_in_an_address() -> None:
    assert harmless_css("url(" + "\n \t" * (MANY // 3) + "x").startswith("none(")


def addresses_without_end() -> None:
    assert "url(" not in harmless_css("url(" * (MANY // 4))
    assert "url(" not in harmless_css("url( " * (MANY // 5) + '"')


def quotes_without_end() -> None:
    assert "url(" not in harmless_css("url(\"url('" * (MANY // 10))


def spaces_in_a_width() -> None:
    assert "width='320'" not in render_snapshot(
        parse(f'<img width="1{" " * MANY}x" height="9">')
    )


def comments_before_a_doctype() -> None:
    assert doctype("<!---->" * 500) == ""
    assert doctype("<!---->" * 500 + "<!doctype html>") == "<!doctype html>"
    assert doctype("<!-- " * 800) == ""


def elements_without_end() -> None:
    assert is_shell(b"<script>" * 37_000)
    assert is_shell(b"<script>" + b"<style><svg><head>" * 16_000)


def comments_without_end() -> None:
    assert is_shell(b"<script></script>" + b"<!-->" * 55_000)
    assert not is_shell(b"<script></script>" + b"<!--" * 70_000)


def ends_without_bracket() -> None:
    assert is_shell(b"<script>" + b"</script " * 32_000 + b">")
    assert is_shell(b"<script>" + b"</script" + b" " * 290_000 + b"x>")


def spaces_before_a_charset() -> None:
    page = b"<meta " * 60 + b"charset=" + b" " * 190_000 + b"\xe4\xf6!>"
    assert decode(page).text.startswith("<meta")


def spaces_before_a_type() -> None:
    text = '"@type":' + " " * MANY
    page = f'<script type="application/ld+json">{text}</script>'
    assert not read_declared(parse(page)).title.strip()


def spaces_in_an_embedded_text() -> None:
    text = "word" + " " * (MANY - 1_000) + "word"
    page = f'<script type="application/ld+json">{{"@type": "Article", "text": "{text}"}}</script>'
    assert select_embedded(parse(page)) is None


def spaces_in_a_value() -> None:
    assert facet_terms("colour", "red" + " " * MANY + "green") == {}


def tags_of_a_sitemap_without_end() -> None:
    start = b"<urlset>"
    assert parse_index_page(start + b"<loc" * MANY, "https://site.example/").links == ()
    assert (
        parse_index_page(start + b"<loc" * MANY + b"><", "https://site.example/").links
        == ()
    )


def spaces_in_a_sitemap() -> None:
    data = b"<urlset><loc>" + b" " * MANY + b"<loc>https://site.example/a</loc>"
    (link,) = parse_index_page(data, "https://site.example/").links
    assert link.url == "https://site.example/a"


def words_in_a_search_address() -> None:
    module = import_module("scythe.wrappers.export.searxng")
    address = "https://site.example/?q={query}&p={pageno}&" + "start" * (MANY // 5)
    assert module._paging(None, address) == {"paging": True, "first_page_num": 1}


HOSTILE = [
    spaces_in_an_address,
    spaces_in_an_address_of_a_stylesheet,
    lines_in_an_address,
    addresses_without_end,
    quotes_without_end,
    spaces_in_a_width,
    comments_before_a_doctype,
    elements_without_end,
    comments_without_end,
    ends_without_bracket,
    spaces_before_a_charset,
    spaces_before_a_type,
    spaces_in_an_embedded_text,
    spaces_in_a_value,
    tags_of_a_sitemap_without_end,
    spaces_in_a_sitemap,
    words_in_a_search_address,
]


def run_hostile_pages(begun: Connection) -> None:
    """Run all of them, and tell of each before it is begun."""
    for page in HOSTILE:
        begun.send(page.__name__)
        page()
    begun.send("")


def test_hostile_pages_come_back() -> None:
    receiver, sender = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=run_hostile_pages, args=(sender,))
    process.start()
    sender.close()
    last = "the start"
    try:
        while last and receiver.poll(DEADLINE):
            last = receiver.recv()
    except EOFError:
        pytest.fail(f"{last} failed")
    finally:
        process.kill()
        process.join()
    assert not last, f"{last} did not come back within {DEADLINE} seconds"


@pytest.mark.parametrize(
    ("css", "harmless"),
    [
        (f"a{{b:url( '{DATA}' )}}", f'a{{b:url("{DATA}")}}'),
        (f"url(\n{DATA}\n)", f'url("{DATA}")'),
        (f"url( url( '{DATA}')", f'none( url("{DATA}")'),
        ("url(a url(b) c)", "none c)"),
        ("url('a' 'b') url(b)", "none('a' 'b') none"),
        ("url(a\nb) url()", "none(a\nb) none"),
        ("URL(x) curl(x) -url(x)", "none curl(x) -none"),
    ],
)
def test_addresses_of_a_style(css: str, harmless: str) -> None:
    assert harmless_css(css) == harmless


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html>",
        "\n <!DOCTYPE html><p>",
        "<!-- saved --> <!-- <p> --><!DOCTYPE html>",
        "<!--[if !IE]><!--> <!DOCTYPE html>",
    ],
)
def test_doctype_behind_comments(html: str) -> None:
    assert doctype(html) == "<!DOCTYPE html>"


@pytest.mark.parametrize(
    ("body", "shell"),
    [
        (b"<head><title>%s</title></HEAD ><script src=a></script>", True),
        (b"<script>%s</script><style>%s</style><!-- %s <p> -->", True),
        (b"<script src=a></script><svg><p>%s</svg><header></header>", True),
        (b"<script src=a></script><p>%s</p>", False),
        (b"<script src=a></script><header>%s</header>", False),
        (b"<script src=a></script><noscript><p>%s</p>", False),
        (b"<script src=a></script><!-- <p>%s</p>", False),
        (b"<p>words</p>", False),
    ],
)
def test_shells(body: bytes, shell: bool) -> None:
    assert is_shell(body.replace(b"%s", b"some words " * 200)) == shell


def test_addresses_of_a_broken_sitemap() -> None:
    data = b"""<urlset><loc>https://site.example/a<loc > <![CDATA[ https://site.example/b ]]>
        <loc></loc><link rel="a"/><guid isPermaLink="1">https://site.example/c"""
    links = parse_index_page(data, "https://site.example/").links
    assert [link.url[-1] for link in links] == ["a", "b", "c"]
