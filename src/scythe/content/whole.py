"""A selection in units that a reader sees: each is in or out as a whole, whatever a
method said of its parts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from scythe.content.junk import without_ornaments
from scythe.content.selection import Selection
from scythe.content.structures import figures, headings
from scythe.core.content import StructureSettings, complete_structures
from scythe.tree.compiled.texts import seen_texts, text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import HEADING, tag_bits
from scythe.tree.tree import Tree

_BOUNDS = (
    *headings.BOUNDS,
    figures.MAX_CAPTION,
    figures.MAX_OTHER_TEXT,
    figures.MAX_LEVELS,
    figures.MIN_PROSE,
    figures.CARD_LINKS,
    figures.MAX_STANDFIRST,
)
_SETTINGS = StructureSettings(
    tags=tag_bits(HEADING, figures.PICTURE, figures.TEXT_UNITS),
    caption=figures.CAPTION.encode(),
    bounds=np.array(_BOUNDS, dtype=np.float64),
)
"""Bits and bounds in the order of core/src/figures.rs and core/src/structures.rs."""


def with_whole_structures(tree: Tree, selection: Selection) -> Selection:
    """Return what a method selected with whole figures, without ornaments, and without
    headings whose section is left out; by the compiled core where it is at work.
    """
    selection = figures.with_attributions(tree, selection)
    found = _by_core(tree, selection)
    return _reference(tree, selection) if found is None else found


def _reference(tree: Tree, selection: Selection) -> Selection:
    selection = figures.with_figures(tree, selection)
    selection = without_ornaments(tree, selection)
    return headings.without_bare_headings(tree, selection)


def _by_core(tree: Tree, selection: Selection) -> Selection | None:
    block = block_of(tree)
    tables = None if block is None else text_tables()
    seen = None if tables is None else seen_texts(tree)
    if block is None or tables is None or seen is None:
        return None
    found = complete_structures(tables, block, _SETTINGS, seen, selection.nodes)
    if found is None:
        return None
    selection = replace(selection, nodes=found.nodes, media=found.media)
    if found.depends_on_images:
        selection = without_ornaments(tree, selection)
        return headings.without_bare_headings(tree, selection)
    if not found.has_images:
        return selection
    return selection.settled_later(partial(without_ornaments, tree))
