"""The pictures of the README and the tour: the web app over the demo site.

python tests/take_pictures.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from demo_site import DemoSite
from growing_site import Served
from scythe.collect.collection import Collection
from web_visit import DESK, AppServer, Visitor, playwright_browser

IMAGES = Path(__file__).parent.parent / "docs" / "images"
NAMED = {
    "h1": "title",
    ".cook": "author",
    ".ingredients li": "ingredients",
    ".method li": "instructions",
}
"""What is clicked on the page, and the field it gets."""


def main() -> None:
    """Collect the demo site, name some fields by hand, accept the suggestions for the rest, and
    take five pictures.
    """
    with tempfile.TemporaryDirectory() as folder, Served(DemoSite()) as site:
        database = str(Path(folder) / "demo.db")
        with Collection.add(site.url, "kitchen", "recipe", db=database) as collection:
            collection.run()
        with (
            AppServer(database, "--allow-private") as app,
            playwright_browser() as browser,
        ):
            visitor = Visitor(browser.new_page(viewport=DESK))
            page, home = visitor.page, f"{app.url}/collections/kitchen"
            page.goto(home)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=IMAGES / "collection.png")
            page.goto(f"{home}/annotate")
            for selector, name in NAMED.items():
                page.frame_locator("iframe#example").locator(selector).first.click(
                    position={"x": 12, "y": 8}
                )
                page.locator("#chosen").get_by_label("Name").fill(name)
                page.locator("#chosen").get_by_role("button", name="Save").click()
                page.locator(".field.named a.title", has_text=name).wait_for()
            page.goto(f"{home}/annotate")
            page.frame_locator("iframe#example").locator(
                ".ingredients li"
            ).first.click()
            page.wait_for_timeout(1_000)
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / "annotate.png")
            page.get_by_role("button", name="Accept all suggestions").click()
            page.wait_for_load_state("networkidle")
            shown = {
                "records": f"{home}/records",
                "record": f"{home}/records/10",
                "home": app.url,
            }
            for name, url in shown.items():
                page.goto(url)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
