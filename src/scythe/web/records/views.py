"""Pages of records: searches by words, values and numbers, and one record with its
history.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import (
    CHANGED_FIRST,
    NEWEST,
    RELEVANCE,
    TITLE,
    NumberColumn,
    NumberKind,
    RecordQuery,
    Search,
    SearchResult,
)
from scythe.collect.views import RecordRow, RecordState, RecordVersionRow
from scythe.errors import NotStored
from scythe.tree.parse import parse
from scythe.web.annotate.frame import render_page
from scythe.web.records.cards import (
    picture_url,
    picture_version,
    record_fields,
    shown_cards,
)
from scythe.web.records.facets import active_filters, facet_views, value_options
from scythe.web.records.page_text import PageTexts, without_values
from scythe.web.records.record_page import record_history, record_view
from scythe.web.records.search import SearchParameters
from scythe.web.records.table import (
    chosen_fields,
    table_columns,
    table_fields,
    table_rows,
)
from scythe.web.server.context import collection_of, collections_of
from scythe.web.server.forms import whole_number
from scythe.web.server.picture_answers import picture_response, pictures_of
from scythe.web.server.rendering import is_fragment, page, path_of, see_other
from scythe.web.server.values import label, type_of
from scythe.web.snapshots.frame import frame_response, render_snapshot

PAGE_SIZE = 24
"""Cards on a page: whole rows of two, three and four."""
MAX_FIND, MAX_BACK = 100, 2_000
"""Characters of a search among the values of a facet, and of the search that a record
was opened from: bounds on work.
"""
_PAGE_TEXTS = PageTexts()
_ASCENDING = ("duration", "price", "quantity")
_DESCENDING = ("date", "number", "price")
"""Types of fields that people sort from the least and from the most on."""


@dataclass(frozen=True)
class CollectionSearch:
    """A search in a collection, as the address of a request has it."""

    collection: Collection
    parameters: SearchParameters

    @classmethod
    def from_request(cls, request: Request) -> CollectionSearch:
        """Return the search of a request."""
        parameters = SearchParameters.parse(request.query_params)
        return cls(collection_of(request), parameters)

    @cached_property
    def schema(self) -> RecordSchema:
        """The fields of its records."""
        return self.collection.schema

    @cached_property
    def search(self) -> Search:
        """The search in its collection."""
        return self.collection.search

    @cached_property
    def number_columns(self) -> list[NumberColumn]:
        """The fields with numbers, in the order of the schema."""
        names = [column.name for column in self.schema.columns]
        order = {name: position for position, name in enumerate(names)}

        def sort_key(column: NumberColumn) -> tuple[int, str]:
            return order.get(column.field, len(order)), column.field

        return sorted(self.search.number_fields(), key=sort_key)

    @property
    def date_fields(self) -> list[str]:
        """The fields that are dates."""
        columns = self.number_columns
        return [column.field for column in columns if column.kind == NumberKind.DAY]

    @property
    def record_query(self) -> RecordQuery:
        """The query for the database."""
        return self.parameters.record_query(self.number_columns)

    def find(self, size: int = PAGE_SIZE) -> tuple[SearchResult, list[RecordRow]]:
        """Return the result of the search, with the records of its page."""
        offset = (self.parameters.page - 1) * size
        result = self.search.find(self.record_query, offset, size)
        return result, list(self.search.records(result.records))

    def sorts(self) -> list[tuple[str, str]]:
        """Return the orders that can be chosen, and their names."""
        sorts = [(RELEVANCE, "Best match")] if self.parameters.words else []
        sorts += [
            (NEWEST, "Newest"),
            (CHANGED_FIRST, "Recently changed"),
            (TITLE, "Title"),
        ]
        for column in self.number_columns:
            is_date = column.kind == NumberKind.DAY
            kind = "date" if is_date else type_of(column.field, self.schema)
            words = label(column.field)
            if kind in _ASCENDING:
                least = "shortest" if kind == "duration" else "lowest"
                sorts.append((column.field, f"{words}, {least} first"))
            if kind in _DESCENDING:
                most = "latest" if is_date or kind == "date" else "highest"
                sorts.append((f"-{column.field}", f"{words}, {most} first"))
        return sorts


def list_records(request: Request) -> Response:
    """Show the records of a collection as cards, with filters."""
    search = CollectionSearch.from_request(request)
    result, records = search.find()
    parameters = search.parameters
    last = max((result.total + PAGE_SIZE - 1) // PAGE_SIZE, 1)
    if parameters.page > last:
        return see_other(path_of(request) + replace(parameters, page=last).query())

    (overview,) = collections_of(request).overviews(search.collection.row.name)
    cards = shown_cards(request, records, search.schema, parameters.words)
    default_sort = RELEVANCE if parameters.words else NEWEST
    return page(
        request,
        "records/index.html",
        collection=search.collection.row,
        overview=overview,
        search=parameters,
        cards=cards,
        are_drafts=all(card.record.state == RecordState.DRAFT for card in cards),
        has_pictures=any(card.picture for card in cards),
        table=_table(search, records) if parameters.view else None,
        total=result.total,
        last=last,
        saved=search.collection.saved_searches(),
        states=search.search.states(),
        facets=facet_views(result, parameters, search.schema),
        active=active_filters(parameters, search.schema, search.date_fields),
        sorts=search.sorts(),
        sort=parameters.sort or default_sort,
    )


def _table(search: CollectionSearch, records: Sequence[RecordRow]) -> dict[str, Any]:
    """Return what the table of a search shows."""
    parameters, schema = search.parameters, search.schema
    fields = table_fields(schema, records)
    names = chosen_fields(parameters, fields, records)
    text_fields = search.search.text_fields()
    return {
        "fields": [(name, label(name), name in names) for name in fields],
        "has_title": TITLE in names,
        "columns": table_columns(
            parameters, names, schema, search.number_columns, text_fields
        ),
        "rows": table_rows(records, names, schema, parameters.words),
    }


def facet_search(request: Request) -> Response:
    """Show the values of one facet that have some letters in them."""
    search = CollectionSearch.from_request(request)
    field = request.path_params["field"]
    words = request.query_params.get("find", "").strip()[:MAX_FIND]
    values = search.search.find_values(search.record_query, field, words)
    return page(
        request,
        "records/facet_piece.html" if is_fragment(request) else "records/facet.html",
        collection=search.collection.row,
        search=search.parameters,
        field=field,
        words=label(field),
        find=words,
        options=value_options(field, values, search.parameters),
    )


def record_of(request: Request, collection: Collection) -> RecordRow:
    """Return the record in the path."""
    number = whole_number(request.path_params["id"])
    return collection.record(-1 if number is None else number)


def show_record(request: Request) -> Response:
    """Show a record with its values, source and history."""
    collection = collection_of(request)
    record = record_of(request, collection)
    versions = collection.history(record)
    view = record_view(record, collection.schema, _servings(request))
    if pictures_of(request).is_missing(picture_url(record_fields(record))):
        view = replace(view, picture="")
    text = _PAGE_TEXTS.read(collection, record) if view.lacks_text else ()
    view = view.without_running_text(text)
    shown = [*view.shown_texts, *map(label, record_fields(record))]
    return page(
        request,
        "records/record.html",
        collection=collection.row,
        record=record,
        view=view,
        text=without_values(text, shown),
        back=back_query(request),
        history=record_history(versions, collection.schema),
        label=label,
    )


def cook(request: Request) -> Response:
    """Show a recipe for the kitchen: large, with nothing else."""
    collection = collection_of(request)
    record = record_of(request, collection)
    view = record_view(record, collection.schema, _servings(request))
    if not view.is_recipe:
        return see_other(path_of(request).removesuffix("/cook"))
    return page(
        request,
        "records/cook.html",
        collection=collection.row,
        record=record,
        view=view,
    )


def _servings(request: Request) -> int | None:
    return whole_number(request.query_params.get("servings"))


def back_query(request: Request) -> str:
    """Return the search that a record was opened from, as an address from the question
    mark on.
    """
    given = request.query_params.get("back", "")[:MAX_BACK]
    parameters = SearchParameters.parse(QueryParams(given))
    return parameters.query()


def show_snapshot(request: Request) -> Response:
    """Show the snapshot that a record was extracted from, for a frame; an earlier one
    where the address names a version.
    """
    collection = collection_of(request)
    record = record_of(request, collection)
    number = whole_number(request.query_params.get("version"))
    source: RecordRow | RecordVersionRow = record
    versions = [] if number is None else collection.history(record)
    for version in versions:
        if version.number == number:
            source = version
            break

    if source.body_hash is None:
        raise NotStored("There is no snapshot of this record.")
    if source.page_id is None:
        tree = parse(collection.snapshot(source.body_hash))
        return frame_response(render_snapshot(tree))
    snapshot = replace(collection.page(source.page_id), body_hash=source.body_hash)
    return frame_response(render_page(collection, snapshot))


def show_picture(request: Request) -> Response:
    """Show the picture of a record, or ours where there is none."""
    collection = collection_of(request)
    fields = record_fields(record_of(request, collection))
    is_current = request.query_params.get("v") == picture_version(fields)
    return picture_response(
        request, collection, picture_url(fields), is_current=is_current
    )


_PATH = "/collections/{name}"
routes = [
    Route(f"{_PATH}/records", list_records),
    Route(f"{_PATH}/facets/{{field}}", facet_search),
    Route(f"{_PATH}/records/{{id}}", show_record),
    Route(f"{_PATH}/records/{{id}}/cook", cook),
    Route(f"{_PATH}/records/{{id}}/picture", show_picture),
    Route(f"{_PATH}/records/{{id}}/original", show_snapshot),
]
