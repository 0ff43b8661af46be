"""Pages of records: found by words, values and numbers, one record with its history,
and all of it to take away.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.publish.export import (
    Export,
    export_file,
    export_lines,
    select_format,
)
from scythe.collect.publish.feed import (
    DEFAULT_CHANGES,
    feed_entries,
    json_feed,
    rss_feed,
)
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
from scythe.collect.views import RecordRow
from scythe.errors import NotStored
from scythe.tree.parse import parse
from scythe.web.annotate.frame import saved_page
from scythe.web.records.cards import (
    cards,
    details,
    happenings,
    picture_mark,
    picture_of,
)
from scythe.web.records.facets import active_filters, facet_views
from scythe.web.records.pictures import Pictures, reach
from scythe.web.records.search import Asked
from scythe.web.records.values import label, type_of
from scythe.web.server.context import collection_of, settings_of
from scythe.web.server.forms import whole_number
from scythe.web.server.rendering import asset, page, see_other, segment
from scythe.web.snapshots.frame import frame_response, framed

SIZE = 24
"""Cards on a page: whole rows of two, three and four."""
_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "sql": "text/plain; charset=utf-8",
}
_FOREVER = "private, max-age=31536000, immutable"
_SHORTLY = "private, max-age=300"
_FALLING = ("date", "number", "price")
_RISING = ("duration", "price", "quantity")
"""Types of fields that people sort from the most and from the least on."""


@dataclass(frozen=True)
class Asking:
    """A search in a collection, as a request asks for it."""

    collection: Collection
    asked: Asked

    @classmethod
    def of(cls, request: Request) -> Asking:
        """The search of a request."""
        return cls(collection_of(request), Asked.of(request.query_params))

    @cached_property
    def schema(self) -> RecordSchema:
        """The fields of its records."""
        return self.collection.schema

    @cached_property
    def search(self) -> Search:
        """The search in its collection."""
        return Search(self.collection.store, self.collection.row.id)

    @cached_property
    def numbers(self) -> list[NumberColumn]:
        """The fields with numbers, in the order of the schema."""
        order = {column.name: place for place, column in enumerate(self.schema.columns)}
        return sorted(
            self.search.number_fields(),
            key=lambda each: (order.get(each.field, len(order)), each.field),
        )

    @property
    def wanted(self) -> RecordQuery:
        """The question to the database."""
        return self.asked.wanted(self.numbers)

    def find(self, size: int = SIZE) -> tuple[SearchResult, list[RecordRow]]:
        """A page of the answer."""
        found = self.search.find(self.wanted, (self.asked.page - 1) * size, size)
        return found, list(self.search.records(found.records))

    def sorts(self) -> list[tuple[str, str]]:
        """Orders that can be chosen, and their names."""
        known = [(RELEVANCE, "Best match")] if self.asked.words else []
        known += [
            (NEWEST, "Newest"),
            (CHANGED_FIRST, "Lately changed"),
            (TITLE, "Title"),
        ]
        for each in self.numbers:
            kind = (
                "date"
                if each.kind == NumberKind.DAY
                else type_of(each.field, self.schema)
            )
            words = label(each.field)
            if kind in _RISING:
                known.append(
                    (
                        each.field,
                        f"{words}, lowest first"
                        if kind != "duration"
                        else f"{words}, shortest first",
                    )
                )
            if kind in _FALLING:
                known.append(
                    (
                        f"-{each.field}",
                        f"{words}, {'latest' if kind == 'date' else 'highest'} first",
                    )
                )
        return known


def index(request: Request) -> Response:
    """The records of a collection as cards, with what to narrow them by."""
    asking = Asking.of(request)
    found, records = asking.find()
    asked, row = asking.asked, asking.collection.row
    last = max((found.total + SIZE - 1) // SIZE, 1)
    if asked.page > last:
        return see_other(request.url.path + replace(asked, page=last).query())
    shown = cards(records, asking.schema)
    return page(
        request,
        "records/index.html",
        collection=row,
        asked=asked,
        cards=shown,
        pictured=any(each.picture for each in shown),
        total=found.total,
        last=last,
        states=asking.search.states(),
        facets=facet_views(found, asked, asking.schema),
        active=active_filters(
            asked,
            asking.schema,
            (each.field for each in asking.numbers if each.kind == NumberKind.DAY),
        ),
        sorts=asking.sorts(),
        sort=asked.sort or (RELEVANCE if asked.words else NEWEST),
    )


def record_of(request: Request, collection: Collection) -> RecordRow:
    """The record in the path."""
    number = whole_number(request.path_params["id"])
    return collection.record(-1 if number is None else number)


def record(request: Request) -> Response:
    """A record with all that is known of it."""
    collection = collection_of(request)
    found = record_of(request, collection)
    history = collection.history(found)
    return page(
        request,
        "records/record.html",
        collection=collection.row,
        record=found,
        details=details(found, collection.schema),
        happenings=happenings(history, collection.schema),
        label=label,
    )


def original(request: Request) -> Response:
    """The page that a record was read from, as it was saved, for a frame; an earlier
    one where the address names a version.
    """
    collection = collection_of(request)
    found = record_of(request, collection)
    number = whole_number(request.query_params.get("version"))
    history = [] if number is None else collection.history(found)
    source = next((version for version in history if version.number == number), found)
    if source.body_hash is None:
        raise NotStored("The page of this record is not kept.")
    if source.page_id is None:
        tree = parse(collection.snapshot(source.body_hash))
        return frame_response(framed(tree))
    snapshot = replace(collection.page(source.page_id), body_hash=source.body_hash)
    return frame_response(saved_page(collection, snapshot))


def picture(request: Request) -> Response:
    """The picture of a record, or ours where there is none."""
    collection = collection_of(request)
    found = record_of(request, collection)
    fields = found.fields or found.pending or {}
    url = picture_of(fields)
    private = settings_of(request).allow_private or bool(
        collection.row.settings.get("private")
    )
    shown = (
        pictures_of(request).get(url, reach(collection.row.url, private=private))
        if url
        else None
    )
    if shown is None:
        return Response(
            status_code=307,
            headers={"Location": asset("no-picture.svg"), "Cache-Control": _SHORTLY},
        )
    kept = (
        _FOREVER if request.query_params.get("v") == picture_mark(fields) else _SHORTLY
    )
    policy = "default-src 'none'; sandbox"
    return Response(
        shown.data,
        media_type=f"image/{shown.kind}",
        headers={"Cache-Control": kept, "Content-Security-Policy": policy},
    )


def pictures_of(request: Request) -> Pictures:
    """The pictures that the app keeps."""
    state = request.app.state
    if not hasattr(state, "pictures"):
        state.pictures = Pictures()
    kept: Pictures = state.pictures
    return kept


def export(request: Request) -> Response:
    """The records of a search as a file. Texts in CSV are guarded for spreadsheets,
    unless the address says `exact=1`.
    """
    asking = Asking.of(request)
    wanted = select_format(None, request.query_params.get("to"))
    row = asking.collection.row
    guarded = not request.query_params.get("exact")
    what = Export(
        row,
        asking.schema,
        numbers=asking.search.all(asking.wanted),
        for_spreadsheets=guarded,
    )
    named = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{segment(row.name)}.{wanted}"
    }
    store = asking.collection.store
    if wanted == "parquet":
        with tempfile.NamedTemporaryFile(
            prefix="scythe-", suffix=".parquet", delete=False
        ) as made:
            path = Path(made.name)
        try:
            export_file(store, what, path, wanted)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return FileResponse(
            path,
            media_type="application/vnd.apache.parquet",
            headers=named,
            background=BackgroundTask(path.unlink),
        )
    return StreamingResponse(
        _encoded(export_lines(store, what, wanted)),
        media_type=_TYPES[wanted],
        headers=named,
    )


def _encoded(lines: Iterator[str]) -> Iterator[bytes]:
    """Lines in larger pieces: each is a message of its own on its way."""
    waiting: list[str] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size > 65_536:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    yield "".join(waiting).encode()


def feed(request: Request) -> Response:
    """What is new in a search, for feed readers."""
    asking = Asking.of(request)
    row = asking.collection.row
    among = asking.search.all(asking.wanted) if asking.asked.is_narrow else None
    told = feed_entries(asking.collection.store, row, DEFAULT_CHANGES, among=among)
    title = f"{row.name}: {asking.asked.words}" if asking.asked.words else row.name
    if request.url.path.endswith(".json"):
        return Response(json_feed(row, told, title), media_type="application/feed+json")
    return Response(rss_feed(row, told, title), media_type="application/rss+xml")


_BASE = "/collections/{name}"
routes = [
    Route(f"{_BASE}/records", index),
    Route(f"{_BASE}/records/{{id}}", record),
    Route(f"{_BASE}/records/{{id}}/picture", picture),
    Route(f"{_BASE}/records/{{id}}/original", original),
    Route(f"{_BASE}/export", export),
    Route(f"{_BASE}/feed.rss", feed, name="feed-rss"),
    Route(f"{_BASE}/feed.json", feed, name="feed-json"),
]
