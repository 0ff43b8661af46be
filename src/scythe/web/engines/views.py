"""Pages of search engines: their health, adding one by its address, what was learned of
it, checks and learning again.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.engines.registry.registry import Registry, StoredEngine
from scythe.errors import NotStored, ScytheError, UsageError
from scythe.sources.download import require_http
from scythe.urls import completed_url, require_no_login, require_public
from scythe.web.server.context import collections_of, database_of, settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.jobs import Progress, Task, jobs_of
from scythe.web.server.rendering import is_fragment, page, see_other, segment
from scythe.web.server.tasks import (
    add_engine,
    relearn_engine,
    repair_engine,
    run_engine_check,
)
from scythe.web.snapshots.frame import frame_response

MAX_ENTRIES = 10
"""Answers and events that a page shows: what fits, not tuned."""
_BADGES = {
    "good": "good",
    "new": "",
    "empty": "warn",
    "poor": "warn",
    "changed": "warn",
}
"""The badge of a state of health; others are bad."""


def engine_key(name: str) -> str:
    """Return the key of the job that works on an engine."""
    return f"engine/{name}"


def adding_key(number: str) -> str:
    """Return the key of the job that adds an engine, which has no name yet."""
    return f"add-engine/{number}"


def registry_of(request: Request) -> Registry:
    """Return the engines of the database."""
    return Registry(collections_of(request).store)


def engine_of(request: Request) -> StoredEngine:
    """Return the engine in the path."""
    return registry_of(request).get(request.path_params["name"])


def start_adding(request: Request, url: str, name: str | None) -> tuple[str, Progress]:
    """Start to learn an engine, and return the number of the job with its progress."""
    require_http(url)
    require_no_login(url)
    if not settings_of(request).allow_private:
        require_public(url)
    registry_of(request).require_new(name, url)

    jobs = jobs_of(request)
    title = f"Adding {url}"
    for job in jobs.all():
        if job.is_running and job.title == title:
            return job.key.rpartition("/")[2], job

    number = secrets.token_hex(4)
    arguments = (database_of(request), url, name)
    progress = jobs.start(adding_key(number), title, add_engine, *arguments)
    return number, progress


def start_check(request: Request, name: str) -> Progress:
    """Start to check an engine."""
    return _start_job(request, name, f"Checking {name}", run_engine_check)


def start_relearning(request: Request, name: str) -> Progress:
    """Start to learn an engine again."""
    return _start_job(request, name, f"Learning {name} again", relearn_engine)


def start_repair(request: Request, name: str) -> None:
    """Start to repair an engine that seems to have changed, unless a job works on it."""
    if not jobs_of(request).is_running(engine_key(name)):
        _start_job(request, name, f"{name} may have changed", repair_engine)


def _start_job(request: Request, name: str, title: str, task: Task) -> Progress:
    database = database_of(request)
    return jobs_of(request).start(engine_key(name), title, task, database, name)


def last_inspection(request: Request, name: str) -> Progress | None:
    """Return the last job of this server that has a result page of an engine."""
    for job in jobs_of(request).all():
        result = job.result
        if not isinstance(result, Mapping) or "rows" not in result:
            continue
        if result.get("engine") == name:
            return job
    return None


def remove_engine(request: Request, name: str) -> None:
    """Remove an engine."""
    jobs = jobs_of(request)
    jobs.stop(engine_key(name))
    registry_of(request).remove([name])
    jobs.forget(engine_key(name))


def list_engines(request: Request) -> Response:
    """Show all engines with their health."""
    registry = registry_of(request)
    engines = [(known, registry.health(known)) for known in registry.all()]
    adding = []
    for job in jobs_of(request).all():
        is_adding = job.key.startswith(adding_key(""))
        if job.is_running and is_adding:
            adding.append(job)
    return page(
        request, "engines/list.html", engines=engines, badges=_BADGES, adding=adding
    )


def add_form(request: Request) -> Response:
    """Show the form for a new engine."""
    values = Form({"url": [request.query_params.get("url", "")]})
    return page(request, "engines/add.html", values=values, error="")


def add(request: Request) -> Response:
    """Start to learn an engine."""
    sent = form(request)
    try:
        number, _ = start_adding(
            request, completed_url(sent.get("url")), sent.get("name") or None
        )
    except ScytheError as error:
        return page(request, "engines/add.html", 400, values=sent, error=str(error))
    return see_other(f"/engines/adding/{number}")


def show_adding(request: Request) -> Response:
    """Show the progress of learning an engine, and in the end what was learned."""
    number = request.path_params["number"]
    job = jobs_of(request).of(adding_key(number))
    if job is None:
        raise NotStored(
            "The server was restarted since. Open Engines to see whether it was added."
        )
    return _show_job(request, "engines/adding.html", job, number=number)


def show_engine(request: Request) -> Response:
    """Show one engine: how it is searched, what its pages have, its health."""
    registry, known = registry_of(request), engine_of(request)
    return page(
        request,
        "engines/show.html",
        known=known,
        health=registry.health(known),
        badges=_BADGES,
        job=jobs_of(request).of(engine_key(known.name)),
        inspection=last_inspection(request, known.name),
        answers=list(reversed(registry.answers(known)))[:MAX_ENTRIES],
        events=list(reversed(registry.events(known)))[:MAX_ENTRIES],
        versions=list(reversed(registry.versions(known))),
    )


def progress(request: Request) -> Response:
    """Show the progress of a job of an engine."""
    known = engine_of(request)
    job = jobs_of(request).of(engine_key(known.name))
    if job is None or not is_fragment(request):
        return see_other(f"/engines/{segment(known.name)}")
    return _show_job(request, "job.html", job)


def show_result_page(request: Request) -> Response:
    """Show the result page of the last check, with its records in boxes, for a frame."""
    name = request.path_params["name"]
    inspection = last_inspection(request, name)
    if inspection is None or not inspection.frame:
        raise NotStored(
            f"{name} was not checked since the server was started. Check it now."
        )
    return frame_response(inspection.frame)


def check(request: Request) -> Response:
    """Start to check an engine by a query it was learned from."""
    name = engine_of(request).name
    start_check(request, name)
    return see_other(f"/engines/{segment(name)}")


def relearn(request: Request) -> Response:
    """Start to learn an engine again."""
    name = engine_of(request).name
    start_relearning(request, name)
    return see_other(f"/engines/{segment(name)}")


def set_weight(request: Request) -> Response:
    """Set how much the results of an engine count."""
    known = engine_of(request)
    try:
        weight = float(form(request).get("weight"))
    except ValueError:
        raise UsageError("A weight is a number: 1 is usual, 0 is least.") from None
    registry_of(request).set_weight(known, weight)
    return see_other(f"/engines/{segment(known.name)}")


def remove_form(request: Request) -> Response:
    """Ask before an engine is removed."""
    return page(request, "engines/remove.html", known=engine_of(request))


def remove(request: Request) -> Response:
    """Remove an engine."""
    remove_engine(request, engine_of(request).name)
    return see_other("/engines")


def _show_job(
    request: Request, template: str, job: Progress, **values: Any
) -> Response:
    """Show a page that loads itself again when a job has ended."""
    if not is_fragment(request):
        return page(request, template, job=job, inspection=job, **values)
    headers = {} if job.is_running else {"HX-Refresh": "true"}
    return page(request, "job.html", headers=headers, job=job)


routes = [
    Route("/engines", list_engines),
    Route("/engines/add", add_form),
    Route("/engines/add", add, methods=["POST"]),
    Route("/engines/adding/{number}", show_adding),
    Route("/engines/{name:path}/progress", progress),
    Route("/engines/{name:path}/picture", show_result_page),
    Route("/engines/{name:path}/check", check, methods=["POST"]),
    Route("/engines/{name:path}/relearn", relearn, methods=["POST"]),
    Route("/engines/{name:path}/weight", set_weight, methods=["POST"]),
    Route("/engines/{name:path}/remove", remove_form),
    Route("/engines/{name:path}/remove", remove, methods=["POST"]),
    Route("/engines/{name:path}", show_engine),
]
