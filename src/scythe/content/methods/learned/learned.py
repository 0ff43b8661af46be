"""From a page to the selection of its main content."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned.blocks import Blocks, find_blocks
from scythe.content.methods.learned.features import compute
from scythe.content.methods.learned.model import Model, default_model
from scythe.content.selection import Selection, with_white_space
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

MAX_BLOCKS = 30_000
"""Pages with more blocks are beyond anything the model was trained on, and their
features would fill a gigabyte: LBDA, which grows with the page alone, takes them.
"""

_TEXTLESS = TagSet("img hr br picture video audio svg iframe embed")


@dataclass(frozen=True, eq=False, slots=True)
class Learned:
    """The learned method, by the model that comes with the package or by another of the
    same form.
    """

    model: Model | None = None

    def __call__(self, tree: Tree) -> Selection:
        """Select the main content of a page of any kind; the confidence is the F1 that
        is expected of the selection.
        """
        blocks = find_blocks(tree)
        if not len(blocks):
            return Selection(np.zeros(len(tree), dtype=bool), confidence=0.0)
        if len(blocks) > MAX_BLOCKS:
            return Lbda()(tree)
        verdict = (self.model or default_model()).verdict(compute(tree, blocks))
        nodes = _selected_nodes(tree, blocks, verdict.chosen)
        return Selection(
            with_white_space(tree, nodes, blocks.nodes),
            verdict.confidence,
            verdict.page_type,
        )


def _selected_nodes(tree: Tree, blocks: Blocks, chosen: Bools) -> Bools:
    """The text of the chosen blocks, and the elements without text that stand between
    two chosen blocks or in one.

    An element at a border belongs to the content only if the blocks on both sides do; a
    picture in the middle of an article stays, the logo above its title goes.
    """
    nodes = np.zeros(len(tree), dtype=bool)
    nodes[blocks.nodes[chosen[blocks.block_of]]] = True
    textless = np.flatnonzero(tree.has_tag(_TEXTLESS))
    following = np.searchsorted(blocks.nodes, textless)
    inside = (following > 0) & (following < len(blocks.nodes))
    textless, following = textless[inside], following[inside]
    of_node = chosen[blocks.block_of]
    nodes[textless[of_node[following - 1] & of_node[following]]] = True
    return nodes
