"""Records for programs: searches with their facets, one record with its history."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from scythe.collect.views import RecordRow
from scythe.web.api.route import ApiRoute, Query, query_of
from scythe.web.api.types import Count, Fields, Url
from scythe.web.records.downloads import export
from scythe.web.records.facets import FacetView, facet_views
from scythe.web.records.record_page import HistoryEntry as ShownEntry
from scythe.web.records.record_page import record_history
from scythe.web.records.views import (
    PAGE_SIZE,
    CollectionSearch,
    record_of,
)
from scythe.web.server.context import collection_of

MAX_SIZE = 500
"""Records that are given at once: a bound on work, not tuned."""

State = Literal["", "gone", "review", "all"]
ExportFormat = Literal["csv", "jsonl", "parquet", "sql", "xlsx", "recipes", "paprika"]


class RecordAnswer(msgspec.Struct, kw_only=True):
    """A record as it is now."""

    id: Count
    url: Url
    state: Literal["ok", "draft", "review", "gone", "hidden"]
    fields: Annotated[
        dict[str, Any] | None,
        msgspec.Meta(
            description="The last good values; null where there never were any."
        ),
    ]
    pending: Annotated[
        dict[str, Any] | None,
        msgspec.Meta(description="Values that wait for a person."),
    ]
    reasons: list[dict[str, Any]]
    first_seen: datetime
    changed_at: datetime
    seen_at: datetime
    gone_at: datetime | None
    moved_from: Url | None
    page: Count | None
    cluster: Count | None
    template_version: Count | None


class FieldChangeAnswer(msgspec.Struct):
    """A field before and after a change."""

    field: str
    before: list[str]
    after: list[str]


class HistoryEntryAnswer(msgspec.Struct):
    """Something that happened to a record."""

    number: Count
    change: str
    state: str
    url: Url
    stored_at: datetime
    fields: Fields | None
    differences: list[FieldChangeAnswer]


class RecordDetails(RecordAnswer, kw_only=True):
    """A record with its history, the latest first."""

    history: list[HistoryEntryAnswer]


class FacetOptionAnswer(msgspec.Struct):
    """A value that records share."""

    value: str
    records: Count
    query: Annotated[
        str,
        msgspec.Meta(description="The search that chooses it, or leaves it out again."),
    ]


class FacetAnswer(msgspec.Struct):
    """The values of a field that the found records share."""

    field: str
    options: list[FacetOptionAnswer]


class RecordsAnswer(msgspec.Struct):
    """A page of records that match a search."""

    total: Count
    page: Count
    pages: Count
    records: list[RecordAnswer]
    facets: list[FacetAnswer]
    sorts: list[str]


class FilterQuery(Query):
    """Which records to return."""

    q: Annotated[
        str, msgspec.Meta(description='Words, "phrases", beginnings* and -not.')
    ] = ""
    state: Annotated[
        State,
        msgspec.Meta(
            description="Which records; by default those that are on the site."
        ),
    ] = ""
    sort: Annotated[
        str,
        msgspec.Meta(
            description="One of the orders in the answer, such as `title` or `-rating`."
        ),
    ] = ""


class RecordsQuery(FilterQuery):
    """Which page of the records to return."""

    page: Count = 1
    size: Annotated[
        int, msgspec.Meta(ge=1, le=MAX_SIZE, description="Records on a page.")
    ] = PAGE_SIZE


class ExportQuery(FilterQuery):
    """The format of a file of records."""

    to: ExportFormat = "csv"
    exact: Annotated[
        str,
        msgspec.Meta(
            description="Anything: leave texts in CSV as they are, also where "
            "spreadsheets would calculate them."
        ),
    ] = ""


def find_records(request: Request) -> RecordsAnswer:
    """Return a page of the records that match words, values and numbers."""
    search = CollectionSearch.from_request(request)
    size = query_of(request, RecordsQuery).size
    result, rows = search.find(size)
    views = facet_views(result, search.parameters, search.schema)
    return RecordsAnswer(
        total=result.total,
        page=search.parameters.page,
        pages=max((result.total + size - 1) // size, 1),
        records=[RecordAnswer(**_record_values(row)) for row in rows],
        facets=[_facet(view) for view in views],
        sorts=[sort for sort, _ in search.sorts()],
    )


def details(request: Request) -> RecordDetails:
    """Return a record with its history."""
    collection = collection_of(request)
    row = record_of(request, collection)
    versions = collection.history(row)
    history = [_entry(entry) for entry in record_history(versions, collection.schema)]
    return RecordDetails(**_record_values(row), history=history)


def exported(request: Request) -> Response:
    """Return the records of a search as a file."""
    return export(request)


def _record_values(row: RecordRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "url": row.url,
        "state": row.state,
        "fields": row.fields,
        "pending": row.pending,
        "reasons": list(row.reasons),
        "first_seen": row.first_seen,
        "changed_at": row.changed_at,
        "seen_at": row.seen_at,
        "gone_at": row.gone_at,
        "moved_from": row.moved_from,
        "page": row.page_id,
        "cluster": row.cluster,
        "template_version": row.version,
    }


def _facet(view: FacetView) -> FacetAnswer:
    options = [
        FacetOptionAnswer(option.words, option.records, option.address)
        for option in view.options
    ]
    return FacetAnswer(view.field, options)


def _entry(entry: ShownEntry) -> HistoryEntryAnswer:
    version = entry.version
    differences = [
        FieldChangeAnswer(change.field, list(change.before), list(change.after))
        for change in entry.differences
    ]
    return HistoryEntryAnswer(
        version.number,
        version.change,
        version.state,
        version.url,
        version.stored_at,
        None if version.fields is None else dict(version.fields),
        differences,
    )


_GROUP = "Records"
_PATH = "/api/collections/{name}"

api_routes = [
    ApiRoute(
        "GET",
        f"{_PATH}/records",
        find_records,
        "Search records, with the values that the found ones share",
        RecordsAnswer,
        _GROUP,
        query=RecordsQuery,
        has_field_filters=True,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/records/{{id}}",
        details,
        "A record with its history, the latest first",
        RecordDetails,
        _GROUP,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/export",
        exported,
        "All records of a search as a file",
        "application/octet-stream",
        _GROUP,
        query=ExportQuery,
        has_field_filters=True,
    ),
]
