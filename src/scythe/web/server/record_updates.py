"""Updates records after an annotation: at once where there are few, as a job where there
are many, and at the next start of the server where it was ended in between.
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
from scythe.web.server.jobs import Jobs, ProgressCallback, Step, jobs_of

MAX_RECORDS_AT_ONCE = 150
"""Records that are updated while the operator waits, which takes a second or less."""


def update_key(name: str) -> str:
    """Return the key of the job of a collection."""
    return f"update {name}"


def start_update(request: Request, collection: Collection) -> None:
    """Update the records of a collection after an annotation."""
    if sum(collection.counts().values()) <= MAX_RECORDS_AT_ONCE:
        update_records(RunContext(collection.store, collection.row))
    else:
        _start_job(jobs_of(request), collection.store, collection.row.name)


def update_all_records(report: ProgressCallback, database: str, name: str) -> Any:
    """Update all records of a collection; this is what the job runs."""
    with Collection.open(name, db=database) as collection:
        context = RunContext(collection.store, collection.row)
        total = sum(collection.counts().values())

        def report_count(what: str, done: int, _: int) -> None:
            report(Step(what, done=done, total=total, is_counter=True))

        context.progress = report_count
        return {"finished": update_records(context)}


def resume(app: Starlette) -> list[str]:
    """Resume updates that the end of the server cut off; return their collections."""
    store: Store = app.state.store
    unfinished = [
        row.name
        for row in CollectionRows(store).all()
        if not records_are_current(RunContext(store, row))
    ]
    for name in unfinished:
        _start_job(app.state.jobs, store, name)
    return unfinished


def _start_job(jobs: Jobs, store: Store, name: str) -> None:
    """Start the job. One that is running already sees the newest annotations, and one
    that cannot start now waits for the next change, run or start of the server.
    """
    title = f"Updating records of {name}"
    try:
        jobs.start(update_key(name), title, update_all_records, store.address, name)
    except Busy:
        return
