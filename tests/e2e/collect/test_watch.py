"""Collections that are watched, bounds of a run, and who may run."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.collect.run import Busy, RunSummary
from scythe.collect.schedule import BUSY_SECONDS, MAX_SLEEP, Watcher, watch
from scythe.errors import NotStored, ScytheError, StoreError
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows


class Enough(Exception):
    pass


def test_watching_runs_what_is_due_and_sleeps_until_then(tmp_path: Path) -> None:
    site = GrowingSite()
    site.grow(1, 6)
    told: list[tuple[str, object]] = []
    slept: list[float] = []

    def tell(name: str, came: RunSummary | ScytheError) -> None:
        told.append((name, type(came)))

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise Enough

    db = f"sqlite:///{tmp_path / 'x.db'}"
    with (
        Served(site) as served,
        Collection.add(f"{served.url}/", "kitchen", "recipe", db=db),
        Store.open(db) as store,
        pytest.raises(Enough),
    ):
        watch(Collections(store), tell, sleep=sleep)
    assert told == [("kitchen", RunSummary)]
    assert slept == [600.0]


def test_watching_goes_on_when_the_database_was_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 1:
            monkeypatch.undo()
        else:
            raise Enough

    def fail(_: Watcher) -> float:
        raise StoreError("It is away.")

    with Store.open(str(tmp_path / "x.db")) as store:
        collections = Collections(store)
        monkeypatch.setattr(Watcher, "run_due", fail)
        with pytest.raises(Enough):
            watch(collections, lambda name, came: told.append(f"{came}"), sleep=sleep)
        assert told == ["It is away."]
        assert slept == [BUSY_SECONDS, MAX_SLEEP]
        with pytest.raises(NotStored):
            watch(collections, lambda *_: None, ["oats"], sleep=sleep)


def users_of(path: Path) -> set[str]:
    """Return the numbers of the processes that have a file open."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if link.readlink() == path:
                found.add(link.parts[2])
    return found


def test_who_watches_for_the_web_app_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    site = GrowingSite()
    site.grow(1, 6)
    command = [sys.executable, "-m", "scythe", "serve", "--watch", "--port", "0"]
    with Served(site) as served:
        Collection.add(f"{served.url}/", "kitchen", "recipe", db=str(path)).close()
        app = subprocess.Popen([*command, "--db", str(path)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while len(site.asked) < 6:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert len(users_of(path)) == 2
        app.kill()
        app.wait()
        while users_of(path):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_run_asks_for_no_more_pages_than_allowed_and_the_next_goes_on(
    tmp_path: Path,
) -> None:
    site = GrowingSite()
    site.grow(1, 12)
    with (
        Served(site) as served,
        Collection.add(
            f"{served.url}/",
            "kitchen",
            "recipe",
            db=f"sqlite:///{tmp_path / 'x.db'}",
            max_pages=8,
        ) as collection,
    ):
        summary = collection.run()
        assert "6 pages are left for the next run" in summary.limits[0]
        assert not summary.trouble
        assert (
            sum(
                status == 200
                for path, status in site.asked
                if path.startswith("/recipes")
            )
            == 8  # links that stand alone wait until lists are decided
        )
        collection.run()
        collection.accept_suggestions()
        assert collection.counts() == {"ok": 12}


def test_one_process_at_a_time(tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'x.db'}"
    with (
        Collection.add("http://127.0.0.1:9/", "kitchen", "recipe", db=db) as collection,
        Store.open(db) as store,
    ):
        assert CollectionRows(store).acquire_lease(
            collection.row.id, "another machine/1/2", 60.0
        )
        with pytest.raises(Busy):
            collection.run()
