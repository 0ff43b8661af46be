"""The compiled core's share of choosing content: ECON, the nodes of selected blocks,
and headings without their section.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.arrays import array_list
from scythe.core.block import Block
from scythe.core.library import library
from scythe.core.texts import SeenTexts, TextTables

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]


class EconNodes(NamedTuple):
    """What ECON selects, and the periods and commas of it and of the page: none where
    it found no content and took all readable texts.
    """

    nodes: Bools
    punc_num: tuple[int, int] | None


def select_by_econ(tables: TextTables, block: Block, tags: bytes) -> EconNodes | None:
    """Return what ECON selects, given the bits of tags; None where that is left to the
    reference.
    """
    compiled = library()
    if compiled is None:
        return None
    nodes = np.empty(len(block.tag), dtype=bool)
    punc_num = np.zeros(2, dtype=np.int64)
    arrays = array_list(block.address, tags, nodes, punc_num)
    found = compiled.scythe_econ(tables.address, arrays)
    if found < 0:
        return None
    of_selected, of_page = punc_num.tolist()
    return EconNodes(nodes, (of_selected, of_page) if found else None)


class WholeStructures(NamedTuple):
    """A selection with whole figures and no headings without their section."""

    nodes: Bools
    media: Bools | None
    """Pictures and captions of figures; None where the page has none."""
    depends_on_images: bool
    """Whether images must be looked at before headings are left out, which then was not
    done.
    """
    has_images: bool
    """Whether any image is selected."""


class StructureSettings(NamedTuple):
    """What the core must know of the reference's structures."""

    tags: bytes
    """Bits of tags."""
    caption: bytes
    """What classes of captions have in common."""
    bounds: NDArray[np.float64]


def complete_structures(
    tables: TextTables,
    block: Block,
    settings: StructureSettings,
    seen: SeenTexts,
    selected: Bools,
) -> WholeStructures | None:
    """Return a selection with its structures whole, given what a reader sees; None where
    that is left to the reference.
    """
    compiled = library()
    if compiled is None or len(selected) != len(block.tag):
        return None
    nodes = selected.copy()
    media = np.empty(len(selected), dtype=bool)
    outcome = np.zeros(3, dtype=np.int64)
    arrays = array_list(block.address, *settings, *seen, nodes, media, outcome)
    if compiled.scythe_structures(tables.address, arrays) < 0:
        return None
    has_figures, depends_on_images, has_images = map(bool, outcome.tolist())
    return WholeStructures(
        nodes=nodes,
        media=media if has_figures else None,
        depends_on_images=depends_on_images,
        has_images=has_images,
    )


def lost_headings(
    block: Block,
    tags: bytes,
    selected: Bools,
    lengths: Ints,
    bounds: tuple[int, int, int],
) -> Ints | None:
    """Return the headings whose section was left out of a selection, given the bits of
    tags, the characters of visible texts, and the bounds of the reference; None where
    that is left to it.
    """
    compiled = library()
    if compiled is None or len(selected) != len(block.tag):
        return None
    found = np.empty(len(block.tag), dtype=np.int32)
    chosen = np.ascontiguousarray(selected)
    all_bounds = np.array(bounds, dtype=np.int64)
    arrays = array_list(block.address, tags, chosen, lengths, all_bounds, found)
    count = compiled.scythe_lost_headings(None, arrays)
    return None if count < 0 else found[:count]


class HeadPositions(NamedTuple):
    """Where the head of a page declares what; -1 where nothing is."""

    contents: list[int]
    """By name, the position of the attribute that has the content."""
    canonical: int
    """The position of the attribute that has the canonical address."""
    title: int
    scripts: list[int]
    """The texts of scripts that have a sign."""


def find_head(
    tables: TextTables, block: Block, names: bytes, sign: bytes
) -> HeadPositions | None:
    """Return where the head declares what, given names of `<meta>` separated by zeros
    and the sign of scripts; None where that is left to the reference.
    """
    compiled = library()
    if compiled is None:
        return None
    positions = np.empty(names.count(0) + 3, dtype=np.int32)
    texts = np.empty(block.text_count, dtype=np.int32)
    arrays = array_list(block.address, names, sign, positions, texts)
    count = compiled.scythe_head(tables.address, arrays)
    if count < 0:
        return None
    *contents, canonical, title = positions.tolist()
    return HeadPositions(contents, canonical, title, texts[:count].tolist())
