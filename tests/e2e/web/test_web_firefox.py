"""The main story and the annotation frame in Firefox: what is said of pages must not
hold in one engine alone.
"""

from __future__ import annotations

import pytest

from demo_site import DISHES, DemoSite
from firefox import Firefox
from growing_site import Served
from web_visit import SHOTS, AppServer


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_main_story_and_the_annotation_frame(
    database: str, firefox: Firefox
) -> None:
    with (
        Served(DemoSite()) as site,
        AppServer(database, "--allow-private") as app,
    ):
        firefox.open(app.url)
        firefox.write("#url", site.url)
        firefox.click(".hero button")
        firefox.write("#name", "kitchen")
        firefox.click("summary", "Crawl speed")
        firefox.write("#delay", "0")
        firefox.click("main form button")
        firefox.click("button", "Accept all suggestions")
        firefox.click("a", "All records")
        dish = next(iter(DISHES.values()))
        firefox.open(f"{app.url}/collections/kitchen/records?q={dish.title}")
        firefox.click(".tile a", dish.title)
        for line in (*dish.ingredients, *dish.steps, dish.cook):
            firefox.find("article", line)
        firefox.shoot(SHOTS / "firefox-record.png")

        firefox.open(f"{app.url}/collections/kitchen/annotate")
        with firefox.frame("iframe#example"):
            firefox.click(".cook")
        firefox.find("#chosen form")
        firefox.click("button.pick", "description")
        with firefox.frame("iframe#example"):
            firefox.click("main p:not(.by)")
            assert firefox.run("return document.scripts.length") == 0
        firefox.find(".saved", "is description")
        firefox.shoot(SHOTS / "firefox-annotate.png")
