"""Sets and columns over many records as a few large values: what facets share with a
search is then one operation on bits.

Records are cut by their numbers into pieces of 4,096. Of a facet each piece has either
the places of its members, two bytes each, or, where these would be longer, a bit for
every place (the containers of Roaring bitmaps). Of a number each piece has 4,096 of
them. Counting all facets of 60,000 among 100,000 records by rows would mean to read a
million rows; so it takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
Numbers = NDArray[np.float64]

SIZE = 4_096
"""Records of a piece. Larger ones cost more to change, smaller ones more to read;
100,000 records are 25 pieces.
"""
_BYTES = SIZE // 8


def piece_of(record: int) -> int:
    """The piece that a record is in."""
    return record // SIZE


def place_in(record: int) -> int:
    """Its place there."""
    return record % SIZE


def packed_bits(bits: Bits) -> bytes:
    """The members of a piece as they are stored."""
    places = np.flatnonzero(bits)
    return (
        places.astype("<u2").tobytes()
        if len(places) * 2 < _BYTES
        else np.packbits(bits).tobytes()
    )


def unpacked_bits(stored: bytes | None) -> Bits:
    """The members of a piece."""
    if stored is not None and len(stored) == _BYTES:
        return np.unpackbits(np.frombuffer(stored, np.uint8)).view(np.bool_)
    bits = np.zeros(SIZE, np.bool_)
    if stored:
        bits[np.frombuffer(stored, "<u2")] = True
    return bits


def packed_numbers(numbers: Numbers) -> bytes:
    """The numbers of a piece as they are stored; what has none has NaN."""
    return numbers.astype("<f8").tobytes()


def unpacked_numbers(stored: bytes | None) -> Numbers:
    """The numbers of a piece."""
    return np.frombuffer(stored, "<f8") if stored else np.full(SIZE, np.nan)


class Span:
    """The pieces of a collection next to each other: records from `first` on."""

    def __init__(self, first_piece: int, last_piece: int) -> None:
        self.first_piece, self.last_piece = first_piece, last_piece
        self.first = first_piece * SIZE
        self.length = (last_piece - first_piece + 1) * SIZE

    def part(self, piece: int) -> slice:
        """Where a piece is."""
        start = (piece - self.first_piece) * SIZE
        return slice(start, start + SIZE)

    def nobody(self) -> Bits:
        """No record."""
        return np.zeros(self.length, np.bool_)

    def of(self, stored: Iterable[tuple[int, bytes]]) -> Bits:
        """The members of a facet, from its pieces."""
        bits = self.nobody()
        for piece, members in stored:
            bits[self.part(piece)] |= unpacked_bits(members)
        return bits

    def having(self, records: NDArray[np.int64]) -> Bits:
        """Records by their numbers; others than those of the span are left out."""
        bits = self.nobody()
        bits[self.inside(records) - self.first] = True
        return bits

    def inside(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some records that are in the span, in their order: others have come
        while it was read.
        """
        return records[(records >= self.first) & (records < self.first + self.length)]

    def records(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of records at places."""
        return places + self.first


def shared(members: bytes, among: Bits) -> int:
    """How many members of a stored piece are among others of the same piece."""
    if len(members) == _BYTES:
        return int(np.count_nonzero(unpacked_bits(members) & among))
    return int(np.count_nonzero(among[np.frombuffer(members, "<u2")]))
