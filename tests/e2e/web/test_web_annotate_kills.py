"""A server that is killed while operators save: what was confirmed is stored, and the
records follow after the next start.
"""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, field

import httpx2

from read_pages import read_collection
from scythe.collect.context import RunContext
from scythe.collect.fields.annotations import records_are_current
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from web_visit import AppServer

AT = "/collections/oats/annotate"
SLOT = "section:ingredients"
DELAYS = (0.1, 0.8)
"""Seconds from the first confirmed save to the kill."""
RECORDS = 160
"""More than follow while the operator waits: a job brings them in step."""


@dataclass
class Operator:
    """Somebody who renames a field again and again, as fast as the server takes it."""

    url: str
    confirmed: dict[int, str] = field(default_factory=dict)
    """The name that each version was confirmed to have."""
    first: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Go on until the server is gone."""
        with httpx2.Client(base_url=self.url, timeout=30) as client:
            try:
                while True:
                    self._rename(client)
            except httpx2.TransportError:
                self.first.set()

    def _rename(self, client: httpx2.Client) -> None:
        page = client.get(AT).text
        token, version = (
            re.search(rf'name="{name}" value="(\w+)"', page)
            for name in ("csrf", "version")
        )
        assert token
        assert version
        name = f"name_{int(version[1]) + 1}"
        sent = {
            "csrf": token[1],
            "version": version[1],
            "what": "name",
            "slot": SLOT,
            "name": name,
            "type": "lines",
        }
        if client.post(AT, data=sent).status_code == 303:
            self.confirmed[int(version[1]) + 1] = name
            self.first.set()


def test_a_kill_loses_nothing_that_was_confirmed(database: str) -> None:
    with Store.open(database) as store:
        read_collection(store, pages=RECORDS)
    for delay in DELAYS:
        with AppServer(database) as app:
            operator = Operator(app.url)
            thread = threading.Thread(target=operator.work)
            thread.start()
            assert operator.first.wait(60)
            time.sleep(delay)
            app.kill()
            thread.join()
        _check_confirmed(database, operator)
    with AppServer(database):
        _check_records(database)


def _check_confirmed(database: str, operator: Operator) -> None:
    assert operator.confirmed
    with Store.open(database) as store:
        rows = RunContext(store, CollectionRows(store).get("oats")).annotations.history(
            10_000
        )
    stored = {row.version: row.names[SLOT][0] for row in rows}
    assert {
        version: stored[version] for version in operator.confirmed
    } == operator.confirmed


def _check_records(database: str) -> None:
    """The server that was started last brings all records in step."""
    with Store.open(database) as store:
        work = RunContext(store, CollectionRows(store).get("oats"))
        deadline = time.monotonic() + 120
        while not records_are_current(work):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        name = work.slot_fields[SLOT][0]
        found = [record.fields or record.pending or {} for record in work.records.all()]
        assert len(found) == RECORDS
        assert all(
            name in fields
            and not [
                other for other in fields if other.startswith("name_") and other != name
            ]
            for fields in found
        )
