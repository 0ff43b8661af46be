"""A run that is killed between any two statements, and gone on with: the database ends
as if nothing had happened.
"""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from sqlalchemy import select

from scythe.store import Store
from scythe.store.collection_tables import COLLECTION_TABLES
from scythe.store.search.tables import FACETS

pytestmark = pytest.mark.slow

PAGES = 7
KILLED_BEFORE = (40, 80, 120, 180)
"""The number of the statement before which the process is killed; an undisturbed run
has 192 on PostgreSQL.
"""

Contents = dict[str, list[tuple[object, ...]]]

WORKER = """
import os, signal, sys
from datetime import UTC, datetime
from sqlalchemy import event
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import IndexPageRows, NewIndexPage, SeenLink, IndexPageVisit
from scythe.store.collections.links import NewDecision, LinkRows
from scythe.store.collections.pages import FetchResult, PageRows, PageRequest
from scythe.store.collections.records import NewRecord, RecordRows, RecordSource
from scythe.store.collections.runs import NewNotice, RunRows
from scythe.store.collections.templates import ExtractedRow, TemplateRows

database, pages, stop = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LATE = datetime(2999, 1, 1, tzinfo=UTC)
HOME = "https://oats.example/"
executed = 0

def count(*_):
    global executed
    executed += 1
    if executed == stop:
        os.kill(os.getpid(), signal.SIGKILL)

with Store.open(database) as store:
    event.listen(store._engine, "before_cursor_execute", count)
    collections = CollectionRows(store)
    if not collections.all():
        collections.add("oats", HOME, "Recipe")
    number = collections.get("oats").id
    runs, index, links = RunRows(store, number), IndexPageRows(store, number), LinkRows(store, number)
    wanted, templates, records = PageRows(store, number), TemplateRows(store, number), RecordRows(store, number)
    if not any(run.ended_at for run in runs.all()):
        run = runs.begin().id
        index.add([NewIndexPage(HOME, "html"), NewIndexPage(HOME + "feed", "feed")])
        seen = [SeenLink(f"{HOME}{place}", f"Oats {place}") for place in range(pages)]
        for page in index.due(run):
            said = {link.url: {"n": link.text} for link in seen}
            index.store_visit(page.id, run, IndexPageVisit("changed", 60.0, LATE, links=seen, records=said))
        links.decide([NewDecision(link.id, "record", "structure") for link in links.undecided()], run)
        wanted.enqueue([PageRequest(link.url) for link in links.with_decision("record")], run)
        while rows := wanted.in_stage("wanted", 2):
            wanted.store_results([FetchResult(row.id, "ok", row.url.encode()) for row in rows])
        while rows := wanted.in_stage("fetched", 3):
            placed = len(collections.load_state(number, "clusters") or []) + len(rows)
            wanted.classify({row.id: (1, "record") for row in rows}, "clusters", ["x"] * placed)
        links.store_outcomes({row.url: "record" for row in wanted.all()})
        while rows := wanted.in_stage("classified", 2):
            read = [ExtractedRow(row.id, 1, 0, row.body_hash, {"s1": [row.url]}) for row in rows]
            last = templates.latest(1)
            grown = {"pages": (last.definition["pages"] if last else 0) + len(rows)}
            reason = "new attribute" if grown["pages"] == 4 else None
            templates.store_extracted((1, grown, reason), read, [NewNotice("s1", "new attribute")], run)
        while rows := wanted.in_stage("extracted", 2):
            known = templates.extracted_from([row.id for row in rows])
            values = {row: {"title": known[row.id].slots["s1"][0], "category": f"c{row.id % 2}"} for row in rows}
            records.store([NewRecord(row.url, row.url, values[row], RecordSource(row.id, row.body_hash, 1, 1)) for row in rows], run)
        runs.end(run, {"records": records.changes_in(run), "pages": wanted.count_outcomes(run)})
print(executed)
"""


def work(database: str, stop: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WORKER, database, str(PAGES), str(stop)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def contents(database: str) -> Contents:
    """All tables in their order, without times, and without the numbers of rows:
    PostgreSQL does not give a number again.
    """
    found: Contents = {}
    with Store.open(database) as store, store.reading() as connection:
        for table in (*COLLECTION_TABLES, FACETS):
            left_out = ("id", "_id", "_in", "_at", "_seen", "_until")
            columns = [
                column for column in table.c if not column.name.endswith(left_out)
            ]
            order = table.c.id if "id" in table.c else columns[0]
            found[table.name] = [
                tuple(row)
                for row in connection.execute(select(*columns).order_by(order))
            ]
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    database = f"sqlite:///{tmp_path_factory.mktemp('undisturbed') / 'scythe.db'}"
    done = work(database, 0)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > KILLED_BEFORE[-1], "the last kill would come too late"
    return contents(database)


@pytest.mark.parametrize("stop", KILLED_BEFORE)
def test_a_run_goes_on_after_a_kill(
    stop: int, database: str, undisturbed: Contents
) -> None:
    assert work(database, stop).returncode == -signal.SIGKILL
    assert work(database, 0).returncode == 0
    assert contents(database) == undisturbed


def test_a_run_goes_on_after_many_kills(database: str, undisturbed: Contents) -> None:
    ends = [work(database, 90).returncode for _ in range(5)]
    assert (ends[0], ends[-1]) == (-signal.SIGKILL, 0)
    assert contents(database) == undisturbed
