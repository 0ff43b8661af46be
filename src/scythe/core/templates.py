"""The compiled core's share of what templates see of a page: which nodes hold something for
a reader, their texts and addresses; and a hash for every subtree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import at_work, library
from scythe.core.texts import Ints, TextTables


class WrittenParts(NamedTuple):
    """The nodes of a page that hold something for a reader, or stand above such."""

    nodes: Ints
    ends: Ints
    """Where the subtree of each ends, by their own numbers."""
    texts: list[str]
    label_lengths: Ints
    """The characters of the label that each text begins with, 0 where it has none."""
    forms: Ints
    """What each text looks like."""
    links: dict[int, str]
    images: dict[int, str]
    """Addresses as the page has them."""
    properties: dict[int, str]
    """Which property an element says that it is."""
    base: str | None
    """What the first `<base>` says."""


def write_parts(
    tables: TextTables, block: Block, bounds: NDArray[np.int64]
) -> WrittenParts | None:
    """Return what templates see of a page, given the bounds in the order of
    core/src/templates/forms.rs; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    of_nodes = np.empty((5, len(block.tag)), dtype=np.int32)
    of_texts = np.empty((2, block.text_count), dtype=np.int32)
    size = block.text_size + block.text_count + block.value_size
    strings = np.empty(size, dtype=np.uint8)
    counts = np.zeros(7, dtype=np.int64)
    nodes, ends, *with_values = of_nodes
    label_lengths, forms = of_texts
    arrays = array_list(
        block.address,
        bounds,
        nodes,
        ends,
        label_lengths,
        forms,
        *with_values,
        strings,
        counts,
    )
    if compiled.scythe_page_parts(tables.address, arrays) < 0:
        return None

    node_count, text_count, *value_counts, bases, written = counts.tolist()
    parts = str(strings[:written].data, "utf-8").split("\0")
    del parts[-1]  # every part ends with a zero
    values: list[dict[int, str]] = []
    first = text_count
    for page_nodes, count in zip(with_values, value_counts, strict=True):
        found = parts[first : first + count]
        values.append(dict(zip(page_nodes[:count].tolist(), found, strict=True)))
        first += count
    links, images, properties = values
    return WrittenParts(
        nodes[:node_count],
        ends[:node_count],
        parts[:text_count],
        label_lengths[:text_count],
        forms[:text_count],
        links,
        images,
        properties,
        parts[-1] if bases else None,
    )


def write_subtree_hashes(
    ends: NDArray[np.integer], own: NDArray[np.uint64]
) -> NDArray[np.int64] | None:
    """Return a hash for every subtree of a page, given where subtrees end and what every
    node is by itself; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None or not at_work():
        return None
    hashes = np.empty(len(own), dtype=np.int64)
    of_32_bits = np.ascontiguousarray(ends, dtype=np.int32)
    arrays = array_list(of_32_bits, own, hashes)
    return None if compiled.scythe_subtree_hashes(None, arrays) < 0 else hashes
