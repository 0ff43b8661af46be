"""From a page to the selection of its main content."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned.blocks import Blocks, find_blocks
from scythe.content.methods.learned.features import compute_features
from scythe.content.methods.learned.model import Model, default_content_model
from scythe.content.methods.learned.units import with_enclosed_lists
from scythe.content.selection import Selection, with_white_space
from scythe.content.structures.threads import LIKELY_THREAD, select_posts
from scythe.core.content import nodes_of_blocks
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import TagSet, tag_bits
from scythe.tree.tree import Bools, Tree

MAX_BLOCKS = 30_000
"""Pages with more blocks are beyond anything the model was trained on, and their
features would fill a gigabyte: LBDA, which grows with the page alone, takes them.
"""

_TEXTLESS = TagSet("img hr br picture video audio svg iframe embed")
_TAG_BITS = tag_bits(_TEXTLESS)
"""Bits of tags, in the order of core/src/selection.rs."""


@dataclass(frozen=True, eq=False, slots=True)
class Learned:
    """The learned method, by the model that comes with the package or by another of the
    same form.
    """

    model: Model | None = None
    beta: float = 1.0
    """How many times as much recall counts as precision. Pages that LBDA takes, of more
    than `MAX_BLOCKS`, have no such choice.
    """

    def __call__(self, tree: Tree) -> Selection:
        """Return the main content of a page of any kind; the confidence is the F1 that
        is expected of the selection.
        """
        blocks = find_blocks(tree)
        if not len(blocks):
            no_nodes = np.zeros(len(tree), dtype=bool)
            return Selection(no_nodes, confidence=0.0)
        if len(blocks) > MAX_BLOCKS:
            return Lbda()(tree)

        model = self.model or default_content_model()
        prediction = model.predict(compute_features(tree, blocks), self.beta)
        nodes = nodes_of_selected(tree, blocks, prediction.selected)
        selection = Selection(
            nodes=with_enclosed_lists(tree, nodes),
            confidence=prediction.confidence,
            page_type=prediction.page_type,
        )
        if prediction.forum < LIKELY_THREAD:
            return selection
        return select_posts(tree, selection)


def nodes_of_selected(tree: Tree, blocks: Blocks, selected: Bools) -> Bools:
    """Return the nodes of selected blocks with the white space between them, by the
    compiled core where it is at work.
    """
    block = block_of(tree)
    tables = None if block is None else text_tables()
    if block is not None and tables is not None:
        of_texts = selected[blocks.block_of]
        nodes = nodes_of_blocks(tables, block, _TAG_BITS, blocks.nodes, of_texts)
        if nodes is not None:
            return nodes
    return reference_nodes(tree, blocks, selected)


def reference_nodes(tree: Tree, blocks: Blocks, selected: Bools) -> Bools:
    """Return the text of the selected blocks, and the elements without text that stand
    between two selected blocks or in one, and the white space there.

    An element at a border belongs to the content only if the blocks on both sides do; a
    picture in the middle of an article stays, the logo above its title goes.
    """
    text_nodes = blocks.nodes
    text_selected = selected[blocks.block_of]
    nodes = np.zeros(len(tree), dtype=bool)
    nodes[text_nodes[text_selected]] = True

    textless = np.flatnonzero(tree.has_tag(_TEXTLESS))
    next_text = np.searchsorted(text_nodes, textless)
    has_both_sides = (next_text > 0) & (next_text < len(text_nodes))
    textless = textless[has_both_sides]
    next_text = next_text[has_both_sides]
    is_inside = text_selected[next_text - 1] & text_selected[next_text]
    nodes[textless[is_inside]] = True
    return with_white_space(tree, nodes, text_nodes)
