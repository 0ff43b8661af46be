"""The JSON API: every operation of every module, its description for programs, and a
page of it for people.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.web.annotate import api as annotate_api
from scythe.web.api import jobs as jobs_api
from scythe.web.api.openapi import description
from scythe.web.api.route import ApiRoute
from scythe.web.api.schemas import VALUES
from scythe.web.collections import api as collections_api
from scythe.web.engines import api as engines_api
from scythe.web.extract import api as extracting_api
from scythe.web.records import api as records_api
from scythe.web.server.rendering import page

_MODULES = (
    collections_api,
    annotate_api,
    records_api,
    engines_api,
    extracting_api,
    jobs_api,
)
"""The modules with operations, in the order in which they are described. Each has
`api_routes`.
"""


def openapi(request: Request) -> Any:
    """The description of the API."""
    return _described()


def about(request: Request) -> Response:
    """The API for people."""
    kinds = [
        (kind, list(found))
        for kind, found in groupby(operations(), key=lambda route: route.kind)
    ]
    return page(request, "api.html", kinds=kinds)


_OWN = ApiRoute(
    "GET",
    "/api/openapi.json",
    openapi,
    "This description, as OpenAPI 3.1",
    VALUES,
    "The API",
)


@cache
def operations() -> tuple[ApiRoute, ...]:
    """All operations."""
    return (*(route for module in _MODULES for route in module.api_routes), _OWN)


@cache
def _described() -> dict[str, Any]:
    return description(operations())


routes: list[Route] = [Route("/api", about), *(route.route() for route in operations())]
