"""Records in a person's hands: edited, hidden, and added by their address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.records.schema import RecordSchema
from scythe.errors import ScytheError, UsageError
from scythe.urls import completed_url, require_public
from scythe.web.records.cards import record_fields
from scythe.web.records.views import record_of
from scythe.web.server.context import collection_of, settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.rendering import page, see_other, segment
from scythe.web.server.values import field_text, is_part, label, type_of

FIELD = "field."
"""What the names of inputs begin with."""
_LISTS = ("lines", "ingredients")


def edit_form(request: Request, error: str = "") -> Response:
    """Show the values of a record as a form."""
    collection = collection_of(request)
    record = record_of(request, collection)
    schema = collection.schema
    sent = form(request)
    fields = record_fields(record)
    inputs = []
    for name in _editable_fields(fields, schema):
        shown = field_text(fields.get(name), type_of(name, schema))
        text = sent.raw(FIELD + name) if error else shown
        is_edited = name in record.edited
        inputs.append((name, label(name), text, is_edited))
    return page(
        request,
        "records/edit.html",
        400 if error else 200,
        collection=collection.row,
        record=record,
        inputs=inputs,
        prefix=FIELD,
        error=error,
    )


def edit(request: Request) -> Response:
    """Store the values that differ from what the record has; or take all back."""
    collection, sent = collection_of(request), form(request)
    record = record_of(request, collection)
    try:
        if sent.get("what") == "reset":
            collection.reset_record(record.key)
        else:
            values = changed_values(sent, record_fields(record), collection.schema)
            if values:
                collection.edit_record(record.key, values)
    except ScytheError as error:
        return edit_form(request, str(error))
    return see_other(f"{_at(collection.row.name)}/records/{record.id}")


def hide(request: Request) -> Response:
    """Hide a record, or show it again."""
    collection = collection_of(request)
    record = record_of(request, collection)
    if form(request).get("what") == "show":
        collection.show_record(record.key)
        return see_other(f"{_at(collection.row.name)}/records/{record.id}")
    collection.hide_record(record.key)
    return see_other(f"{_at(collection.row.name)}/records/{record.id}")


def add_record(request: Request) -> Response:
    """Add the page at an address as a record: the next run reads it."""
    collection = collection_of(request)
    url = completed_url(form(request).get("url"))
    if not url:
        raise UsageError("Give the address of the record's page.")
    if not settings_of(request).allow_private:
        require_public(url)
    collection.add_link_rule("record", url)
    return see_other(f"{_at(collection.row.name)}?added=1")


def changed_values(
    sent: Form, fields: Mapping[str, Any], schema: RecordSchema
) -> dict[str, Any]:
    """Return the values of a form that are not those of the record; None for a field
    that was emptied.
    """
    values: dict[str, Any] = {}
    for name in _editable_fields(fields, schema):
        if FIELD + name not in sent.fields:
            continue
        text = sent.raw(FIELD + name).replace("\r\n", "\n").strip()
        present = field_text(fields.get(name), type_of(name, schema))
        if text == present.strip():
            continue
        rule = schema.by_name.get(name)
        if rule is not None and rule.type in _LISTS:
            lines = [line for line in text.splitlines() if line.strip()]
            values[name] = lines or None
        else:
            values[name] = text or None
    return values


def _editable_fields(fields: Mapping[str, Any], schema: RecordSchema) -> list[str]:
    of_schema = [rule.name for rule in schema.rules]
    names = dict.fromkeys([*of_schema, *fields])
    return [name for name in names if not is_part(name, schema)]


def _at(name: str) -> str:
    return f"/collections/{segment(name)}"


_PATH = "/collections/{name}/records"
routes = [
    Route(f"{_PATH}/add", add_record, methods=["POST"]),
    Route(f"{_PATH}/{{id}}/edit", edit_form),
    Route(f"{_PATH}/{{id}}/edit", edit, methods=["POST"]),
    Route(f"{_PATH}/{{id}}/hide", hide, methods=["POST"]),
]
