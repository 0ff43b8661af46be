"""Records to take away: searches as files, and as feeds of what is new in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from scythe.collect.publish.export import (
    TEXT_FORMATS,
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
from scythe.web.records.views import CollectionSearch
from scythe.web.server.rendering import path_of, segment

_CHUNK = 65_536
"""Characters of an export that are sent at once, about; not tuned."""
_MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "sql": "text/plain; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "recipes": "application/zip",
    "paprika": "application/zip",
}
_ENDINGS = {"recipes": "zip", "paprika": "paprikarecipes"}
"""Of formats whose files do not end in their names."""


def export(request: Request) -> Response:
    """Send the records of a search as a file. Texts in CSV are guarded for spreadsheets,
    unless the address has `exact=1`.
    """
    search = CollectionSearch.from_request(request)
    format_ = select_format(None, request.query_params.get("to"))
    row = search.collection.row
    selection = Export(
        row,
        search.schema,
        numbers=search.search.all(search.record_query),
        for_spreadsheets=not request.query_params.get("exact"),
    )
    file_name = f"{segment(row.name)}.{_ENDINGS.get(format_, format_)}"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{file_name}"}
    store = search.collection.store
    media_type = _MEDIA_TYPES.get(format_, "application/octet-stream")
    if format_ in TEXT_FORMATS:
        lines = export_lines(store, selection, format_)
        return StreamingResponse(_chunks(lines), media_type=media_type, headers=headers)

    with tempfile.NamedTemporaryFile(
        prefix="scythe-", suffix=f".{format_}", delete=False
    ) as file:
        path = Path(file.name)
    try:
        export_file(store, selection, path, format_)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return FileResponse(
        path,
        media_type=media_type,
        headers=headers,
        background=BackgroundTask(path.unlink),
    )


def _chunks(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield lines in larger chunks: each is a message of its own on its way."""
    waiting: list[str] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size > _CHUNK:
            yield "".join(waiting).encode()
            waiting, size = [], 0
    yield "".join(waiting).encode()


def feed(request: Request) -> Response:
    """Send what is new in a search, for feed readers."""
    search = CollectionSearch.from_request(request)
    row, words = search.collection.row, search.parameters.words
    among = None
    if search.parameters.is_narrow:
        among = search.search.all(search.record_query)
    entries = feed_entries(search.collection.store, row, DEFAULT_CHANGES, among=among)
    title = f"{row.name}: {words}" if words else row.name
    if path_of(request).endswith(".json"):
        text = json_feed(row, entries, title)
        return Response(text, media_type="application/feed+json")
    return Response(rss_feed(row, entries, title), media_type="application/rss+xml")


_PATH = "/collections/{name}"
routes = [
    Route(f"{_PATH}/export", export),
    Route(f"{_PATH}/feed.rss", feed, name="feed-rss"),
    Route(f"{_PATH}/feed.json", feed, name="feed-json"),
]
