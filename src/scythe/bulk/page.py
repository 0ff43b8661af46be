"""A page of a crawl: its bytes, where it was read, and why there may be none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from scythe.content.non_pages import status_of
from scythe.content.status import Status
from scythe.errors import EmptyInput, InputError, NotHtml, ScytheError


class Failure(StrEnum):
    """Why a page has a row but no content; a page that was read has a status of
    `scythe.Status` instead.
    """

    HTTP_ERROR = "http-error"
    """The server answered with an error."""
    BROKEN = "broken"
    """The record, member or line that holds it is damaged."""
    UNREAD = "unread"
    """It could not be fetched or opened."""
    TIME = "time"
    """It took longer than a page may."""
    MEMORY = "memory"
    """It took more memory than a page may."""
    CRASHED = "crashed"
    """The process that worked on it died, twice where something else may have killed
    it.
    """
    ERROR = "error"
    """A fault of Scythe."""
    DUPLICATE = "duplicate"
    """Another page has the same text, or nearly."""


class PagePosition(NamedTuple):
    """Where a page begins in its source, in the order of reading."""

    offset: int
    """The byte (WARC, JSONL, list) or row (Parquet) at which it begins."""
    inner: int = 0
    """The byte within the unpacked gzip member that begins at `offset`, where one
    member holds several records.
    """


class Capture(NamedTuple):
    """What a crawl recorded about the fetch of a page; the columns of a row."""

    date: str | None = None
    """When it was fetched, as the crawl wrote it: `2024-05-01T12:00:00Z`."""
    record_id: str | None = None
    """The name of its record."""
    http_status: int | None = None


NO_CAPTURE = Capture()


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """A page as it was read."""

    html: bytes | str = field(repr=False)
    url: str | None = None
    charset: str | None = None
    """What the transport declared."""
    source: str | None = None
    """The file or address it was read from."""
    position: PagePosition = PagePosition(0)  # noqa: RUF009 - a tuple, which nothing can change
    note: str | None = None
    """What is wrong with its record, though it could be read."""
    capture: Capture = NO_CAPTURE

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> CrawlPage:
        """Return a page from a row of any table that has `html`, and perhaps `url`,
        `charset`, `source`, `offset`, `date`, `record_id` and `http_status`.
        """
        offset = int(row.get("offset") or 0)
        inner = int(row.get("inner") or 0)
        return cls(
            row["html"],
            row.get("url"),
            row.get("charset"),
            row.get("source"),
            PagePosition(offset, inner),
            capture=Capture(*map(row.get, Capture._fields)),
        )


class PageFault(ScytheError):
    """Why there is no page at a position. It becomes a row; no caller ever sees it
    raised.
    """

    def __init__(
        self, status: Failure | Status, reason: str, url: str | None = None
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.url = url
        self.capture = NO_CAPTURE

    @classmethod
    def from_error(cls, error: ScytheError, url: str | None) -> PageFault:
        """Return what an error means for the page at an address."""
        if isinstance(error, PageFault):
            return error
        return cls(_error_status(error), str(error), url)


def _error_status(error: ScytheError) -> Failure | Status:
    if isinstance(error, EmptyInput):
        return Status.EMPTY
    if isinstance(error, NotHtml):
        return status_of(error.kind)
    if isinstance(error, InputError):
        return Failure.BROKEN
    return Failure.UNREAD


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page that can be loaded. A worker announces the entry before it loads the page,
    so that a page that ends the process can be named.
    """

    source: str
    position: PagePosition
    load: Callable[[], CrawlPage]
    """Returns the page, or raises a `ScytheError`."""
