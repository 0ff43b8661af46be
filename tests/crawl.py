"""WARC files as tests need them: whole, broken, lying about their lengths."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scythe.bulk.page import PageEntry
from scythe.bulk.reading.files import file_state
from scythe.bulk.reading.partitions import (
    Input,
    InputKind,
    InputOptions,
    divide_inputs,
    read_partition,
)
from scythe.errors import ScytheError

HTML = b"text/html; charset=utf-8"


def response(
    url: str,
    body: bytes,
    kind: bytes = HTML,
    extra: bytes = b"",
    status: bytes = b"200 OK",
) -> bytes:
    """What a server sent, as it stands in a record."""
    return (
        b"HTTP/1.1 "
        + status
        + b"\r\nContent-Type: "
        + kind
        + b"\r\n"
        + extra
        + b"\r\n"
        + body
    )


def record(
    url: str, block: bytes, length: int | None = None, kind: str = "response"
) -> bytes:
    """A record, perhaps with a length that is not its own."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{len(block):032}>\r\n"
        f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype={kind}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def page_record(url: str, body: bytes | str, length: int | None = None) -> bytes:
    """A record of a page."""
    return record(
        url, response(url, body.encode() if isinstance(body, str) else body), length
    )


def article(number: int, words: int = 60) -> str:
    """A small page with a text of its own."""
    sentences = [
        f"Field {number} was mown on day {day}, and the hay of row {number * 7 + day} was dry by noon."
        for day in range(words // 15)
    ]
    body = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    head = f"<html><head><title>Report {number}</title></head><body><nav><a href=/>Home</a></nav>"
    return f"{head}<article><h1>Report {number}</h1>{body}</article></body></html>"


def write_warc(path: Path, records: Iterable[bytes], *, packed: bool = False) -> Path:
    """A WARC file, each record a gzip member of its own where it is packed."""
    path.write_bytes(
        b"".join(
            gzip.compress(record, mtime=0) if packed else record for record in records
        )
    )
    return path


def articles_warc(path: Path, count: int, *, packed: bool = True) -> Path:
    """A WARC file of small pages."""
    return write_warc(
        path,
        [page_record(f"https://farm.example/{n}", article(n)) for n in range(count)],
        packed=packed,
    )


def read_all(path: Path, kind: InputKind, size: int) -> list[tuple[Any, ...]]:
    """Every page of a file that is divided into partitions of a size: its position, and what was
    read or why nothing was.
    """
    options = InputOptions(partition_bytes=size)
    partitions = divide_inputs([Input(kind, file_state(str(path)))], options)
    return [
        loaded(entry)
        for partition in partitions
        for entry in read_partition(partition, options)
    ]


def loaded(entry: PageEntry) -> tuple[Any, ...]:
    """What an entry has, in short."""
    try:
        page = entry.load()
    except ScytheError as error:
        return (*entry.position, str(error))
    return (*entry.position, page.url, page.html, page.charset, page.note)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def untimed(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without the one column that differs between runs."""
    return [
        {name: value for name, value in row.items() if name != "timings"}
        for row in rows
    ]
