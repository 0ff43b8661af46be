"""The compiled core's share of the learned method: the blocks of a page and their
features.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.texts import described

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_LOG_ROWS = 160
"""More rows than have logarithms; a bound on what is left to NumPy."""


class Tables(NamedTuple):
    """A description that the core has read, for as long as the process lives."""

    address: int


class Outline(NamedTuple):
    """The blocks of a page, as `Blocks` of the learned method has them."""

    nodes: Ints
    block_of: Ints
    first: Ints
    container: Ints


class BlockRows(NamedTuple):
    """What is read of the blocks of a page: their features, those of the page still
    empty, and the whole numbers that the features of the page are made of.
    """

    rows: NDArray[np.float32]
    words: NDArray[np.int64]
    unit_of: NDArray[np.int64]
    page_totals: NDArray[np.int64]
    under_role: NDArray[np.int64]
    """Words and blocks (rows) under each role."""


def read_tables(sections: Iterable[bytes]) -> Tables | None:
    """Return the tables of a description, each section of which goes with its length;
    None where there is no core, or it is made for another description.
    """
    compiled = library()
    if compiled is None:
        return None
    description = described(sections)
    address = compiled.scythe_tables(description, len(description))
    return Tables(address) if address else None


def write_outline(tables: Tables, block: Block) -> Outline | None:
    """Return the blocks of a page; None where they are left to the reference."""
    compiled = library()
    if compiled is None:
        return None
    columns = np.empty((4, max(block.text_count, 1)), dtype=np.int32)
    node_count = np.zeros(1, dtype=np.int64)
    arrays = array_list(block.address, *columns, node_count)
    blocks = compiled.scythe_outline(tables.address, arrays)
    if blocks < 0:
        return None
    nodes = int(node_count[0])
    return Outline(
        nodes=columns[0, :nodes],
        block_of=columns[1, :nodes],
        first=columns[2, :blocks],
        container=columns[3, :blocks],
    )


def write_features(
    tables: Tables,
    block: Block,
    outline: Outline,
    declared: tuple[str, str],
    out: BlockRows,
    rows_written: int,
) -> bool:
    """Write the features of blocks, so many rows; return false where they are left to
    the reference.

    `declared` are the title and the descriptions, in lower case.
    """
    compiled = library()
    if compiled is None:
        return False
    title, text = (part.encode() for part in declared)
    left_at = np.empty(_LOG_ROWS * len(outline.first), dtype=np.uint32)
    row_count = np.zeros(1, dtype=np.int64)
    arrays = array_list(
        block.address,
        outline.nodes,
        outline.first,
        outline.container,
        title,
        text,
        *out,
        left_at,
        row_count,
    )
    left = compiled.scythe_features(tables.address, arrays)
    if left < 0 or row_count[0] != rows_written:
        return False
    if left:
        values = out.rows.reshape(-1)
        positions = left_at[:left]
        numbers = values[positions]
        sizes = np.abs(numbers)
        logs = np.log1p(sizes)
        values[positions] = np.copysign(logs, numbers)
    return True


class Decided(NamedTuple):
    """The probability of each block, the blocks chosen by it, and these with whole units
    and headings.
    """

    probability: NDArray[np.float64]
    chosen: Bools
    selected: Bools


def decide(
    settings: NDArray[np.float64],
    rows: NDArray[np.float32],
    blocks: tuple[NDArray[np.int64], NDArray[np.int64], Bools],
    page: tuple[float, bool],
    probability: NDArray[np.float64],
) -> Decided | None:
    """Return the decision about blocks, given the settings of core/src/learned/decision.rs,
    words, units and what is declared of each, the share of records and whether the page
    is an article; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    flags = np.empty((2, len(probability)), dtype=bool)
    changed = probability.copy()
    of_page = np.array(page, dtype=np.float64)
    arrays = array_list(settings, rows, *blocks, of_page, changed, *flags)
    if compiled.scythe_decide(None, arrays) < 0:
        return None
    return Decided(changed, flags[0], flags[1])
