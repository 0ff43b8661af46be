"""Stylesheets of example pages: fetched once, politely, within bounds, and found again
without a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection
from scythe.collect.context import RunContext
from scythe.collect.steps.stylesheets import linked_stylesheets, stored_stylesheets
from scythe.store.collections.bodies import StyleRows
from scythe.tree.parse import parse

pytestmark = pytest.mark.slow

CSS = {"Content-Type": "text/css"}


class Styled(GrowingSite):
    """A site whose pages link stylesheets."""

    def _page(self, title: str, content: str) -> str:
        links = "".join(
            f'<link rel=stylesheet href="/{name}">'
            for name in ("a.css", "b.css", "page.html", "secret/c.css")
        )
        return super()._page(title, content).replace("<title>", f"{links}<title>")


@pytest.fixture
def site() -> Iterator[Served]:
    site = Styled(robots="User-agent: *\nDisallow: /secret/\n")
    site.grow(1, 6)
    site.extra = {
        "/a.css": (200, CSS, b"h1 { color: red }"),
        "/b.css": (404, CSS, b""),
        "/page.html": (200, {"Content-Type": "text/html"}, b"<p>"),
        "/secret/c.css": (200, CSS, b"p {}"),
    }
    with Served(site) as served:
        yield served


def test_a_run_keeps_the_style_of_example_pages(site: Served, tmp_path: Path) -> None:
    with Collection.add(
        f"{site.url}/", "kitchen", "recipe", db=str(tmp_path / "a.db"), delay=0.0
    ) as collection:
        collection.run()
        context = RunContext(collection.store, collection.row)
        kept = StyleRows(context.store, context.row.id)
        addresses = [
            f"{site.url}/{name}"
            for name in ("a.css", "b.css", "page.html", "secret/c.css")
        ]
        assert kept.texts(addresses) == {addresses[0]: "h1 { color: red }"}
        assert kept.known(addresses) == set(addresses)
        asked = [path for path, _ in site.site.asked]
        assert asked.count("/a.css") == 1
        assert "/secret/c.css" not in asked
        page = context.pages.all()[0]
        tree = parse(context.pages.body(page.body_hash or ""))
        assert list(stored_stylesheets(context, tree, page).values()) == [
            "h1 { color: red }"
        ]
        collection.run(refetch_all=True)
        assert [path for path, _ in site.site.asked].count("/a.css") == 1


def test_links_of_a_page_are_found_by_its_own_base() -> None:
    page = (
        "<base href='https://cdn.example/x/'><link rel='stylesheet preload' href='a.css#top'><link rel=icon href=b.css>"
        "<link rel='alternate stylesheet' href=c.css><link rel=stylesheet href='data:text/css,p{}'><link rel=stylesheet>"
        "<link rel=stylesheet href='https://[broken/'><link rel=StyleSheet href=//other.example/d.css>"
        "<link rel=stylesheet disabled href=e.css>"
    )
    found = linked_stylesheets(parse(page), "https://oats.example/1")
    assert list(found.values()) == [
        "https://cdn.example/x/a.css",
        "https://other.example/d.css",
    ]


def test_a_page_with_many_links_has_some_of_them() -> None:
    page = "".join(f"<link rel=stylesheet href={number}.css>" for number in range(100))
    assert len(linked_stylesheets(parse(page), "https://oats.example/")) == 8
