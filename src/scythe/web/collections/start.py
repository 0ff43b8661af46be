"""The home page."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.web.engines.views import registry_of
from scythe.web.server.context import collections_of
from scythe.web.server.rendering import page


def home(request: Request) -> Response:
    """Show the home page: collections, and what else the app does."""
    return page(
        request,
        "start.html",
        collections=collections_of(request).all(),
        engines=registry_of(request).all(),
    )


routes = [Route("/", home)]
