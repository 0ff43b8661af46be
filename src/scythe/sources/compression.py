"""Compressed pages: unpacked within bounds, and known to be whole or not."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import BinaryIO

from scythe.errors import InputError

GZIP = b"\x1f\x8b"
"""What gzip data begins with."""

_CHUNK = 1 << 20
"""Bytes unpacked at a time; a bound on memory, not tuned."""
_WINDOWS = {
    "gzip": (zlib.MAX_WBITS | 16,),
    "x-gzip": (zlib.MAX_WBITS | 16,),
    "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS),  # some servers leave its header out
}


def read_bounded(stream: BinaryIO, size: int, name: str) -> bytes:
    """Return at most `size` bytes of a page, after decompression where the stream is
    gzip by its first bytes.
    """
    return decompress(stream.read(size), size, name)


def decompress(data: bytes, size: int, name: str) -> bytes:
    """Return the data, or at most `size` bytes of what gzip data holds, so that a few
    bytes cannot unpack to gigabytes.
    """
    if not data.startswith(GZIP):
        return data
    chunks = []
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as content:
            while size > 0:
                chunk = content.read(min(size, _CHUNK))
                if not chunk:
                    break
                chunks.append(chunk)
                size -= len(chunk)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"The gzip data of {name} is damaged ({error}). Fetch or pack it again."
        ) from error
    return b"".join(chunks)


def is_truncated(packed: bytes, encoding: str, size: int) -> bool:
    """Return whether a body ends before its compressed stream does: where no length is
    declared, only its stream shows that. An empty body has no stream.

    No more than `size` bytes are unpacked: what is longer is no whole page anyway.
    What is damaged in another way, or has another encoding, counts as whole.
    """
    if not packed:
        return False
    for window in _WINDOWS.get(encoding.strip().lower(), ()):
        try:
            return _ends_early(packed, window, size)
        except zlib.error:
            continue
    return False


def _ends_early(packed: bytes, window: int, size: int) -> bool:
    stream = zlib.decompressobj(window)
    chunk = stream.decompress(packed, _CHUNK)
    while chunk and not stream.eof:
        size -= len(chunk)
        if size <= 0:
            return False
        chunk = stream.decompress(stream.unconsumed_tail, _CHUNK)
    return not stream.eof
