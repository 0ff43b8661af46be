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
from scythe.web.api.openapi import openapi, query_parameters
from scythe.web.api.route import ApiRoute
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


def description(request: Request) -> Any:
    """Return the description of the API."""
    return _description()


def about(request: Request) -> Response:
    """Show the API to people."""
    described = _description()
    groups = []
    for group, routes_of_group in groupby(operations(), key=lambda route: route.group):
        entries = [_entry(route, described) for route in routes_of_group]
        groups.append((group, entries))
    return page(request, "api.html", groups=groups)


def _entry(route: ApiRoute, described: dict[str, Any]) -> dict[str, Any]:
    """Return what the page says of an operation."""
    path = described["paths"][route.plain_path]
    operation = path[route.method.lower()]
    response = operation["responses"][str(route.status)]
    content = response["content"]
    body = operation.get("requestBody", {}).get("content", {})
    return {
        "method": route.method,
        "path": route.plain_path,
        "summary": route.summary,
        "query": query_parameters(route.query),
        "body": _schema(body, described),
        "answer": _schema(content, described),
        "media_type": next(iter(content)),
    }


def _schema(content: dict[str, Any], described: dict[str, Any]) -> Any:
    """Return the schema of JSON content, looked up where it is a reference."""
    schema = content.get("application/json", {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    return described["components"]["schemas"][name] if name else schema


_OWN = ApiRoute(
    "GET",
    "/api/openapi.json",
    description,
    "This description, as OpenAPI 3.1",
    dict[str, Any],
    "The API",
)


@cache
def operations() -> tuple[ApiRoute, ...]:
    """Return all operations."""
    return (*(route for module in _MODULES for route in module.api_routes), _OWN)


@cache
def _description() -> dict[str, Any]:
    return openapi(operations())


routes: list[Route] = [Route("/api", about), *(route.route() for route in operations())]
