"""Records for programs: searches with their facets, one record with its history."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from scythe.store.collections.records import RecordRow, RecordRows
from scythe.web.api.route import ApiRoute, asked
from scythe.web.api.schemas import (
    ADDRESS,
    COUNT,
    MOMENT,
    TEXT,
    VALUES,
    Schema,
    described,
    each,
    maybe,
    one_of,
    shape,
)
from scythe.web.records.cards import happenings
from scythe.web.records.facets import facet_views
from scythe.web.records.search import STATES
from scythe.web.records.views import SIZE, Asking, export, record_of
from scythe.web.server.context import collection_of

MOST = 500
"""Records that are given at once."""
RECORD = shape(
    id=COUNT,
    url=ADDRESS,
    state=one_of("ok", "review", "gone"),
    fields=maybe(
        described(VALUES, "The last good values; none, where there never were any.")
    ),
    pending=maybe(described(VALUES, "Values that wait for a person.")),
    reasons=each(VALUES),
    first_seen=MOMENT,
    changed_at=MOMENT,
    seen_at=MOMENT,
    gone_at=maybe(MOMENT),
    moved_from=maybe(ADDRESS),
    page=maybe(COUNT),
    cluster=maybe(COUNT),
    template_version=maybe(COUNT),
)
OPTION = shape(
    value=TEXT,
    records=COUNT,
    query=described(TEXT, "The search that chooses it, or leaves it out again."),
)
FOUND = shape(
    total=COUNT,
    page=COUNT,
    pages=COUNT,
    records=each(RECORD),
    facets=each(shape(field=TEXT, options=each(OPTION))),
    sorts=each(TEXT),
)
HAPPENING = shape(
    number=COUNT,
    change=TEXT,
    state=TEXT,
    url=ADDRESS,
    stored_at=MOMENT,
    fields=maybe(VALUES),
    differences=each(shape(field=TEXT, before=each(TEXT), after=each(TEXT))),
)
_SEARCH: dict[str, Schema] = {
    "q": described(TEXT, 'Words, "phrases", beginnings* and -not.', default=""),
    "state": described(
        one_of(*STATES),
        "Which records; without a word those that are on the site.",
        default="",
    ),
    "sort": described(
        TEXT,
        "One of the orders that the answer names, such as `title` or `-rating`.",
        default="",
    ),
}


def search(request: Request) -> Any:
    """Records by words, values and numbers."""
    asking = Asking.of(request)
    size = asked(request)["size"]
    found, records = asking.find(size)
    return {
        "total": found.total,
        "page": asking.asked.page,
        "pages": max((found.total + size - 1) // size, 1),
        "records": [_record(row) for row in records],
        "facets": [
            {
                "field": view.field,
                "options": [
                    {
                        "value": option.words,
                        "records": option.records,
                        "query": option.address,
                    }
                    for option in view.options
                ],
            }
            for view in facet_views(found, asking.asked, asking.schema)
        ],
        "sorts": [sort for sort, _ in asking.sorts()],
    }


def one(request: Request) -> Any:
    """A record with its history."""
    collection = collection_of(request)
    row = record_of(request, collection)
    history = RecordRows(collection.store, collection.row.id).history(row.id)
    told = [
        {
            "number": each.version.number,
            "change": each.version.change,
            "state": each.version.state,
            "url": each.version.url,
            "stored_at": each.version.stored_at.isoformat(),
            "fields": each.version.fields,
            "differences": [
                {
                    "field": change.field,
                    "before": list(change.before),
                    "after": list(change.after),
                }
                for change in each.differences
            ],
        }
        for each in happenings(history, collection.schema)
    ]
    return {**_record(row), "history": told}


def exported(request: Request) -> Response:
    """The records of a search as a file."""
    return export(request)


def _record(row: RecordRow) -> dict[str, Any]:
    times = {
        name: getattr(row, name)
        for name in ("first_seen", "changed_at", "seen_at", "gone_at")
    }
    return {
        "id": row.id,
        "url": row.url,
        "state": row.state,
        "fields": row.fields,
        "pending": row.pending,
        "reasons": list(row.reasons),
        **{name: None if at is None else at.isoformat() for name, at in times.items()},
        "moved_from": row.moved_from,
        "page": row.page_id,
        "cluster": row.cluster,
        "template_version": row.version,
    }


_KIND = "Records"
_AT = "/api/collections/{name}"
api_routes = [
    ApiRoute(
        "GET",
        f"{_AT}/records",
        search,
        "Search records, with what the found ones have in common",
        FOUND,
        _KIND,
        {
            **_SEARCH,
            "page": {**COUNT, "default": 1},
            "size": described(
                {"type": "integer", "minimum": 1, "maximum": MOST},
                "Records on a page.",
                default=SIZE,
            ),
        },
        others=True,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/records/{{id}}",
        one,
        "A record with all that happened to it, the latest first",
        {
            **RECORD,
            "properties": {**RECORD["properties"], "history": each(HAPPENING)},
            "required": [*RECORD["required"], "history"],
        },
        _KIND,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/export",
        exported,
        "All records of a search as a file",
        "application/octet-stream",
        _KIND,
        {
            **_SEARCH,
            "to": one_of("csv", "jsonl", "parquet", "sql"),
            "exact": described(
                TEXT,
                "Anything: leave texts in CSV as they are, also where spreadsheets would calculate them.",
            ),
        },
        others=True,
    ),
]
