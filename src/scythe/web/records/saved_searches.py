"""Searches that somebody keeps: saved under a name from the list of records, opened and
removed there.
"""

from __future__ import annotations

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.web.records.search import SearchParameters
from scythe.web.server.context import collection_of
from scythe.web.server.forms import form
from scythe.web.server.rendering import see_other, segment

MAX_QUERY = 2_000
"""Characters of a search: an arbitrary cap."""


def save_search(request: Request) -> Response:
    """Keep the search of the page."""
    collection = collection_of(request)
    sent = form(request)
    query = _query(sent.get("query"))
    collection.save_search(sent.get("name"), query)
    return see_other(f"/collections/{segment(collection.row.name)}/records{query}")


def remove_search(request: Request) -> Response:
    """Remove a saved search."""
    collection = collection_of(request)
    sent = form(request)
    collection.remove_search(sent.get("name"))
    query = _query(sent.get("query"))
    return see_other(f"/collections/{segment(collection.row.name)}/records{query}")


def _query(text: str) -> str:
    """Return an address from the question mark on, without what has no meaning."""
    given = QueryParams(text[:MAX_QUERY].removeprefix("?"))
    return SearchParameters.parse(given).query(with_page=False)


_PATH = "/collections/{name}/searches"
routes = [
    Route(_PATH, save_search, methods=["POST"]),
    Route(f"{_PATH}/remove", remove_search, methods=["POST"]),
]
