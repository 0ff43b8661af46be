"""Scrapy with Scythe inside: real crawls of a server on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

import scythe
from loopback import Loopback
from scythe.errors import UsageError
from scythe.integrations.scrapy import (
    CollectionPipeline,
    ContentPipeline,
    ScytheSpider,
)

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


def recipe_page(name: str) -> str:
    return (
        f"<html><head><title>{name}</title></head><body><h1>{name}</h1>"
        "<h2>Ingredients</h2><ul><li>200 g flour</li><li>2 eggs</li>"
        f"<li>{len(name)} plums</li></ul><h2>Method</h2>"
        f"<ol><li>Stir all of it for the {name}.</li><li>Bake it.</li></ol>"
        "</body></html>"
    )


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


def test_a_template_file_drives_a_spider(web: Loopback, tmp_path: Path) -> None:
    """Of pages whose headers alone say how they are encoded."""
    pages = [recipe_page(name) for name in ("Käsekuchen", "Nusstorte", "Apfelmus")]
    template = scythe.Template.induce(pages)
    title = template.slots[0]
    template.name(title.id, "title")
    template.save(tmp_path / "cakes.json")
    web.add("/cake", pages[0].encode("cp850"), kind="text/html; charset=ibm850")

    arguments = {"template": str(tmp_path / "cakes.json"), "url": web.url("/cake")}
    items = crawl(
        "ScytheSpider",
        arguments,
        extra="from scythe.integrations.scrapy import ScytheSpider",
    )
    assert items == [{"url": web.url("/cake"), "title": ["Käsekuchen"]}]


def test_a_spider_feeds_a_collection(web: Loopback, tmp_path: Path) -> None:
    names = [f"Plum cake {n}" for n in range(1, 7)]
    links = "".join(
        f"<li class=hit><a href='/cake/{n}'>{name}</a><p>Ready in {n + 20} minutes, "
        f"and better on day {n}.</p></li>"
        for n, name in enumerate(names)
    )
    web.add(
        "/cakes", f"<html><body><h1>Cakes</h1><ul>{links}</ul></body></html>".encode()
    )
    web.add("/", b"<html><body><h1>Welcome</h1><p>To the bakery.</p></body></html>")
    web.add("/robots.txt", b"", kind="text/plain")
    for n, name in enumerate(names):
        web.add(f"/cake/{n}", recipe_page(name).encode())
    database = str(tmp_path / "cakes.db")
    scythe.learn([web.pages["/cakes"][2]]).save(tmp_path / "cakes.json")
    with scythe.Collection.add(web.url("/"), "cakes", "recipe", db=database, delay=0):
        pass

    settings = {
        "ITEM_PIPELINES": {"scythe.integrations.scrapy.CollectionPipeline": 300},
        "SCYTHE_COLLECTION": "cakes",
        "SCYTHE_DB": database,
    }
    arguments = {"wrapper": str(tmp_path / "cakes.json"), "url": web.url("/cakes")}
    items = crawl(
        "ScytheSpider",
        {**arguments, "follow": "yes"},
        settings,
        "from scythe.integrations.scrapy import ScytheSpider",
    )
    assert len(items) == len(names)
    web.asked.clear()
    with scythe.Collection.open("cakes", db=database) as cakes:
        assert cakes.run().records["new"] == len(names)
        titles = {(record.fields or {})["title"] for record in cakes.records("draft")}
    assert titles == set(names)
    assert not [path for path, _ in web.asked if path.startswith("/cake")]


def test_a_collection_must_be_named() -> None:
    crawler = get_crawler(Spider)
    with pytest.raises(UsageError, match="SCYTHE_COLLECTION"):
        CollectionPipeline.from_crawler(crawler)


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
from scythe.integrations.web_poet import Document, PageRecord, Records
from web_poet import WebPage
import attrs

@attrs.define
class Article(WebPage):
    record: PageRecord

    def fields(self):
        return self.record.to_dict()

class Reader(Spider):
    name = "reader"
    def parse(self, response, document: Document, records: Records, page: Article):
        yield {
            "title": document.title,
            "records": str(records.status),
            "fields": page.fields(),
        }
"""
    settings = {
        "ADDONS": {"scrapy_poet.Addon": 300},
        "SCRAPY_POET_PROVIDERS": {"scythe.integrations.web_poet.ScytheProvider": 500},
    }
    items = crawl("Reader", {"start_urls": [web.url("/article")]}, settings, spider)
    assert items[0]["title"].startswith("Why the old barley")
    assert items[0]["records"]
    assert items[0]["fields"]["title"].startswith("Why the old barley")
