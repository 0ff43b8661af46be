"""Scrapy with Scythe inside: real crawls of a server on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import scythe
from loopback import Loopback
from scythe.errors import UsageError
from scythe.integrations.scrapy import ContentPipeline, ScytheSpider

ARTICLE = (
    Path(__file__).parent.parent.parent / "examples" / "harvest.html"
).read_bytes()
CRAWL = """
import json, sys
from scrapy.crawler import AsyncCrawlerProcess
from scrapy import signals
{extra}
settings = {{"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, **json.loads(sys.argv[1])}}
process = AsyncCrawlerProcess(settings)
crawler = process.create_crawler({spider})
def show(item):
    print(json.dumps(dict(item)))
crawler.signals.connect(show, signals.item_scraped)
process.crawl(crawler, **json.loads(sys.argv[2]))
process.start()
"""


def list_page(first: int, following: str = "") -> bytes:
    rows = "".join(
        f"<li class=hit><a href='/tool/{n}'>Tool number {n}</a>"
        f"<p>Cuts {n} kinds of grass and is whetted every {n} minutes.</p></li>"
        for n in range(first, first + 8)
    )
    after = f"<a href='{following}'>Next page</a>" if following else ""
    return f"<html><body><h1>Tools</h1><ul>{rows}</ul>{after}</body></html>".encode()


def crawl(
    spider: str,
    arguments: dict[str, Any],
    settings: dict[str, Any] | None = None,
    extra: str = "",
) -> list[dict[str, Any]]:
    """Return the items of a crawl in a process of its own."""
    code = CRAWL.format(spider=spider, extra=extra)
    command = [sys.executable, "-c", code, json.dumps(settings or {})]
    done = subprocess.run(
        [*command, json.dumps(arguments)], capture_output=True, text=True, check=True
    )
    assert "Error" not in done.stderr, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_wrapper_file_drives_a_spider_over_several_pages(
    web: Loopback, tmp_path: Path
) -> None:
    web.add("/tools", list_page(1, "/tools/2"))
    web.add("/tools/2", list_page(9))
    wrapper = tmp_path / "tools.json"
    scythe.learn([list_page(1, "/tools/2"), list_page(20)]).save(wrapper)

    items = crawl(
        "ScytheSpider",
        {"wrapper": str(wrapper), "url": web.url("/tools"), "pages": "2"},
        extra="from scythe.integrations.scrapy import ScytheSpider",
    )
    assert [item["link"] for item in items] == [
        web.url(f"/tool/{n}") for n in range(1, 17)
    ]


def test_a_spider_needs_one_file() -> None:
    with pytest.raises(UsageError, match="wrapper or a template"):
        ScytheSpider()


def test_the_pipeline_adds_content_and_keeps_what_items_have() -> None:
    pipeline = ContentPipeline()
    item = pipeline.process_item({"html": ARTICLE, "title": "Mine"})
    assert item["title"] == "Mine"
    assert item["date"] == "2024-08-17"
    assert item["markdown"].startswith("# Why the old barley")
    assert pipeline.process_item({"name": "no page"}) == {"name": "no page"}


def test_callbacks_get_documents_and_records_by_their_types(web: Loopback) -> None:
    web.add("/article", ARTICLE)
    spider = """
from scrapy import Spider
from scythe import Document, Records
class Reader(Spider):
    name = "reader"
    def parse(self, response, document: Document, records: Records):
        yield {"title": document.title, "records": str(records.status)}
"""
    settings = {
        "ADDONS": {"scrapy_poet.Addon": 300},
        "SCRAPY_POET_PROVIDERS": {"scythe.integrations.web_poet.ScytheProvider": 500},
    }
    items = crawl("Reader", {"start_urls": [web.url("/article")]}, settings, spider)
    assert items[0]["title"].startswith("Why the old barley")
    assert items[0]["records"]
