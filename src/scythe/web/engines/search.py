"""The search over many sites at once: which engines were searched, which answered in
what time, and their merged results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.run import Busy
from scythe.engines.asking.results import ANSWERED
from scythe.engines.metasearch.search import Hits, SearchOptions
from scythe.engines.registry.stored_search import search_stored
from scythe.errors import UsageError
from scythe.web.engines.views import registry_of, start_repair
from scythe.web.server.rendering import is_fragment, page

DEADLINES = (5, 10, 20, 30)
"""Seconds to choose from."""
DEFAULT_DEADLINE = 10.0
MAX_QUERY = 500
"""Characters of a query: an arbitrary cap against hostile requests."""
MAX_HITS = 100
"""Hits of a search that are shown: a bound on what a page holds, not tuned."""


@dataclass(frozen=True)
class SearchRequest:
    """A query, and which engines to search how long."""

    query: str
    engines: tuple[str, ...] = ()
    """The names of engines; all, where there is none."""
    deadline: float = DEFAULT_DEADLINE

    @classmethod
    def from_address(cls, request: Request) -> SearchRequest:
        """Return the search in the address of a request."""
        parameters = request.query_params
        try:
            deadline = float(parameters.get("deadline", DEFAULT_DEADLINE))
        except ValueError:
            deadline = DEFAULT_DEADLINE
        return cls(
            query=parameters.get("q", "").strip()[:MAX_QUERY],
            engines=tuple(filter(None, parameters.getlist("engine"))),
            deadline=min(max(deadline, 1.0), float(DEADLINES[-1])),
        )


def find(request: Request, search: SearchRequest) -> Hits:
    """Return the hits of a search, and store how the engines answered; those that seem
    to have changed are repaired.
    """
    registry = registry_of(request)
    options = SearchOptions(deadline=search.deadline)
    outcome = search_stored(registry, search.query, search.engines, options)
    for doubtful in outcome.store(registry):
        try:
            start_repair(request, doubtful.name)
        except Busy:
            # Enough jobs are running; the next search will find it in doubt again.
            break
    return outcome.hits


def show_search(request: Request) -> Response:
    """Show the page of the search, or its results alone where htmx asks."""
    search = SearchRequest.from_address(request)
    names = [engine.name for engine in registry_of(request).all()]
    for name in search.engines:
        if name not in names:
            raise UsageError(
                f"There is no engine {name}. It may have been removed; choose others."
            )

    hits = find(request, search) if search.query and names else None
    fragment = is_fragment(request)
    return page(
        request,
        "engines/results.html" if fragment else "engines/search.html",
        fragment=fragment,
        search=search,
        engines=names,
        deadlines=DEADLINES,
        hits=hits,
        answered=_answered(hits),
        limit=MAX_HITS,
    )


def _answered(hits: Hits | None) -> Sequence[str]:
    """Return the names of engines that worked as they were learned."""
    answers = hits.answers if hits else ()
    return [answer.engine for answer in answers if answer.status in ANSWERED]


routes = [Route("/search", show_search)]
