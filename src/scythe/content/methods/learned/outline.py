"""Blocks of text, as `blocks` finds them without the compiled core.

A block is a run of text nodes with no block-level border and no line break between
them: what a browser would set as one paragraph or one line. Deciding on less would cut
sentences, deciding on more would mix content and noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scythe.tree.tags import BLOCK, TagSet
from scythe.tree.text import line_breaks
from scythe.tree.tree import Ints, Tree

UNREAD = TagSet(
    """
    script style template head title noembed noframes iframe object applet audio video
    canvas svg math map datalist select option optgroup textarea input meter progress
    param source track
    """
)
"""Elements whose text is never content. Unlike in `tree.visibility`, buttons are read:
question lists keep their questions there.
"""

BREAKING = BLOCK | TagSet("br button")


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a page in document order."""

    nodes: Ints
    """The text nodes that are not blank, in document order."""
    block_of: Ints
    """The block of each of `nodes`."""
    first: Ints
    """The position in `nodes` where each block begins."""
    container: Ints
    """The deepest block-level element around each block."""

    def __len__(self) -> int:
        return len(self.first)

    def texts(self, tree: Tree) -> list[str]:
        """Return the raw text of each block."""
        node_texts = tree.text[self.nodes].tolist()
        bounds = [*self.first.tolist(), len(node_texts)]
        spans = pairwise(bounds)
        return ["".join(node_texts[start:stop]) for start, stop in spans]


def reference_blocks(tree: Tree) -> Blocks:
    """Return the blocks of a page without the compiled core, which gives the same."""
    unread = tree.below(tree.has_tag(UNREAD))
    readable = np.flatnonzero(tree.is_text & ~unread)
    texts = tree.text[readable].tolist()
    stripped = map(str.strip, texts)
    has_text = np.fromiter(map(bool, stripped), dtype=bool, count=len(texts))

    nodes = readable[has_text].astype(np.int32)
    begins_block = line_breaks(tree, nodes, BREAKING)
    block_of = np.cumsum(begins_block) - 1
    first = np.flatnonzero(begins_block).astype(np.int32)
    return Blocks(
        nodes=nodes,
        block_of=block_of.astype(np.int32),
        first=first,
        container=_block_ancestors(tree, nodes[first]),
    )


def _block_ancestors(tree: Tree, nodes: Ints) -> Ints:
    """Return the nearest block-level element above each node; the root where there is
    none.
    """
    is_block = tree.has_tag(BLOCK)
    is_block[0] = True
    ancestors = tree.parent[nodes]
    ancestors[ancestors < 0] = 0
    is_inline = ~is_block[ancestors]
    while is_inline.any():
        ancestors[is_inline] = tree.parent[ancestors[is_inline]]
        is_inline = ~is_block[ancestors]
    return ancestors
