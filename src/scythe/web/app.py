"""The app: its pages, its guard, and the answers to errors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.resources import files

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from scythe.collect.catalogue import Collections
from scythe.collect.run import Busy
from scythe.errors import (
    AlreadyStored,
    Conflict,
    NotStored,
    ScytheError,
    StoreError,
)
from scythe.web import operations
from scythe.web.annotate import views as annotate
from scythe.web.collections import link_rules, review, start
from scythe.web.collections import settings as collection_settings
from scythe.web.collections import views as collection_views
from scythe.web.engines import search
from scythe.web.engines import views as engines
from scythe.web.extract import views as extract
from scythe.web.extract.extractions import Extractions
from scythe.web.records import downloads, edits, everywhere, saved_searches
from scythe.web.records import views as records
from scythe.web.server.forms import form
from scythe.web.server.guard import Guard
from scythe.web.server.jobs import Jobs
from scythe.web.server.record_updates import resume
from scythe.web.server.rendering import error_page
from scythe.web.server.settings import Settings

_PAGES = (
    start,
    collection_views,
    collection_settings,
    link_rules,
    review,
    annotate,
    edits,
    records,
    downloads,
    everywhere,
    saved_searches,
    engines,
    search,
    extract,
    operations,
)


class _Files(StaticFiles):
    """Our own files, whose addresses change when they do."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file."""
        response = await super().get_response(path, scope)
        if b"v=" in scope.get("query_string", b""):
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Resume the updates of records that were cut off; end jobs with the server. Where
    the database cannot be used, the pages say so.
    """
    with suppress(StoreError):
        await run_in_threadpool(resume, app)
    yield
    await run_in_threadpool(app.state.jobs.close)


def create_app(collections: Collections, settings: Settings) -> Starlette:
    """Return the web app over a database, which stays the caller's to close."""
    routes: list[BaseRoute] = []
    for module in _PAGES:
        routes += module.routes
    static = _Files(directory=str(files("scythe.web") / "static"))
    app = Starlette(
        routes=[
            *routes,
            Mount("/static", static),
        ],
        middleware=[Middleware(Guard, settings=settings)],
        lifespan=_lifespan,
        exception_handlers={
            ScytheError: _answer_error,
            HTTPException: _answer_http_error,
            Exception: _answer_bug,
        },
    )
    app.state.collections = collections
    app.state.settings = settings
    app.state.jobs = Jobs()
    app.state.extractions = Extractions()
    return app


def _answer_error(request: Request, error: Exception) -> Response:
    """Return the answer to an error whose message says what to do."""
    if isinstance(error, NotStored):
        return error_page(request, 404, "Not found", str(error))
    if isinstance(error, (Busy, AlreadyStored, Conflict)):
        return error_page(request, 409, "This cannot be done now", str(error))
    if isinstance(error, StoreError):
        again = form(request).to_resend()
        title = "The database cannot be used now"
        return error_page(request, 503, title, str(error), again=again)
    return error_page(request, 400, "This did not work", str(error))


def _answer_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    messages = {
        404: ("Not found", "There is no such page."),
        405: ("Not possible here", "This page does not take that kind of request."),
    }
    title, message = messages.get(
        status, ("This did not work", str(getattr(error, "detail", "")))
    )
    return error_page(request, status, title, message)


def _answer_bug(request: Request, error: Exception) -> Response:
    """Return the answer to a bug; the server's log has the details, a page never."""
    return error_page(
        request,
        500,
        "Something went wrong in Scythe",
        "The server's log has the details. Your data was not changed.",
    )
