"""scrapy-playwright: what a browser made of a page is read as the browser has it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scythe
from loopback import Loopback
from scythe.render import browser_available, find_chromium

pytest.importorskip("scrapy_playwright")
if not browser_available():
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)

SCRIPT = r"""
const list = document.querySelector("ul")
for (let n = 1; n < 9; n++) {
  list.innerHTML += `<li class=hit><a href="/tool/${n}">Tool \u2192 ${n}</a>
    <p>Cuts ${n} kinds of grass.</p></li>`
}
"""
PAGE = f"<html><body><h1>Tools</h1><ul></ul><script>{SCRIPT}</script></body></html>"
CRAWL = """
import json, sys
from scrapy import Request, signals
from scrapy.crawler import AsyncCrawlerProcess
from scythe.integrations.scrapy import ScytheSpider

class Rendering(ScytheSpider):
    async def start(self):
        for url in self.start_urls:
            yield Request(url, meta={"playwright": True})

process = AsyncCrawlerProcess(json.loads(sys.argv[1]))
crawler = process.create_crawler(Rendering)
items = []
def keep(item):
    items.append(item)
crawler.signals.connect(keep, signals.item_scraped)
process.crawl(crawler, **json.loads(sys.argv[2]))
process.start()
print(json.dumps(items))
"""


def list_page(number: int) -> str:
    rows = "".join(
        f"<li class=hit><a href='/tool/{n}'>Tool → {n}</a>"
        f"<p>Cuts {n} kinds of grass.</p></li>"
        for n in range(number, number + 8)
    )
    return f"<html><body><h1>Tools</h1><ul>{rows}</ul></body></html>"


def test_a_page_that_a_script_builds_is_read_by_a_wrapper(
    web: Loopback, tmp_path: Path
) -> None:
    """Its headers declare a charset that cannot have what the script wrote."""
    web.add("/tools", PAGE.encode("latin-1"), kind="text/html; charset=iso-8859-1")
    wrapper = tmp_path / "tools.json"
    scythe.learn([list_page(20), list_page(40)]).save(wrapper)
    handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
    settings = {
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
        "PLAYWRIGHT_LAUNCH_OPTIONS": {
            "executable_path": str(find_chromium()),
            "args": ["--no-sandbox"],
        },
    }
    arguments = {"wrapper": str(wrapper), "url": web.url("/tools")}
    done = subprocess.run(
        [sys.executable, "-c", CRAWL, json.dumps(settings), json.dumps(arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr, done.stderr
    items = json.loads(done.stdout)
    assert [item["title"] for item in items] == [f"Tool → {n}" for n in range(1, 9)]
