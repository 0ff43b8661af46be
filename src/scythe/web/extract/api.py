"""Extraction for programs: the content of a page, or the records of its list, as JSON."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.content.extract import METHODS
from scythe.web.api.route import ApiRoute, given
from scythe.web.api.schemas import (
    ADDRESS,
    NUMBER,
    TEXT,
    VALUES,
    described,
    each,
    maybe,
    one_of,
    shape,
)
from scythe.web.extract.extractions import Extraction, read
from scythe.web.server.context import settings_of

RECORD = shape(text=TEXT, link=maybe(ADDRESS), fields=VALUES)
_PAGE = {
    "url": described(ADDRESS, "The page; with `html`, where that came from."),
    "html": described(TEXT, "The page itself."),
}


def _read(request: Request) -> Extraction:
    sent = given(request)
    return read(
        sent.get("url", ""),
        sent.get("html", ""),
        allow_private=settings_of(request).allow_private,
    )


def _extract(request: Request) -> Any:
    return _read(request).document(given(request).get("method", "auto")).to_dict()


def _records(request: Request) -> Any:
    found = _read(request).records
    return {
        "status": str(found.status),
        "note": found.note,
        "confidence": round(found.confidence, 4),
        "columns": list(found.columns),
        "next_page": found.next_page,
        "records": [record.as_json() for record in found],
    }


DOCUMENT = {
    "type": "object",
    "properties": {
        "url": maybe(ADDRESS),
        "title": maybe(TEXT),
        "method": TEXT,
        "status": TEXT,
        "confidence": NUMBER,
        "page_type": maybe(TEXT),
        "cut": each(TEXT),
        "text": TEXT,
        "markdown": TEXT,
        "html": TEXT,
    },
    "required": [
        "url",
        "method",
        "status",
        "confidence",
        "cut",
        "text",
        "markdown",
        "html",
    ],
    "description": "The content, and what the page says about itself.",
}
_KIND = "Extraction"

api_routes = [
    ApiRoute(
        "POST",
        "/api/extract",
        _extract,
        "The main content of a page as text, Markdown and clean HTML, with what the page says about itself",
        DOCUMENT,
        _KIND,
        body=shape(("url", "html", "method"), **_PAGE, method=one_of("auto", *METHODS)),
    ),
    ApiRoute(
        "POST",
        "/api/extract/records",
        _records,
        "The rows of the main list of a page, with their fields",
        shape(
            status=TEXT,
            note=TEXT,
            confidence=NUMBER,
            columns=each(TEXT),
            next_page=maybe(ADDRESS),
            records=each(RECORD),
        ),
        _KIND,
        body=shape(("url", "html"), **_PAGE),
    ),
]
