"""Pages grouped by site: what repeats is removed, templates grow, in any order of input
and after any stop.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import scythe
from crawl import article, page_record, rows_of, untimed, write_warc
from hostile_method import hostile
from scythe.bulk import (
    Budget,
    BulkOptions,
    Documents,
    InputOptions,
    ListRecords,
    SiteTemplates,
    run,
)
from scythe.bulk.sites.staging import (
    MAX_GROUP_PAGES,
    group_by_site,
    group_partitions,
)
from scythe.errors import UsageError
from scythe.urls import registered_domain

pytestmark = pytest.mark.slow

NOTICE = "<p>Subscribe to our harvest letter today, and never miss a dry day in the fields of the valley again.</p>"


def page(number: int) -> str:
    return article(number).replace("</article>", f"{NOTICE}</article>")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Pages of two sites and one of a third, mixed."""
    pages = [
        (f"https://{'www.' * (n % 3)}{'farm' if n % 2 else 'mill'}.co.uk/{n}", page(n))
        for n in range(10)
    ]
    pages.insert(4, ("https://alone.example/", page(77)))
    return write_warc(
        tmp_path / "crawl.warc.gz", [page_record(*item) for item in pages], packed=True
    )


def by_site(
    crawl: Path, out: Path, work: object = Documents(), **options: object
) -> list[dict[str, object]]:
    options = {
        "by_site": True,
        "workers": 2,
        "inputs": InputOptions(partition_bytes=600),
        **options,
    }
    run([crawl], out, work, BulkOptions(**options))  # type: ignore[arg-type]
    return rows_of(out)


def test_what_repeats_on_a_site_is_removed(crawl: Path, tmp_path: Path) -> None:
    rows = by_site(crawl, tmp_path / "out.jsonl")
    hosts = [
        str(row["url"]).split("/")[2].removeprefix("www.").removeprefix("www.")
        for row in rows
    ]
    assert hosts == ["mill.co.uk"] * 5 + ["farm.co.uk"] * 5 + ["alone.example"]
    with_notice = [row["url"] for row in rows if "harvest letter" in str(row["text"])]
    assert with_notice == ["https://alone.example/"]


def test_rows_are_what_extract_many_gives(crawl: Path, tmp_path: Path) -> None:
    numbers = [1, 3, 5, 7, 9]
    documents = scythe.extract_many([page(n) for n in numbers])
    rows = by_site(crawl, tmp_path / "out.jsonl")
    found = {
        str(row["url"]).rpartition("/")[2]: row
        for row in rows
        if "farm" in str(row["url"])
    }
    assert [found[str(n)]["text"] for n in numbers] == [
        document.text for document in documents
    ]


def test_a_stopped_run_by_site_goes_on(crawl: Path, tmp_path: Path) -> None:
    whole = by_site(crawl, tmp_path / "whole.jsonl")
    looks = 0

    def stop(*_: object) -> None:
        nonlocal looks
        looks += 1
        if looks in (1, 5, 12):
            raise KeyboardInterrupt

    options = BulkOptions(
        by_site=True, workers=1, inputs=InputOptions(partition_bytes=600)
    )
    while not (tmp_path / "out.jsonl").exists():
        try:
            run([crawl], tmp_path / "out.jsonl", Documents(), options, stop)
        except KeyboardInterrupt:
            continue
    assert untimed(rows_of(tmp_path / "out.jsonl")) == untimed(whole)


def test_a_page_that_never_ends_costs_one_page_of_its_site(tmp_path: Path) -> None:
    pages = [
        page_record(f"https://farm.example/{n}", page(n) if n != 2 else "<p>LOOP</p>")
        for n in range(5)
    ]
    crawl = write_warc(tmp_path / "crawl.warc", pages)
    rows = by_site(
        crawl,
        tmp_path / "out.jsonl",
        Documents(method=hostile),
        budget=Budget(seconds=1.0),
    )
    assert [(row["url"], row["status"]) for row in rows] == [
        (f"https://farm.example/{n}", "time" if n == 2 else "ok") for n in range(5)
    ]
    assert rows[2]["source"] == str(crawl)


def test_templates_grow_by_site(tmp_path: Path) -> None:
    table = "<table><tr><th>Price</th><td>{1} EUR</td></tr><tr><th>Weight</th><td>{2} kg</td></tr></table>"
    shop = f"<html><body><h1>Tool {{0}}</h1>{table}</body></html>"
    pages = [
        page_record(
            f"https://shed.example/tool/{n}", shop.format(f"no {n}", n * 3 + 10, n + 2)
        )
        for n in range(8)
    ]
    crawl = write_warc(
        tmp_path / "crawl.warc",
        [*pages, page_record("https://other.example/", article(1))],
    )
    rows = by_site(crawl, tmp_path / "out.jsonl", SiteTemplates())
    assert [row["status"] for row in rows] == ["ok"] * 8 + ["empty"]
    assert any("19" in str(value) for value in rows[3]["fields"].values())  # type: ignore[attr-defined]


def test_what_cannot_be_done_by_site_is_refused(crawl: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--by-site is for"):
        by_site(crawl, tmp_path / "out.jsonl", ListRecords())
    with pytest.raises(UsageError, match="Give --by-site"):
        by_site(crawl, tmp_path / "other.jsonl", SiteTemplates(), by_site=False)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.news.farm.co.uk/a", "farm.co.uk"),
        ("http://farm.example:8080/", "farm.example"),
        ("http://10.0.0.1/x", "10.0.0.1"),
        ("no address", None),
        (None, None),
    ],
)
def test_the_site_of_an_address(url: str | None, site: str | None) -> None:
    assert registered_domain(url) == site


def test_a_large_site_is_several_groups_of_like_size() -> None:
    keys = np.array([5, 7, 5, 0, 7, 0, *[5] * 10], dtype=np.uint64)
    order, groups = group_by_site(keys, 5)
    assert sorted(order.tolist()) == list(range(16))
    assert [keys[order[start:stop]].tolist() for start, stop in groups] == [
        [5] * 4,
        [5] * 4,
        [5] * 4,
        [7, 7],
        [0],
        [0],
    ]
    partitions = group_partitions(groups, "x", 5)
    assert [(partition.start, partition.stop) for partition in partitions] == [
        (0, 4),
        (4, 8),
        (8, 12),
        (12, 16),
    ]
    assert group_partitions(group_by_site(keys[:0], MAX_GROUP_PAGES)[1], "x", 5) == []
