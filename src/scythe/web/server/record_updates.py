"""Updates records after an annotation: at once where there are few, as a job where there
are many, and at the next start of the server where it was ended in between.
"""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request

from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.collect.run import Busy
from scythe.web.server.context import database_of
from scythe.web.server.jobs import Jobs, ProgressCallback, Step, jobs_of

MAX_RECORDS_AT_ONCE = 150
"""Records that are updated while the operator waits, which takes a second or less."""


def update_key(name: str) -> str:
    """Return the key of the job of a collection."""
    return f"update {name}"


def start_update(request: Request, collection: Collection) -> None:
    """Update the records of a collection after an annotation."""
    if sum(collection.counts().values()) <= MAX_RECORDS_AT_ONCE:
        collection.update_records()
    else:
        _start_job(jobs_of(request), database_of(request), collection.row.name)


def update_all_records(report: ProgressCallback, database: str, name: str) -> Any:
    """Update all records of a collection; this is what the job runs."""
    with Collection.open(name, db=database) as collection:
        total = sum(collection.counts().values())

        def report_count(what: str, done: int, _: int) -> None:
            report(Step(what, done=done, total=total, is_counter=True))

        return {"finished": collection.update_records(report_count)}


def resume(app: Starlette) -> list[str]:
    """Resume updates that the end of the server cut off; return their collections."""
    collections: Collections = app.state.collections
    names = [row.name for row in collections.all()]
    unfinished = [
        name for name in names if not collections.get(name).records_are_current()
    ]
    for name in unfinished:
        _start_job(app.state.jobs, collections.address, name)
    return unfinished


def _start_job(jobs: Jobs, database: str, name: str) -> None:
    """Start the job. One that is running already sees the newest annotations, and one
    that cannot start now waits for the next change, run or start of the server.
    """
    title = f"Updating records of {name}"
    try:
        jobs.start(update_key(name), title, update_all_records, database, name)
    except Busy:
        return
