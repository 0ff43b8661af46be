"""A database, a wrapper and a template that the version before wrote: they open and
work. See README.md beside this file.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import growing_site
import small_engine
from scythe.store import Store
from scythe.store.collections.annotations import AnnotationRows
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import IndexPageRows
from scythe.store.collections.records import RecordRows
from scythe.store.collections.runs import RunRows
from scythe.store.engines.engines import EngineRows

pytestmark = pytest.mark.slow

FILES = Path(__file__).parent
HOST, SITE_PORT, ENGINE_PORT = "127.83.67.89", 8765, 8766
TIME_SLOT = "0:s16"
"""The slot that the version before named `total_time`."""


@pytest.fixture
def database(tmp_path: Path) -> str:
    """A copy of the database."""
    path = tmp_path / "scythe.db"
    path.write_bytes(gzip.decompress((FILES / "scythe.db.gz").read_bytes()))
    return str(path)


def scythe(*arguments: str, database: str = "") -> str:
    """Return what the command writes to standard output."""
    environment = {**os.environ, "SCYTHE_DB": database, "NO_PROXY": HOST}
    ended = subprocess.run(
        [sys.executable, "-m", "scythe", *arguments],
        cwd=FILES,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def exported(database: str) -> list[dict[str, Any]]:
    lines = scythe("collect", "export", "kitchen", "--to", "jsonl", database=database)
    return [json.loads(line) for line in lines.splitlines()]


@contextmanager
def served(port: int, handler: type[BaseHTTPRequestHandler]) -> Iterator[None]:
    """Serve at the address that is in the database; skip where it cannot be had."""
    try:
        server = ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        pytest.skip(f"{HOST}:{port} cannot be bound on this machine: {error}")
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def site_as_it_was() -> growing_site.GrowingSite:
    """Return the site as the last run of the version before saw it."""
    site = growing_site.GrowingSite()
    site.grow(1, 24)
    for slug in list(site.recipes)[:2]:
        del site.recipes[slug]
    for slug in list(site.recipes)[2:4]:
        site.recipes[slug].ingredients[0] = "111 g salt"
    site.grow(40, 4)
    return site


def test_the_database_opens_with_all_that_is_in_it(database: str) -> None:
    with Store.open(database) as store:
        (collection,) = CollectionRows(store).all()
        assert (collection.name, collection.kind) == ("kitchen", "recipe")
        assert collection.url == f"http://{HOST}:{SITE_PORT}/"
        assert collection.table_name == "records_kitchen"

        records = RecordRows(store, collection.id)
        assert records.counts() == {"ok": 26, "gone": 2}
        changes = Counter(
            tuple(version.change for version in records.history(record.id))
            for record in records.all()
        )
        assert changes == {
            ("review", "new"): 22,
            ("review", "new", "gone"): 2,
            ("new",): 4,
        }

        (page,) = IndexPageRows(store, collection.id).all()
        assert (page.url, page.kind, page.visits) == (collection.url, "html", 3)
        runs = RunRows(store, collection.id).all()
        assert [(run.number, run.state) for run in runs] == [
            (1, "done"),
            (2, "done"),
            (3, "done"),
        ]
        fields = AnnotationRows(store, collection.id).latest().names
        assert {slot: name for slot, (name, _) in fields.items()} == {
            TIME_SLOT: "total_time",
            "declared:title": "title",
            "section:directions": "instructions",
            "section:ingredients": "ingredients",
        }

        (engine,) = EngineRows(store).all()
        assert (engine.name, engine.version) == ("things", 1)
        assert [row.status for row in EngineRows(store).answers(engine.id)] == ["ok"]


def test_records_are_exported_alike(database: str) -> None:
    written = scythe("collect", "export", "kitchen", "--to", "jsonl", database=database)
    assert written == (FILES / "records.jsonl").read_text(encoding="utf-8")


def test_a_field_is_named_and_undone_and_the_next_run_works(database: str) -> None:
    site = site_as_it_was()
    handler = type("Handler", (growing_site._Handler,), {"site": site})
    minutes = {
        record["record_id"]: record["total_time"] for record in exported(database)
    }

    scythe("collect", "name", "kitchen", TIME_SLOT, "cook_time", database=database)
    renamed = exported(database)
    assert {row["record_id"]: row["cook_time"] for row in renamed} == minutes
    assert not any(record.get("total_time") for record in renamed)

    with Store.open(database) as store:
        collection = CollectionRows(store).get("kitchen")
        AnnotationRows(store, collection.id).undo()
    site.grow(50, 2)
    with served(SITE_PORT, handler):
        scythe("collect", "run", "kitchen", database=database)

    with Store.open(database) as store:
        last = RunRows(store, collection.id).last()
        assert last is not None
        assert (last.number, last.state) == (4, "done")
        assert last.summary["records"] == {"new": 2}
    records = {record["record_id"]: record for record in exported(database)}
    assert len(records) == len(minutes) + 2
    for number, value in minutes.items():
        assert records[number]["total_time"] == value


def test_the_engine_answers_a_search(database: str) -> None:
    engine = small_engine.SmallEngine([small_engine.Item(n) for n in range(1, 80)])
    engine._server.server_close()
    handler = type("Handler", (small_engine._Handler,), {"engine": engine})
    with served(ENGINE_PORT, handler):
        answer = json.loads(
            scythe("search", "barley", "--format", "json", database=database)
        )
    found = {hit["url"] for hit in answer["hits"]}
    assert found == {item.url for item in engine.found("barley")[:10]}


def test_the_wrapper_reads_the_same_rows() -> None:
    written = scythe(
        "wrapper", "apply", "wrapper.json", "results/3.html", "--format", "json"
    )
    assert json.loads(written) == json.loads((FILES / "rows.json").read_bytes())


def test_the_template_reads_the_same_values() -> None:
    written = scythe(
        "template", "apply", "template.json", "pages/6.html", "--format", "json"
    )
    assert json.loads(written) == json.loads((FILES / "values.json").read_bytes())
