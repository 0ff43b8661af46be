"""The compiled core's share of the learned method: the blocks of a page, their features,
and what the trained model selects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.scoring import CompiledTrees
from scythe.core.texts import SeenTexts, described

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


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
    """What is read of the blocks of a page."""

    rows: NDArray[np.float32]
    """A row for each feature, a column for each block."""
    words: NDArray[np.int64]
    unit_of: NDArray[np.int64]
    page: NDArray[np.float32]
    """What is known of the page and not of its blocks."""


class Declared(NamedTuple):
    """What the head of a page declares: title and descriptions in lower case and UTF-8,
    and a number for each fact.
    """

    title: bytes
    text: bytes
    facts: NDArray[np.float32]


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
    tables: Tables, block: Block, declared: Declared, out: BlockRows
) -> bool:
    """Write the features of blocks; return false where they are left to the reference."""
    compiled = library()
    if compiled is None:
        return False
    arrays = array_list(block.address, *declared, *out)
    written: int = compiled.scythe_features(tables.address, arrays)
    return written == 0


class CompiledModel(NamedTuple):
    """The trained model as the core reads it, with the constants of the reference, for as
    long as the arrays are kept.
    """

    addresses: bytes
    arrays: tuple[NDArray[Any] | bytes, ...]
    types: int
    """How many types of pages it knows."""

    @classmethod
    def of(
        cls,
        ensembles: Sequence[CompiledTrees],
        biases: NDArray[np.float64],
        constants: tuple[NDArray[np.float64] | bytes, ...],
        types: int,
    ) -> CompiledModel:
        """Return the model of ensembles, whose scores begin with `biases`, and constants,
        all in the order of `scythe_learned` in core/src/border.rs.
        """
        depths = np.array([trees.depth for trees in ensembles], dtype=np.int64)
        arrays: list[NDArray[Any] | bytes] = []
        for trees in ensembles:
            arrays += trees[1:]
        arrays += (depths, biases, *constants)
        return cls(array_list(*arrays), tuple(arrays), types)


class SelectedNodes(NamedTuple):
    """What the learned method selects, how good that is expected to be, and how likely
    the page is of each type.
    """

    nodes: Bools
    confidence: float
    types: NDArray[np.float64]


def select_by_model(
    tables: Tables,
    model: CompiledModel,
    block: Block,
    declared: Declared,
    is_declared: Bools | None,
    seen: SeenTexts,
) -> SelectedNodes | None:
    """Return what the learned method selects, given which blocks the page declares as
    its content, if any, and what a reader sees; None where that is left to the
    reference.
    """
    compiled = library()
    if compiled is None:
        return None
    nodes = np.empty(len(block.tag), dtype=bool)
    outcome = np.empty(1 + model.types, dtype=np.float64)
    flags = b"" if is_declared is None else is_declared
    arrays = array_list(block.address, *declared, flags, *seen, nodes, outcome)
    written = compiled.scythe_learned(tables.address, model.addresses + arrays)
    if written < 0:
        return None
    return SelectedNodes(nodes, float(outcome[0]), outcome[1:])
