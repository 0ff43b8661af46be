"""The compiled core's share of what templates and clusters see of a page: what elements
call themselves, and which paths lead to them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.texts import Bools, Ints

Hashes = NDArray[np.uint64]


class NumberedElements(NamedTuple):
    """The names of elements by number."""

    numbers: Ints
    """The number of every node; -1 for texts."""
    tags: Ints
    ids: list[str]
    classes: list[str]


def number_elements(block: Block) -> NumberedElements | None:
    """Return numbers for the names of elements, of tag, id and classes; None where that
    is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    numbers, tags = np.empty((2, len(block.tag)), dtype=np.int32)
    strings = np.empty(block.value_size + 2 * len(block.tag), dtype=np.uint8)
    size = np.zeros(1, dtype=np.int64)
    arrays = array_list(block.address, numbers, tags, strings, size)
    count = compiled.scythe_element_names(None, arrays)
    if count < 0:
        return None
    parts = str(strings[: size[0]].data, "utf-8").split("\0")
    del parts[-1]  # every part ends with a zero
    return NumberedElements(numbers, tags[:count], parts[::2], parts[1::2])


def hash_paths(block: Block, chosen: Bools, tag_hashes: Hashes) -> Hashes | None:
    """Return for every chosen element a number for the tags of the chosen ones above it
    and its own, 0 for all other nodes; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    hashes = np.empty(len(block.tag), dtype=np.uint64)
    arrays = array_list(block.address, np.ascontiguousarray(chosen), tag_hashes, hashes)
    return None if compiled.scythe_paths(None, arrays) < 0 else hashes
