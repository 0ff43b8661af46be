"""Every page of the app, in both themes and at both widths: nothing keeps anybody from
using it, and nothing but the app itself is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser

from demo_site import DemoSite
from growing_site import Served
from loopback import Loopback
from market_site import Market
from scythe.collect.collection import Collection
from web_visit import DESK, PHONE, AppServer, Visitor

WIDTHS = {"desk": DESK, "phone": PHONE}
LOOKS: tuple[tuple[str, Literal["light", "dark"]], ...] = (
    ("desk", "light"),
    ("desk", "dark"),
    ("phone", "dark"),
    ("phone", "light"),
)
"""Each page is loaded once, and then shown in each width and theme."""
KITCHEN = (
    "",
    "/annotate",
    "/annotate?unused=1",
    "/links",
    "/review",
    "/records",
    "/records?q=nothing+like+this",
    "/records?q=soup&view=table",
    "/records/1/edit",
    "/records/1/cook",
    "/facets/ingredients?find=o",
    "/settings",
    "/links/rule?action=never&scope=pattern&value=/about*",
    "/links/rule?action=record&scope=link&value=example.org/about&back=annotate",
    "/records/1",
    "/remove",
)
"""Pages of a collection of recipes."""
OTHERS = (
    "/",
    "/collections",
    "/collections/add",
    "/engines",
    "/engines/add",
    "/search",
    "/records?q=soup",
    "/extract",
    "/api",
    "/collections/lost",
    "/collections/later",
    "/collections/later/records",
    "/collections/later/annotate",
    "/no-such-page",
)
MARKET = {"goods": "product", "events": "event", "news": "article"}
"""Collections with the kinds of their records: each kind has a layout of its own."""


def collect_market(web: Loopback, database: str) -> Iterator[str]:
    """Collect all kinds of records, goods again after a change; yield the pages that
    show them.
    """
    market = Market(web)
    market.open()
    for folder, kind in MARKET.items():
        url = web.url(f"/{folder}/")
        added = Collection.add(url, folder, kind, db=database, delay=0.0)
        with added as collection:
            collection.run()
            if folder != "news":
                collection.accept_suggestions()
            record = next(iter(collection.records()))
            yield f"/collections/{folder}"
            yield f"/collections/{folder}/records/{record.id}"
    market.is_renewed = True
    market.open()
    with Collection.open("goods", db=database) as collection:
        collection.run(refetch_all=True)
        notice = collection.notices()[0]
    yield "/collections/goods/annotate"
    yield f"/collections/goods/annotate/notices/{notice.id}"


@pytest.fixture
def pages(database: str, web: Loopback) -> Iterator[list[str]]:
    """The addresses of pages in all the states they can be in."""
    paths = list(OTHERS)
    with Served(DemoSite()) as site:
        added = Collection.add(site.url, "kitchen", "recipe", db=database, delay=0.0)
        with added as collection:
            collection.run()
            collection.accept_suggestions()
            collection.save_search("soups", "?q=soup")
        paths += [f"/collections/kitchen{path}" for path in KITCHEN]
        paths += collect_market(web, database)
        web.add("/lost.html", b"no such page", status=404)
        lost = web.url("/lost.html")
        with Collection.add(lost, "lost", "recipe", db=database) as collection:
            collection.run()
        Collection.add(web.url("/"), "later", "recipe", db=database).close()
        yield paths


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_all_pages_can_be_used_by_everybody(
    database: str, pages: list[str], window: Browser
) -> None:
    with AppServer(database, "--allow-private") as app:
        visitor = Visitor(window.new_page(reduced_motion="reduce"))
        for path in pages:
            visitor.page.goto(app.url + path)
            name = path.partition("?")[0].strip("/").replace("/", "-") or "start"
            for width, scheme in LOOKS:
                visitor.page.emulate_media(color_scheme=scheme)
                visitor.page.set_viewport_size(WIDTHS[width])
                visitor.shoot(f"{width}-{scheme}-{name}", whole=True)
                assert visitor.faults() == [], (path, width, scheme)
        others = [problem for problem in visitor.problems if "404" not in problem]
        assert others == []
        assert visitor.hosts() == {app.url.removeprefix("http://")}
        visitor.page.context.close()
