"""Collections kept up to date for as long as the program runs: each when the first of
its index pages is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime

from scythe.collect.collection import Collection
from scythe.collect.run import Summary
from scythe.errors import ScytheError
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.states import CollectionState
from scythe.store.columns import now
from scythe.store.store import Store

LONGEST_SLEEP = 600.0
"""Seconds after which the database is looked at again: collections are added and
removed by others.
"""
AFTER_TROUBLE = 900.0
"""Seconds to wait with a collection that could not be run."""

Told = Callable[[str, Summary | ScytheError], None]


def active(store: Store, names: Sequence[str] = ()) -> list[Collection]:
    """The collections of given names, or all that are not paused."""
    rows = CollectionRows(store)
    found = (
        [rows.get(name) for name in names]
        if names
        else [row for row in rows.all() if row.state == CollectionState.ACTIVE]
    )
    return [Collection(store, row) for row in found]


def watch(
    store: Store,
    tell: Told,
    names: Sequence[str] = (),
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Run collections whenever they are due, until the program is ended."""
    held: dict[str, datetime] = {}
    while True:
        wait = LONGEST_SLEEP
        for collection in active(store, names):
            name = collection.row.name
            due = max(
                collection.next_visit() or now(),
                held.get(name, datetime.min.replace(tzinfo=now().tzinfo)),
            )
            if due > now():
                wait = min(wait, (due - now()).total_seconds())
                continue
            try:
                tell(name, collection.run(due_only=True))
            except ScytheError as error:
                tell(name, error)
                held[name] = datetime.fromtimestamp(
                    now().timestamp() + AFTER_TROUBLE, tz=now().tzinfo
                )
            wait = 0.0
        if wait > 0:
            sleep(wait)
