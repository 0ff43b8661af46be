"""The pages of line-by-line files from any byte range of them: JSONL with a page a
line, lists of addresses or of files.

A partition has the lines that begin in its range. Compressed files are read from their
beginning.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from scythe.bulk.page import (
    CrawlPage,
    Failure,
    PageEntry,
    PageFault,
    PagePosition,
)
from scythe.bulk.reading.files import is_remote, open_file
from scythe.errors import ScytheError, UsageError
from scythe.logins import without_logins
from scythe.sources import FileSource, ReadOptions, UrlSource
from scythe.sources.compression import GZIP, decompress
from scythe.sources.page import require_page

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
"""Names of columns in tables of pages, the likelier first."""

ZSTD = b"\x28\xb5\x2f\xfd"
_MAX_ESCAPED_BYTES = 6
"""Bytes that JSON takes at most for one of the page."""
_MAX_OTHER_JSON = 1 << 20
_MAX_ADDRESS_BYTES = 1 << 16
"""Arbitrary caps against hostile lines: what JSON may hold beside the page, and the
length of an address or path.
"""
_NAMED_COLUMNS = 20
"""Columns that a message names: a choice of layout."""
_BUFFER_BYTES = 1 << 20
"""Of unpacked lines: a bound on memory, not tuned."""


class PageColumns(NamedTuple):
    """The names of the columns with address and page, None to guess."""

    url: str | None = None
    html: str | None = None


def read_jsonl(
    source: str,
    byte_range: tuple[int, int],
    after: PagePosition | None,
    columns: PageColumns,
    max_bytes: int,
) -> Iterator[PageEntry]:
    """Yield the pages of a JSONL file, one a line."""
    max_line = max_bytes * _MAX_ESCAPED_BYTES + _MAX_OTHER_JSON
    for offset, line in _lines(source, byte_range, after, max_line):
        load = partial(_page_in_line, source, offset, line, columns)
        yield PageEntry(source, PagePosition(offset), load)


def _page_in_line(
    source: str, offset: int, line: bytes | None, columns: PageColumns
) -> CrawlPage:
    if line is None:
        raise PageFault(Failure.BROKEN, "its line is longer than a page may be")
    try:
        row = json.loads(line)
    except ValueError as error:
        raise PageFault(Failure.BROKEN, f"its line is not JSON: {error}") from error
    except RecursionError as error:
        raise PageFault(Failure.BROKEN, "its line is JSON nested too deep") from error
    if not isinstance(row, Mapping):
        raise PageFault(Failure.BROKEN, "its line is no JSON object")
    return page_from_row(row, source, offset, columns)


def page_from_row(
    row: Mapping[str, Any], source: str, offset: int, columns: PageColumns
) -> CrawlPage:
    """Return the page in a row of a table."""
    spelling = {name.lower(): name for name in row}
    url_column = columns.url or find_column(spelling, URL_NAMES)
    html_column = columns.html or find_column(spelling, HTML_NAMES)
    charset_column = find_column(spelling, CHARSET_NAMES)

    url = _text_in(row, url_column)
    if url is not None:
        url = without_logins(url)
    html = row.get(html_column) if html_column else None
    if not isinstance(html, (str, bytes)):
        known_names = sorted(map(str, row))
        present = ", ".join(known_names[:_NAMED_COLUMNS])
        expected = html_column or "any known name"
        raise PageFault(
            Failure.BROKEN,
            f"it has no page under {expected}, only: {present}",
            url,
        )
    try:
        require_page(html, url or "the row")
    except ScytheError as error:
        raise PageFault.from_error(error, url) from error
    charset = _text_in(row, charset_column or "")
    return CrawlPage(html, url, charset, source, PagePosition(offset))


def _text_in(row: Mapping[str, Any], column: str | None) -> str | None:
    value = row.get(column) if column is not None else None
    return value if isinstance(value, str) else None


def find_column(spelling: Mapping[str, str], names: Sequence[str]) -> str | None:
    """Return the first of the names that a table has, as it is spelled there."""
    for name in names:
        if name in spelling:
            return spelling[name]
    return None


def read_list(
    source: str,
    byte_range: tuple[int, int],
    after: PagePosition | None,
    options: ReadOptions,
) -> Iterator[PageEntry]:
    """Yield the pages whose addresses or paths are in a file, one a line, without empty
    lines and those that begin with #.
    """
    for offset, line in _lines(source, byte_range, after, _MAX_ADDRESS_BYTES):
        name = "" if line is None else line.decode("utf-8", "replace").strip()
        if line is None or (name and not name.startswith("#")):
            load = partial(_load_named, name, source, offset, options)
            yield PageEntry(source, PagePosition(offset), load)


def _load_named(name: str, source: str, offset: int, options: ReadOptions) -> CrawlPage:
    """Return the page at an address or path of a list; the name is empty where the line
    was too long.
    """
    if not name:
        raise PageFault(Failure.BROKEN, "its line is longer than an address may be")
    position = PagePosition(offset)
    if name.lower().startswith(("http://", "https://")):
        try:
            page = UrlSource(name).read(options)
        except ScytheError as error:
            raise PageFault.from_error(error, without_logins(name)) from error
    elif is_remote(name):
        with open_file(name) as file:
            packed = file.read(options.read_size)
        data = decompress(packed, options.read_size, name)
        return CrawlPage(require_page(data, name), source=source, position=position)
    else:
        page = FileSource(Path(name)).read(options)
    return CrawlPage(page.data, page.url, page.charset, source, position)


def read_files(
    listing: str,
    byte_range: tuple[int, int],
    after: PagePosition | None,
    options: ReadOptions,
) -> Iterator[PageEntry]:
    """Yield the pages of folders, whose paths were listed one a line; each page's own
    path is its source.
    """
    for offset, line in _lines(listing, byte_range, after, _MAX_ADDRESS_BYTES):
        path = Path(json.loads(line or b'""'))
        load = partial(_load_file, path, offset, options)
        yield PageEntry(str(path), PagePosition(offset), load)


def listed_file(listing: str, offset: int) -> str:
    """Return the path at an offset of a list of files."""
    with open_file(listing) as file:
        file.seek(offset)
        return str(json.loads(file.readline()))


def _load_file(path: Path, offset: int, options: ReadOptions) -> CrawlPage:
    page = FileSource(path).read(options)
    position = PagePosition(offset)
    return CrawlPage(page.data, page.url, page.charset, str(path), position)


def _lines(
    source: str, byte_range: tuple[int, int], after: PagePosition | None, max_line: int
) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that begin in a range of bytes, with their offsets; None for one
    that is too long.
    """
    start, stop = byte_range
    with open_file(source) as raw:
        file = _decompressed(raw, source)
        offset = 0
        if file is raw:
            start = max(start, after.offset if after else 0)
            offset = _next_line_start(file, start, max_line)

        while offset < stop:
            line = file.readline(max_line)
            if not line:
                return
            size = len(line)
            is_complete = line.endswith(b"\n") or size < max_line
            while not line.endswith(b"\n") and len(line) == max_line:
                line = file.readline(max_line)
                size += len(line)

            is_new = after is None or offset > after.offset
            if is_new and not is_complete:
                yield offset, None
            elif is_new and line.strip():
                yield offset, line
            offset += size


def _next_line_start(file: BinaryIO, start: int, max_line: int) -> int:
    """Return where the first line begins that does not begin before an offset."""
    if start == 0:
        return 0
    file.seek(start - 1)
    offset = start - 1
    while True:
        line = file.readline(max_line)
        offset += len(line)
        if not line or line.endswith(b"\n"):
            return offset


def is_compressed(source: str) -> bool:
    """Return whether a file can only be read from its beginning."""
    with open_file(source) as file:
        return file.read(4).startswith((GZIP, ZSTD))


def _decompressed(file: BinaryIO, source: str) -> BinaryIO:
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
            f"Reading {source} needs pyarrow. Install it with: pip install 'webscythe[parquet]'"
        ) from error
    stream = pa.CompressedInputStream(file, "zstd")
    return cast("BinaryIO", io.BufferedReader(stream, _BUFFER_BYTES))
