"""A new user, from nothing: a site, its records, their names by clicking, and a recipe
by one of its ingredients.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from demo_site import DISHES, DemoSite
from growing_site import Served
from web_visit import DESK, AppServer, Visitor

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
    """Click where a place of the example page begins, which a picture beside it does not
    cover, write a name into the form that opens, and save it.
    """
    example(page).locator(place).first.click(position={"x": 12, "y": 8})
    field = page.locator("#chosen").get_by_label("Name")
    field.fill(name)
    page.locator("#chosen").get_by_role("button", name="Save").click()
    expect(
        page.locator(".field.named").get_by_role("link", name=name, exact=True)
    ).to_be_visible()


@pytest.mark.both_databases
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
    lines = page.locator(".ingredients li")
    expect(lines).to_have_count(len(dish.ingredients))
    expect(page.locator(".steps li")).to_have_count(len(dish.steps))
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
