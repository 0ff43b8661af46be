"""Records that follow what operators said: at once where there are few, as a job where
there are many, and after a start of the server where it was ended in between.
"""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request

from scythe.collect.collection import Collection
from scythe.collect.context import RunContext
from scythe.collect.fields.annotations import records_are_current, update_records
from scythe.collect.run import Busy
from scythe.store.collections.collections import CollectionRows
from scythe.store.store import Store
from scythe.web.server.jobs import Jobs, Step, Tell, jobs_of

AT_ONCE = 150
"""Pages that are imported while the operator waits, which takes a second or less."""


def follow_key(name: str) -> str:
    """The key of the job of a collection."""
    return f"follow {name}"


def records_follow(request: Request, collection: Collection) -> None:
    """Bring records in step with what was just said."""
    work = RunContext(collection.store, collection.row)
    if sum(collection.counts().values()) <= AT_ONCE:
        update_records(work)
    else:
        _begin(jobs_of(request), collection.store, collection.row.name)


def _begin(jobs: Jobs, store: Store, name: str) -> None:
    """Begin the job; one that is at work already sees what was said meanwhile, and one
    that cannot begin now waits for the next change, run or start.
    """
    try:
        jobs.start(
            follow_key(name),
            f"Records of {name} follow",
            bring_in_step,
            store.address,
            name,
        )
    except Busy:
        return


def bring_in_step(tell: Tell, database: str, name: str) -> Any:
    """What the job does."""
    with Collection.open(name, db=database) as collection:
        work = RunContext(collection.store, collection.row)
        total = sum(collection.counts().values())
        work.progress = lambda what, done, _: tell(
            Step(what, done=done, total=total, counts=True)
        )
        return {"finished": update_records(work)}


def resume(app: Starlette) -> list[str]:
    """Go on with what was left when the server was ended; gives the collections."""
    store: Store = app.state.store
    left = [
        row.name
        for row in CollectionRows(store).all()
        if not records_are_current(RunContext(store, row))
    ]
    for name in left:
        _begin(app.state.jobs, store, name)
    return left
