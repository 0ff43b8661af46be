"""The OpenAPI 3.1 description of the API, made from its operations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from scythe.version import installed_version
from scythe.web.api.route import PATH_PARAMETER, ApiRoute, Query

DESCRIPTION = (
    "What the pages of the app do, for programs. Send JSON as `application/json`, also "
    "with an empty body; where the app asks for a token, send `Authorization: Bearer TOKEN`."
)
_REFERENCE = "#/components/schemas/{name}"


class Error(msgspec.Struct):
    """Why an operation failed."""

    error: str
    message: str


def openapi(routes: Sequence[ApiRoute]) -> dict[str, Any]:
    """Return the description of all operations."""
    types = list(_types(routes))
    references, components = msgspec.json.schema_components(
        types, ref_template=_REFERENCE
    )
    schemas = dict(zip(map(repr, types), references, strict=True))

    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        operations = paths.setdefault(route.plain_path, {})
        operations[route.method.lower()] = _operation(route, schemas)

    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Scythe",
            "version": installed_version(),
            "description": DESCRIPTION,
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def operation_id(route: ApiRoute) -> str:
    """Return a name that generated clients can use."""
    words = re.findall(r"\w+", route.plain_path.removeprefix("/api"))
    return "_".join([route.method.lower(), *words]).replace(".", "_")


def query_parameters(query: type[Query]) -> list[dict[str, Any]]:
    """Return the parameters of a query string, each with its schema."""
    schemas = msgspec.json.schema(query)["$defs"]
    properties = schemas[query.__name__]["properties"]
    parameters = []
    for name, schema in properties.items():
        description = schema.get("description", "")
        parameters.append(
            {
                "name": name,
                "in": "query",
                "required": False,
                "schema": schema,
                "description": description,
            }
        )
    return parameters


def _types(routes: Iterable[ApiRoute]) -> Iterator[Any]:
    yield Error
    for route in routes:
        if route.is_json:
            yield route.answer
        if route.body is not None:
            yield route.body


def _operation(route: ApiRoute, schemas: dict[str, Any]) -> dict[str, Any]:
    if route.is_json:
        content = {"application/json": {"schema": schemas[repr(route.answer)]}}
    else:
        content = {route.answer: {}}
    error = {"application/json": {"schema": schemas[repr(Error)]}}

    operation: dict[str, Any] = {
        "operationId": operation_id(route),
        "summary": route.summary,
        "tags": [route.group],
        "parameters": [*_path_parameters(route.path), *query_parameters(route.query)],
        "responses": {
            str(route.status): {"description": "Done.", "content": content},
            "default": {"description": "Failed, with the reason.", "content": error},
        },
    }
    if route.body is not None:
        required = msgspec.structs.fields(route.body)
        operation["requestBody"] = {
            "required": any(field.required for field in required),
            "content": {"application/json": {"schema": schemas[repr(route.body)]}},
        }
    if route.has_field_filters:
        operation["description"] = (
            "The address may also filter by fields, as the pages do: `f.FIELD=VALUE`."
        )
    return operation


def _path_parameters(path: str) -> list[dict[str, Any]]:
    parameters = []
    for name, kind in PATH_PARAMETER.findall(path):
        schema = {"type": "integer" if kind == "int" else "string"}
        parameters.append(
            {"name": name, "in": "path", "required": True, "schema": schema}
        )
    return parameters
