"""One operation of the JSON API: what it does, what it takes, what it gives. The
description is made from the same value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.errors import UsageError
from scythe.store.collections.tables import cleaned
from scythe.web.api.schemas import Schema, mismatch

PATH_PART = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A name in a path, and its kind where it has one."""
_WORDS = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "": False,
}


@dataclass(frozen=True)
class ApiRoute:
    """An operation. Its endpoint gives plain values, or a response of its own where it
    is no JSON.
    """

    method: str
    path: str
    endpoint: Callable[[Request], Any]
    summary: str
    answer: Schema | str
    """The shape of the answer, or the type of its content where it is not JSON."""
    kind: str
    """Under which heading it is described."""
    query: Mapping[str, Schema] = field(default_factory=dict)
    """What the address may ask for, by name; `default` is taken where it does not."""
    body: Schema | None = None
    """The shape of the JSON that is sent."""
    status: int = 200
    others: bool = False
    """Whether the address may ask for more, such as `f.FIELD`."""

    def route(self) -> Route:
        """As the app takes it."""

        async def answer(request: Request) -> Response:
            request.state.asked = _asked(request, self.query)
            if self.body is not None:
                request.state.given = _given(await request.body(), self.body)
            made = await run_in_threadpool(self.endpoint, request)
            return (
                made if isinstance(made, Response) else json_response(made, self.status)
            )

        return Route(
            self.path, answer, methods=[self.method], name=f"{self.method} {self.path}"
        )

    @property
    def plain_path(self) -> str:
        """The path without the kinds of its parts."""
        return PATH_PART.sub(r"{\1}", self.path)


def asked(request: Request) -> Mapping[str, Any]:
    """What the address of an API request asks for."""
    found: Mapping[str, Any] = request.state.asked
    return found


def given(request: Request) -> Mapping[str, Any]:
    """The JSON that an API request sent."""
    found: Mapping[str, Any] = request.state.given
    return found


def json_response(values: Any, status: int = 200) -> Response:
    """Plain values as JSON that every reader takes, whatever a page held."""
    text = json.dumps(cleaned(values), ensure_ascii=False, allow_nan=False)
    return Response(text.encode(), status, media_type="application/json")


def _given(body: bytes, schema: Schema) -> Any:
    try:
        sent = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The request is not JSON ({error}).") from error
    if wrong := mismatch(sent, schema):
        raise UsageError(wrong)
    return sent


def _asked(request: Request, known: Mapping[str, Schema]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, schema in known.items():
        texts = request.query_params.getlist(name)
        if schema.get("type") == "array":
            values[name] = [_read(text, schema["items"], name) for text in texts]
        else:
            values[name] = (
                _read(texts[0], schema, name) if texts else schema.get("default")
            )
    return values


def _read(text: str, schema: Schema, name: str) -> Any:
    """A value that stands in an address, by the shape it should have."""
    value: Any = text
    try:
        if schema.get("type") == "integer":
            value = int(text)
        elif schema.get("type") == "number":
            value = float(text)
        elif schema.get("type") == "boolean":
            value = _WORDS[text.lower()]
    except (ValueError, KeyError):
        raise UsageError(
            f"{name} must be of type {schema['type']}, not {text[:100]!r}."
        ) from None
    if wrong := mismatch(value, schema, name):
        raise UsageError(wrong)
    return value
