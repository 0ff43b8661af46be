"""The arrays that the compiled core gives for a page: views of one block of bytes.

`core/src/flat.rs` writes what is read here. Strings are made when they are asked for:
parts of a text are separated by zeros, which no part has, so that one `split` makes
all of them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

_HEADER = 8
"""Numbers at the start of a block, of 4 bytes each."""


class Block:
    """A page as arrays; nodes are in document order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        header = np.frombuffer(data, dtype=np.uint32, count=_HEADER).tolist()
        nodes, attributes, self.max_depth, is_cut, *self._lengths = header
        self.is_cut = bool(is_cut)
        """Whether the page has more nodes than were asked for."""
        self.parent = self._numbers(0, nodes)
        self.end = self._numbers(nodes, nodes)
        self.depth = self._numbers(2 * nodes, nodes)
        self.attribute_node = self._numbers(3 * nodes, attributes)
        """The node of each attribute, in document order."""
        self.attribute_name = self._numbers(3 * nodes + attributes, attributes)
        """The name of each attribute, as an index of `attribute_names`."""
        tags_at = 4 * (_HEADER + 3 * nodes + 2 * attributes)
        self.tag = np.frombuffer(data, dtype=np.int16, count=nodes, offset=tags_at)
        self._texts_at = tags_at + 2 * nodes

    def _numbers(self, start: int, count: int) -> NDArray[np.int32]:
        offset = 4 * (_HEADER + start)
        return np.frombuffer(self._data, dtype=np.int32, count=count, offset=offset)

    def _parts(self, number: int) -> list[str]:
        start = self._texts_at + sum(self._lengths[:number])
        part = memoryview(self._data)[start : start + self._lengths[number]]
        parts = str(part, "utf-8").split("\0")
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

    @cached_property
    def attribute_names(self) -> list[str]:
        """The names of attributes."""
        return self._parts(2)

    @property
    def extra_names(self) -> tuple[str, ...]:
        """Tag names beyond the known ones."""
        return tuple(self._parts(3))
