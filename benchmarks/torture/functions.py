"""Every function of the library that reads a page, as calls that do all of their work:
results are lazy, so they are asked for all that they have.

A function yields a name after each call; what was used up since the last name is the
call's. Errors of the library (`ScytheError`) are answers too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import scythe
from scythe.collect.links.discovery import Link, first_groups
from scythe.collect.links.index_pages import html_listing
from scythe.engines.discovery.opensearch import description_links
from scythe.engines.discovery.search_page import typed_forms
from scythe.engines.forms.detection import asks_for_login, page_forms, search_forms
from scythe.templates.template.preview import draw_template, tree_text
from scythe.tree.static_page import static_page
from scythe.web.snapshots.frame import render_snapshot
from scythe.web.snapshots.marks import content_marks, record_marks
from scythe.wrappers.export import scrapy_spider, searxng, xpath
from scythe.wrappers.find import FindMethod, records_on
from scythe.wrappers.learn import Method
from scythe.wrappers.pagination import next_page
from scythe.wrappers.show import show_html

URL = "https://site.example/list?page=1"
SEARCH_URL = "https://site.example/search?q={query}&page={pageno}"

Calls = Iterator[str]
Function = Callable[[str], Calls]
FUNCTIONS: dict[str, Function] = {}
"""The functions by name."""


def function(calls: Function) -> Function:
    """Put a function on the list."""
    FUNCTIONS[calls.__name__] = calls
    return calls


@function
def extract(html: str) -> Calls:
    document = scythe.extract(html, URL)
    repr(document.markdown)
    yield "extract to Markdown"
    repr(document.text)
    yield "text"
    repr(document.html)
    yield "html"
    repr(document.xml)
    yield "xml"
    repr(document.tei)
    yield "tei"
    document.to_dict()
    yield "to_dict"
    document.chunks()
    yield "chunks"
    repr((document.dropped, document.media, document.posts))
    yield "dropped, media, posts"


@function
def extract_by_papers(html: str) -> Calls:
    for method in ("econ", "econ+", "coreex", "lbda"):
        repr(scythe.extract(html, URL, method).text)
        yield method


@function
def records(html: str) -> Calls:
    found = scythe.records(html, URL, render=False)
    for record in found:
        repr((record.text, record.fields, record.link))
    yield "records"
    repr(found.next_page)
    yield "next_page"


@function
def records_by_papers(html: str) -> Calls:
    methods: tuple[FindMethod, ...] = ("vints", "mdr")
    for method in methods:
        len(scythe.records(html, URL, render=False, method=method))
        yield method


@function
def learn(html: str) -> Calls:
    wrapper = scythe.learn([html], render=False)
    yield "learn"
    for record in wrapper.extract(html, URL):
        repr(record.fields)
    yield "extract"
    xpath(wrapper)
    yield "xpath"
    searxng(wrapper, "engine", SEARCH_URL)
    yield "searxng"
    scrapy_spider(wrapper, URL)
    yield "scrapy_spider"


@function
def learn_by_papers(html: str) -> Calls:
    method: Method = "vints"
    scythe.learn([html], render=False, method=method)
    yield "learn by ViNTs"


@function
def learn_two(html: str) -> Calls:
    scythe.learn([html, other(html)], render=False)
    yield "learn of two"


@function
def template(html: str) -> Calls:
    grown = scythe.Template.induce([html])
    yield "induce"
    grown.update(other(html))
    yield "update"
    grown.extract(html)
    yield "extract"
    repr((grown.slots, grown.record(html)))
    yield "slots, record"
    tree_text(grown)
    grown.as_text()
    yield "as text"
    draw_template(grown, html, scythe.parse(html))
    yield "draw"


@function
def suggest(html: str) -> Calls:
    grown = scythe.Template.induce([html, other(html)])
    yield "induce"
    scythe.suggest(grown, [(scythe.parse(html), URL), (scythe.parse(other(html)), URL)])
    yield "suggest"


@function
def read_page(html: str) -> Calls:
    scythe.read_page(html, URL)
    yield "read_page"


@function
def read_page_of_kinds(html: str) -> Calls:
    for kind in ("recipe", "product"):
        scythe.read_page(html, URL, kind)
        yield kind


@function
def forms(html: str) -> Calls:
    tree = scythe.parse(html)
    page_forms(tree, URL)
    yield "page_forms"
    search_forms(tree, URL)
    yield "search_forms"
    typed_forms(tree, URL)
    yield "typed_forms"
    asks_for_login(tree, URL)
    list(description_links(tree, URL))
    yield "others"


@function
def pagination(html: str) -> Calls:
    tree = scythe.parse(html)
    next_page(tree, [], URL)
    yield "next_page"
    listing = html_listing(tree, URL)
    repr(listing.hash)
    yield "links"
    links = [Link(link.url, link.text, link.path) for link in listing.links]
    first_groups(links)
    yield "groups of links"


@function
def clusters(html: str) -> Calls:
    found = scythe.Clusters()
    found.add(html, URL)
    yield "add"
    found.add(other(html), f"{URL}&other")
    found.recluster()
    repr(found.clusters)
    yield "recluster"
    found.as_json()
    yield "as_json"


@function
def frame(html: str) -> Calls:
    tree = scythe.parse(html)
    render_snapshot(tree)
    yield "render_snapshot"
    static_page(tree, {}, "", "")
    yield "static_page"


@function
def drawn(html: str) -> Calls:
    tree = scythe.parse(html)
    found = records_on(tree, URL)
    yield "records"
    record_marks(tree, [record.span for record in found])
    show_html(html, tree, found, URL)
    yield "show_html"
    document = scythe.extract(html, URL)
    yield "extract"
    content_marks(document.tree, document.selection)
    yield "content_marks"


def other(html: str) -> str:
    """Return a page of the same kind that differs in its words."""
    return html.replace("Words", "Other words").replace("Item", "Thing")
