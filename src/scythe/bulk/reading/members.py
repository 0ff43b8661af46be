"""Gzip files member by member, from any place in them, past members that are damaged.

A WARC.gz is a chain of gzip members, one for each record, so that reading can begin anywhere: at the first member from there on
that unpacks to the beginning of a record. Readers that take the file as one stream cannot go on behind a damaged member.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

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

    The first part stays in memory, where almost every record lies whole; going back behind it unpacks the member again.
    """

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self._file, self.offset = file, offset
        self._head = bytearray()
        self._place = 0
        self._begin()

    def _begin(self) -> None:
        self._unpacker = zlib.decompressobj(_GZIP)
        self._packed = b""
        self._taken = 0
        self._unpacked = 0

    def read(self, size: int) -> bytes:
        """At most so many bytes; fewer only at the end, or before a damage that the next read meets."""
        pieces = bytearray()
        try:
            while len(pieces) < size and (piece := self._next(size - len(pieces))):
                pieces += piece
        except Damaged:
            if not pieces:
                raise
        return bytes(pieces)

    def _next(self, most: int) -> bytes | bytearray:
        if self._place < len(self._head):
            piece: bytes | bytearray = self._head[self._place : self._place + most]
        else:
            if self._unpacked > self._place:
                self._begin()
            while self._unpacked < self._place:
                if not self._unpack(min(self._place - self._unpacked, _SKIPPED)):
                    return b""
            piece = self._unpack(most if self._unpacked >= _HEAD else min(_PIECE, _HEAD - self._unpacked))[:most]
        self._place += len(piece)
        return piece

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
            except zlib.error as error:
                raise Damaged(str(error)) from error
            self._packed = self._unpacker.unconsumed_tail
            if piece:
                if self._unpacked == len(self._head) < _HEAD:
                    self._head += piece
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


def find_member(file: BinaryIO, place: int, beginning: bytes) -> int | None:
    """Where the first member from a place on begins that unpacks to something with this beginning."""
    for candidate in _magic_places(file, place):
        try:
            if Member(file, candidate).read(len(beginning)) == beginning:
                return candidate
        except Damaged:
            continue
    return None


def _magic_places(file: BinaryIO, place: int) -> Iterator[int]:
    while True:
        file.seek(place)
        data = file.read(_SEARCHED)
        found = data.find(MAGIC)
        while found >= 0:
            yield place + found
            found = data.find(MAGIC, found + 1)
        if len(data) < _SEARCHED:
            return
        place += _SEARCHED - len(MAGIC) + 1
