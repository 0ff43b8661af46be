"""Bounds on the work of a run: whoever reads its summary, on the command line, in JSON or
in the web app, sees that one was reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run_here
from growing_site import GrowingSite, Served
from scythe.collect import run as run_module
from scythe.collect.collection import Collection
from scythe.collect.links import index_pages
from scythe.collect.steps import run_end
from scythe.collect.steps.monitor import CUT_NOTE
from scythe.store import Store
from visitor import Visitor, words_of


@pytest.fixture
def site() -> Iterator[Served]:
    growing = GrowingSite()
    growing.grow(1, 12)
    with Served(growing) as served:
        yield served


@pytest.fixture
def database(site: Served, tmp_path: Path) -> str:
    path = str(tmp_path / "scythe.db")
    Collection.add(f"{site.url}/", "kitchen", "recipe", db=path).close()
    return path


def limits(database: str) -> str:
    with Collection.open("kitchen", db=database) as collection:
        return "\n".join(collection.run().limits)


def test_a_run_that_reaches_none_says_nothing(database: str) -> None:
    assert limits(database) == ""


def test_pages_that_are_left_are_shown_everywhere(database: str) -> None:
    said = "6 pages are left for the next run"
    with Collection.open("kitchen", db=database) as collection:
        collection.change(max_pages=8)
    done = run_here(["collect", "run", "kitchen", "--db", database])
    assert f"limit: {said}" in done.stdout
    with Store.open(database) as store, Visitor(store) as visitor:
        assert said in words_of(visitor.get("/collections/kitchen").text)
        runs = visitor.api("GET", "/api/collections/kitchen/runs")
        assert said in runs.text


def test_links_beyond_those_that_are_read(
    database: str, site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_pages, "MAX_LINKS", 8)
    assert limits(database) == f"{site.url}/: {CUT_NOTE}"


def test_index_pages_beyond_those_that_are_watched(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_end, "MAX_INDEX_PAGES", 1)
    assert "others that were found are not visited" in limits(database)


def test_rounds_that_bring_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "MAX_ROUNDS", 1)
    assert "1 times in a row links led to links" in limits(database)


def test_failures_beyond_those_that_are_named(
    database: str, site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "MAX_FAILURES", 2)
    for slug in list(site.site.recipes)[:3]:
        site.site.extra[f"/recipes/{slug}.html"] = (403, {}, b"")
    assert limits(database) == "only the first 2 failed pages are named"
