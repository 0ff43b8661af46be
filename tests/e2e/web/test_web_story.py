"""A new user, from nothing: a site, its records, their names by clicking, and a recipe
by one of its ingredients.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, ViewportSize, expect

from demo_site import DISHES, DemoSite
from growing_site import Served
from scythe.collect.collection import Collection
from web_visit import DESK, PHONE, AppServer, Visitor

LOOKS: tuple[tuple[ViewportSize, Literal["light", "dark"], str], ...] = (
    (DESK, "light", "desk"),
    (PHONE, "dark", "phone"),
)
RUN = 120_000
"""Milliseconds for a run on a machine that does other things, too."""


@pytest.fixture
def site() -> Iterator[Served]:
    with Served(DemoSite()) as served:
        yield served


@pytest.fixture
def app(database: str) -> Iterator[AppServer]:
    with AppServer(database, "--allow-private") as server:
        yield server


def collect(page: Page, app: AppServer, site: Served) -> None:
    """Give an address on the first page, and wait for the run to end."""
    page.goto(app.url)
    page.get_by_label("Address of a site").fill(site.url)
    page.get_by_role("button", name="Collect this site").click()
    page.get_by_label("Name", exact=True).fill("kitchen")
    page.get_by_text("Crawl speed and limits").click()
    page.get_by_label("Seconds between two requests").fill("0")
    page.get_by_role("button", name="Add it").click()
    accept = page.get_by_role("button", name="Accept all suggestions")
    expect(accept).to_be_visible(timeout=RUN)


def example(page: Page) -> FrameLocator:
    return page.frame_locator("iframe#example")


def name_by_clicking(page: Page, place: str, name: str) -> None:
    """Click a place of the example page, write a name into the form that opens, and
    save it.
    """
    example(page).locator(place).first.click()
    field = page.locator("#chosen").get_by_label("Name")
    field.fill(name)
    page.locator("#chosen").get_by_role("button", name="Save").click()
    expect(
        page.locator(".field.named").get_by_role("link", name=name, exact=True)
    ).to_be_visible()


def test_a_new_user_finds_a_recipe_by_an_ingredient(
    app: AppServer, site: Served, window: Browser
) -> None:
    visitor = Visitor(window.new_page(viewport=DESK))
    page = visitor.page
    collect(page, app, site)
    visitor.shoot("collection")
    page.get_by_role("link", name="Change the fields").click()
    name_by_clicking(page, "h1", "title")
    name_by_clicking(page, ".ingredients li >> nth=1", "ingredients")
    name_by_clicking(page, ".method li >> nth=1", "instructions")
    name_by_clicking(page, ".cook", "author")
    visitor.shoot("annotate")
    page.get_by_role("link", name="Records").click()
    dish = next(
        dish
        for dish in DISHES.values()
        if any("honey" in line for line in dish.ingredients)
    )
    page.get_by_role("searchbox", name="Search in kitchen").fill("honey")
    page.get_by_role("button", name="Search").click()
    visitor.shoot("search")
    page.get_by_role("link", name=re.compile(dish.title)).click()
    expect(page.get_by_role("heading", level=1, name=dish.title)).to_be_visible()
    for line in (*dish.ingredients, *dish.steps, dish.cook):
        expect(page.get_by_text(line).first).to_be_visible()
    visitor.shoot("record", whole=True)
    assert visitor.problems == []
    assert visitor.hosts() == {app.url.removeprefix("http://")}
    page.context.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_drafts_are_right_after_five_clicks_and_a_field_is_picked_by_one(
    app: AppServer, site: Served, window: Browser
) -> None:
    visitor = Visitor(window.new_page(viewport=DESK))
    page = visitor.page
    collect(page, app, site)
    page.get_by_role("button", name="Accept all suggestions").click()
    page.get_by_role("link", name="All records").click()
    for dish in list(DISHES.values())[:3]:
        page.goto(f"{app.url}/collections/kitchen/records?q={dish.title}")
        page.get_by_role("link", name=dish.title, exact=True).click()
        for line in (*dish.ingredients, *dish.steps, dish.cook):
            expect(page.get_by_text(line).first).to_be_visible()
    page.goto(f"{app.url}/collections/kitchen/annotate")
    page.get_by_role("button", name="description", exact=True).click()
    intro = example(page).locator("main p:not(.by)").first
    intro.click()
    expect(page.locator(".saved")).to_contain_text("is description")
    assert visitor.problems == []
    page.context.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_all_pages_can_be_used_by_everybody(
    app: AppServer, database: str, site: Served, window: Browser
) -> None:
    with Collection.add(
        site.url, "kitchen", "recipe", db=database, delay=0.0
    ) as collection:
        collection.run()
        collection.accept_suggestions()
        collection.save_search("soups", "?q=soup")
    with Collection.add(
        site.url, "pages", "record", db=database, delay=0.0, max_pages=4
    ) as collection:
        collection.run()
        text_page = next(iter(collection.records())).id
    own = (
        "",
        "/annotate",
        "/links",
        "/review",
        "/records",
        "/records?q=nothing+like+this",
        "/records?view=table",
        "/records/1/edit",
        "/records/1/cook",
        "/facets/ingredients?find=o",
        "/settings",
        "/links/rule?action=never&scope=pattern&value=/about*",
        f"/links/rule?action=never&value={site.url}/about&back=annotate",
        "/records/1",
        "/remove",
    )
    others = (
        "/",
        "/collections",
        "/collections/add",
        "/engines",
        "/engines/add",
        "/search",
        "/records?q=soup",
        "/extract",
        "/api",
        f"/collections/pages/records/{text_page}",
        "/no-such-page",
    )
    paths = (*others, *(f"/collections/kitchen{path}" for path in own))
    for size, scheme, name in LOOKS:
        visitor = Visitor(window.new_page(viewport=size, color_scheme=scheme))
        for path in paths:
            visitor.page.goto(app.url + path)
            visitor.shoot(
                f"{name}-{path.strip('/').partition('?')[0].replace('/', '-') or 'start'}",
                whole=True,
            )
            assert visitor.faults() == [], (path, name)
        assert [problem for problem in visitor.problems if "404" not in problem] == []
        assert visitor.hosts() == {app.url.removeprefix("http://")}
        visitor.page.context.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_everything_works_without_script(
    app: AppServer, site: Served, window: Browser
) -> None:
    plain = window.new_context(java_script_enabled=False, viewport=DESK)
    page = plain.new_page()
    page.set_default_timeout(30_000)
    collect(page, app, site)  # the page asks again by itself
    page.get_by_role("link", name="Change the fields").click()
    page.get_by_role("button", name="Accept all suggestions").click()
    expect(page.locator(".field.named").first).to_be_visible()
    page.goto(f"{app.url}/collections/kitchen/records")
    found = sum(
        any("honey" in line for line in dish.ingredients) for dish in DISHES.values()
    )
    page.get_by_role("link", name=re.compile(rf"^honey {found}$")).click()
    expect(page.get_by_text(f"{found} records found")).to_be_visible()
    plain.close()
