"""Engines that only a browser can use: forms, boxes and results that are made by
script.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from library_site import Library, titles
from loopback import HTML, Loopback, Reply, Visit
from scythe.engines.asking.results import SearchStatus
from scythe.engines.asking.sender import Sender, SendOptions
from scythe.engines.discovery.discover import DiscoverOptions
from scythe.engines.discovery.search_page import typed_forms
from scythe.engines.engine import Engine
from scythe.engines.forms.form import SearchForm
from scythe.render import Browser
from scythe.render.options import RenderOptions, Typing
from scythe.sources.crawl_policy import CrawlPolicy
from scythe.tree import parse

FEW = DiscoverOptions(samples=3, max_queries=8)
BOX = (
    "<input type=search id=box aria-label=Search><p>Books on music and the garden.</p>"
)
PATHS = "<script>box.onkeydown = event => { if (event.key == 'Enter') location = '/books/' + encodeURIComponent(box.value) }</script>"
HASHES = "<script>box.onkeydown = event => { if (event.key == 'Enter') location.hash = 'q=' + encodeURIComponent(box.value) }</script>"
SHOWING = (
    "<div id=out></div><script>async function show() { const words = decodeURIComponent(location.hash.slice(3));"
    "if (words) out.innerHTML = await (await fetch('/part?q=' + encodeURIComponent(words))).text() }"
    "onhashchange = show; show()</script>"
)


def sender() -> Sender:
    return Sender(SendOptions(loopback_pause=0.0), CrawlPolicy())


def html(body: str) -> Reply:
    return (
        200,
        {"Content-Type": HTML},
        f"<!DOCTYPE html><html lang=en><title>Library</title>{body}</html>".encode(),
    )


def assert_finds(engine: Engine, library: Library) -> None:
    for query in ("weather", "northern"):
        results = engine.search(query, sender=sender())
        assert results.status is SearchStatus.OK, results.note
        assert [record.fields["title"] for record in results] == list(
            titles(library.found(query)[:10])
        )


@pytest.mark.usefixtures("browser")
def test_a_form_that_a_script_builds(web: Loopback) -> None:
    library = Library()
    built = f"<div id=place></div><p>Books on music.</p><script>place.innerHTML = {json.dumps(library.form())}</script>"
    web.site = replace(
        library,
        hook=lambda visit: (
            html(built.replace("</form", "<\\/form")) if visit.path == "/app" else None
        ),
    )
    engine = Engine.discover(web.url("/app"), options=FEW, sender=sender())
    assert not engine.rendered
    assert_finds(engine, library)


@pytest.mark.usefixtures("browser")
def test_a_box_whose_script_leads_to_an_address(web: Loopback) -> None:
    library = Library()

    def scripted(visit: Visit) -> Reply | None:
        if visit.path == "/app":
            return html(BOX + PATHS)
        if visit.path.startswith("/books/"):
            return library(
                replace(visit, path=visit.path.replace("/books/", "/find?q="))
            )
        return None

    web.site = replace(library, hook=scripted)
    engine = Engine.discover(web.url("/app"), options=FEW, sender=sender())
    assert engine.form.action == web.url("/books/{query}")
    assert_finds(engine, library)


@pytest.mark.usefixtures("browser")
def test_results_that_a_script_shows_on_the_same_page(web: Loopback) -> None:
    library = Library()

    def scripted(visit: Visit) -> Reply | None:
        if visit.path == "/app":
            return html(BOX + HASHES + SHOWING)
        if visit.path.startswith("/part?"):
            return library(replace(visit, path=visit.path.replace("/part", "/find")))
        return None

    web.site = replace(library, hook=scripted)
    engine = Engine.discover(web.url("/app"), options=FEW, sender=sender())
    assert engine.rendered
    assert_finds(engine, library)


def test_a_form_that_a_script_handles_is_typed_into_and_read_when_it_has_grown(
    browser: Browser, web: Loopback
) -> None:
    box = b"<form role=search><input type=search name=q></form><ul id=out></ul>"
    script = (
        b"<script>let rows = 0; document.querySelector('input').onkeyup = event => {"
        b"if (event.target.value == 'hay') { const timer = setInterval(() => {"
        b"out.insertAdjacentHTML('beforeend', '<li>hay ' + ++rows);"
        b"if (rows == 30) clearInterval(timer) }, 20) } }</script>"
    )
    web.add("/typed", box + script)
    (form,) = typed_forms(parse(box), web.url("/typed"))
    request = form.request("hay")
    options = RenderOptions(scripts=True, network=True, settle_timeout=6)
    typing = Typing(request.headers["field"], (request.body or b"").decode())
    tree = browser.type_into(request.url, typing, options=options)
    assert sum(tree.name(node) == "li" for node in range(len(tree))) == 30
    assert SearchForm.from_json(form.as_json()) == form


def test_a_field_that_leads_nowhere_stays_where_it_is(
    browser: Browser, web: Loopback
) -> None:
    web.add("/still", b"<input>")
    assert browser.submit(web.url("/still"), 0, "words") == web.url("/still")
