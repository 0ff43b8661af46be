"""Two processes that watch one PostgreSQL database share its collections; one is killed
half-way, and nothing is lost and nothing is there twice.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter

from growing_site import GrowingSite, Served
from postgres import Postgres
from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.store.leases import this_process

PATIENCE = 240
"""Seconds after which a test that waits for others has failed."""


def watching(database: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "scythe", "collect", "watch", "--db", database]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def test_a_killed_watcher_leaves_its_work_to_the_other(postgres: Postgres) -> None:
    database = postgres.new_database()
    site = GrowingSite()
    site.grow(1, 20)
    with Served(site) as served, Collections.open(database) as collections:
        for name in ("kitchen", "larder"):
            Collection.add(f"{served.url}/", name, "recipe", db=database).close()
        first = watching(database)
        try:
            give_up = time.monotonic() + PATIENCE
            while len(site.asked) < 8:
                assert time.monotonic() < give_up
                time.sleep(0.05)
            second = watching(database)
            first.kill()
            first.wait()
            while not all(ended(collections, name) for name in ("kitchen", "larder")):
                assert time.monotonic() < give_up
                assert second.poll() is None
                time.sleep(0.1)
        finally:
            for process in (first, second):
                process.kill()
                process.wait()

        for name in ("kitchen", "larder"):
            collection = collections.get(name)
            records = list(collection.records())
            assert len(records) == 20
            history = Counter(len(collection.history(record)) for record in records)
            assert history == {1: 20}
            assert len(collection.runs()) == 1
        asked = Counter(path for path, status in site.asked if status == 200)
        recipes = [count for path, count in asked.items() if "/recipes/" in path]
        assert len(recipes) == 20
        assert max(recipes) <= 3, "two collections, and what a kill had not stored"


def ended(collections: Collections, name: str) -> bool:
    runs = collections.get(name).runs()
    return bool(runs) and runs[-1].ended_at is not None


def test_one_host_is_asked_by_one_process_at_a_time(postgres: Postgres) -> None:
    database = postgres.new_database()
    for name in ("kitchen", "larder"):
        Collection.add("http://oats.example/", name, db=database).close()
    with Collections.open(database) as collections:
        rows = [row.id for row in collections.all()]
        leases = collections.get("kitchen")._context.collections
        other = "another-machine/1/1"
        assert leases.acquire_lease(rows[0], other, 60, host="oats.example")
        me = this_process()
        assert not leases.acquire_lease(rows[1], me, 60, host="oats.example")
        assert leases.acquire_lease(rows[1], me, 60, host="hay.example")
        assert not leases.acquire_lease(rows[1], other, -60), "its holder is alive"
