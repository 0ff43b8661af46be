"""The pages of a WARC file, plain or gzip, from any byte range of it.

A partition has the records that begin in its range. Where the range begins in the
middle of one, reading starts at the next: nothing has to be indexed before. What a
record says is read by fastwarc; where records begin and end is found here, because a
reader that trusts every length and every member stops at the first that is wrong.
"""

from __future__ import annotations

import io
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Literal, Protocol

from scythe.bulk.page import (
    Capture,
    CrawlPage,
    Failure,
    PageEntry,
    PageFault,
    PagePosition,
)
from scythe.bulk.reading.files import open_file
from scythe.bulk.reading.members import MAGIC, DamagedMember, Member, find_member
from scythe.errors import ScytheError, UsageError
from scythe.logins import without_logins
from scythe.sources.page import require_page, require_page_type

RECORD_BEGINNING = b"WARC/"
MAX_HEADER_BYTES = 1 << 16
"""An arbitrary cap against hostile headers."""
_FIRST_HEADER_BYTES = 1 << 11
_SEARCH_BYTES = 1 << 20
_SEPARATOR_BYTES = 16
_FIRST_SEARCH_BYTES = 16 * _SEPARATOR_BYTES
_SEARCH_OVERLAP = 32
"""Sizes of buffers, not tuned: the next record almost always follows within a few bytes,
and its first line is shorter than the overlap of two buffers.
"""
_MAX_LENGTH_DIGITS = 15
"""Digits of a length that is believed: longer ones are of no file."""

_FIRST_LINE = re.compile(rb"(?:\A|(?<=\n))WARC/[01]\.\d+\r?\n")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_HEADER_FIELD = re.compile(rb"^([\w-]+)[ \t]*:[ \t]*([^\r\n]*)", re.MULTILINE)
_SEPARATOR = re.compile(rb"(?:\r?\n)*(?:WARC/|\Z)")
_PAGE_RECORDS = frozenset({"response", "resource"})

_HTTP_RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\n"
    b"Content-Length: %d\r\n\r\n"
)
"""The header under which fastwarc reads the block of a record, whatever length its own
header declares.
"""

WRONG_LENGTH = "the length of its record is wrong"
NO_RECORD_FIRST = "the file does not begin with a WARC record"

Decoding = Literal["all", "none"]
"""Whether fastwarc undoes the content encoding that the HTTP header declares."""


class Stream(Protocol):
    """A file, or what a gzip member unpacks to."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes."""

    def seek(self, position: int, /) -> Any:
        """Go to a position."""


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """The borders of a record: where it begins, its header, and where its block begins
    and ends.
    """

    start: int
    header: bytes
    block_start: int
    end: int
    wrong_length: bool

    def header_field(self, name: str) -> str:
        """Return a field of the header; empty where it has none of the name."""
        for key, value in _HEADER_FIELD.findall(self.header):
            if key.decode("ascii", "replace").lower() == name:
                return value.decode("utf-8", "replace").strip()
        return ""

    @property
    def url(self) -> str | None:
        """The address of the page in it."""
        url = self.header_field("warc-target-uri").strip("<>")
        return without_logins(url) or None

    @property
    def capture(self) -> Capture:
        """When its page was fetched, and its name."""
        name = self.header_field("warc-record-id").strip("<>")
        return Capture(self.header_field("warc-date") or None, name or None)

    @property
    def is_page(self) -> bool:
        """Whether it is of a type that holds a page."""
        return self.header_field("warc-type").lower() in _PAGE_RECORDS


@dataclass(frozen=True, slots=True)
class _HttpResponse:
    status: int | None
    content_type: str | None
    charset: str | None
    body: bytes


_UNREADABLE = _HttpResponse(None, None, None, b"")


def read_warc(
    source: str, byte_range: tuple[int, int], after: PagePosition | None, max_bytes: int
) -> Iterator[PageEntry]:
    """Yield the pages whose records begin in a range of bytes, behind a position."""
    _require_fastwarc()
    start, stop = byte_range
    with open_file(source) as file:
        reader = _WarcReader(source, file, max_bytes)
        is_gzip = file.read(len(MAGIC)) == MAGIC
        start = max(start, after.offset if after else 0)
        read = reader.read_gzip if is_gzip else reader.read
        for entry in read(start, stop):
            if after is None or entry.position > after:
                yield entry


def _require_fastwarc() -> None:
    try:
        import fastwarc  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "Reading WARC files needs fastwarc. Install it with: pip install 'webscythe[warc]'"
        ) from error


class _WarcReader:
    def __init__(self, source: str, file: BinaryIO, max_bytes: int) -> None:
        self._source = source
        self._file = file
        self._max_bytes = max_bytes

    def read(self, start: int, stop: int) -> Iterator[PageEntry]:
        """Yield the pages of a file that is not compressed; what stands before its first
        record has an entry that says so.
        """
        is_beginning = start == 0
        for record in _records(self._file, start, stop):
            if is_beginning and self._has_data(0, record.start):
                yield self._broken_entry(PagePosition(0), NO_RECORD_FIRST)
            is_beginning = False
            if record.is_page:
                yield self._entry(PagePosition(record.start), self._file, record)

        if is_beginning and self._has_data(0):
            yield self._broken_entry(PagePosition(0), NO_RECORD_FIRST)

    def read_gzip(self, start: int, stop: int) -> Iterator[PageEntry]:
        """Yield the pages member by member; what is damaged has an entry that says so,
        and reading goes on at the next member that is whole.

        Damage before a member belongs to the reader of the member in front of it: only
        that one knows that it is no part of that member.
        """
        member = find_member(self._file, start, RECORD_BEGINNING)
        begins_with_record = member is not None and member.offset == 0
        if start == 0 and not begins_with_record and self._has_data(0):
            yield self._damaged_entry(
                PagePosition(0), "it does not begin with a record"
            )

        while member is not None and member.offset < stop:
            end = yield from self._read_member(member)
            next_start = member.offset + 1 if end is None else end
            following = find_member(self._file, next_start, RECORD_BEGINNING)
            follows_directly = following is not None and following.offset == end
            if end is not None and not follows_directly and self._has_data(end):
                yield self._damaged_entry(
                    PagePosition(end), "it does not unpack to a record"
                )
            member = following

    def _read_member(self, member: Member) -> Generator[PageEntry, None, int | None]:
        """Yield the pages of a member; return where it ends, None where it is damaged."""
        good_end = 0
        try:
            for record in _records(member, 0, None):
                if record.is_page:
                    position = PagePosition(member.offset, record.start)
                    yield self._entry(position, member, record)
                good_end = record.end
            end = member.end
        except DamagedMember as damage:
            yield self._damaged_entry(
                PagePosition(member.offset, good_end),
                str(damage),
                _damaged_url(member, good_end),
            )
            return None
        return end

    def _has_data(self, start: int, stop: int | None = None) -> bool:
        """Return whether more follows than the zeros with which some programs fill up
        files, and line ends.
        """
        size = MAX_HEADER_BYTES if stop is None else min(stop - start, MAX_HEADER_BYTES)
        self._file.seek(start)
        return bool(self._file.read(size).strip(b"\0\r\n"))

    def _entry(
        self, position: PagePosition, stream: Stream, record: WarcRecord
    ) -> PageEntry:
        load = partial(self._load, position, stream, record)
        return PageEntry(self._source, position, load)

    def _damaged_entry(
        self, position: PagePosition, damage: str, url: str | None = None
    ) -> PageEntry:
        return self._broken_entry(position, f"a gzip member is damaged: {damage}", url)

    def _broken_entry(
        self, position: PagePosition, reason: str, url: str | None = None
    ) -> PageEntry:
        def load() -> CrawlPage:
            raise PageFault(Failure.BROKEN, reason, url)

        return PageEntry(self._source, position, load)

    def _load(
        self, position: PagePosition, stream: Stream, record: WarcRecord
    ) -> CrawlPage:
        url = record.url
        capture = record.capture
        stream.seek(record.block_start)
        size = record.end - record.block_start
        try:
            max_block = self._max_bytes + MAX_HEADER_BYTES
            block = stream.read(min(size, max_block))
        except DamagedMember as damage:
            fault = PageFault(
                Failure.BROKEN, f"a gzip member is damaged: {damage}", url
            )
            fault.capture = capture
            raise fault from damage

        response = _response_in_block(record, block, self._max_bytes)
        capture = capture._replace(http_status=response.status)
        try:
            html = _require_page_of(response, url)
        except ScytheError as error:
            fault = PageFault.from_error(error, url)
            fault.capture = capture
            raise fault from error
        note = WRONG_LENGTH if record.wrong_length else None
        return CrawlPage(
            html, url, response.charset, self._source, position, note, capture
        )


def _damaged_url(member: Member, start: int) -> str | None:
    """Return the address in the record of a damaged member, if that much of it can be
    read.
    """
    member.seek(start)
    try:
        header = member.read(MAX_HEADER_BYTES)
    except DamagedMember:
        return None
    return WarcRecord(start, header, 0, 0, wrong_length=True).url


def _records(stream: Stream, start: int, stop: int | None) -> Iterator[WarcRecord]:
    """Yield the records that begin in a range. One with a wrong length ends at the next."""
    record_start = _find_record(stream, start)
    while record_start is not None:
        if stop is not None and record_start >= stop:
            return
        record = _record_at(stream, record_start)
        if record is None:
            record_start = _find_record(stream, record_start + 1)
            continue
        yield record
        record_start = _find_record(stream, record.end)


def _record_at(stream: Stream, start: int) -> WarcRecord | None:
    """Return the record that begins at a position, or None where there is only the first
    line of one.
    """
    header = _header_at(stream, start)
    if header is None:
        return None
    block_start = start + len(header)
    record = WarcRecord(start, header, block_start, block_start, wrong_length=False)
    if not record.header_field("warc-type"):
        return None

    end = _declared_end(stream, record)
    if end is not None:
        return WarcRecord(start, header, block_start, end, wrong_length=False)
    following = _find_record(stream, block_start)
    end = _stream_end(stream) if following is None else following
    return WarcRecord(start, header, block_start, end, wrong_length=True)


def _header_at(stream: Stream, start: int) -> bytes | None:
    """Return the header that begins at a position, None where another record begins, or
    too many bytes have come, before its end.

    A little is read first: a file of first lines alone would else be read as many times
    over as it has lines.
    """
    for size in (_FIRST_HEADER_BYTES, MAX_HEADER_BYTES):
        stream.seek(start)
        data = stream.read(size)
        following = _FIRST_LINE.search(data, 1)
        stop = following.start() if following else len(data)
        end = _HEADER_END.search(data, 0, stop)
        if end is not None:
            return data[: end.end()]
        if following:
            return None
    return None


def _declared_end(stream: Stream, record: WarcRecord) -> int | None:
    """Return where a record ends by its declared length, None where that is wrong."""
    declared = record.header_field("content-length")
    if not declared.isdigit() or len(declared) > _MAX_LENGTH_DIGITS:
        return None
    end = record.block_start + int(declared)
    stream.seek(end)
    following = stream.read(_SEPARATOR_BYTES)
    if not _SEPARATOR.match(following):
        return None
    if following or _reaches(stream, end):
        return end
    return None


def _reaches(stream: Stream, size: int) -> bool:
    """Return whether a stream that has no more bytes than this has so many."""
    if size == 0:
        return True
    stream.seek(size - 1)
    return bool(stream.read(1))


def _stream_end(stream: Stream) -> int:
    if isinstance(stream, Member):
        return stream.length
    return stream.seek(0, io.SEEK_END)  # type: ignore[call-arg]


def _find_record(stream: Stream, start: int) -> int | None:
    """Return where the next line begins that is the first of a record."""
    searched = max(start - 1, 0)
    while True:
        stream.seek(searched)
        size = _SEARCH_BYTES if searched > start else _FIRST_SEARCH_BYTES
        data = stream.read(size)
        for match in _FIRST_LINE.finditer(data):
            position = searched + match.start()
            begins_line = match.start() > 0 or searched == 0
            if position >= start and begins_line:
                return position

        if len(data) <= _SEARCH_OVERLAP:
            return None
        searched += len(data) - _SEARCH_OVERLAP


def _response_in_block(
    record: WarcRecord, block: bytes, max_bytes: int
) -> _HttpResponse:
    """Return what a record's block holds."""
    content_type = record.header_field("content-type")
    is_resource = record.header_field("warc-type").lower() == "resource"
    if is_resource or not content_type.lower().startswith("application/http"):
        return _HttpResponse(None, content_type, None, block[: max_bytes + 1])
    # a crawler may have unpacked the page but kept the header that says it is packed
    return (
        _parse_response(block, "all", max_bytes)
        or _parse_response(block, "none", max_bytes)
        or _UNREADABLE
    )


def _require_page_of(response: _HttpResponse, url: str | None) -> bytes:
    """Return the page in a response, or raise a `ScytheError` that says why there is
    none.
    """
    if response is _UNREADABLE:
        raise PageFault(Failure.BROKEN, "its record cannot be read", url)
    status = response.status
    if status is not None and not 200 <= status < 300:
        raise PageFault(Failure.HTTP_ERROR, f"the server answered {status}", url)
    name = url or "the record"
    require_page_type(response.content_type or "", name)
    return require_page(response.body, name)


def _parse_response(
    block: bytes, decoding: Decoding, max_bytes: int
) -> _HttpResponse | None:
    from fastwarc.warc import ArchiveIterator

    header = _HTTP_RECORD % len(block)
    stream = io.BytesIO(header + block)
    try:
        records = ArchiveIterator(
            stream, stream_detect=False, auto_decode=decoding, fsspec_args=False
        )
        for record in records:
            headers = record.http_headers
            status = headers.status_code if headers is not None else None
            return _HttpResponse(
                status,
                record.http_content_type,
                record.http_charset,
                record.reader.read(max_bytes + 1),
            )
    except (OSError, ValueError, UnicodeError):
        return None
    return None
