"""An exported spider as a user runs it: Scrapy itself, in a process of its own, against
a real server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine_pages import no_result_page, result_page, row_page, separated_page
from loopback import Loopback
from scythe.sections.fields import learn_fields
from scythe.sections.record import Record
from scythe.tree import parse
from scythe.tree.paths import PathNode
from scythe.wrappers.export import scrapy_spider
from scythe.wrappers.learn import learn_from
from scythe.wrappers.rule import ElementSelector, LocatedRule, Rule
from scythe.wrappers.vints.rule import SeparatedRule, Separator
from scythe.wrappers.wrapper import Expectation, Wrapper

pytest.importorskip("scrapy")

HITS = LocatedRule(
    ElementSelector("ol", "results"), (), ElementSelector("li", None, ("hit",))
)
ROWS = LocatedRule(
    ElementSelector("table", "results"),
    ("tbody",),
    ElementSelector("tr", None, ("head",)),
    runs=True,
)
RULED = SeparatedRule(
    tuple([PathNode(tag, "C") for tag in ("html", "body", "main", "div")]),
    (Separator(("hr",)),),
)


def wrapper_of(rule: Rule, *pages: str) -> Wrapper:
    trees = [parse(page) for page in pages]
    return Wrapper(
        rule,
        learn_fields([(tree, rule.cut(tree)) for tree in trees]),
        Expectation((8, 10), 0.5, linked=True),
    )


def crawl(
    folder: Path, source: str, *arguments: str, without: str | None = None
) -> list[dict[str, Any]]:
    """The items that Scrapy writes; `without` names a module that the spider must do
    without.
    """
    spider, items, hidden = (
        folder / "spider.py",
        folder / "items.jsonl",
        folder / "hidden",
    )
    spider.write_text(source, encoding="utf-8")
    if without:
        hidden.mkdir()
        (hidden / f"{without}.py").write_text("raise ImportError")
    reactor = "TWISTED_REACTOR=twisted.internet.asyncioreactor.AsyncioSelectorReactor"
    settings = [
        reactor,
        "DOWNLOAD_DELAY=0",
        "TELNETCONSOLE_ENABLED=0",
        "RETRY_ENABLED=0",
        "DOWNLOAD_TIMEOUT=20",
    ]
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        str(spider),
        "-O",
        str(items),
        *arguments,
    ]
    for setting in settings:
        command += ["-s", setting]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(hidden)},
    )
    assert done.returncode == 0, done.stderr
    assert "ERROR" not in done.stderr, done.stderr
    return [json.loads(line) for line in items.read_text(encoding="utf-8").splitlines()]


def as_item(row: Record) -> dict[str, Any]:
    return {**row.fields, "link": row.link, "text": row.text}


@pytest.fixture
def engine(web: Loopback) -> Loopback:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /private\n", "text/plain")
    return web


@pytest.mark.parametrize("without", [None, "turbohtml"])
def test_a_spider_gives_the_records_of_the_wrapper_page_after_page(
    engine: Loopback, tmp_path: Path, without: str | None
) -> None:
    unseen = [result_page(page, pages=7) for page in (4, 5, 6)]
    for page, html in zip((4, 5, 6), unseen, strict=True):
        engine.add(f"/search?page={page}", html.encode())
    wrapper = learn_from(
        [parse(result_page(page)) for page in range(3)], parse(no_result_page())
    )
    source = scrapy_spider(wrapper, engine.url("/search?page=4"), "barley")
    assert "import scythe" not in source
    expected = [
        as_item(row)
        for page, html in zip((4, 5, 6), unseen, strict=True)
        for row in wrapper.extract(html, engine.url(f"/search?page={page}"))
    ]
    assert len(expected) == 30
    assert crawl(tmp_path, source, without=without) == expected


def test_a_spider_stops_at_its_bound(engine: Loopback, tmp_path: Path) -> None:
    for page in range(7):
        engine.add(f"/search?page={page}", result_page(page, pages=7).encode())
    source = scrapy_spider(
        wrapper_of(HITS, result_page(8)), engine.url("/search?page=0")
    )
    assert len(crawl(tmp_path, source, "-a", "pages=2")) == 20


@pytest.mark.parametrize(("rule", "page"), [(ROWS, row_page), (RULED, separated_page)])
def test_records_that_are_no_elements_are_crawled_as_well(
    engine: Loopback, tmp_path: Path, rule: Rule, page: Any
) -> None:
    engine.add("/list", page(5).encode())
    wrapper = wrapper_of(rule, page(0), page(1))
    expected = [as_item(row) for row in wrapper.extract(page(5), engine.url("/list"))]
    assert len(expected) >= 6
    assert crawl(tmp_path, scrapy_spider(wrapper, engine.url("/list"))) == expected


def test_a_page_without_records_and_one_that_is_no_page_are_no_errors(
    engine: Loopback, tmp_path: Path
) -> None:
    engine.add("/empty", b"<p>Nothing.</p><a href=/blob rel=next>on</a>")
    engine.add("/blob", b"\x00\x01\x02", "application/octet-stream")
    source = scrapy_spider(wrapper_of(HITS, result_page(0)), engine.url("/empty"))
    assert crawl(tmp_path, source) == []
