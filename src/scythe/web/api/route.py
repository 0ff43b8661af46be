"""One operation of the JSON API: what it does, what it takes, what it answers.

The types are msgspec structs. They read and check requests, and the OpenAPI description
is made from them, so that it cannot differ from what the operations do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.views import clean_json
from scythe.errors import UsageError

PATH_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A name in a path, and its type where it has one."""

T = TypeVar("T")
Q = TypeVar("Q", bound=msgspec.Struct)


class Body(msgspec.Struct, forbid_unknown_fields=True):
    """The base of request bodies: a misspelt name is an error, not ignored."""


class Query(msgspec.Struct):
    """The base of query strings: unknown names are ignored, as browsers add some."""


@dataclass(frozen=True)
class ApiRoute:
    """An operation. Its endpoint answers with structs or plain values, or with a
    response of its own where the answer is not JSON.
    """

    method: str
    path: str
    endpoint: Callable[[Request], Any]
    summary: str
    answer: Any
    """The type of the answer, or its media type where it is not JSON."""
    group: str
    """The heading that it is described under."""
    query: type[Query] = Query
    body: type[Body] | None = None
    status: int = 200
    has_field_filters: bool = False
    """Whether the address may also ask for values of fields, such as `f.FIELD`."""

    def route(self) -> Route:
        """Return the route that the app serves."""

        async def respond(request: Request) -> Response:
            request.state.query = read_query(request, self.query)
            if self.body is not None:
                request.state.body = decode_body(await request.body(), self.body)

            answer = await run_in_threadpool(self.endpoint, request)
            if isinstance(answer, Response):
                return answer
            return json_response(answer, self.status)

        name = f"{self.method} {self.path}"
        return Route(self.path, respond, methods=[self.method], name=name)

    @property
    def plain_path(self) -> str:
        """The path without the types of its parameters."""
        return PATH_PARAMETER.sub(r"{\1}", self.path)

    @property
    def is_json(self) -> bool:
        """Whether the answer is JSON."""
        return not isinstance(self.answer, str)


def query_of(request: Request, query_type: type[T]) -> T:
    """Return the query string of an API request as its type."""
    query = request.state.query
    if not isinstance(query, query_type):
        raise TypeError(f"{request.url.path} is not declared with {query_type}")
    return query


def body_of(request: Request, body_type: type[T]) -> T:
    """Return the body of an API request as its type."""
    body = request.state.body
    if not isinstance(body, body_type):
        raise TypeError(f"{request.url.path} is not declared with {body_type}")
    return body


def decode_body(body: bytes, body_type: type[T]) -> T:
    """Return the JSON of a request body; an empty body is an empty object."""
    try:
        return msgspec.json.decode(body or b"{}", type=body_type)
    except msgspec.ValidationError as error:
        raise UsageError(f"The request does not fit: {error}.") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"The request is not JSON ({error}).") from None


def read_query(request: Request, query_type: type[Q]) -> Q:
    """Return the query string of a request; numbers are read from their texts."""
    values: dict[str, Any] = {}
    for parameter in msgspec.structs.fields(query_type):
        texts = request.query_params.getlist(parameter.name)
        if texts:
            values[parameter.name] = texts if _is_list(parameter.type) else texts[0]
    try:
        return msgspec.convert(values, query_type, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"The address does not fit: {error}.") from None


def _is_list(annotation: Any) -> bool:
    """Return whether a query parameter may be given several times."""
    declared = msgspec.inspect.type_info(annotation)
    if isinstance(declared, msgspec.inspect.Metadata):
        declared = declared.type
    return isinstance(declared, msgspec.inspect.ListType)


def json_response(values: Any, status: int = 200) -> Response:
    """Return values as JSON that every reader accepts, whatever a page held."""
    plain = clean_json(msgspec.to_builtins(values))
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    return Response(text.encode(), status, media_type="application/json")
