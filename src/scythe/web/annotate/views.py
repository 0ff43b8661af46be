"""Interactive annotation: an example page with its slots on one side, the fields of its
record on the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import AnnotationAction, AnnotationChange
from scythe.errors import Conflict, UsageError
from scythe.web.annotate import explanations, notices
from scythe.web.annotate.annotation_view import (
    AnnotationView,
    find_view,
    require_view,
)
from scythe.web.annotate.frame import show_frame
from scythe.web.annotate.pane import (
    MAX_HISTORY,
    collection_values,
    page_values,
    saved_line,
    unused_values,
)
from scythe.web.server.context import collection_of
from scythe.web.server.forms import Form, form, whole_number
from scythe.web.server.record_updates import start_update
from scythe.web.server.rendering import is_fragment, page, see_other, segment
from scythe.web.server.values import is_part, value_text

USE_SUGGESTION = "use_suggestion"
"""What a form sends to give slots the field that is suggested for them."""
REPLACE = "replace"
"""What a form sends to give a slot a field, and to take it from the slots that have it."""


def annotate(request: Request) -> Response:
    """Show the annotation page."""
    collection = collection_of(request)
    view = find_view(collection, whole_number(request.query_params.get("cluster")))
    values = collection_values(request, collection)
    if view is None:
        return page(request, "annotate/empty.html", **values)
    return page(request, "annotate/page.html", **values, **page_values(request, view))


def slot_form(request: Request) -> Response:
    """Show the form of one slot, as a piece of the page: by its id, or by the number of
    its box.
    """
    collection, query = collection_of(request), request.query_params
    view = require_view(collection, whole_number(query.get("cluster")))
    number = whole_number(query.get("number"))
    named = query.get("slot", "")
    slot = view.get(named) if number is None else view.numbered(number)
    if not is_fragment(request):
        return see_other(page_address(collection, view.cluster.cluster, slot=slot.id))
    return page(
        request,
        "annotate/form.html",
        **collection_values(request, collection),
        **{**page_values(request, view), "slot": slot},
    )


def unused(request: Request) -> Response:
    """Show "Unused data", as a piece of the page."""
    collection = collection_of(request)
    cluster = whole_number(request.query_params.get("cluster"))
    view = require_view(collection, cluster)
    if not is_fragment(request):
        query = {"unused": "1", "find": request.query_params.get("find", "")}
        return see_other(page_address(collection, view.cluster.cluster, **query))
    return page(
        request,
        "annotate/unused.html",
        **collection_values(request, collection),
        **unused_values(request, view),
        view=view,
        page_id=whole_number(request.query_params.get("page")),
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
    effect = collection.preview(requested, view.order)
    try:
        collection.store_annotation(requested, sent.number("version"), view.order)
    except Conflict as conflict:
        return _show_conflict(request, view, requested, str(conflict))
    start_update(request, collection)
    return _show_saved(request, collection, effect.changed, effect.sampled)


def preview(request: Request) -> Response:
    """Show what a change would do, first to the record of the page; nothing is stored."""
    collection, sent = collection_of(request), form(request)
    view = require_view(collection, sent.number("cluster"))
    requested = requested_change(sent, view)
    template = "annotate/preview.html"
    if is_fragment(request):
        template = "annotate/preview_piece.html"
    number = sent.number("page")
    record = None
    if number is not None:
        before = _readable(collection, collection.page_record(number))
        after = collection.page_record(number, requested, view.order)
        picture = _picture_slot(view, requested)
        shown = _changed_first(before, _readable(collection, after))
        record = {"before": before, "after": shown, "picture": picture}
    return page(
        request,
        template,
        **collection_values(request, collection),
        preview=collection.preview(requested, view.order),
        record=record,
        requested=requested,
        view=view,
        page_id=number,
    )


def _readable(collection: Collection, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a record as people read them, without parts of others."""
    schema = collection.schema
    readable: dict[str, Any] = {}
    for name, value in record.items():
        if is_part(name, schema):
            continue
        is_number = isinstance(value, (int, float))
        readable[name] = value_text(record, name, schema) if is_number else value
    return readable


def _changed_first(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values after a change, those that it changes first."""
    changed = {
        name: value for name, value in after.items() if before.get(name) != value
    }
    return {**changed, **after}


def _picture_slot(view: AnnotationView, requested: AnnotationChange) -> str:
    """Return the slot that a record has its picture from after a change; empty where
    it has none.
    """
    if requested.field == "image" and requested.slots:
        return requested.slots[0]
    for slot in view.slots:
        if "image" in (slot.slot.field, slot.slot.suggestion):
            return slot.id
    return ""


def undo(request: Request) -> Response:
    """Undo one change, or redo it."""
    collection, sent = collection_of(request), form(request)
    require_view(collection, sent.number("cluster"))
    if sent.get("what") == "redo":
        collection.redo_annotation(sent.number("version"))
    else:
        collection.undo_annotation(sent.number("version"))
    start_update(request, collection)
    return _show_saved(request, collection)


def requested_change(sent: Form, view: AnnotationView) -> AnnotationChange:
    """Return the change that a form asks for: without an action, that its slots get the
    field.
    """
    slots = tuple(dict.fromkeys(sent.all("slot")))
    number = sent.number("number")
    if not slots and number is not None:
        slots = (view.numbered(number).id,)
    view.require(slots)
    action, field = sent.get("what") or AnnotationAction.NAME, sent.get("name")
    type_ = sent.get("type")
    if action == USE_SUGGESTION and slots:
        action = AnnotationAction.NAME
        suggested = view.get(slots[0]).slot
        field, type_ = suggested.suggestion or "", suggested.suggested_type
    if action == REPLACE:
        return _replacement(view, slots, field)
    titles = view.titles(slots)
    return AnnotationChange.from_request(action, slots, field, type_, titles)


def _replacement(
    view: AnnotationView, slots: tuple[str, ...], field: str
) -> AnnotationChange:
    """Return the change that makes a slot the only one of a field."""
    if len(slots) != 1 or not field:
        raise UsageError("Choose one slot and the field that it gets.")
    names = view.annotation.names
    others = [slot for slot, given in names.items() if given[0] == field]
    touched = tuple(dict.fromkeys((*slots, *others)))
    return AnnotationChange(
        AnnotationAction.ACCEPT,
        touched,
        accepted={slots[0]: (field, "")},
        titles=view.titles(touched),
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


def _show_saved(
    request: Request,
    collection: Collection,
    changed: int | None = None,
    sampled: int | None = None,
) -> Response:
    """Show the page after a change: only the side that changed, where a script asks."""
    sent = form(request)
    if not is_fragment(request):
        address = page_address(
            collection,
            sent.number("cluster"),
            page=sent.number("page"),
            saved=collection.annotation.version,
            changed=changed,
            of=sampled,
        )
        return see_other(address)
    view = require_view(collection, sent.number("cluster"))
    values = page_values(request, view, sent.number("page"))
    values["saved"] = saved_line(view, changed, sampled)
    return page(
        request,
        "annotate/pane.html",
        **collection_values(request, collection),
        **values,
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
    is_piece = is_fragment(request)
    return page(
        request,
        "annotate/conflict_piece.html" if is_piece else "annotate/conflict.html",
        409,
        **collection_values(request, view.collection),
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
    Route(f"{_PATH}/unused", unused),
    Route(f"{_PATH}/accept", accept, methods=["POST"]),
    Route(f"{_PATH}/preview", preview, methods=["POST"]),
    Route(f"{_PATH}/undo", undo, methods=["POST"]),
    *explanations.routes,
    *notices.routes,
    Route("/collections/{name}/pages/{page:int}/frame", show_frame),
]
