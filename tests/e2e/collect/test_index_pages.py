"""Index pages that are found from the first one: categories, pages of a list, feeds,
sitemaps.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection

HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'scythe.db'}"


def page(title: str, content: str) -> bytes:
    menu = '<nav><a href="/">Home</a> <a href="/about">About</a></nav>'
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{menu}<h1>{title}</h1>{content}</body></html>".encode()


def listed(site: GrowingSite, slugs: list[str]) -> str:
    entries = "".join(
        f'<li><a href="{site.path(slug)}">{site.recipes[slug].title}</a> <span>{site.recipes[slug].minutes} min</span></li>'
        for slug in slugs
    )
    return f"<ul class=recipes>{entries}</ul>"


def collected(url: str, db: str) -> tuple[Collection, set[str]]:
    collection = Collection.add(url, "kitchen", "recipe", db=db)
    collection.run()
    collection.accept_suggestions()
    return collection, {
        str((record.fields or {}).get("title")) for record in collection.records("ok")
    }


def test_categories_are_found_and_kept(db: str) -> None:
    site = GrowingSite()
    site.grow(1, 36)
    slugs = list(site.recipes)
    names = [f"category-{number}" for number in range(6)]
    home = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in names)
    site.extra["/"] = (200, HTML, page("Kitchen", f"<ul class=categories>{home}</ul>"))
    for number, name in enumerate(names):
        site.extra[f"/{name}"] = (
            200,
            HTML,
            page(name, listed(site, slugs[number * 6 : number * 6 + 6])),
        )
    with Served(site) as served:
        collection, titles = collected(f"{served.url}/", db)
        with collection:
            assert titles == {recipe.title for recipe in site.recipes.values()}
            assert {row.url for row in collection.index_pages()} == {
                f"{served.url}/",
                *(f"{served.url}/{name}" for name in names),
            }
            site.grow(100, 1)
            new = list(site.recipes)[-1]
            site.extra["/category-3"] = (
                200,
                HTML,
                page("category-3", listed(site, [*slugs[18:24], new])),
            )
            assert dict(collection.run().records) == {"new": 1}


def test_lists_go_on_over_several_pages(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the bound is for rounds that bring nothing, not for the length of a list
    monkeypatch.setattr("scythe.collect.run.MAX_ROUNDS", 5)
    site = GrowingSite()
    site.grow(1, 60)
    slugs = list(site.recipes)
    for number in range(1, 7):
        following = (
            f'<p class=pager><a rel=next href="/?page={number + 1}">Next page</a></p>'
            if number < 6
            else ""
        )
        content = page(
            "Kitchen", listed(site, slugs[number * 10 - 10 : number * 10]) + following
        )
        site.extra["/" if number == 1 else f"/?page={number}"] = (200, HTML, content)
    with Served(site) as served:
        collection, titles = collected(f"{served.url}/", db)
        with collection:
            assert titles == {recipe.title for recipe in site.recipes.values()}
            assert len(collection.index_pages()) == 6


def test_feeds_and_sitemaps_bring_records_that_no_page_lists(db: str) -> None:
    site = GrowingSite()
    site.grow(1, 14)
    slugs = list(site.recipes)
    with Served(site) as served:
        items = "".join(
            f"<item><title>{site.recipes[slug].title}</title><link>{site.path(slug)}</link></item>"
            for slug in slugs[9:12]
        )
        entries = "".join(
            f"<url><loc>{served.url}{site.path(slug)}</loc></url>" for slug in slugs[8:]
        )
        head = '<link rel=alternate type="application/rss+xml" href="/feed.xml"><link rel=sitemap href="/sitemap.xml">'
        site.extra["/"] = (200, HTML, page("Kitchen", head + listed(site, slugs[:9])))
        site.extra["/feed.xml"] = (
            200,
            XML,
            f"<rss><channel>{items}</channel></rss>".encode(),
        )
        site.extra["/sitemap.xml"] = (200, XML, f"<urlset>{entries}</urlset>".encode())
        collection, titles = collected(f"{served.url}/", db)
        with collection:
            assert titles == {recipe.title for recipe in site.recipes.values()}
            assert sorted(row.kind for row in collection.index_pages()) == [
                "feed",
                "html",
                "sitemap",
            ]


def test_what_lists_say_of_records_can_be_named(db: str) -> None:
    site = GrowingSite()
    site.grow(1, 10)
    site.extra["/"] = (200, HTML, page("Kitchen", listed(site, list(site.recipes))))
    with Served(site) as served:
        collection, _ = collected(f"{served.url}/", db)
        with collection:
            slots = {
                attribute.slot
                for attribute in collection.slots()
                if attribute.slot.startswith("index:")
            }
            assert slots


def device(name: str) -> bytes:
    rows = "".join(
        f"<tr><th>{label}</th><td>{label} of {name}</td></tr>"
        for label in ("Maker", "Memory", "Battery", "Screen")
    )
    text = f"The {name} is a device that many people have and that a few maintain. " * 3
    return page(name, f"<table class=facts>{rows}</table><p>{text}</p>")


def test_records_may_be_a_page_away_from_a_start_page_with_a_menu(db: str) -> None:
    """Pages of products do not tell what they are: lists decide together."""
    site = GrowingSite()
    guides = [f"guide-{number}" for number in range(6)]
    names = [f"device-{number}" for number in range(25)]
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in guides)
    devices = "".join(
        f'<li><a href="/devices/{name}">{name}</a></li>' for name in names
    )
    text = "How a phone is prepared and what may go wrong with it. " * 8
    home = f'<ul class=menu>{menu}</ul><p>{text} <a href="/devices/">All</a></p>'
    site.extra["/"] = (200, HTML, page("Wiki", home))
    site.extra["/devices/"] = (200, HTML, page("Devices", f"<ul>{devices}</ul>"))
    for name in guides:
        content = f"<div class=guide><p>{text}</p><p>{name}: {text}</p></div>"
        site.extra[f"/{name}"] = (200, HTML, page(name, content))
    for name in names:
        site.extra[f"/devices/{name}"] = (200, HTML, device(name))
    with (
        Served(site) as served,
        Collection.add(f"{served.url}/", "wiki", "product", db=db) as collection,
    ):
        collection.run()
        found = {record.url for record in collection.records("ok", "draft", "review")}
        assert found == {f"{served.url}/devices/{name}" for name in names}
