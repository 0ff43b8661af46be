"""The pages of line-by-line files from any byte range of them: JSONL with a page a
line, lists of addresses or of files.

A slice has the lines that begin in its range. Compressed files are read from their
beginning.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from scythe.bulk.page import (
    CrawlPage,
    Entry,
    Failure,
    PageFault,
    Position,
    require_html,
)
from scythe.bulk.reading.files import is_remote, open_file
from scythe.errors import ScytheError, UsageError
from scythe.sources import FileSource, ReadOptions, UrlSource
from scythe.sources.page import GZIP, decompress, require_page

URL_NAMES = ("url", "uri", "link", "address", "warc_target_uri", "page_url")
HTML_NAMES = (
    "html",
    "raw_html",
    "page_html",
    "html_content",
    "content",
    "body",
    "raw_content",
    "page",
    "text",
)
CHARSET_NAMES = ("charset", "encoding", "content_charset", "http_charset")
"""Names under which tables of pages have their parts, the likelier first."""

ZSTD = b"\x28\xb5\x2f\xfd"
_ESCAPED = 6
"""Bytes that JSON takes at most for one of the page."""


def read_jsonl(
    source: str,
    span: tuple[int, int],
    after: Position | None,
    names: tuple[str | None, str | None],
    most_bytes: int,
) -> Iterator[Entry]:
    """The pages of a JSONL file, one a line; `names` are those of the keys with address
    and page, None to guess.
    """
    longest = most_bytes * _ESCAPED + (1 << 20)
    for offset, line in _lines(source, span, after, longest):
        yield Entry(
            source,
            Position(offset),
            partial(_page_of_line, source, offset, line, names),
        )


def _page_of_line(
    source: str, offset: int, line: bytes | None, names: tuple[str | None, str | None]
) -> CrawlPage:
    if line is None:
        raise PageFault(Failure.BROKEN, "its line is longer than a page may be")
    try:
        values = json.loads(line)
    except ValueError as error:
        raise PageFault(Failure.BROKEN, f"its line is not JSON: {error}") from error
    except RecursionError as error:
        raise PageFault(Failure.BROKEN, "its line is JSON nested too deep") from error
    if not isinstance(values, Mapping):
        raise PageFault(Failure.BROKEN, "its line is no JSON object")
    return page_of_values(values, (source, offset), names)


def page_of_values(
    values: Mapping[str, Any],
    place: tuple[str, int],
    names: tuple[str | None, str | None],
) -> CrawlPage:
    """A page from a row of a table."""
    present = {key.lower(): key for key in values}
    url_name, html_name = (
        names[0] or guessed(present, URL_NAMES),
        names[1] or guessed(present, HTML_NAMES),
    )
    url = values.get(url_name) if url_name else None
    url = url if isinstance(url, str) else None
    html = values.get(html_name) if html_name else None
    if not isinstance(html, (str, bytes)):
        found = ", ".join(sorted(map(str, values))[:20])
        raise PageFault(
            Failure.BROKEN,
            f"it has no page under {html_name or 'any known name'}, only: {found}",
            url,
        )
    charset = values.get(guessed(present, CHARSET_NAMES) or "")
    try:
        require_html(html, url or "the row")
    except ScytheError as error:
        raise PageFault.of(error, url) from error
    return CrawlPage(
        html,
        url,
        charset if isinstance(charset, str) else None,
        place[0],
        Position(place[1]),
    )


def guessed(present: Mapping[str, str], known: Sequence[str]) -> str | None:
    """The first of the known names that there is, as it is spelled there."""
    return next((present[name] for name in known if name in present), None)


def read_list(
    source: str, span: tuple[int, int], after: Position | None, reading: ReadOptions
) -> Iterator[Entry]:
    """The pages whose addresses or paths stand in a file, one a line; empty lines and
    those that begin with # are left out.
    """
    for offset, line in _lines(source, span, after, 1 << 16):
        name = line.decode("utf-8", "replace").strip() if line is not None else ""
        if line is None or (name and not name.startswith("#")):
            yield Entry(
                source,
                Position(offset),
                partial(_named, name, (source, offset), reading),
            )


def _named(name: str, place: tuple[str, int], reading: ReadOptions) -> CrawlPage:
    if not name:
        raise PageFault(Failure.BROKEN, "its line is longer than an address may be")
    if name.lower().startswith(("http://", "https://")):
        try:
            page = UrlSource(name).read(reading)
        except ScytheError as error:
            raise PageFault.of(error, name) from error
    elif is_remote(name):
        with open_file(name) as file:
            data = decompress(file.read(reading.read_size), reading.read_size, name)
        return CrawlPage(
            require_page(data, name), None, None, place[0], Position(place[1])
        )
    else:
        page = FileSource(Path(name)).read(reading)
    return CrawlPage(page.data, page.url, page.charset, place[0], Position(place[1]))


def read_files(
    listing: str, span: tuple[int, int], after: Position | None, reading: ReadOptions
) -> Iterator[Entry]:
    """The pages of folders, whose paths were written down one a line; each page's own
    path is its source.
    """
    for offset, line in _lines(listing, span, after, 1 << 16):
        path = Path(json.loads(line or b'""'))
        yield Entry(str(path), Position(offset), partial(_file, path, offset, reading))


def file_at(listing: str, offset: int) -> str:
    """The path that stands at a place of a list of files."""
    with open_file(listing) as file:
        file.seek(offset)
        return str(json.loads(file.readline()))


def _file(path: Path, offset: int, reading: ReadOptions) -> CrawlPage:
    page = FileSource(path).read(reading)
    return CrawlPage(page.data, page.url, page.charset, str(path), Position(offset))


def _lines(
    source: str, span: tuple[int, int], after: Position | None, longest: int
) -> Iterator[tuple[int, bytes | None]]:
    """The lines that begin in a span, with their places; None for one that is too long."""
    start, stop = span
    with open_file(source) as raw:
        file = _unpacked(raw, source)
        if file is raw:
            begin = max(start, after.offset if after else 0)
            place = _first_line(file, begin, longest)
        else:
            place = 0
        while place < stop:
            line = file.readline(longest)
            if not line:
                return
            size = len(line)
            whole = line.endswith(b"\n") or size < longest
            while not line.endswith(b"\n") and len(line) == longest:
                line = file.readline(longest)
                size += len(line)
            if (after is None or place > after.offset) and (not whole or line.strip()):
                yield place, (line if whole else None)
            place += size


def _first_line(file: BinaryIO, place: int, longest: int) -> int:
    """Where the first line begins that does not begin before a place."""
    if place == 0:
        return 0
    file.seek(place - 1)
    at = place - 1
    while True:
        line = file.readline(longest)
        at += len(line)
        if not line or line.endswith(b"\n"):
            return at


def is_packed(source: str) -> bool:
    """Whether a file can only be read from its beginning."""
    with open_file(source) as file:
        return file.read(4).startswith((GZIP, ZSTD))


def _unpacked(file: BinaryIO, source: str) -> BinaryIO:
    beginning = file.read(4)
    file.seek(0)
    if beginning.startswith(GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=file))
    if not beginning.startswith(ZSTD):
        return file
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(
            f"Reading {source} needs pyarrow. Install it with: pip install 'scythe[parquet]'"
        ) from error
    return cast(
        "BinaryIO", io.BufferedReader(pa.CompressedInputStream(file, "zstd"), 1 << 20)
    )
