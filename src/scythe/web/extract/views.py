"""Extraction of one page: the content by each method, marked in the page itself, and
the records of its list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import StringIO

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.content.extract import DEFAULT_METHOD, METHODS
from scythe.errors import ScytheError, UsageError
from scythe.spreadsheets import CsvWriter
from scythe.tree.parse import parse
from scythe.web.extract.extractions import (
    Extraction,
    Extractions,
    fetch_stylesheets,
    load_page,
)
from scythe.web.server.context import settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.rendering import is_fragment, page, see_other
from scythe.web.snapshots.frame import SnapshotStyle, frame_response, render_snapshot
from scythe.web.snapshots.marks import (
    CONTENT_STYLE,
    READING_STYLE,
    RECORD_STYLE,
    content_marks,
    record_marks,
)

VIEWS = {
    "rendered": "Rendered",
    "markdown": "Markdown",
    "text": "Text",
    "json": "JSON",
    "methods": "All methods",
    "records": "Records",
}
"""The views of a result, with their names."""
FILES = {
    "markdown": ("md", "text/markdown"),
    "text": ("txt", "text/plain"),
    "json": ("json", "application/json"),
    "records": ("csv", "text/csv"),
}
"""The extension and media type of the views that can be downloaded."""
MAX_SHOWN = 200_000
"""Characters that a view shows; the file has all. Not tuned."""
MAX_ROWS = 200
"""Records of a page that are shown; not tuned."""


@dataclass(frozen=True)
class ResultView:
    """Which page is shown, by which method and in which view."""

    key: str
    method: str = DEFAULT_METHOD
    show: str = "rendered"

    @property
    def address(self) -> str:
        """Its address."""
        method = self.method.replace("+", "%2B")
        return f"/extract/{self.key}?method={method}&show={self.show}"

    def other(self, *, method: str | None = None, show: str | None = None) -> str:
        """Return the address of another view of the page."""
        other_method = method or self.method
        return ResultView(self.key, other_method, show or self.show).address


def extractions_of(request: Request) -> Extractions:
    """Return the pages that the app keeps."""
    extractions: Extractions = request.app.state.extractions
    return extractions


def extraction_of(request: Request) -> tuple[Extraction, ResultView]:
    """Return the page in the path, and the view in the address."""
    key, parameters = request.path_params["key"], request.query_params
    method = parameters.get("method", DEFAULT_METHOD)
    show = parameters.get("show", "rendered")
    if method not in METHODS or show not in VIEWS:
        raise UsageError(
            f"There is no such view. Methods are {', '.join(METHODS)}; "
            f"views are {', '.join(VIEWS)}."
        )
    return extractions_of(request).get(key), ResultView(key, method, show)


def extract_form(request: Request) -> Response:
    """Show the form."""
    values = Form({"url": [request.query_params.get("url", "")]})
    return page(request, "extract/form.html", values=values, error="")


def extract(request: Request) -> Response:
    """Extract from a page, and show the result."""
    sent = form(request)
    allow_private = settings_of(request).allow_private
    try:
        extraction = load_page(
            sent.get("url"),
            sent.raw("html"),
            allow_private=allow_private,
            render=bool(sent.get("render")),
        )
        if not sent.raw("html").strip():
            fetch_stylesheets(extraction, allow_private=allow_private)
    except ScytheError as error:
        return page(request, "extract/form.html", 400, values=sent, error=str(error))
    key = extractions_of(request).add(extraction)
    show = "records" if extraction.is_list else "rendered"
    return see_other(ResultView(key, show=show).address)


def show_result(request: Request) -> Response:
    """Show a page and what was extracted from it."""
    extraction, view = extraction_of(request)
    has_text = view.show in ("markdown", "text", "json")
    return page(
        request,
        "extract/result.html" if is_fragment(request) else "extract/show.html",
        extraction=extraction,
        view=view,
        views=VIEWS,
        methods=list(METHODS),
        document=extraction.document(view.method),
        text=render_text(extraction, view) if has_text else "",
        longest=MAX_SHOWN,
        rows=MAX_ROWS,
    )


def render_text(extraction: Extraction, view: ResultView) -> str:
    """Return the content as text in the format of a view."""
    document = extraction.document(view.method)
    if view.show == "json":
        return json.dumps(document.to_dict(), ensure_ascii=False, indent=2)
    return document.text if view.show == "text" else document.markdown


def show_frame(request: Request) -> Response:
    """Show the page itself with the result marked in it, for a frame."""
    extraction, view = extraction_of(request)
    tree = extraction.tree
    if view.show == "records":
        marks = record_marks(tree, [record.span for record in extraction.records])
        style = SnapshotStyle(extraction.styles, RECORD_STYLE)
    else:
        marks = content_marks(tree, extraction.document(view.method).selection)
        style = SnapshotStyle(extraction.styles, CONTENT_STYLE)
    return frame_response(render_snapshot(tree, marks, style))


def show_reading(request: Request) -> Response:
    """Show the content alone, for a frame: its tables, figures and links as they are."""
    extraction, view = extraction_of(request)
    tree = parse(extraction.document(view.method).html)
    style = SnapshotStyle(marks=READING_STYLE)
    return frame_response(render_snapshot(tree, {}, style))


def records_csv(extraction: Extraction) -> str:
    """Return the records of a page as CSV that spreadsheets do not calculate."""
    records = extraction.records
    text = StringIO()
    writer = CsvWriter(text)
    writer.writerow(records.columns)
    for record in records:
        cells = []
        for name in records.columns:
            value = record.fields.get(name) or ""
            cells.append(value if isinstance(value, str) else " | ".join(value))
        writer.writerow(cells)
    return text.getvalue()


def download(request: Request) -> Response:
    """Send the content as a file."""
    extraction, view = extraction_of(request)
    if view.show not in FILES:
        raise UsageError(f"There is no file of that. There are: {', '.join(FILES)}.")
    extension, media_type = FILES[view.show]
    headers = {"Content-Disposition": f'attachment; filename="extracted.{extension}"'}
    is_table = view.show == "records"
    text = records_csv(extraction) if is_table else render_text(extraction, view)
    return Response(
        text.encode("utf-8", "replace"),
        media_type=f"{media_type}; charset=utf-8",
        headers=headers,
    )


routes = [
    Route("/extract", extract_form),
    Route("/extract", extract, methods=["POST"]),
    Route("/extract/{key}", show_result),
    Route("/extract/{key}/frame", show_frame),
    Route("/extract/{key}/reading", show_reading),
    Route("/extract/{key}/file", download),
]
