"""A page of a crawl: its bytes, where it stands, and why there may be none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from scythe.content.status import Status
from scythe.errors import EmptyInput, InputError, NotHtml, ScytheError
from scythe.sources.page import require_page


class Failure(StrEnum):
    """Why a page has a row but no content; a page that was read has a status of
    `scythe.Status` instead.
    """

    NOT_HTML = "not-html"
    """It is a PDF, an image, an archive, ..."""
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


class Position(NamedTuple):
    """Where a page stands in its source, in the order of reading."""

    offset: int
    """The byte (WARC, JSONL), row (Parquet) or number (folder) at which it begins."""
    inner: int = 0
    """The byte within the unpacked gzip member that begins at `offset`, where one
    member holds several records.
    """


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """A page as it was read."""

    html: bytes | str = field(repr=False)
    url: str | None = None
    charset: str | None = None
    """What the transport declared."""
    source: str | None = None
    """The file or address it was read from."""
    position: Position = Position(0)  # noqa: RUF009 - a tuple, which nothing can change
    note: str | None = None
    """What is wrong with its record, though it could be read."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> CrawlPage:
        """A page from a row of any table that has `html`, and perhaps `url`, `charset`,
        `source` and `offset`.
        """
        position = Position(
            int(values.get("offset") or 0), int(values.get("inner") or 0)
        )
        return cls(
            values["html"],
            values.get("url"),
            values.get("charset"),
            values.get("source"),
            position,
        )


def require_html(html: bytes | str, name: str) -> None:
    """Refuse what is empty or recognisably something else than a page."""
    require_page(
        html if isinstance(html, bytes) else html[:64].encode("utf-8", "replace"), name
    )


class PageFault(ScytheError):
    """There is no page at a place, and why. It becomes a row; no caller ever sees it
    raised.
    """

    def __init__(
        self, status: Failure | Status, reason: str, url: str | None = None
    ) -> None:
        super().__init__(reason)
        self.status, self.reason, self.url = status, reason, url

    @classmethod
    def of(cls, error: ScytheError, url: str | None) -> PageFault:
        """What an error means for the page at an address."""
        if isinstance(error, PageFault):
            return error
        status = next(
            (status for kind, status in _MEANINGS if isinstance(error, kind)),
            Failure.UNREAD,
        )
        return cls(status, str(error), url)


_MEANINGS: tuple[tuple[type[ScytheError], Failure | Status], ...] = (
    (EmptyInput, Status.EMPTY),
    (NotHtml, Failure.NOT_HTML),
    (InputError, Failure.BROKEN),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A place where a page begins. Loading it is left to whoever has announced that he
    is about to.
    """

    source: str
    position: Position
    load: Callable[[], CrawlPage]
    """The page, or a `ScytheError`."""
