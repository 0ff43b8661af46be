"""The compiled core's share of what templates and clusters see of a page: what elements
call themselves, which paths lead to them, and their texts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.texts import Bools, Ints, TextTables

Hashes = NDArray[np.uint64]


class NumberedElements(NamedTuple):
    """The names of elements by number, each with the first node that has it."""

    numbers: Ints
    """The number of every node; -1 for texts."""
    first: Ints
    ids: Ints
    classes: Ints
    """Where the attributes of a name are in the table; -1 where it has none."""


def number_elements(block: Block) -> NumberedElements | None:
    """Return numbers for the names of elements, of tag, id and classes; None where that
    is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    positions = np.empty((4, len(block.tag)), dtype=np.int32)
    count = compiled.scythe_element_names(None, array_list(block.address, *positions))
    if count < 0:
        return None
    return NumberedElements(positions[0], *positions[1:, :count])


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


def write_collapsed(
    tables: TextTables, block: Block, chosen: Bools
) -> tuple[Ints, list[str]] | None:
    """Return the chosen text nodes that are not blank, and their texts with white space
    collapsed; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(chosen) != len(block.tag):
        return None
    nodes = np.empty(block.text_count, dtype=np.int32)
    texts = np.empty(block.text_size + block.text_count, dtype=np.uint8)
    size = np.zeros(1, dtype=np.int64)
    arrays = array_list(block.address, np.ascontiguousarray(chosen), nodes, texts, size)
    count = compiled.scythe_collapsed(tables.address, arrays)
    if count < 0:
        return None
    parts = str(texts[: size[0]].data, "utf-8").split("\0")
    return nodes[:count], parts[:-1]
