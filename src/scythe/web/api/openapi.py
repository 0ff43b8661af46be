"""The OpenAPI 3.1 description of the API, made from its operations, so that it cannot
differ from what they do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from scythe.web.api.route import PATH_PART, ApiRoute
from scythe.web.api.schemas import TEXT, Schema, shape

ERROR: Schema = shape(error=TEXT, message=TEXT)
_ABOUT = (
    "What the pages of the app do, for programs. Send JSON as `application/json`, also with an empty body; "
    "where the app asks for a token, send `Authorization: Bearer TOKEN`."
)
_KINDS = {"int": {"type": "integer"}}


def description(routes: Iterable[ApiRoute]) -> dict[str, Any]:
    """The whole API."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.plain_path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Scythe",
            "version": version("scythe"),
            "description": _ABOUT,
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(route: ApiRoute) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation_id(route),
        "summary": route.summary,
        "tags": [route.kind],
        "parameters": [*_path_parameters(route.path), *_query_parameters(route.query)],
        "responses": {
            str(route.status): {
                "description": "It was done.",
                "content": _content(route.answer),
            },
            "default": {
                "description": "It was not done, and why.",
                "content": {
                    "application/json": {
                        "schema": {"$ref": "#/components/schemas/Error"}
                    }
                },
            },
        },
    }
    if route.body is not None:
        made["requestBody"] = {
            "required": bool(route.body.get("required")),
            "content": _content(route.body),
        }
    if route.others:
        made["description"] = (
            "The address may also ask for single fields, as the pages do: `f.FIELD=VALUE`."
        )
    return made


def operation_id(route: ApiRoute) -> str:
    """A name that programs made from the description can use."""
    words = re.findall(r"\w+", route.plain_path.removeprefix("/api"))
    return "_".join([route.method.lower(), *words]).replace(".", "_")


def _content(answer: Schema | str) -> dict[str, Any]:
    return (
        {answer: {}}
        if isinstance(answer, str)
        else {"application/json": {"schema": answer}}
    )


def _path_parameters(path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _KINDS.get(kind, {"type": "string"}),
        }
        for name, kind in PATH_PART.findall(path)
    ]


def _query_parameters(query: Mapping[str, Schema]) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "required": False,
            "schema": schema,
            "description": schema.get("description", ""),
        }
        for name, schema in query.items()
    ]
