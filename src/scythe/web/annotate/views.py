"""Interactive annotation: an example page with its slots on one side, their fields on
the other.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import AnnotationAction, AnnotationChange
from scythe.errors import Conflict
from scythe.web.annotate import notices
from scythe.web.annotate.annotation_view import (
    AnnotationView,
    SlotState,
    find_view,
    require_view,
)
from scythe.web.annotate.frame import show_frame
from scythe.web.server.context import collection_of
from scythe.web.server.forms import Form, form, whole_number
from scythe.web.server.jobs import jobs_of
from scythe.web.server.record_updates import start_update, update_key
from scythe.web.server.rendering import is_fragment, page, see_other, segment

MAX_HISTORY = 8
"""Changes that the page lists: what fits, not tuned."""
USE_SUGGESTION = "use_suggestion"
"""What a form sends to give a slot the field that is suggested for it."""
GROUPS = {
    SlotState.SUGGESTED: "Suggested",
    SlotState.NAMED: "Named",
    SlotState.UNUSED: "Unused data",
    SlotState.IGNORED: "Ignored",
}
"""The groups of slots on the page, with their headings."""


def annotate(request: Request) -> Response:
    """Show the annotation page."""
    collection = collection_of(request)
    view = find_view(collection, whole_number(request.query_params.get("cluster")))
    values = _collection_values(request, collection)
    if view is None:
        return page(request, "annotate/empty.html", **values)
    return page(
        request, "annotate/page.html", **values, **_cluster_values(request, view)
    )


def slot_form(request: Request) -> Response:
    """Show the form of one slot, as a piece of the page."""
    collection = collection_of(request)
    cluster = whole_number(request.query_params.get("cluster"))
    view = require_view(collection, cluster)
    slot = view.get(request.query_params.get("slot", ""))
    if not is_fragment(request):
        return see_other(page_address(collection, view.cluster.cluster, slot=slot.id))
    return page(
        request,
        "annotate/form.html",
        **_collection_values(request, collection),
        **_cluster_values(request, view),
        slot=slot,
    )


def change(request: Request) -> Response:
    """Store a change of annotations."""
    sent = form(request)
    view = require_view(collection_of(request), sent.number("cluster"))
    return _store_change(request, view, requested_change(sent, view))


def accept(request: Request) -> Response:
    """Accept all suggestions for these pages that have enough confidence."""
    cluster = form(request).number("cluster")
    view = require_view(collection_of(request), cluster)
    return _store_change(request, view, view.accept_suggestions())


def _store_change(
    request: Request, view: AnnotationView, requested: AnnotationChange
) -> Response:
    """Store a change, and show the page with it; where another window changed the
    annotation since, say so, and keep what was typed.
    """
    sent, collection = form(request), view.collection
    try:
        collection.store_annotation(requested, sent.number("version"), view.order)
    except Conflict as conflict:
        return _show_conflict(request, view, requested, str(conflict))
    start_update(request, collection)
    return _back_to_page(collection, sent)


def preview(request: Request) -> Response:
    """Show what a change would do; nothing is stored."""
    collection, sent = collection_of(request), form(request)
    view = require_view(collection, sent.number("cluster"))
    requested = requested_change(sent, view)
    template = "annotate/preview.html"
    if is_fragment(request):
        template = "annotate/preview_piece.html"
    return page(
        request,
        template,
        **_collection_values(request, collection),
        preview=collection.preview(requested, view.order),
        requested=requested,
        view=view,
        page_id=sent.number("page"),
    )


def undo(request: Request) -> Response:
    """Undo one change, or redo it."""
    collection, sent = collection_of(request), form(request)
    require_view(collection, sent.number("cluster"))
    if sent.get("what") == "redo":
        collection.redo_annotation(sent.number("version"))
    else:
        collection.undo_annotation(sent.number("version"))
    start_update(request, collection)
    return _back_to_page(collection, sent)


def requested_change(sent: Form, view: AnnotationView) -> AnnotationChange:
    """Return the change that a form asks for: without an action, that its slots get the
    field.
    """
    slots = tuple(dict.fromkeys(sent.all("slot")))
    view.require(slots)
    action = sent.get("what") or AnnotationAction.NAME
    if action == USE_SUGGESTION:
        field = view.get(slots[0]).slot.suggestion if slots else ""
        return AnnotationChange(AnnotationAction.NAME, slots, field or "")
    return AnnotationChange.from_request(
        action, slots, sent.get("name"), sent.get("type")
    )


def page_address(
    collection: Collection, cluster: int | None = None, **parameters: Any
) -> str:
    """Return the address of the annotation page."""
    address = f"/collections/{segment(collection.row.name)}/annotate"
    given = {
        name: value
        for name, value in {"cluster": cluster, **parameters}.items()
        if value not in (None, "")
    }
    return f"{address}?{urlencode(given)}" if given else address


def _collection_values(request: Request, collection: Collection) -> dict[str, Any]:
    name = collection.row.name
    return {
        "collection": collection.row,
        "at": page_address(collection),
        "home": f"/collections/{segment(name)}",
        "notices": collection.notices(),
        "notice_title": notices.notice_title,
        "notice_text": notices.notice_text,
        "review": collection.counts().get("review", 0),
        "update": jobs_of(request).of(update_key(name)),
    }


def _cluster_values(request: Request, view: AnnotationView) -> dict[str, Any]:
    """Return what the page shows of a cluster: one of its pages, which slot is chosen,
    and the slots in groups.
    """
    pages = list(view.survey.pages)
    chosen = request.query_params.get("slot", "")
    number = whole_number(request.query_params.get("page"))
    if number not in pages:
        number = _page_with_slot(view, chosen) or pages[0]
    position = pages.index(number)
    row = view.collection.page(number)

    groups = []
    for state, title in GROUPS.items():
        if slots := view.in_state(state):
            groups.append((state, title, slots))
    return {
        "view": view,
        "chosen": chosen if chosen in view.order else "",
        "page_id": number,
        "page_url": row.final_url or row.url,
        "previous_page": pages[position - 1] if position else None,
        "next_page": pages[position + 1] if position + 1 < len(pages) else None,
        "position": position + 1,
        "groups": groups,
        "history": view.collection.annotation_history(MAX_HISTORY),
        "records_are_current": view.collection.records_are_current(),
    }


def _page_with_slot(view: AnnotationView, chosen: str) -> int | None:
    """Return the number of a page that has the chosen slot."""
    slot = view.find(chosen)
    if slot is None or not slot.slot.pages:
        return None
    return slot.slot.pages[0]


def _back_to_page(collection: Collection, sent: Form) -> Response:
    return see_other(
        page_address(collection, sent.number("cluster"), page=sent.number("page"))
    )


def _show_conflict(
    request: Request, view: AnnotationView, requested: AnnotationChange, message: str
) -> Response:
    """Show what was changed in another window, and what was typed here, to be sent
    again or not.
    """
    sent = form(request)
    seen_version = sent.number("version") or 0
    history = view.collection.annotation_history(MAX_HISTORY)
    return page(
        request,
        "annotate/conflict.html",
        409,
        **_collection_values(request, view.collection),
        view=view,
        requested=requested,
        message=message,
        changes=[row for row in history if row.version > seen_version],
        page_id=sent.number("page"),
    )


_PATH = "/collections/{name}/annotate"
routes = [
    Route(_PATH, annotate),
    Route(_PATH, change, methods=["POST"]),
    Route(f"{_PATH}/slot", slot_form),
    Route(f"{_PATH}/accept", accept, methods=["POST"]),
    Route(f"{_PATH}/preview", preview, methods=["POST"]),
    Route(f"{_PATH}/undo", undo, methods=["POST"]),
    *notices.routes,
    Route("/collections/{name}/pages/{page:int}/frame", show_frame),
]
