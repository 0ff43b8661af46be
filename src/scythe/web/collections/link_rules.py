"""What an operator says of links, over what runs decide: previewed first, and taken back
by a click.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.urls import completed_url
from scythe.web.collections.views import overview_of
from scythe.web.server.context import collection_of
from scythe.web.server.forms import form
from scythe.web.server.rendering import page, see_other, segment

MAX_VALUE = 2_000
"""Characters of an address or a pattern: an arbitrary cap."""
ACTIONS = {
    "record": "This is a record",
    "watch": "Watch this list",
    "never": "Skip these",
}
"""What can be said of links, in words."""
SCOPES = {
    "link": "only this link",
    "list": "all links of its list",
    "pattern": "all addresses like this",
}
"""Which links are meant, in words."""


def preview_rule(request: Request) -> Response:
    """Show what a rule would do; nothing is stored."""
    collection = collection_of(request)
    query = request.query_params
    action = query.get("action", "")
    scope = query.get("scope", "link")
    value = query.get("value", "").strip()[:MAX_VALUE]
    if scope != "pattern":
        value = completed_url(value)
    return page(
        request,
        "collections/rule.html",
        overview=overview_of(request),
        preview=collection.preview_link_rule(action, value, scope),
        action=action,
        scope=scope,
        value=value,
        actions=ACTIONS,
        scopes=SCOPES,
        back=_back(query.get("back", "")),
    )


def add_rule(request: Request) -> Response:
    """Store a rule."""
    collection = collection_of(request)
    sent = form(request)
    value = sent.get("value")[:MAX_VALUE]
    scope = sent.get("scope") or "link"
    collection.add_link_rule(sent.get("action"), value, scope)
    following = _back(sent.get("back")) or "links#rules"
    name = segment(collection.row.name)
    return see_other(f"/collections/{name}/{following}")


def _back(text: str) -> str:
    """Return the page that somebody came from to say that something is no record."""
    return text if text in ("annotate", "records", "review") else ""


def remove_rule(request: Request) -> Response:
    """Take a rule back."""
    collection = collection_of(request)
    collection.remove_link_rule(form(request).number("rule") or 0)
    return see_other(f"/collections/{segment(collection.row.name)}/links#rules")


_PATH = "/collections/{name}/links"
routes = [
    Route(f"{_PATH}/rule", preview_rule),
    Route(f"{_PATH}/rule", add_rule, methods=["POST"]),
    Route(f"{_PATH}/rule/remove", remove_rule, methods=["POST"]),
]
