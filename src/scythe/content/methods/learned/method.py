"""From a page to the selection of its main content."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scythe.content.methods.lbda import Lbda
from scythe.content.methods.learned.blocks import Blocks, find_blocks
from scythe.content.methods.learned.compiled import learned_tables
from scythe.content.methods.learned.decision import PAGE_TYPES
from scythe.content.methods.learned.declared import read_declared
from scythe.content.methods.learned.declared_lists import (
    declared_blocks,
    may_declare_blocks,
)
from scythe.content.methods.learned.features import MAX_BLOCKS, compute_features
from scythe.content.methods.learned.model import Model, default_content_model
from scythe.content.methods.learned.units import with_enclosed_lists
from scythe.content.selection import TEXTLESS, Selection, with_white_space
from scythe.content.structures.threads import LIKELY_THREAD, select_posts
from scythe.core.learned import SelectedNodes, select_by_model
from scythe.tree.compiled.texts import seen_texts
from scythe.tree.compiled.trees import block_of
from scythe.tree.tree import Bools, Tree

_FORUM = PAGE_TYPES.index("forum")


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
        model = self.model or default_content_model()
        found = select_compiled(tree, model, self.beta)
        if found is None:
            blocks = find_blocks(tree)
            if not len(blocks):
                no_nodes = np.zeros(len(tree), dtype=bool)
                return Selection(no_nodes, confidence=0.0)
            if len(blocks) > MAX_BLOCKS:
                return Lbda()(tree)
            found = select_nodes(tree, blocks, model, self.beta)
        selection = Selection(
            nodes=found.nodes,
            confidence=found.confidence,
            page_type=PAGE_TYPES[int(np.argmax(found.types))],
        )
        is_thread = found.types[_FORUM] >= LIKELY_THREAD
        return select_posts(tree, selection) if is_thread else selection


def select_nodes(
    tree: Tree, blocks: Blocks, model: Model, beta: float
) -> SelectedNodes:
    """Return what the model selects of a page with blocks, without the compiled core."""
    prediction = model.predict(compute_features(tree, blocks), beta)
    nodes = nodes_of_selected(tree, blocks, prediction.selected)
    nodes = with_enclosed_lists(tree, nodes)
    return SelectedNodes(nodes, prediction.confidence, prediction.types)


def select_compiled(tree: Tree, model: Model, beta: float) -> SelectedNodes | None:
    """Return what the model selects by the compiled core; None where the page is left to
    the reference.
    """
    block = block_of(tree)
    seen = seen_texts(tree)
    tables = None if block is None else learned_tables()
    compiled = model.compiled(beta)
    if block is None or seen is None or tables is None or compiled is None:
        return None
    facts = read_declared(tree)
    is_declared = None
    if may_declare_blocks(facts.text):
        is_declared = declared_blocks(tree, find_blocks(tree), facts.text)
    declared = facts.compiled()
    return select_by_model(tables, compiled, block, declared, is_declared, seen)


def nodes_of_selected(tree: Tree, blocks: Blocks, selected: Bools) -> Bools:
    """Return the text of the selected blocks, and the elements without text that stand
    between two selected blocks or in one, and the white space there.

    An element at a border belongs to the content only if the blocks on both sides do; a
    picture in the middle of an article stays, the logo above its title goes.
    """
    text_nodes = blocks.nodes
    text_selected = selected[blocks.block_of]
    nodes = np.zeros(len(tree), dtype=bool)
    nodes[text_nodes[text_selected]] = True

    textless = np.flatnonzero(tree.has_tag(TEXTLESS))
    next_text = np.searchsorted(text_nodes, textless)
    has_both_sides = (next_text > 0) & (next_text < len(text_nodes))
    textless = textless[has_both_sides]
    next_text = next_text[has_both_sides]
    is_inside = text_selected[next_text - 1] & text_selected[next_text]
    nodes[textless[is_inside]] = True
    return with_white_space(tree, nodes, text_nodes)
