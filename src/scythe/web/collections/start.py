"""The first page: what there is, and what one can do."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.engines.registry.registry import Registry
from scythe.store.collections.collections import CollectionRows
from scythe.web.server.context import store_of
from scythe.web.server.rendering import page


def start(request: Request) -> Response:
    """The first page."""
    store = store_of(request)
    return page(
        request,
        "start.html",
        collections=CollectionRows(store).all(),
        engines=list(Registry(store).all()),
    )


routes = [Route("/", start)]
