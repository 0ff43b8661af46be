"""Stored engines as SearXNG entries and as spiders."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scythe.engines.engine import Engine
from scythe.engines.forms.form import MULTIPART, Control, SearchForm
from scythe.engines.registry.export import (
    Paging,
    ResultAddresses,
    detect_paging,
    engine_spider,
    find_addresses,
    searxng_entries,
)
from scythe.errors import UsageError
from small_engine import Item, SmallEngine, dead_engine


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(100)]) as engine:
        yield engine


def with_form(engine: Engine, **values: object) -> Engine:
    return replace(engine, form=replace(engine.form, **values))  # type: ignore[arg-type]


def settings(text: str) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = []
    for line in text.splitlines()[1:]:
        if line.startswith("  - "):
            entries.append({})
        key, _, value = line[4:].partition(": ")
        entries[-1][key] = json.loads(value)
    return entries


@pytest.mark.parametrize(
    ("first", "second", "paging"),
    [
        (
            "https://x.example/?q=hay",
            "https://x.example/?q=hay&page=2",
            Paging("page", 1, 1),
        ),
        ("https://x.example/?q=hay", "https://x.example/?p=1&q=hay", Paging("p", 0, 1)),
        (
            "https://x.example/?q=hay&start=0",
            "https://x.example/?q=hay&start=10",
            Paging("start", 0, 10),
        ),
        (
            "https://x.example/?q=hay",
            "https://x.example/?q=hay&first=11",
            Paging("first", 1, 10),
        ),
        (
            "https://x.example/?q=hay",
            "https://x.example/?q=hay&offset=10",
            Paging("offset", 0, 10),
        ),
        (
            "https://x.example/?q=hay",
            "https://x.example/?q=hay&token=8817",
            None,
        ),
        ("https://x.example/?q=hay", "https://x.example/next/2", None),
        ("https://x.example/?q=hay", None, None),
    ],
)
def test_how_pages_are_numbered_is_read_from_two_addresses(
    first: str, second: str | None, paging: Paging | None
) -> None:
    assert detect_paging(first, second, 10) == paging


def test_an_entry_for_searxng(site: SmallEngine) -> None:
    engine = site.known("hay_rake")
    (entry,) = settings(
        searxng_entries([(engine, ResultAddresses(Paging("page", 0, 1)))])
    )
    assert entry["name"] == "hay-rake"
    assert entry["search_url"] == f"{site.home}search?q={{query}}&page={{pageno}}"
    assert (entry["paging"], entry["first_page_num"], entry["page_size"]) == (
        True,
        0,
        1,
    )
    (plain,) = settings(searxng_entries([(engine, ResultAddresses())]))
    assert (plain["search_url"], plain["paging"]) == (
        f"{site.home}search?q={{query}}&page=0",
        False,
    )


def test_a_limit_beside_the_offset_is_kept() -> None:
    first = "https://x.example/?q=hay"
    second = f"{first}&limit=20&offset=20"
    expected = Paging("offset", 0, 20, (("limit", "20"),))
    assert detect_paging(first, second, 20) == expected
    third = f"{first}&limit=20&offset=40"
    assert detect_paging(first, second, 17, third) == expected


def test_the_entry_of_an_engine_with_limit_and_offset(site: SmallEngine) -> None:
    paging = Paging("offset", 0, 20, (("limit", "20"),))
    (entry,) = settings(searxng_entries([(site.known("hay"), ResultAddresses(paging))]))
    assert entry["search_url"] == (
        f"{site.home}search?q={{query}}&page=0&limit=20&offset={{pageno}}"
    )
    assert (entry["first_page_num"], entry["page_size"]) == (0, 20)
    assert entry["enable_http"] is True


def test_an_engine_that_redirects_is_exported_with_its_final_address(
    site: SmallEngine,
) -> None:
    engine = site.known("hay")
    moved = replace(
        engine, form=SearchForm(f"{site.home}go", "q"), queries=("meadow", "barley")
    )
    addresses = find_addresses(moved)
    assert addresses.landing == f"{site.home}search?q={{query}}"
    assert addresses.paging == Paging("page", 0, 1)
    (entry,) = settings(searxng_entries([(moved, addresses)]))
    assert entry["search_url"] == f"{site.home}search?q={{query}}&page={{pageno}}"


def test_what_searxng_cannot_read_is_refused_with_what_to_do(
    site: SmallEngine,
) -> None:
    page = site.page("meadow")
    site.behaviour.body = f'<?xml version="1.0" encoding="utf-8"?>\n{page}'
    with pytest.raises(UsageError, match="--to scrapy"):
        find_addresses(site.known("hay"))


def test_several_engines_are_one_list(site: SmallEngine) -> None:
    entries = settings(
        searxng_entries(
            [
                (site.known("hay"), ResultAddresses()),
                (site.known("oats"), ResultAddresses()),
            ]
        )
    )
    assert [entry["name"] for entry in entries] == ["hay", "oats"]


def test_a_form_that_posts(site: SmallEngine) -> None:
    (entry,) = settings(
        searxng_entries(
            [(with_form(site.known("hay"), method="post"), ResultAddresses())]
        )
    )
    assert (entry["search_url"], entry["method"], entry["request_body"]) == (
        f"{site.home}search",
        "POST",
        "q={query}&page=0",
    )


def test_a_spider_takes_a_query(site: SmallEngine, tmp_path: Path) -> None:
    spider, out = tmp_path / "spider.py", tmp_path / "rows.jsonl"
    spider.write_text(engine_spider(site.known("hay")), encoding="utf-8")
    given = ["-a", "query=meadow bellows", "-a", "pages=1", "-s", "DOWNLOAD_DELAY=0"]
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        str(spider),
        "-O",
        str(out),
        *given,
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["link"] for row in rows] == [
        item.url for item in site.found("meadow bellows")
    ]
    assert rows


def test_a_spider_posts_words_in_the_charset_of_the_form() -> None:
    form = SearchForm(
        "https://x.example/find",
        "wörter",
        "post",
        (Control("art", "a b"),),
        "iso-8859-1",
    )
    text = engine_spider(replace(dead_engine("hay"), form=form))
    assert '"w%F6rter={query}&art=a+b".replace("{query}", words)' in text
    assert 'self.query.encode("cp1252", "xmlcharrefreplace")' in text, (
        "what browsers mean by ISO 8859-1"
    )
    compile(text, "spider.py", "exec")


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (replace(dead_engine("hay"), rendered=True), "script"),
        (replace(dead_engine("hay"), session=True), "session"),
        (with_form(dead_engine("hay"), method="post", enctype=MULTIPART), "multipart"),
    ],
)
def test_what_other_programs_cannot_ask_is_refused(engine: Engine, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        engine_spider(engine)
    with pytest.raises(UsageError, match=said):
        searxng_entries([(engine, ResultAddresses())])


def test_searxng_speaks_utf8_only() -> None:
    with pytest.raises(UsageError, match="gbk"):
        searxng_entries(
            [(with_form(dead_engine("hay"), charset="gbk"), ResultAddresses())]
        )
