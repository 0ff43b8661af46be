"""Gzip files member by member, from any byte of them, past members that are damaged.

A WARC.gz is a chain of gzip members, one for each record, so that reading can begin
anywhere: at the first member from there on that unpacks to the beginning of a record.
Readers that take the file as one stream cannot go on behind a damaged member.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

try:
    from isal import (
        isal_zlib as zlib,  # in the extras of bulk: unpacks more than twice as fast
    )
except ImportError:
    import zlib  # type: ignore[no-redef]

MAGIC = b"\x1f\x8b\x08"
"""The first bytes of a gzip member."""

_READ_BYTES = 1 << 16
_UNPACK_BYTES = 4 * _READ_BYTES
_SKIP_BYTES = 1 << 20
_SEARCH_BYTES = 1 << 20
"""Sizes of buffers, packed and unpacked: bounds on memory, not tuned."""
_HEAD_BYTES = 4 << 20
"""Unpacked bytes of a member that stay in memory: 99.9 % of pages on the web are smaller."""
_RECENT_BYTES = 4 << 20
"""Bytes unpacked last that stay in memory, too, at least: a member may hold all records
of a file, and reading one goes back to where it begins.
"""
_FIRST_BYTES = 1 << 12
"""Bytes within which a member has something to unpack: its own header is some ten."""
_MAX_RESTARTS = 200
"""How often a member is unpacked again: an arbitrary cap against hostile files."""

_GZIP_WINDOW_BITS = 31
"""What zlib calls a gzip member."""


class DamagedMember(Exception):
    """A member does not unpack."""


class Member:
    """What one gzip member unpacks to, as a file to read.

    The first part stays in memory, where almost every record lies whole, and so does
    what was unpacked last; seeking back to what lies between unpacks the member again.
    """

    def __init__(self, file: BinaryIO, offset: int, first_bytes: bytes = b"") -> None:
        self._file = file
        self.offset = offset
        self._head = bytearray()
        self._position = 0
        self._restarts_left = _MAX_RESTARTS
        self._start(first_bytes)

    def _start(self, first_bytes: bytes = b"") -> None:
        """Start to unpack; `first_bytes` are those of the member, where they are read
        already.
        """
        self._decompressor = zlib.decompressobj(_GZIP_WINDOW_BITS)
        self._packed = first_bytes
        self._packed_read = len(first_bytes)
        self._unpacked = 0
        self._recent = bytearray()

    def read(self, size: int) -> bytes:
        """Return at most so many bytes; fewer only at the end, or before a damage that
        the next read meets.
        """
        stop = self._position + size
        try:
            self._fill_head(stop)
        except DamagedMember:
            if self._position >= len(self._head):
                raise
        head = memoryview(self._head)
        data = bytes(head[self._position : stop])
        self._position += len(data)
        if self._position == stop or self._position < _HEAD_BYTES:
            return data

        chunks = [data]
        try:
            while self._position < stop:
                chunk = self._read_behind_head(stop - self._position)
                if not chunk:
                    break
                chunks.append(chunk)
                self._position += len(chunk)
        except DamagedMember:
            if not any(chunks):
                raise
        return b"".join(chunks)

    def _fill_head(self, stop: int) -> None:
        """Unpack until everything before a position is in memory, as far as the head goes."""
        needed = min(stop, _HEAD_BYTES)
        while len(self._head) < needed:
            is_head_past = self._unpacked != len(self._head)
            if is_head_past or not self._unpack(_UNPACK_BYTES):
                return

    def _read_behind_head(self, size: int) -> bytes:
        """Return what follows at a position behind the head."""
        recent_start = self._unpacked - len(self._recent)
        recent = self._position - recent_start
        if 0 <= recent < len(self._recent):
            return bytes(self._recent[recent : recent + size])
        if self._unpacked > self._position:
            self._restart()
        while self._unpacked < self._position:
            skipped = self._position - self._unpacked
            if not self._unpack(min(skipped, _SKIP_BYTES)):
                return b""
        return self._unpack(size)

    def _restart(self) -> None:
        if self._restarts_left == 0:
            raise DamagedMember("its records lie too far apart")
        self._restarts_left -= 1
        self._start()

    def _unpack(self, size: int) -> bytes:
        """Return the next bytes that were not unpacked before; none at the end."""
        while not self._decompressor.eof:
            if not self._packed:
                if self._unpacked == 0 and self._packed_read >= _FIRST_BYTES:
                    raise DamagedMember("its header does not end")
                self._file.seek(self.offset + self._packed_read)
                self._packed = self._file.read(_READ_BYTES)
                self._packed_read += len(self._packed)
                if not self._packed:
                    raise DamagedMember("it ends in the middle")

            try:
                chunk = self._decompressor.decompress(self._packed, size)
            except zlib.error as error:  # type: ignore[misc]  # its stub says instance, not class
                raise DamagedMember(str(error)) from error
            self._packed = self._decompressor.unconsumed_tail
            if chunk:
                if self._unpacked == len(self._head) < _HEAD_BYTES:
                    room = _HEAD_BYTES - len(self._head)
                    self._head += chunk[:room]
                self._unpacked += len(chunk)
                self._keep_recent(chunk)
                return chunk
        return b""

    def _keep_recent(self, chunk: bytes) -> None:
        if self._unpacked <= _HEAD_BYTES:
            return
        self._recent += chunk
        if len(self._recent) > 2 * _RECENT_BYTES:
            del self._recent[:-_RECENT_BYTES]

    def seek(self, position: int) -> None:
        """Go to a position in what it unpacks to, which may lie behind the end."""
        self._position = position

    @property
    def length(self) -> int:
        """How many bytes it unpacks to."""
        self._unpack_all()
        return self._unpacked

    @property
    def end(self) -> int:
        """The byte of the file at which the next member would begin."""
        self._unpack_all()
        unused = len(self._decompressor.unused_data)
        return self.offset + self._packed_read - unused

    def _unpack_all(self) -> None:
        while self._unpack(_SKIP_BYTES):
            pass


def find_member(file: BinaryIO, start: int, beginning: bytes) -> Member | None:
    """Return the first member from an offset on that unpacks to something with this
    beginning.
    """
    for offset, first_bytes in _candidates(file, start):
        member = Member(file, offset, first_bytes)
        try:
            if member.read(len(beginning)) == beginning:
                member.seek(0)
                return member
        except DamagedMember:
            continue
    return None


def _candidates(file: BinaryIO, start: int) -> Iterator[tuple[int, bytes]]:
    """Yield the offsets at which members may begin, almost always the first one, and
    the first bytes there.
    """
    size = _READ_BYTES
    while True:
        file.seek(start)
        data = file.read(size)
        index = data.find(MAGIC)
        while index >= 0:
            length = len(data) if index == 0 else _FIRST_BYTES
            first_bytes = data[index : index + length]
            yield start + index, first_bytes
            index = data.find(MAGIC, index + 1)

        if len(data) < size:
            return
        start += size - len(MAGIC) + 1
        size = _SEARCH_BYTES
