"""The arrays that the compiled core gives for a page: views of one block of bytes.

`core/src/flat.rs` writes what is read here. Strings are made when they are asked for:
parts of a text are separated by zeros, which no part has, so that one `split` makes
all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import ArrayAddress, array_list
from scythe.core.library import library

_HEADER = 10
"""Numbers at the start of a block, of 4 bytes each."""
_LONGEST_TEXT, _TEXT_LENGTH = 5, 6
"""Which of them are the length of the longest text, and of all."""


_FEW = 12
"""Parts that are made one by one in less time than they are copied by the core."""
_DENSE, _DENSE_VALUES = 4, 2
"""One of so many texts or values must be asked for, before all are made at once: values
of other attributes stand between them.
"""


class Block:
    """A page as arrays; nodes are in document order."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.address = ArrayAddress.of_bytes(data)
        header = np.frombuffer(data, dtype=np.int32, count=_HEADER).tolist()
        nodes, attributes, texts, self.max_depth, is_cut, longest, *lengths = header
        self._lengths = lengths
        self.text_count = texts
        self.is_cut = bool(is_cut)
        """Whether the page has more nodes than were asked for."""
        self.longest_text = longest
        """No text has more bytes, but for those of scripts and style sheets."""
        counts = (*[nodes] * 4, attributes, attributes, texts, attributes)
        numbers = np.frombuffer(data, dtype=np.int32, count=_HEADER + sum(counts))
        bounds = [_HEADER, *(_HEADER + end for end in accumulate(counts))]
        columns = [numbers[start:stop] for start, stop in pairwise(bounds)]
        self.parent, self.end, self.depth, self.texts_before = columns[:4]
        """`texts_before`: how many text nodes stand before each node."""
        self.attribute_node, self.attribute_name = columns[4:6]
        """The node of each attribute, in document order, and its name, as an index of
        `attribute_names`.
        """
        self._text_end, self._value_end = columns[6:]
        """Where texts and values end, in bytes."""
        self._ends_at = 4 * bounds[6]
        tags_at = 4 * bounds[-1]
        self.tag = np.frombuffer(data, dtype=np.int16, count=nodes, offset=tags_at)
        self._texts_at = tags_at + 2 * nodes

    def _part(self, number: int) -> memoryview:
        start = self._texts_at + sum(self._lengths[:number])
        return memoryview(self.data)[start : start + self._lengths[number]]

    def _parts(self, number: int) -> list[str]:
        parts = str(self._part(number), "utf-8").split("\0")
        del parts[-1]  # every part ends with a zero
        return parts

    @property
    def text_size(self) -> int:
        """How many bytes all texts have, with one between each two."""
        return self._lengths[0]

    @property
    def value_size(self) -> int:
        """How many bytes all values of attributes have, with one behind each."""
        return self._lengths[1]

    @property
    def texts(self) -> list[str]:
        """The texts of the text nodes, in document order."""
        return self._parts(0)

    def texts_at(self, numbers: NDArray[np.integer]) -> list[str]:
        """Return some of the texts, given in order by their number among them."""
        if not len(numbers):
            return []
        first = int(numbers[0])
        last = int(numbers[-1])
        if last - first < _DENSE * len(numbers):
            texts = self._parts_between(0, self._text_end, first, last)
            from_first = numbers - first
            return list(map(texts.__getitem__, from_first.tolist()))
        return self._pieces(0, self._text_end, numbers)

    def long_texts(self, length: float) -> NDArray[np.int64]:
        """Return the numbers of the texts of more bytes."""
        ends = self._text_end
        is_long = np.empty(len(ends), dtype=bool)
        is_long[:1] = ends[:1] > length
        np.greater(ends[1:] - ends[:-1], length + 1, out=is_long[1:])
        return np.flatnonzero(is_long)

    def texts_between(self, first: int, stop: int) -> list[str]:
        """Return the texts from one to another, by their numbers."""
        if first >= stop:
            return []
        return self._parts_between(0, self._text_end, first, stop - 1)

    def with_texts(self, numbers: NDArray[np.integer], texts: Sequence[str]) -> Block:
        """Return the page with other texts, none with a zero, for some that are given in
        order by their number.
        """
        part = bytes(self._part(0))
        pieces: list[bytes] = []
        added = np.zeros(self.text_count, dtype=np.int32)
        written = 0
        for number, text in zip(numbers.tolist(), texts, strict=True):
            start = 0
            if number:
                start = int(self._text_end[number - 1]) + 1
            stop = int(self._text_end[number])
            encoded = text.encode()
            pieces += [part[written:start], encoded]
            added[number] = len(encoded) - (stop - start)
            written = stop
        pieces.append(part[written:])
        return self._with_text_part(b"".join(pieces), np.cumsum(added, dtype=np.int32))

    def _with_text_part(self, part: bytes, moved: NDArray[np.int32]) -> Block:
        """Return the page with another text in place of all texts, each of which ends so
        many bytes further on.
        """
        header = np.frombuffer(self.data, dtype=np.int32, count=_HEADER).copy()
        header[_LONGEST_TEXT] = header[_TEXT_LENGTH] = len(part)
        ends_at = self._ends_at
        ends = self._text_end + moved
        behind_ends = ends_at + ends.nbytes
        behind_texts = self._texts_at + self._lengths[0]
        sections = (
            header.tobytes(),
            self.data[header.nbytes : ends_at],
            ends.tobytes(),
            self.data[behind_ends : self._texts_at],
            part,
            self.data[behind_texts:],
        )
        return Block(b"".join(sections))

    def texts_with(self, sign: str) -> NDArray[np.int64]:
        """Return the numbers of the texts that have a sign."""
        encoded = sign.encode()
        start = self._texts_at
        stop = start + self._lengths[0]
        found = []
        position = self.data.find(encoded, start, stop)
        while position >= 0:
            offset = position - start
            number = int(np.searchsorted(self._text_end, offset))
            found.append(number)
            next_text = start + int(self._text_end[number])
            position = self.data.find(encoded, next_text, stop)
        return np.array(found, dtype=np.int64)

    def _pieces(
        self, number: int, ends: NDArray[np.int32], positions: NDArray[np.integer]
    ) -> list[str]:
        """Return some of the parts of a text."""
        starts = ends[positions - 1] + 1
        starts[positions == 0] = 0
        stops = ends[positions]
        if len(positions) > _FEW:
            size = int((stops - starts).sum()) + len(positions)
            copied = self._copied(number, positions, size)
            if copied is not None:
                return copied
        part = self._part(number)
        bounds = zip(starts.tolist(), stops.tolist(), strict=True)
        return [str(part[start:stop], "utf-8") for start, stop in bounds]

    def _copied(
        self, number: int, positions: NDArray[np.integer], size: int
    ) -> list[str] | None:
        """Return some of the parts of a text, of so many bytes with a zero behind each;
        None where the core is not at work.
        """
        compiled = library()
        if compiled is None:
            return None
        parts = np.empty(size, dtype=np.uint8)
        kind = np.array([number], dtype=np.int64)
        numbers = np.ascontiguousarray(positions, dtype=np.int64)
        arrays = array_list(self.address, kind, numbers, parts)
        if compiled.scythe_parts(None, arrays) != size:
            return None
        return str(parts.data[: size - 1], "utf-8").split("\0")

    @cached_property
    def values(self) -> list[str]:
        """The values of all attributes."""
        return self._parts(1)

    def values_at(self, positions: NDArray[np.integer]) -> list[str]:
        """Return the values of some attributes. All of them are made at once where many
        are asked for.
        """
        if _DENSE_VALUES * len(positions) > len(self._value_end):
            return list(map(self.values.__getitem__, positions.tolist()))
        return self._pieces(1, self._value_end, positions)

    def value(self, position: int) -> str:
        """Return the value of one attribute."""
        return self._parts_between(1, self._value_end, position, position)[0]

    def values_between(self, first: int, stop: int) -> list[str]:
        """Return the values of neighbouring attributes."""
        if first == stop:
            return []
        return self._parts_between(1, self._value_end, first, stop - 1)

    def _parts_between(
        self, number: int, ends: NDArray[np.int32], first: int, last: int
    ) -> list[str]:
        """Return the parts of a text from one to another."""
        start = 0
        if first:
            start = int(ends[first - 1]) + 1
        stop = int(ends[last])
        part = self._part(number)
        text = str(part[start:stop], "utf-8")
        return text.split("\0")

    @cached_property
    def attribute_names(self) -> list[str]:
        """The names of attributes."""
        return self._parts(2)

    @property
    def extra_names(self) -> tuple[str, ...]:
        """Tag names beyond the known ones."""
        return tuple(self._parts(3))
