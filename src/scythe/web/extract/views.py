"""Extraction by hand: give a page, see what each method takes from it, marked in the
page itself, and the rows of its list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.content.extract import DEFAULT_METHOD, METHODS
from scythe.errors import ScytheError, UsageError
from scythe.web.extract.extractions import Extraction, Extractions, read, with_styles
from scythe.web.server.context import settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.rendering import is_fragment, page, see_other
from scythe.web.snapshots.frame import SnapshotStyle, frame_response, render_snapshot
from scythe.web.snapshots.marks import (
    CONTENT_STYLE,
    RECORD_STYLE,
    content_marks,
    record_marks,
)

VIEWS = {
    "markdown": "Markdown",
    "text": "Text",
    "json": "JSON",
    "methods": "All methods",
    "records": "Records",
}
"""Ways to look at what was found."""
FILES = {
    "markdown": ("md", "text/markdown"),
    "text": ("txt", "text/plain"),
    "json": ("json", "application/json"),
}
LONGEST_SHOWN = 200_000
"""Characters that a view shows; the file has all."""
ROWS = 200
"""Records of a page that are shown."""


@dataclass(frozen=True)
class View:
    """What somebody looks at."""

    word: str
    method: str = DEFAULT_METHOD
    show: str = "markdown"

    @property
    def at(self) -> str:
        """Its address."""
        return f"/extract/{self.word}?method={self.method.replace('+', '%2B')}&show={self.show}"

    def other(self, *, method: str | None = None, show: str | None = None) -> str:
        """The address of another view of the page."""
        return View(self.word, method or self.method, show or self.show).at


def kept(request: Request) -> Extractions:
    """The pages of the app that are kept."""
    found: Extractions = request.app.state.extractions
    return found


def extraction_of(request: Request) -> tuple[Extraction, View]:
    """The page in the path, and the view that the address asks for."""
    word, asked = request.path_params["word"], request.query_params
    method, show = asked.get("method", DEFAULT_METHOD), asked.get("show", "markdown")
    if method not in METHODS or show not in VIEWS:
        raise UsageError(
            f"There is no such view. Methods are {', '.join(METHODS)}; views are {', '.join(VIEWS)}."
        )
    return kept(request).get(word), View(word, method, show)


def asking(request: Request) -> Response:
    """The form."""
    return page(
        request,
        "extract/ask.html",
        values=Form({"url": [request.query_params.get("url", "")]}),
        error="",
    )


def asked(request: Request) -> Response:
    """Read a page, and show what was found."""
    sent = form(request)
    try:
        allowed = settings_of(request).allow_private
        made = read(sent.get("url"), sent.raw("html"), allow_private=allowed)
        if not sent.raw("html").strip():
            made = with_styles(made, allow_private=allowed)
    except ScytheError as error:
        return page(request, "extract/ask.html", 400, values=sent, error=str(error))
    return see_other(View(kept(request).keep(made)).at)


def shown(request: Request) -> Response:
    """A page, and what was found on it."""
    extraction, view = extraction_of(request)
    values: dict[str, Any] = {
        "extraction": extraction,
        "view": view,
        "views": VIEWS,
        "methods": list(METHODS),
    }
    document = extraction.document(view.method)
    text = "" if view.show in ("methods", "records") else rendered(extraction, view)
    template = "extract/found.html" if is_fragment(request) else "extract/show.html"
    return page(
        request,
        template,
        document=document,
        text=text,
        longest=LONGEST_SHOWN,
        rows=ROWS,
        **values,
    )


def rendered(extraction: Extraction, view: View) -> str:
    """The content as text of a kind."""
    document = extraction.document(view.method)
    if view.show == "json":
        return json.dumps(document.to_dict(), ensure_ascii=False, indent=2)
    return document.text if view.show == "text" else document.markdown


def frame(request: Request) -> Response:
    """The page itself with what was found marked in it, for a frame."""
    extraction, view = extraction_of(request)
    tree = extraction.tree
    if view.show == "records":
        marks = record_marks(tree, [record.span for record in extraction.records])
        return frame_response(
            render_snapshot(tree, marks, SnapshotStyle(extraction.styles, RECORD_STYLE))
        )
    marks = content_marks(tree, extraction.document(view.method).selection)
    return frame_response(
        render_snapshot(tree, marks, SnapshotStyle(extraction.styles, CONTENT_STYLE))
    )


def file(request: Request) -> Response:
    """The content as a file."""
    extraction, view = extraction_of(request)
    if view.show not in FILES:
        raise UsageError(f"There is no file of that. There are: {', '.join(FILES)}.")
    ending, kind = FILES[view.show]
    headers = {"Content-Disposition": f'attachment; filename="extracted.{ending}"'}
    return Response(
        rendered(extraction, view).encode("utf-8", "replace"),
        media_type=f"{kind}; charset=utf-8",
        headers=headers,
    )


routes = [
    Route("/extract", asking),
    Route("/extract", asked, methods=["POST"]),
    Route("/extract/{word}", shown),
    Route("/extract/{word}/frame", frame),
    Route("/extract/{word}/file", file),
]
