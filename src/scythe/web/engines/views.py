"""Pages of search engines: how each is, adding one by its address, what was understood
of it, checking and learning again.
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
from scythe.urls import require_public
from scythe.web.server.context import collections_of, database_of, settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.jobs import Progress, jobs_of
from scythe.web.server.rendering import is_fragment, page, see_other, segment
from scythe.web.server.tasks import (
    add_engine,
    check_engine,
    relearn_engine,
    tend_engine,
)
from scythe.web.snapshots.frame import frame_response

LATEST = 10
"""Answers and events that are shown."""
_HEALTHS = {
    "good": "good",
    "new": "",
    "empty": "warn",
    "poor": "warn",
    "changed": "warn",
}
"""How a state of health looks; others are bad."""


def engine_key(name: str) -> str:
    """The key of the job that works on an engine."""
    return f"engine/{name}"


def adding_key(number: str) -> str:
    """The key of the job that adds an engine, which has no name yet."""
    return f"add-engine/{number}"


def registry_of(request: Request) -> Registry:
    """Return the engines of the database."""
    return Registry(collections_of(request).store)


def engine_of(request: Request) -> StoredEngine:
    """The engine in the path."""
    return registry_of(request).get(request.path_params["name"])


def start_adding(request: Request, url: str, name: str | None) -> tuple[str, Progress]:
    """Begin to learn an engine; gives the number of the job, too."""
    require_http(url)
    if not settings_of(request).allow_private:
        require_public(url)
    registry_of(request).require_new(name, url)
    jobs = jobs_of(request)
    if same := [
        job for job in jobs.all() if job.is_running and job.title == f"Adding {url}"
    ]:
        return same[0].key.rpartition("/")[2], same[0]
    number = secrets.token_hex(4)
    return number, jobs.start(
        adding_key(number),
        f"Adding {url}",
        add_engine,
        database_of(request),
        url,
        name,
    )


def start_check(request: Request, name: str) -> Progress:
    """Begin to check an engine."""
    return jobs_of(request).start(
        engine_key(name),
        f"Checking {name}",
        check_engine,
        database_of(request),
        name,
    )


def start_relearning(request: Request, name: str) -> Progress:
    """Begin to learn an engine again."""
    return jobs_of(request).start(
        engine_key(name),
        f"Learning {name} again",
        relearn_engine,
        database_of(request),
        name,
    )


def start_tending(request: Request, name: str) -> None:
    """Look after an engine that seems to have changed, unless somebody does already."""
    jobs = jobs_of(request)
    if not jobs.is_running(engine_key(name)):
        jobs.start(
            engine_key(name),
            f"{name} may have changed",
            tend_engine,
            database_of(request),
            name,
        )


def last_look(request: Request, name: str) -> Progress | None:
    """The last job of this server that looked at an engine."""
    for job in jobs_of(request).all():
        if (
            isinstance(job.result, Mapping)
            and job.result.get("engine") == name
            and "rows" in job.result
        ):
            return job
    return None


def remove_engine(request: Request, name: str) -> None:
    """Forget an engine."""
    jobs = jobs_of(request)
    jobs.stop(engine_key(name))
    registry_of(request).remove([name])
    jobs.forget(engine_key(name))


def listed(request: Request) -> Response:
    """All engines with their health."""
    registry = registry_of(request)
    engines = [(known, registry.health(known)) for known in registry.all()]
    adding = [
        job
        for job in jobs_of(request).all()
        if job.is_running and job.key.startswith(adding_key(""))
    ]
    return page(
        request, "engines/list.html", engines=engines, looks=_HEALTHS, adding=adding
    )


def adding(request: Request) -> Response:
    """The form for a new engine."""
    return page(
        request,
        "engines/add.html",
        values=Form({"url": [request.query_params.get("url", "")]}),
        error="",
    )


def added(request: Request) -> Response:
    """Begin to learn an engine."""
    sent = form(request)
    try:
        number, _ = start_adding(request, sent.get("url"), sent.get("name") or None)
    except ScytheError as error:
        return page(request, "engines/add.html", 400, values=sent, error=str(error))
    return see_other(f"/engines/adding/{number}")


def how_adding_goes(request: Request) -> Response:
    """How the learning of an engine goes, and in the end what was understood."""
    job = jobs_of(request).of(adding_key(request.path_params["number"]))
    if job is None:
        raise NotStored(
            "This was done by an earlier start of the server. Look at the list of engines."
        )
    return _going(
        request, "engines/adding.html", job, number=request.path_params["number"]
    )


def shown(request: Request) -> Response:
    """One engine: how it is asked, what its pages have, how it is."""
    registry, known = registry_of(request), engine_of(request)
    return page(
        request,
        "engines/show.html",
        known=known,
        health=registry.health(known),
        looks=_HEALTHS,
        job=jobs_of(request).of(engine_key(known.name)),
        look=last_look(request, known.name),
        answers=list(reversed(registry.answers(known)))[:LATEST],
        events=list(reversed(registry.events(known)))[:LATEST],
        versions=list(reversed(registry.versions(known))),
    )


def progress(request: Request) -> Response:
    """How the work on an engine goes."""
    known = engine_of(request)
    job = jobs_of(request).of(engine_key(known.name))
    if job is None or not is_fragment(request):
        return see_other(f"/engines/{segment(known.name)}")
    return _going(request, "job.html", job)


def picture(request: Request) -> Response:
    """The result page that was looked at last, with its records in boxes, for a frame."""
    name = request.path_params["name"]
    look = last_look(request, name)
    if look is None or not look.frame:
        raise NotStored(
            f"No result page of {name} has been looked at since the server was started. Check it."
        )
    return frame_response(look.frame)


def check(request: Request) -> Response:
    """Ask an engine a query it was learned from."""
    name = engine_of(request).name
    start_check(request, name)
    return see_other(f"/engines/{segment(name)}")


def relearn(request: Request) -> Response:
    """Learn an engine again."""
    name = engine_of(request).name
    start_relearning(request, name)
    return see_other(f"/engines/{segment(name)}")


def weigh(request: Request) -> Response:
    """Say how much an engine counts."""
    known = engine_of(request)
    try:
        weight = float(form(request).get("weight"))
    except ValueError:
        raise UsageError("A weight is a number: 1 is usual, 0 is least.") from None
    registry_of(request).set_weight(known, weight)
    return see_other(f"/engines/{segment(known.name)}")


def removing(request: Request) -> Response:
    """Ask before an engine is forgotten."""
    return page(request, "engines/remove.html", known=engine_of(request))


def removed(request: Request) -> Response:
    """Forget an engine."""
    remove_engine(request, engine_of(request).name)
    return see_other("/engines")


def _going(request: Request, template: str, job: Progress, **values: Any) -> Response:
    """A page that shows itself anew when a job has ended."""
    if is_fragment(request):
        return page(
            request,
            "job.html",
            headers={} if job.is_running else {"HX-Refresh": "true"},
            job=job,
        )
    return page(request, template, job=job, look=job, **values)


routes = [
    Route("/engines", listed),
    Route("/engines/add", adding),
    Route("/engines/add", added, methods=["POST"]),
    Route("/engines/adding/{number}", how_adding_goes),
    Route("/engines/{name:path}/progress", progress),
    Route("/engines/{name:path}/picture", picture),
    Route("/engines/{name:path}/check", check, methods=["POST"]),
    Route("/engines/{name:path}/relearn", relearn, methods=["POST"]),
    Route("/engines/{name:path}/weight", weigh, methods=["POST"]),
    Route("/engines/{name:path}/remove", removing),
    Route("/engines/{name:path}/remove", removed, methods=["POST"]),
    Route("/engines/{name:path}", shown),
]
