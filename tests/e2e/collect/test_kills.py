"""Runs that are killed (SIGKILL) at random moments and run again end as an undisturbed
one does, on both databases.

SCYTHE_KILLS says how many times, 2 by default: the moments are spread over the time
that an undisturbed run takes.
"""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import MetaData, select

from growing_site import GrowingSite, Recipe, Served
from postgres import Postgres
from scythe.collect.collection import Collection
from scythe.store import Store

KILLS = int(os.environ.get("SCYTHE_KILLS", "2"))
SCRIPT = Path(__file__).with_name("killed_run.py")
TIMES = frozenset(
    "added_at saved_at started_at ended_at due_at visited_at first_seen last_seen seen_at gone_at stored_at fetched_at "
    "changed_at extracted_at given_at done_at said_at imported_at held_until holder period".split()
)
"""What differs between any two runs; of those that say whether something happened,
whether they are set is compared.
"""


def grown() -> GrowingSite:
    site = GrowingSite()
    site.grow(1, 25)
    return site


def evolve(site: GrowingSite) -> None:
    """New, changed, gone and moved records at once."""
    site.grow(40, 15)
    for number in (2, 5, 9):
        site.recipes[Recipe.of(number).slug].steps.append("Serve it warm.")
    for number in (3, 4):
        del site.recipes[Recipe.of(number).slug]
    moved = Recipe.of(7)
    site.recipes = {
        f"the-{slug}" if slug == moved.slug else slug: recipe
        for slug, recipe in site.recipes.items()
    }


def begun(site: Served, database: str) -> None:
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=database) as collection:
        collection.run()
        collection.accept_suggestions()


def start(database: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(SCRIPT), database, "kitchen"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "begin\n"
    return process


def update_records(process: subprocess.Popen[str]) -> bool:
    output, _ = process.communicate(timeout=300)
    return output == "end\n" and process.returncode == 0


def killed(process: subprocess.Popen[str], after: float) -> bool:
    """Kill a run after some seconds; False where it had ended before."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
        process.communicate()
        return False
    process.kill()
    process.communicate()
    return True


def content(database: str) -> dict[str, list[Any]]:
    """All that a database holds about collections, without times. PostgreSQL gives no
    number twice, also where its use was undone; so facets are told by their names.
    """
    found: dict[str, list[Any]] = {}
    facets: dict[int, str] = {}
    with Store.open(database) as store, store.reading() as connection:
        meta = MetaData()
        meta.reflect(connection)
        for name in sorted(meta.tables):
            if not name.startswith("collection"):
                continue
            rows = [
                dict(row)
                for row in connection.execute(select(meta.tables[name])).mappings()
            ]
            if name == "collection_facets":
                facets = {row.pop("id"): f"{row['field']}={row['key']}" for row in rows}
            found[name] = sorted(
                (_comparable(row) for row in rows if row.get("kind") != "time"),
                key=repr,
            )
        for row in found["collection_facet_pieces"]:
            row["facet_id"] = facets[row["facet_id"]]
        for row in found["collection_record_texts"]:
            row["facets"] = sorted(
                facets[facet] for facet in np.frombuffer(row["facets"], "<i4").tolist()
            )
        found["collection_facet_pieces"].sort(key=repr)
    return found


def is_over(database: str) -> bool:
    """Whether the run came to its end: what is killed after that is no run."""
    with Collection.open("kitchen", db=database) as collection:
        return [run.state for run in collection.runs()] == ["done", "done"]


def _comparable(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value is not None if name in TIMES else value
        for name, value in row.items()
    }


def assert_same(found: dict[str, list[Any]], expected: dict[str, list[Any]]) -> None:
    for name, rows in expected.items():
        assert found[name] == rows, name


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    if request.param == "sqlite":
        names = iter(range(1_000))
        return lambda: f"sqlite:///{tmp_path / f'{next(names)}.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database


@pytest.mark.xdist_group("kills")
def test_killed_runs_end_as_undisturbed_ones(new_database: Callable[[], str]) -> None:
    chance = random.Random(7)
    with Served(grown()) as site:
        undisturbed = new_database()
        begun(site, undisturbed)
        disturbed = new_database()
        begun(site, disturbed)
        evolve(site.site)
        began = time.monotonic()
        assert update_records(start(undisturbed))
        length = time.monotonic() - began
        expected = content(undisturbed)
        kills = 0
        while kills < KILLS:
            in_time = killed(start(disturbed), chance.uniform(0, length * 0.6))
            if not in_time:
                assert_same(content(disturbed), expected)
            if not in_time or is_over(disturbed):
                disturbed = new_database()
                site.site.__dict__.update(grown().__dict__)
                begun(site, disturbed)
                evolve(site.site)
                continue
            kills += 1
        assert update_records(start(disturbed))
        assert_same(content(disturbed), expected)
