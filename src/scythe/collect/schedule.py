"""Collections kept up to date for as long as the program runs: each when it is due, by
how often its index pages change or by its own timetable.

Several processes, on one machine or on many, may watch one database. Whoever takes the
lease of a collection runs it, and no host is asked by two at a time: the database says
so, under locks on its rows. A process that is killed leaves an open run, which the next
one resumes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.collect.run import Busy, RunSummary
from scythe.collect.views import is_held
from scythe.errors import ScytheError, StoreError
from scythe.store.columns import now
from scythe.store.states import RunState

MAX_SLEEP = 600.0
"""Seconds after which the database is asked again: collections are added and removed by
others. Not tuned.
"""
RETRY_SECONDS = 900.0
"""Seconds to wait with a collection that could not be run, or whose site could not be
read. Not tuned.
"""
BUSY_SECONDS = 30.0
"""Seconds to wait with one that another process works on, and for a database that is
away. Not tuned.
"""

RunCallback = Callable[[str, RunSummary | ScytheError], None]
"""Called with the name of a collection and what came of its run; with that of the
database where it could not be used.
"""


class Watcher:
    """Runs what is due, one collection after the other."""

    def __init__(
        self, collections: Collections, on_run: RunCallback, names: Sequence[str] = ()
    ) -> None:
        self._collections = collections
        self._on_run = on_run
        self._names = names
        self._not_before: dict[str, datetime] = {}

    def run_due(self) -> float:
        """Run every collection that is due; return the seconds until one is again."""
        wait = MAX_SLEEP
        for collection in self._collections.active(self._names):
            seconds = self._seconds_until_due(collection)
            if seconds > 0:
                wait = min(wait, seconds)
                continue
            if self._run(collection):
                wait = 0.0
        return wait

    def _seconds_until_due(self, collection: Collection) -> float:
        at = now()
        not_before = self._not_before.get(collection.row.name, at)
        if not_before > at:
            return (not_before - at).total_seconds()
        if collection.is_due(at):
            return 0.0
        due = None if collection.schedule.never else collection.next_visit()
        return (due - at).total_seconds() if due is not None else MAX_SLEEP

    def _run(self, collection: Collection) -> bool:
        """Run a collection, and return whether that ended."""
        name = collection.row.name
        if is_held(collection.row):
            self._delay(name, BUSY_SECONDS)
            return False
        try:
            is_adaptive = collection.schedule.is_adaptive
            summary = collection.run(due_only=is_adaptive)
        except Busy:
            self._delay(name, BUSY_SECONDS)
            return False
        except ScytheError as error:
            self._on_run(name, error)
            self._delay(name, RETRY_SECONDS)
            return True
        self._on_run(name, summary)
        if summary.state not in (RunState.DONE, RunState.EMPTY):
            self._delay(name, RETRY_SECONDS)
        return True

    def _delay(self, name: str, seconds: float) -> None:
        self._not_before[name] = now() + timedelta(seconds=seconds)


def watch(
    collections: Collections,
    on_run: RunCallback,
    names: Sequence[str] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Run collections whenever they are due, until the program is ended: also after the
    database was away for a while, or a collection was removed.
    """
    collections.active(names)  # says which of the names is none
    watcher = Watcher(collections, on_run, names)
    while True:
        try:
            wait = watcher.run_due()
        except StoreError as error:
            on_run(collections.store.name, error)
            wait = BUSY_SECONDS
        if wait > 0:
            sleep(wait)
