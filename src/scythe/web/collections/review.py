"""Records that wait for a person: the doubt in words, and the right value beside it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.records.differences import field_changes
from scythe.collect.records.edits import GivenValue
from scythe.collect.views import RecordRow, fingerprint
from scythe.errors import UsageError
from scythe.web.collections.views import overview_of, requested_pagination
from scythe.web.server.context import collection_of
from scythe.web.server.forms import Form, form
from scythe.web.server.rendering import page, see_other, segment
from scythe.web.server.values import field_text

MAX_RECORDS = 25
"""Records on one screen, by what fits; not tuned."""
CORRECTION = "correct."
"""What the names of inputs for doubtful values begin with."""


def review(request: Request) -> Response:
    """Show the records that wait for a person."""
    overview, collection = overview_of(request), collection_of(request)
    pagination = requested_pagination(request, MAX_RECORDS)
    records, total = collection.records_in_review(pagination)
    waiting = []
    for record in records:
        changes = field_changes(record.fields, record.pending)
        doubtful = _doubtful_fields(record)
        waiting.append((record, fingerprint(record.pending), changes, doubtful))
    return page(
        request,
        "collections/review.html",
        overview=overview,
        waiting=waiting,
        total=total,
        pagination=pagination,
        last=pagination.last(total),
    )


def _doubtful_fields(record: RecordRow) -> list[tuple[str, str]]:
    """Return the fields that a record is in review for, with their values as a person
    edits them.
    """
    values = record.pending or record.fields or {}
    fields: dict[str, str] = {}
    for reason in record.reasons:
        field = str(reason.get("field") or "")
        if field:
            fields[field] = field_text(values.get(field))
    return list(fields.items())


def _corrections(sent: Form) -> dict[str, GivenValue]:
    """Return the values that a person wrote for the doubtful fields of one record."""
    values: dict[str, GivenValue] = {}
    for name, given in sent.fields.items():
        if not name.startswith(CORRECTION):
            continue
        field = name.removeprefix(CORRECTION)
        before, after = sent.raw(f"before.{field}"), given[0].strip()
        if after and after != before.strip():
            lines = after.splitlines()
            values[field] = lines if len(lines) > 1 else after
    return values


def accept(request: Request) -> Response:
    """Accept the values of records in review: of one, or of all that a page shows."""
    collection, sent = collection_of(request), form(request)
    keys = sent.fields.get("key", ())
    seen = sent.fields.get("seen", ())
    chosen = list(zip(keys, seen, strict=False))
    if not chosen:
        raise UsageError("No record was chosen. Go back to the list and choose one.")
    values = _corrections(sent) if len(chosen) == 1 else {}
    for key, seen_values in chosen:
        collection.accept_record(key, seen=seen_values, values=values)
    return see_other(f"/collections/{segment(collection.row.name)}/review")


routes = [
    Route("/collections/{name}/review", review),
    Route("/collections/{name}/review", accept, methods=["POST"]),
]
