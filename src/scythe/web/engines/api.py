"""Search engines and the search over all of them for programs, as JSON."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.engines.registry.health import Health
from scythe.engines.registry.registry import KnownEngine
from scythe.errors import UsageError
from scythe.web.api.jobs import JOB, job_values
from scythe.web.api.route import ApiRoute, asked, given
from scythe.web.api.schemas import (
    ADDRESS,
    COUNT,
    MOMENT,
    NUMBER,
    TEXT,
    VALUES,
    YES_OR_NO,
    described,
    each,
    maybe,
    shape,
)
from scythe.web.engines.search import DEADLINES, Asked, find
from scythe.web.engines.views import (
    adding_key,
    engine_key,
    engine_of,
    registry_of,
    remove_engine,
    start_adding,
    start_check,
    start_relearning,
)

HEALTH = shape(
    state=TEXT,
    reason=TEXT,
    searches=COUNT,
    answered=NUMBER,
    records=maybe(NUMBER),
    filled=maybe(NUMBER),
    drifted=COUNT,
    seconds=maybe(NUMBER),
    last=maybe(MOMENT),
    rests_until=maybe(MOMENT),
)
ENGINE = shape(
    name=TEXT,
    home=ADDRESS,
    version=COUNT,
    weight=NUMBER,
    added_at=MOMENT,
    form=TEXT,
    columns=each(TEXT),
    queries=each(TEXT),
    learned_at=TEXT,
    rendered=YES_OR_NO,
    health=HEALTH,
)
VERSION = shape(version=COUNT, stored_at=MOMENT, reason=TEXT, engine=VALUES)
EVENT = shape(at=MOMENT, kind=TEXT, note=TEXT)
HIT = shape(
    title=TEXT,
    url=maybe(ADDRESS),
    snippet=TEXT,
    score=NUMBER,
    engines=each(
        shape(
            engine=TEXT,
            rank=COUNT,
            page=maybe(ADDRESS),
            url=maybe(ADDRESS),
            fields=VALUES,
        )
    ),
)
FOUND = shape(
    query=TEXT,
    engines=each(
        shape(engine=TEXT, status=TEXT, results=COUNT, seconds=NUMBER, note=TEXT)
    ),
    hits=each(HIT),
)


def _engines(request: Request) -> Any:
    registry = registry_of(request)
    return [_values(known, registry.health(known)) for known in registry.all()]


def _engine(request: Request) -> Any:
    registry, known = registry_of(request), engine_of(request)
    return {**_values(known, registry.health(known)), **registry.history(known)}


def _values(known: KnownEngine, health: Health) -> dict[str, Any]:
    engine = known.engine
    return {
        "name": known.name,
        "home": engine.home,
        "version": engine.version,
        "weight": known.weight,
        "added_at": known.added_at.isoformat(),
        "form": str(engine.form),
        "columns": list(engine.wrapper.fields.columns),
        "queries": list(engine.queries),
        "learned_at": engine.learned_at,
        "rendered": engine.rendered,
        "health": {
            **{
                name: getattr(health, name)
                for name in (
                    "reason",
                    "searches",
                    "answered",
                    "records",
                    "filled",
                    "drifted",
                    "seconds",
                )
            },
            "state": str(health.state),
            "last": None if health.last is None else health.last.isoformat(),
            "rests_until": None
            if health.rests_until is None
            else health.rests_until.isoformat(),
        },
    }


def _add(request: Request) -> Any:
    sent = given(request)
    _, job = start_adding(request, sent["url"], sent.get("name") or None)
    return job.as_json()


def _adding(request: Request) -> Any:
    return job_values(request, adding_key(request.path_params["number"]))


def _check(request: Request) -> Any:
    return start_check(request, engine_of(request).name).as_json()


def _relearn(request: Request) -> Any:
    return start_relearning(request, engine_of(request).name).as_json()


def _progress(request: Request) -> Any:
    return job_values(request, engine_key(engine_of(request).name))


def _weigh(request: Request) -> Any:
    registry, known = registry_of(request), engine_of(request)
    registry.set_weight(known, given(request)["weight"])
    changed = registry.get(known.name)
    return _values(changed, registry.health(changed))


def _remove(request: Request) -> Any:
    name = engine_of(request).name
    remove_engine(request, name)
    return {"removed": name}


def _search(request: Request) -> Any:
    wanted = asked(request)
    if not wanted["q"].strip():
        raise UsageError("There is nothing to search for. Give words as `q`.")
    return find(
        request, Asked(wanted["q"].strip(), tuple(wanted["engine"]), wanted["deadline"])
    ).as_json()


_AT = "/api/engines/{name:path}"
_KIND = "Engines and search"
_WORK = "its result has the records of a result page"

api_routes = [
    ApiRoute(
        "GET",
        "/api/engines",
        _engines,
        "All engines with their health",
        each(ENGINE),
        _KIND,
    ),
    ApiRoute(
        "POST",
        "/api/engines",
        _add,
        f"Learn the search engine of a page; ask for the job to see how it goes, {_WORK}",
        JOB,
        _KIND,
        body=shape(("name",), url=ADDRESS, name=TEXT),
        status=202,
    ),
    ApiRoute(
        "GET",
        "/api/engines/adding/{number}",
        _adding,
        "How the learning of a new engine goes",
        JOB,
        _KIND,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/check",
        _check,
        f"Ask an engine a query it was learned from; {_WORK}",
        JOB,
        _KIND,
        status=202,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/relearn",
        _relearn,
        "Learn an engine again; the earlier version is kept",
        JOB,
        _KIND,
        status=202,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/progress",
        _progress,
        "How the work on an engine goes",
        JOB,
        _KIND,
    ),
    ApiRoute(
        "PUT",
        f"{_AT}/weight",
        _weigh,
        "Say how much an engine counts among others",
        ENGINE,
        _KIND,
        body=shape(weight=described(NUMBER, "1 is usual, 0 is least.", minimum=0)),
    ),
    ApiRoute(
        "GET",
        _AT,
        _engine,
        "One engine with all its versions",
        {
            **ENGINE,
            "properties": {
                **ENGINE["properties"],
                "versions": each(VERSION),
                "events": each(EVENT),
            },
            "required": [*ENGINE["required"], "versions", "events"],
        },
        _KIND,
    ),
    ApiRoute("DELETE", _AT, _remove, "Forget an engine", shape(removed=TEXT), _KIND),
    ApiRoute(
        "GET",
        "/api/search",
        _search,
        "Search with all engines at once; what several found comes once, with all who found it",
        FOUND,
        _KIND,
        query={
            "q": described(TEXT, "What to search for.", default=""),
            "engine": described(
                each(TEXT), "Engines to ask, even if they are resting; by default all."
            ),
            "deadline": {
                "type": "number",
                "minimum": 1,
                "maximum": DEADLINES[-1],
                "default": 10.0,
                "description": "Seconds after which the answer is given.",
            },
        },
    ),
]
