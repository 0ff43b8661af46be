"""Jobs for programs: the progress of each."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.errors import NotStored
from scythe.web.api.route import ApiRoute
from scythe.web.api.types import JobAnswer
from scythe.web.server.jobs import jobs_of


def job_answer(request: Request, key: str) -> dict[str, Any]:
    """Return the job of a key as plain values."""
    job = jobs_of(request).of(key)
    if job is None:
        raise NotStored("There was no such job since the server was started.")
    return job.as_json()


def _jobs(request: Request) -> Any:
    return [job.as_json() for job in jobs_of(request).all()]


api_routes = [
    ApiRoute(
        "GET",
        "/api/jobs",
        _jobs,
        "Jobs of this server, the latest first",
        list[JobAnswer],
        "Jobs",
    )
]
