"""The pages of a WARC file, plain or gzip, from any byte range of it.

A slice has the records that begin in its range. Where it begins in the middle of one,
reading starts at the next: nothing has to be indexed before. What a record says is read
by fastwarc; where records begin and end is found here, because a reader that trusts
every length and every member stops at the first that is wrong.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, Literal, Protocol

from scythe.bulk.page import CrawlPage, Entry, Failure, PageFault, Position
from scythe.bulk.reading.files import open_file
from scythe.bulk.reading.members import MAGIC, Damaged, Member, find_member
from scythe.errors import NotHtml, ScytheError, UsageError
from scythe.sources.download import PAGE_TYPES
from scythe.sources.page import require_page

BEGINNING = b"WARC/"
LONGEST_HEADER = 1 << 16
_SEARCHED = 1 << 20
_START = re.compile(rb"(?:\A|(?<=\n))WARC/[01]\.\d+\r?\n")
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_FIELD = re.compile(rb"^([\w-]+)[ \t]*:[ \t]*([^\r\n]*)", re.MULTILINE)
_BETWEEN = re.compile(rb"(?:\r?\n)*(?:WARC/|\Z)")
_PAGE_RECORDS = frozenset({"response", "resource"})
_BETWEEN_SIZE = 16

_HTTP_RECORD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"
"""The header under which fastwarc reads the block of a record, whatever length its own
header declares.
"""

WRONG_LENGTH = "the length of its record is wrong"


Decode = Literal["all", "none"]


class Stream(Protocol):
    """A file, or what a gzip member unpacks to."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""

    def seek(self, place: int, /) -> Any:
        """Go to a place."""


@dataclass(frozen=True, slots=True)
class Framed:
    """A record that was found: where it begins, its header, and where its block begins
    and ends.
    """

    start: int
    header: bytes
    body: int
    end: int
    wrong_length: bool

    def field(self, name: str) -> str:
        """A field of the header; empty where it has none of the name."""
        for key, value in _FIELD.findall(self.header):
            if key.decode("ascii", "replace").lower() == name:
                return value.decode("utf-8", "replace").strip()
        return ""

    @property
    def url(self) -> str | None:
        """The address of the page in it."""
        return self.field("warc-target-uri").strip("<>") or None


def read_warc(
    source: str, start: int, stop: int, after: Position | None, most_bytes: int
) -> Iterator[Entry]:
    """The pages whose records begin in a range of bytes, behind a position."""
    _require_fastwarc()
    with open_file(source) as file:
        reader = _Reader(source, file, most_bytes)
        begin = max(start, after.offset if after else 0)
        packed = file.read(len(MAGIC)) == MAGIC
        entries = reader.packed(begin, stop) if packed else reader.plain(begin, stop)
        for entry in entries:
            if after is None or entry.position > after:
                yield entry


def _require_fastwarc() -> None:
    try:
        import fastwarc  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "Reading WARC files needs fastwarc. Install it with: pip install 'scythe[warc]'"
        ) from error


class _Reader:
    def __init__(self, source: str, file: BinaryIO, most_bytes: int) -> None:
        self._source, self._file, self._most = source, file, most_bytes

    def plain(self, place: int, stop: int) -> Iterator[Entry]:
        for record in _records(self._file, place, stop):
            if _is_page(record):
                yield self._entry(Position(record.start), self._file, record)

    def packed(self, place: int, stop: int) -> Iterator[Entry]:
        """Member by member; what is damaged has an entry that says so, and reading goes
        on at the next member that is whole.

        Damage before a member belongs to whoever reads the member in front of it: only
        he knows that it is none of that.
        """
        member = find_member(self._file, place, BEGINNING)
        if (
            place == 0
            and (member is None or member.offset != 0)
            and self._holds_something(0)
        ):
            yield self._damaged(Position(0), "it does not begin with a record")
        while member is not None and member.offset < stop:
            good = 0
            end = None
            try:
                for record in _records(member, 0, None):
                    if _is_page(record):
                        yield self._entry(
                            Position(member.offset, record.start), member, record
                        )
                    good = record.end
                end = member.end
            except Damaged as damage:
                yield self._damaged(
                    Position(member.offset, good), str(damage), _address(member, good)
                )
            following = find_member(
                self._file, member.offset + 1 if end is None else end, BEGINNING
            )
            if (
                end is not None
                and (following is None or following.offset != end)
                and self._holds_something(end)
            ):
                yield self._damaged(Position(end), "it does not unpack to a record")
            member = following

    def _holds_something(self, place: int) -> bool:
        """Whether there is more from a place on than the zeros with which some programs
        fill up files.
        """
        self._file.seek(place)
        return bool(self._file.read(LONGEST_HEADER).strip(b"\0"))

    def _entry(self, position: Position, stream: Stream, record: Framed) -> Entry:
        return Entry(
            self._source, position, partial(self._load, position, stream, record)
        )

    def _damaged(
        self, position: Position, damage: str, url: str | None = None
    ) -> Entry:
        def load() -> CrawlPage:
            raise PageFault(Failure.BROKEN, f"a gzip member is damaged: {damage}", url)

        return Entry(self._source, position, load)

    def _load(self, position: Position, stream: Stream, record: Framed) -> CrawlPage:
        url = record.url
        stream.seek(record.body)
        size = record.end - record.body
        try:
            block = stream.read(min(size, self._most + LONGEST_HEADER))
        except Damaged as damage:
            raise PageFault(
                Failure.BROKEN, f"a gzip member is damaged: {damage}", url
            ) from damage
        try:
            html, charset = _payload(record, block, url, self._most)
        except ScytheError as error:
            raise PageFault.of(error, url) from error
        note = WRONG_LENGTH if record.wrong_length else None
        return CrawlPage(html, url, charset, self._source, position, note)


def _address(member: Member, place: int) -> str | None:
    """The address in the record at a place of a damaged member, if that much of it can
    be read.
    """
    member.seek(place)
    try:
        return Framed(place, member.read(LONGEST_HEADER), 0, 0, wrong_length=True).url
    except Damaged:
        return None


def _is_page(record: Framed) -> bool:
    return record.field("warc-type").lower() in _PAGE_RECORDS


def _records(stream: Stream, place: int, stop: int | None) -> Iterator[Framed]:
    """The records that begin from one place on and before another. Where its length is
    wrong, one ends at the next.
    """
    start = _find_start(stream, place)
    while start is not None and (stop is None or start < stop):
        record = _framed(stream, start)
        if record is None:
            start = _find_start(stream, start + 1)
            continue
        yield record
        start = _find_start(stream, record.end)


def _framed(stream: Stream, start: int) -> Framed | None:
    """The record at a place, or None where there is only the first line of one."""
    stream.seek(start)
    data = stream.read(LONGEST_HEADER)
    border = _HEADER_END.search(data)
    if border is None:
        return None
    header, body = data[: border.end()], start + border.end()
    record = Framed(start, header, body, body, wrong_length=False)
    if not record.field("warc-type"):
        return None
    declared = record.field("content-length")
    if declared.isdigit() and len(declared) < 16:
        end = body + int(declared)
        stream.seek(end)
        behind = stream.read(_BETWEEN_SIZE)
        if _BETWEEN.match(behind) and (behind or _length_reaches(stream, end)):
            return Framed(start, header, body, end, wrong_length=False)
    following = _find_start(stream, body)
    return Framed(
        start,
        header,
        body,
        _end(stream) if following is None else following,
        wrong_length=True,
    )


def _length_reaches(stream: Stream, place: int) -> bool:
    """Whether a stream has this many bytes, where it has no more."""
    if place == 0:
        return True
    stream.seek(place - 1)
    return bool(stream.read(1))


def _end(stream: Stream) -> int:
    if isinstance(stream, Member):
        return stream.length
    return stream.seek(0, io.SEEK_END)  # type: ignore[call-arg]


def _find_start(stream: Stream, place: int) -> int | None:
    """Where the next line begins that is the first of a record."""
    overlap = 32
    at = max(place - 1, 0)
    while True:
        stream.seek(at)
        data = stream.read(_SEARCHED if at > place else _BETWEEN_SIZE * 16)
        for found in _START.finditer(data):
            if at + found.start() >= place and (found.start() or at == 0):
                return at + found.start()
        if len(data) <= overlap:
            return None
        at += len(data) - overlap


def _payload(
    record: Framed, block: bytes, url: str | None, most: int
) -> tuple[bytes, str | None]:
    """The page in a record's block, with the charset that the server declared."""
    if record.field("warc-type").lower() == "resource" or not record.field(
        "content-type"
    ).lower().startswith("application/http"):
        _require_page_type(record.field("content-type"), url)
        return require_page(block[: most + 1], url or "the record"), None
    decodings: tuple[Decode, ...] = ("all", "none")
    for decode in decodings:  # where a crawler has unpacked the page but kept the header that says it is packed
        parsed = _parsed(_HTTP_RECORD % len(block) + block, decode, most)
        if parsed is not None:
            break
    if parsed is None:
        raise PageFault(Failure.BROKEN, "its record cannot be read", url)
    status, kind, charset, data = parsed
    if status is not None and not 200 <= status < 300:
        raise PageFault(Failure.HTTP_ERROR, f"the server answered {status}", url)
    _require_page_type(kind or "", url)
    return require_page(data, url or "the record"), charset


def _parsed(
    data: bytes, decode: Decode, most: int
) -> tuple[int | None, str | None, str | None, bytes] | None:
    from fastwarc.warc import ArchiveIterator

    try:
        for record in ArchiveIterator(
            io.BytesIO(data), stream_detect=False, auto_decode=decode, fsspec_args=False
        ):
            headers = record.http_headers
            status = headers.status_code if headers is not None else None
            return (
                status,
                record.http_content_type,
                record.http_charset,
                record.reader.read(most + 1),
            )
    except (OSError, ValueError, UnicodeError):
        return None
    return None


def _require_page_type(kind: str, url: str | None) -> None:
    name = kind.partition(";")[0].strip().lower()
    if name and name not in PAGE_TYPES:
        raise NotHtml(f"{url or 'the record'} is {name}, not a web page.")
