"""The search over many sites at once: who was asked, who answered in what time, and
what they found, each thing once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.run import Busy
from scythe.engines.asking.results import ANSWERED
from scythe.engines.metasearch.search import Hits, SearchOptions
from scythe.engines.registry.stored_search import search_stored
from scythe.errors import UsageError
from scythe.web.engines.views import registry_of, start_tending
from scythe.web.server.rendering import is_fragment, page

DEADLINES = (5, 10, 20, 30)
"""Seconds to choose from."""
LONGEST_QUERY = 500
SHOWN = 100
"""Hits of a search that are shown."""


@dataclass(frozen=True)
class Asked:
    """What somebody searches for, and how."""

    query: str
    engines: tuple[str, ...] = ()
    """Those to ask; all, where none is named."""
    deadline: float = 10.0


def asked_of(request: Request) -> Asked:
    """What the address of a request asks for."""
    given = request.query_params
    try:
        deadline = min(
            max(float(given.get("deadline", "10")), 1.0), float(DEADLINES[-1])
        )
    except ValueError:
        deadline = 10.0
    return Asked(
        given.get("q", "").strip()[:LONGEST_QUERY],
        tuple(filter(None, given.getlist("engine"))),
        deadline,
    )


def find(request: Request, asked: Asked) -> Hits:
    """Search, and remember how the engines answered; those that seem to have changed
    are looked after.
    """
    registry = registry_of(request)
    found = search_stored(
        registry, asked.query, asked.engines, SearchOptions(deadline=asked.deadline)
    )
    for known in found.store(registry):
        try:
            start_tending(request, known.name)
        except Busy:  # enough is being done; the doubt stays, and the next search comes back to it
            break
    return found.hits


def search(request: Request) -> Response:
    """The page of the search, or its results alone where htmx asks."""
    asked = asked_of(request)
    known = [engine.name for engine in registry_of(request).all()]
    if unknown := [name for name in asked.engines if name not in known]:
        raise UsageError(
            f"There is no engine {unknown[0]}. It may have been removed; choose others."
        )
    hits = find(request, asked) if asked.query and known else None
    values: dict[str, Any] = {
        "asked": asked,
        "engines": known,
        "deadlines": DEADLINES,
        "hits": hits,
        "answered": _answered(hits),
        "limit": SHOWN,
    }
    fragment = is_fragment(request)
    return page(
        request,
        "engines/found.html" if fragment else "engines/search.html",
        fragment=fragment,
        **values,
    )


def _answered(hits: Hits | None) -> Sequence[str]:
    """The engines that worked as they were learned."""
    return (
        [answer.engine for answer in hits.answers if answer.status in ANSWERED]
        if hits
        else []
    )


routes = [Route("/search", search)]
