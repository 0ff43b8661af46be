"""Jobs for programs: how each goes, as JSON."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.errors import NotStored
from scythe.web.api.route import ApiRoute
from scythe.web.api.schemas import (
    ANYTHING,
    COUNT,
    MOMENT,
    TEXT,
    each,
    maybe,
    one_of,
    shape,
)
from scythe.web.server.jobs import jobs_of

JOB = shape(
    job=TEXT,
    title=TEXT,
    state=one_of("running", "done", "failed", "stopped"),
    steps=each(shape(name=TEXT, detail=TEXT, done=COUNT, total=COUNT)),
    result=ANYTHING,
    message=TEXT,
    started_at=MOMENT,
    ended_at=maybe(MOMENT),
)


def job_values(request: Request, key: str) -> Any:
    """The job of a key as plain values."""
    job = jobs_of(request).of(key)
    if job is None:
        raise NotStored("Nothing of that kind was done since the server was started.")
    return job.as_json()


def _jobs(request: Request) -> Any:
    return [job.as_json() for job in jobs_of(request).all()]


api_routes = [
    ApiRoute(
        "GET",
        "/api/jobs",
        _jobs,
        "Jobs of this server, the latest first",
        each(JOB),
        "Jobs",
    )
]
