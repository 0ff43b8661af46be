"""Extraction for programs: the content of a page, or the records of its list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request

from scythe.content.extract import METHODS
from scythe.web.api.route import ApiRoute, Body, body_of
from scythe.web.api.types import Fields, Url
from scythe.web.extract.extractions import Extraction, load_page
from scythe.web.server.context import settings_of

Method = Literal[("auto", *METHODS)]  # type: ignore[valid-type]


class PageBody(Body):
    """The page to read."""

    url: Annotated[
        str, msgspec.Meta(description="The page; with `html`, where that came from.")
    ] = ""
    html: Annotated[str, msgspec.Meta(description="The page itself.")] = ""


class ExtractBody(PageBody):
    """The page to extract, and how."""

    method: Method = "auto"


class DocumentAnswer(msgspec.Struct):
    """The content, and what the page says about itself."""

    url: Url | None
    method: str
    status: str
    confidence: float
    cut: list[str]
    text: str
    markdown: str
    html: str
    title: str | None = None
    page_type: str | None = None


class ExtractedRecord(msgspec.Struct):
    """One row of a list page."""

    text: str
    link: Url | None
    fields: Fields


class ListPageAnswer(msgspec.Struct):
    """The rows of a list page."""

    status: str
    note: str
    confidence: float
    columns: list[str]
    next_page: Url | None
    records: list[ExtractedRecord]


def _extraction(request: Request) -> Extraction:
    body = body_of(request, PageBody)
    allow_private = settings_of(request).allow_private
    return load_page(body.url, body.html, allow_private=allow_private)


def _extract(request: Request) -> Any:
    method = body_of(request, ExtractBody).method
    return _extraction(request).document(method).to_dict()


def _records(request: Request) -> Any:
    records = _extraction(request).records
    return {
        "status": str(records.status),
        "note": records.note,
        "confidence": round(records.confidence, 4),
        "columns": list(records.columns),
        "next_page": records.next_page,
        "records": [record.as_json() for record in records],
    }


_GROUP = "Extraction"

api_routes = [
    ApiRoute(
        "POST",
        "/api/extract",
        _extract,
        "The main content of a page as text, Markdown and HTML, with its metadata",
        DocumentAnswer,
        _GROUP,
        body=ExtractBody,
    ),
    ApiRoute(
        "POST",
        "/api/extract/records",
        _records,
        "The rows of the main list of a page, with their fields",
        ListPageAnswer,
        _GROUP,
        body=PageBody,
    ),
]
