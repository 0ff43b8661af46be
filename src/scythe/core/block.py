"""The arrays that the compiled core gives for a page: views of one block of bytes.

`core/src/flat.rs` writes what is read here. Strings are made when they are asked for:
parts of a text are separated by zeros, which no part has, so that one `split` makes
all of them.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

_HEADER = 9
"""Numbers at the start of a block, of 4 bytes each."""


class Block:
    """A page as arrays; nodes are in document order."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        header = np.frombuffer(data, dtype=np.int32, count=_HEADER).tolist()
        nodes, attributes, texts, self.max_depth, is_cut, *self._lengths = header
        self.text_count = texts
        self.is_cut = bool(is_cut)
        """Whether the page has more nodes than were asked for."""
        counts = (nodes, nodes, nodes, attributes, attributes, texts, attributes)
        numbers = np.frombuffer(data, dtype=np.int32, count=_HEADER + sum(counts))
        bounds = [_HEADER, *(_HEADER + end for end in accumulate(counts))]
        columns = [numbers[start:stop] for start, stop in pairwise(bounds)]
        self.parent, self.end, self.depth = columns[:3]
        self.attribute_node, self.attribute_name = columns[3:5]
        """The node of each attribute, in document order, and its name, as an index of
        `attribute_names`.
        """
        self._text_end, self._value_end = columns[5:]
        """Where texts and values end, in bytes."""
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
    def texts(self) -> list[str]:
        """The texts of the text nodes, in document order."""
        return self._parts(0)

    @cached_property
    def values(self) -> list[str]:
        """The values of all attributes."""
        return self._parts(1)

    def values_at(self, positions: NDArray[np.integer]) -> list[str]:
        """Return the values of some attributes. All of them are made at once where many
        are asked for.
        """
        if 4 * len(positions) > len(self._value_end):
            return list(map(self.values.__getitem__, positions.tolist()))
        ends = self._value_end[positions]
        starts = self._value_end[positions - 1] + 1
        starts[positions == 0] = 0
        part = self._part(1)
        bounds = zip(starts.tolist(), ends.tolist(), strict=True)
        return [str(part[start:end], "utf-8") for start, end in bounds]

    @cached_property
    def attribute_names(self) -> list[str]:
        """The names of attributes."""
        return self._parts(2)

    @property
    def extra_names(self) -> tuple[str, ...]:
        """Tag names beyond the known ones."""
        return tuple(self._parts(3))
