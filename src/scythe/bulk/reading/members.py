"""Gzip files member by member, from any place in them, past members that are damaged.

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
_PIECE = 1 << 16
_SKIPPED = 1 << 20
_SEARCHED = 1 << 20
_HEAD = 4 << 20
"""Unpacked bytes kept of a member: 99.9 % of pages on the web are smaller."""

_GZIP = 31
"""What zlib calls a gzip member."""


class Damaged(Exception):
    """A member does not unpack."""


class Member:
    """What one gzip member unpacks to, as a file to read.

    The first part stays in memory, where almost every record lies whole; going back
    behind it unpacks the member again.
    """

    def __init__(self, file: BinaryIO, offset: int, begun: bytes = b"") -> None:
        self._file, self.offset = file, offset
        self._head = bytearray()
        self._place = 0
        self._begin(begun)

    def _begin(self, begun: bytes = b"") -> None:
        """Begin to unpack; `begun` are the first bytes of the member, where they are
        read already.
        """
        self._unpacker = zlib.decompressobj(_GZIP)
        self._packed = begun
        self._taken = len(begun)
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """At most so many bytes; fewer only at the end, or before a damage that the
        next read meets.
        """
        stop = self._place + size
        try:
            self._fill(stop)
        except Damaged:
            if self._place >= len(self._head):
                raise
        data = bytes(memoryview(self._head)[self._place : stop])
        self._place += len(data)
        if self._place == stop or self._place < _HEAD:
            return data
        pieces = [data]
        try:
            while self._place < stop and (
                piece := self._behind_head(stop - self._place)
            ):
                pieces.append(piece)
                self._place += len(piece)
        except Damaged:
            if not any(pieces):
                raise
        return b"".join(pieces)

    def _fill(self, stop: int) -> None:
        """Unpack so much that everything before a place is there that is kept."""
        while (
            len(self._head) < min(stop, _HEAD)
            and self._unpacked == len(self._head)
            and self._unpack(4 * _PIECE)
        ):
            pass

    def _behind_head(self, most: int) -> bytes:
        """What follows at a place that is not kept."""
        if self._unpacked > self._place:
            self._begin()
        while self._unpacked < self._place:
            if not self._unpack(min(self._place - self._unpacked, _SKIPPED)):
                return b""
        return self._unpack(most)

    def _unpack(self, most: int) -> bytes:
        """The next bytes that were not unpacked before; none at the end."""
        while not self._unpacker.eof:
            if not self._packed:
                self._file.seek(self.offset + self._taken)
                self._packed = self._file.read(_PIECE)
                self._taken += len(self._packed)
                if not self._packed:
                    raise Damaged("it ends in the middle")
            try:
                piece = self._unpacker.decompress(self._packed, most)
            except zlib.error as error:  # type: ignore[misc]  # its stub says instance, not class
                raise Damaged(str(error)) from error
            self._packed = self._unpacker.unconsumed_tail
            if piece:
                if self._unpacked == len(self._head) < _HEAD:
                    self._head += piece[: _HEAD - len(self._head)]
                self._unpacked += len(piece)
                return piece
        return b""

    def tell(self) -> int:
        """The place in what it unpacks to."""
        return self._place

    def seek(self, place: int) -> None:
        """Go to a place, which may lie behind the end."""
        self._place = place

    @property
    def length(self) -> int:
        """How many bytes it unpacks to."""
        while self._unpack(_SKIPPED):
            pass
        return self._unpacked

    @property
    def end(self) -> int:
        """Where the next member would begin."""
        while self._unpack(_SKIPPED):
            pass
        return self.offset + self._taken - len(self._unpacker.unused_data)


def find_member(file: BinaryIO, place: int, beginning: bytes) -> Member | None:
    """The first member from a place on that unpacks to something with this beginning."""
    for candidate, begun in _candidates(file, place):
        member = Member(file, candidate, begun)
        try:
            if member.read(len(beginning)) == beginning:
                member.seek(0)
                return member
        except Damaged:
            continue
    return None


def _candidates(file: BinaryIO, place: int) -> Iterator[tuple[int, bytes]]:
    """Where members may begin, almost always at the place itself, and the first bytes
    there.
    """
    size = _PIECE
    while True:
        file.seek(place)
        data = file.read(size)
        found = data.find(MAGIC)
        while found >= 0:
            yield place + found, (data if found == 0 else b"")
            found = data.find(MAGIC, found + 1)
        if len(data) < size:
            return
        place += size - len(MAGIC) + 1
        size = _SEARCHED
