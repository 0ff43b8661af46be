"""A page as it was read, and the check that it is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from scythe.errors import EmptyInput, NotHtml
from scythe.logins import without_logins
from scythe.media import Media, MediaKind, of_media_type, recognize

_BLANK = b" \t\r\n\f\v\x00\xef\xbb\xbf\xff\xfe"
"""White space in any charset, NUL (UTF-16), and byte-order marks."""

PAGE_TYPES = frozenset(
    {
        "text/html",
        "application/xhtml+xml",
        "text/xml",
        "application/xml",
        "application/rss+xml",
        "application/atom+xml",
        "text/plain",
        "application/octet-stream",
        "binary/octet-stream",
        "application/gzip",
        "application/x-gzip",
    }
)
"""Types under which servers send pages; those that say nothing (text, octets) are
judged by their first bytes.
"""

Data = TypeVar("Data", bound=bytes | str)


@dataclass(frozen=True, slots=True)
class RawPage:
    """The bytes of a page and what came with them."""

    data: bytes = field(repr=False)
    url: str | None = None
    """The address after all redirects, against which relative links resolve; without the
    user and password that it may have been asked for with.
    """
    charset: str | None = None
    """The charset that the transport declared."""
    is_text: bool = False
    """Whether it is plain text rather than a page: by what the transport or the file's
    name declares, where the text itself could be either.
    """

    @classmethod
    def checked(
        cls,
        data: bytes,
        name: str,
        *,
        url: str | None = None,
        charset: str | None = None,
        media_type: str | None = None,
    ) -> RawPage:
        """Return data that was read as a page, or refuse it as `require_page` does."""
        if url is not None:
            url = without_logins(url)
        media = _require_text(data, name, media_type)
        is_text = media.kind is MediaKind.TEXT
        return cls(data, url, charset, is_text=is_text)


def require_page_type(content_type: str, name: str) -> str:
    """Return the media type of a `Content-Type`, or refuse one that no page has."""
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type and media_type not in PAGE_TYPES:
        media = of_media_type(media_type)
        raise NotHtml(f"{name} {media.reason}", media.kind)
    return media_type


def require_page(data: Data, name: str) -> Data:
    """Return the data, or refuse what is empty or recognisably something else than a
    page: a feed, a table, a document, a picture. Plain text passes.
    """
    _require_text(data, name, None)
    return data


def _require_text(data: bytes | str, name: str, media_type: str | None) -> Media:
    if _is_blank(data):
        raise EmptyInput(
            f"There is nothing in {name}. "
            "Check that the page was saved or downloaded completely."
        )
    media = recognize(data, media_type, name)
    if media.kind not in (MediaKind.PAGE, MediaKind.TEXT):
        raise NotHtml(f"{name} {media.reason}", media.kind)
    return media


def _is_blank(data: bytes | str) -> bool:
    if isinstance(data, str):
        return not data.strip("\ufeff\0 \t\r\n\f\v")
    if data[:64].lstrip(_BLANK):
        return False  # as most are, however long
    return not data.strip(_BLANK)
