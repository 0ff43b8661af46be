"""Search engines, and the search over all of them, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec
from starlette.requests import Request

from scythe.engines.registry.health import Health
from scythe.engines.registry.registry import StoredEngine
from scythe.errors import UsageError
from scythe.web.api.jobs import job_answer
from scythe.web.api.route import ApiRoute, Body, Query, body_of, query_of
from scythe.web.api.types import Count, Fields, JobAnswer, Removed, Url
from scythe.web.engines.search import DEADLINES, SearchRequest, find
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


class HealthAnswer(msgspec.Struct):
    """How an engine answered lately."""

    state: str
    reason: str
    searches: Count
    answered: float
    records: float | None
    filled: float | None
    drifted: Count
    seconds: float | None
    last: datetime | None
    rests_until: datetime | None


class StoredEngineAnswer(msgspec.Struct):
    """An engine with its health."""

    name: str
    home: Url
    version: Count
    weight: float
    added_at: datetime
    form: str
    columns: list[str]
    queries: list[str]
    learned_at: str
    rendered: bool
    health: HealthAnswer


class EngineVersionAnswer(msgspec.Struct):
    """An engine as it was learned at some time."""

    version: Count
    stored_at: str
    reason: str
    engine: dict[str, Any]


class EngineEvent(msgspec.Struct):
    """What was done for an engine."""

    at: str
    kind: str
    note: str


class EngineDetails(StoredEngineAnswer):
    """An engine with all its versions."""

    versions: list[EngineVersionAnswer]
    events: list[EngineEvent]


class EngineRank(msgspec.Struct):
    """Where one engine listed a hit."""

    engine: str
    rank: Count
    page: Url | None
    url: Url | None
    fields: Fields


class HitAnswer(msgspec.Struct):
    """A result that one or several engines listed."""

    title: str
    url: Url | None
    snippet: str
    score: float
    engines: list[EngineRank]


class EngineStatus(msgspec.Struct):
    """How one engine answered a search."""

    engine: str
    status: str
    results: Count
    seconds: float
    note: str


class SearchAnswer(msgspec.Struct):
    """The merged results of a search."""

    query: str
    engines: list[EngineStatus]
    hits: list[HitAnswer]


class NewEngineBody(Body):
    """The page whose engine is to be learned."""

    url: Url
    name: str = ""


class WeightBody(Body):
    """How much an engine counts among others."""

    weight: Annotated[float, msgspec.Meta(ge=0, description="1 is usual, 0 is least.")]


class SearchQuery(Query):
    """A search."""

    q: Annotated[str, msgspec.Meta(description="What to search for.")] = ""
    engine: Annotated[
        list[str],
        msgspec.Meta(
            description="Engines to ask, even if they are resting; by default all."
        ),
    ] = msgspec.field(default_factory=list)
    deadline: Annotated[
        float,
        msgspec.Meta(
            ge=1,
            le=DEADLINES[-1],
            description="Seconds after which the answer is given.",
        ),
    ] = 10.0


def _engines(request: Request) -> list[StoredEngineAnswer]:
    registry = registry_of(request)
    return [_engine_answer(known, registry.health(known)) for known in registry.all()]


def _engine(request: Request) -> EngineDetails:
    registry, known = registry_of(request), engine_of(request)
    answer = _engine_answer(known, registry.health(known))
    details = {**msgspec.structs.asdict(answer), **registry.history(known)}
    return msgspec.convert(details, EngineDetails, from_attributes=True)


def _engine_answer(known: StoredEngine, health: Health) -> StoredEngineAnswer:
    engine = known.engine
    return StoredEngineAnswer(
        name=known.name,
        home=engine.home,
        version=engine.version,
        weight=known.weight,
        added_at=known.added_at,
        form=str(engine.form),
        columns=list(engine.wrapper.fields.columns),
        queries=list(engine.queries),
        learned_at=engine.learned_at,
        rendered=engine.rendered,
        health=msgspec.convert(health, HealthAnswer, from_attributes=True),
    )


def _add(request: Request) -> Any:
    body = body_of(request, NewEngineBody)
    _, job = start_adding(request, body.url, body.name or None)
    return job.as_json()


def _adding(request: Request) -> Any:
    return job_answer(request, adding_key(request.path_params["number"]))


def _check(request: Request) -> Any:
    return start_check(request, engine_of(request).name).as_json()


def _relearn(request: Request) -> Any:
    return start_relearning(request, engine_of(request).name).as_json()


def _progress(request: Request) -> Any:
    return job_answer(request, engine_key(engine_of(request).name))


def _set_weight(request: Request) -> StoredEngineAnswer:
    registry, known = registry_of(request), engine_of(request)
    registry.set_weight(known, body_of(request, WeightBody).weight)
    changed = registry.get(known.name)
    return _engine_answer(changed, registry.health(changed))


def _remove(request: Request) -> Removed:
    name = engine_of(request).name
    remove_engine(request, name)
    return Removed(name)


def _search(request: Request) -> Any:
    query = query_of(request, SearchQuery)
    words = query.q.strip()
    if not words:
        raise UsageError("There is nothing to search for. Give words as `q`.")
    search = SearchRequest(words, tuple(query.engine), query.deadline)
    return find(request, search).as_json()


_PATH = "/api/engines/{name:path}"
_GROUP = "Engines and search"
_RESULT = "its result has the records of a result page"

api_routes = [
    ApiRoute(
        "GET",
        "/api/engines",
        _engines,
        "All engines with their health",
        list[StoredEngineAnswer],
        _GROUP,
    ),
    ApiRoute(
        "POST",
        "/api/engines",
        _add,
        "Learn the search engine of a page; ask for the job to see its progress, "
        f"{_RESULT}",
        JobAnswer,
        _GROUP,
        body=NewEngineBody,
        status=202,
    ),
    ApiRoute(
        "GET",
        "/api/engines/adding/{number}",
        _adding,
        "The progress of learning a new engine",
        JobAnswer,
        _GROUP,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/check",
        _check,
        f"Ask an engine a query it was learned from; {_RESULT}",
        JobAnswer,
        _GROUP,
        status=202,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/relearn",
        _relearn,
        "Learn an engine again; the earlier version is kept",
        JobAnswer,
        _GROUP,
        status=202,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/progress",
        _progress,
        "The progress of the last job of an engine",
        JobAnswer,
        _GROUP,
    ),
    ApiRoute(
        "PUT",
        f"{_PATH}/weight",
        _set_weight,
        "Set how much an engine counts among others",
        StoredEngineAnswer,
        _GROUP,
        body=WeightBody,
    ),
    ApiRoute(
        "GET", _PATH, _engine, "One engine with all its versions", EngineDetails, _GROUP
    ),
    ApiRoute("DELETE", _PATH, _remove, "Remove an engine", Removed, _GROUP),
    ApiRoute(
        "GET",
        "/api/search",
        _search,
        "Search with all engines at once; what several list comes once, with all of them",
        SearchAnswer,
        _GROUP,
        query=SearchQuery,
    ),
]
