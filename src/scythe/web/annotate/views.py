"""Interactive annotation: the example page with its slots at one side, what they are
called at the other.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
)
from scythe.errors import Conflict
from scythe.web.annotate import notices as annotate_notices
from scythe.web.annotate.frame import frame
from scythe.web.annotate.rows import (
    IGNORED,
    NAMED,
    PLAIN,
    PROPOSED,
    Desk,
    desk,
    required_desk,
)
from scythe.web.server.context import collection_of
from scythe.web.server.forms import Form, form, whole_number
from scythe.web.server.jobs import jobs_of
from scythe.web.server.record_updates import start_update, update_key
from scythe.web.server.rendering import is_fragment, page, see_other, segment

HISTORY = 8
"""Changes that the page lists."""
GROUPS = (
    (PROPOSED, "Proposed"),
    (NAMED, "Named"),
    (PLAIN, "Without a name"),
    (IGNORED, "Ignored"),
)


def annotate(request: Request) -> Response:
    """The page."""
    collection = collection_of(request)
    found = desk(collection, whole_number(request.query_params.get("cluster")))
    if found is None:
        return page(request, "annotate/empty.html", **_shared(request, collection))
    return page(
        request,
        "annotate/page.html",
        **_shared(request, collection),
        **_onrequired_desk(request, found),
    )


def slot(request: Request) -> Response:
    """The form of one attribute, as a piece of the page."""
    collection = collection_of(request)
    found = required_desk(collection, whole_number(request.query_params.get("cluster")))
    row = found.row(request.query_params.get("slot", ""))
    if not is_fragment(request):
        return see_other(address(collection, found.cluster.cluster, slot=row.slot))
    return page(
        request,
        "annotate/form.html",
        **_shared(request, collection),
        **_onrequired_desk(request, found),
        row=row,
    )


def change(request: Request) -> Response:
    """Say something about attributes."""
    found = required_desk(collection_of(request), form(request).number("cluster"))
    return _said(request, found, change_of(form(request), found))


def accept(request: Request) -> Response:
    """Take all proposals for these pages that are sure."""
    found = required_desk(collection_of(request), form(request).number("cluster"))
    return _said(request, found, found.proposals())


def _said(request: Request, found: Desk, asked: AnnotationChange) -> Response:
    """Store a change, and show the page with it; where somebody else was faster, say
    so, and keep what was typed.
    """
    try:
        found.collection.store_annotation(
            asked, form(request).number("version"), found.order
        )
    except Conflict as conflict:
        return _conflict(request, found, asked, str(conflict))
    start_update(request, found.collection)
    return _back(found.collection, form(request))


def look_ahead(request: Request) -> Response:
    """What a change would do; nothing is stored."""
    collection, sent = collection_of(request), form(request)
    found = required_desk(collection, sent.number("cluster"))
    asked = change_of(sent, found)
    values: dict[str, Any] = {
        "seen": collection.preview(asked, found.order),
        "asked": asked,
        "desk": found,
        "page_id": sent.number("page"),
    }
    template = (
        "annotate/preview_piece.html"
        if is_fragment(request)
        else "annotate/preview.html"
    )
    return page(request, template, **_shared(request, collection), **values)


def undo(request: Request) -> Response:
    """Go back, or forward again, by one change."""
    collection, sent = collection_of(request), form(request)
    required_desk(collection, sent.number("cluster"))
    if sent.get("what") == "redo":
        collection.redo_annotation(sent.number("version"))
    else:
        collection.undo_annotation(sent.number("version"))
    start_update(request, collection)
    return _back(collection, sent)


def change_of(sent: Form, found: Desk) -> AnnotationChange:
    """What a form asks for. `take` is the proposal of its attribute; a name without
    more is one.
    """
    slots = tuple(dict.fromkeys(sent.all("slot")))
    found.require(slots)
    what = sent.get("what") or AnnotationAction.NAME
    if what == "take":
        return AnnotationChange(
            AnnotationAction.NAME,
            slots,
            found.row(slots[0]).attribute.suggestion or "" if slots else "",
        )
    return AnnotationChange.from_request(
        what, slots, sent.get("name"), sent.get("type")
    )


def address(collection: Collection, cluster: int | None = None, **more: Any) -> str:
    """The address of the page."""
    asked = {
        name: value
        for name, value in {"cluster": cluster, **more}.items()
        if value not in (None, "")
    }
    return f"/collections/{segment(collection.row.name)}/annotate" + (
        f"?{urlencode(asked)}" if asked else ""
    )


def _shared(request: Request, collection: Collection) -> dict[str, Any]:
    name = collection.row.name
    return {
        "collection": collection.row,
        "at": address(collection),
        "home": f"/collections/{segment(name)}",
        "notices": collection.notices(),
        "told": annotate_notices.told,
        "review": collection.counts().get("review", 0),
        "following": jobs_of(request).is_running(update_key(name)),
    }


def _onrequired_desk(request: Request, found: Desk) -> dict[str, Any]:
    """What the page shows of a cluster: which page of it, which slot is chosen, and the
    rows in groups.
    """
    pages = list(found.survey.pages)
    wanted = whole_number(request.query_params.get("page"))
    chosen = request.query_params.get("slot", "")
    if wanted not in pages:
        wanted = _page_with(found, chosen) or pages[0]
    place = pages.index(wanted)
    shown = found.collection.page(wanted)
    return {
        "desk": found,
        "chosen": chosen if chosen in found.order else "",
        "page_id": wanted,
        "page_url": shown.final_url or shown.url,
        "before": pages[place - 1] if place else None,
        "after": pages[place + 1] if place + 1 < len(pages) else None,
        "place": place + 1,
        "groups": [
            (state, title, rows)
            for state, title in GROUPS
            if (rows := found.of_state(state))
        ],
        "history": found.collection.annotation_history(HISTORY),
        "behind": not found.collection.records_are_current(),
    }


def _page_with(found: Desk, chosen: str) -> int | None:
    """A page that has the chosen slot."""
    attribute = next((row.attribute for row in found.rows if row.slot == chosen), None)
    return attribute.pages[0] if attribute is not None and attribute.pages else None


def _back(collection: Collection, sent: Form) -> Response:
    """To the page as it was, with what was said."""
    return see_other(
        address(collection, sent.number("cluster"), page=sent.number("page"))
    )


def _conflict(
    request: Request, found: Desk, asked: AnnotationChange, message: str
) -> Response:
    """Somebody else was faster: what they did, and what was typed here, to be sent
    again or not.
    """
    sent = form(request)
    seen = sent.number("version") or 0
    since = [
        row
        for row in found.collection.annotation_history(HISTORY)
        if row.version > seen
    ]
    values: dict[str, Any] = {
        "desk": found,
        "asked": asked,
        "message": message,
        "since": since,
        "page_id": form(request).number("page"),
    }
    return page(
        request,
        "annotate/conflict.html",
        409,
        **_shared(request, found.collection),
        **values,
    )


_AT = "/collections/{name}/annotate"
routes = [
    Route(_AT, annotate),
    Route(_AT, change, methods=["POST"]),
    Route(f"{_AT}/slot", slot),
    Route(f"{_AT}/accept", accept, methods=["POST"]),
    Route(f"{_AT}/preview", look_ahead, methods=["POST"]),
    Route(f"{_AT}/undo", undo, methods=["POST"]),
    *annotate_notices.routes,
    Route("/collections/{name}/pages/{page:int}/frame", frame),
]
