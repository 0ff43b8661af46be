"""Collections kept up to date for as long as the program runs: each when the first of
its index pages is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from scythe.collect.catalogue import Collections
from scythe.collect.run import RunSummary
from scythe.errors import ScytheError
from scythe.store.columns import now

MAX_SLEEP = 600.0
"""Seconds after which the database is asked again: collections are added and removed by
others. Not tuned.
"""
RETRY_SECONDS = 900.0
"""Seconds to wait with a collection that could not be run. Not tuned."""

RunCallback = Callable[[str, RunSummary | ScytheError], None]
"""Called with the name of a collection and what came of its run."""


def watch(
    collections: Collections,
    on_run: RunCallback,
    names: Sequence[str] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Run collections whenever they are due, until the program is ended."""
    retry_at: dict[str, datetime] = {}
    while True:
        wait = MAX_SLEEP
        for collection in collections.active(names):
            name = collection.row.name
            due = collection.next_visit() or now()
            due = max(due, retry_at.get(name, due))
            if due > now():
                wait = min(wait, (due - now()).total_seconds())
                continue
            try:
                on_run(name, collection.run(due_only=True))
            except ScytheError as error:
                on_run(name, error)
                retry_at[name] = now() + timedelta(seconds=RETRY_SECONDS)
            wait = 0.0
        if wait > 0:
            sleep(wait)
