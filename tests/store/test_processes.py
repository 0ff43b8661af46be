"""Several processes on one database: whatever each of them stored is there in the end,
once.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from scythe.store import Store
from scythe.store.engines.engines import EngineRows
from scythe.store.engines.harvests import HarvestRows

pytestmark = pytest.mark.slow

PROCESSES, CHANGES = 3, 8
WORKER = """
import sys
from datetime import UTC, datetime
from scythe.errors import AlreadyStored
from scythe.store import Store
from scythe.store.engines.engines import AnswerRow, EngineRows
from scythe.store.engines.harvests import HarvestRows

database, me, changes = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Store.open(database) as store:
    engines = EngineRows(store)
    try:
        engines.add("shared", "https://shared.example/", {"by": []}, reason="added")
    except AlreadyStored:
        pass
    number = engines.get("shared").id
    for place in range(changes):
        engines.add(f"{me}-{place}", "https://own.example/", {}, reason="added")
        engines.add_answers([(number, AnswerRow(1, datetime.now(UTC), f"{me}-{place}", "ok", 1, 1.0, 0.1, None, ""))])
        while True:
            row = engines.get("shared")
            if engines.replace(number, row.version, {"by": [*row.definition["by"], f"{me}-{place}"]}, "changed"):
                break
        HarvestRows(store, number).add_page(f"{me}", {f"own-{me}-{place}": {}, f"shared-{place}": {}}, None)
"""


def test_no_change_is_lost_and_none_is_made_twice(database: str) -> None:
    command = [sys.executable, "-c", WORKER, database]
    workers = [
        subprocess.Popen([*command, str(me), str(CHANGES)], stderr=subprocess.PIPE)
        for me in range(PROCESSES)
    ]
    assert [worker.communicate()[1] for worker in workers] == [b""] * PROCESSES
    every = {f"{me}-{place}" for me in range(PROCESSES) for place in range(CHANGES)}
    with Store.open(database) as store:
        engines = EngineRows(store)
        shared = engines.get("shared")
        harvest = HarvestRows(store, shared.id)
        assert {row.name for row in engines.all()} == {*every, "shared"}
        assert sorted(shared.definition["by"]) == sorted(every)
        assert shared.version == 1 + len(every) == len(engines.versions(shared.id))
        assert sorted(row.query for row in engines.answers(shared.id)) == sorted(every)
        assert {row.key: row.times for row in harvest.records()} == (
            {f"own-{name}": 1 for name in every}
            | {f"shared-{place}": PROCESSES for place in range(CHANGES)}
        )
        assert (
            sum(row.fresh for row in harvest.queries())
            == harvest.count()
            == len(every) + CHANGES
        )
