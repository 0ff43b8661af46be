"""Hostile and broken sites: each fault is survived, said in the summary, and costs one
page at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection

HTML = {"Content-Type": "text/html; charset=utf-8"}


@pytest.fixture
def site() -> Iterator[Served]:
    growing = GrowingSite()
    growing.grow(1, 8)
    with Served(growing) as served:
        yield served


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'scythe.db'}"


def test_robots_that_forbid_all_are_obeyed_and_reported(site: Served, db: str) -> None:
    site.site.robots = "User-agent: *\nDisallow: /"
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as collection:
        summary = collection.run()
    assert [path for path, _ in site.site.asked] == ["/robots.txt"]
    assert dict(summary.index_pages) == {"robots": 1}
    assert "robots.txt forbids it" in summary.trouble[0]


def test_endless_redirecting_and_failing_pages_cost_one_page_each(
    site: Served, db: str
) -> None:
    slugs = list(site.site.recipes)
    path = site.site.path
    site.site.extra[path(slugs[1])] = (
        200,
        {**HTML, "Content-Length": "10000000000", "X-Endless": "yes"},
        b"<h1>Endless</h1>",
    )
    site.site.extra[path(slugs[2])] = (302, {"Location": path(slugs[2])}, b"")
    site.site.extra[path(slugs[3])] = (500, HTML, b"<h1>Broken</h1>")
    site.site.extra[path(slugs[4])] = (
        200,
        {"Content-Type": "application/pdf"},
        b"%PDF-1.4",
    )
    settings = {"max_bytes": 1_000_000, "timeout": 10.0, "retries": 0}
    with Collection.add(
        f"{site.url}/", "kitchen", "recipe", db=db, **settings
    ) as collection:
        summary = collection.run()
        collection.accept_suggestions()
        assert collection.counts() == {"ok": 4}
    assert dict(summary.pages) == {
        "ok": 6,  # with two links of the start page that are looked at once
        "too large": 1,
        "redirect loop": 1,
        "server error": 1,
        "no page": 1,
    }
    assert len(summary.trouble) == 4


def test_an_endless_calendar_is_left_after_a_few_pages(site: Served, db: str) -> None:
    def month(number: int) -> bytes:
        days = "".join(
            f'<li><a href="/calendar/{number}/{day}">Day {day} of month {number}</a></li>'
            for day in range(1, 29)
        )
        following = f'<a href="/calendar/{number + 1}">Next</a>'
        return f"<title>Month {number}</title><h1>Month {number}</h1><ul>{days}</ul>{following}".encode()

    site.site.links = [
        (f"/calendar/{number}", f"Month {number}") for number in range(1, 13)
    ]
    site.site.extra.update(
        {
            f"/calendar/{number}": (200, HTML, month(number))
            for number in range(1, 2_000)
        }
    )
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as collection:
        collection.run()
        collection.accept_suggestions()
        assert collection.counts() == {"ok": 8}
        collection.run()
    calendar = [path for path, _ in site.site.asked if path.startswith("/calendar")]
    assert len(calendar) <= 60


def test_a_page_that_changes_on_every_visit_changes_no_record(
    site: Served, db: str
) -> None:
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as collection:
        collection.run()
        collection.accept_suggestions()
        for visit in range(2):
            slug = next(iter(site.site.recipes))
            original = site.site._recipe(site.site.recipes[slug])
            noisy = original.replace(
                "</footer>", f" (visitor {visit})</footer>"
            ).encode()
            site.site.extra[site.site.path(slug)] = (200, HTML, noisy)
            summary = collection.run(refetch_all=True)
            assert not summary.records
            assert summary.pages["ok"] == 1


def test_links_to_other_machines_are_not_followed(site: Served, db: str) -> None:
    site.site.links = [
        (f"http://127.0.0.1:1/recipes/r{number}.html", f"Recipe {number}")
        for number in range(6)
    ]
    site.site.links += [
        (f"http://10.0.0.1/recipes/r{number}.html", f"Recipe {number}")
        for number in range(6)
    ]
    site.site.extra[site.site.path(next(iter(site.site.recipes)))] = (
        302,
        {"Location": "http://10.0.0.1/secret"},
        b"",
    )
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as collection:
        summary = collection.run()
        elsewhere = [link for link in collection.links() if site.url not in link.url]
        assert {link.decision for link in elsewhere} == {"skip"}
    assert summary.pages["private"] == 1


def test_wrong_charsets_are_read(site: Served, db: str) -> None:
    slug = next(iter(site.site.recipes))
    page = site.site._recipe(site.site.recipes[slug]).replace(
        "Directions</h2><ol>", "Directions</h2><ol><li>Crème brûlée</li>"
    )
    site.site.extra[site.site.path(slug)] = (
        200,
        {"Content-Type": "text/html"},
        page.encode("windows-1252"),
    )
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as collection:
        collection.run()
        collection.accept_suggestions()
        record = next(iter(collection.records("ok")))
        assert record.fields is not None
        assert record.fields["instructions"][0] == "Crème brûlée"
