"""Text blocks: the units about which the learned extractor decides.

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
    script style template head title noembed noframes iframe object applet audio video canvas svg math map datalist
    select option optgroup textarea input meter progress param source track
    """
)
"""Elements whose text is never content. Unlike in `tree.visibility`, buttons are read:
question lists keep their questions there.
"""

_BREAKING = BLOCK | TagSet("br button")


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of a page in document order."""

    nodes: Ints
    """The text nodes with ink, in document order."""
    block_of: Ints
    """The block of each of `nodes`."""
    first: Ints
    """The position in `nodes` where each block begins."""
    container: Ints
    """The deepest block-level element around each block."""

    def __len__(self) -> int:
        return len(self.first)

    def texts(self, tree: Tree) -> list[str]:
        """The raw text of each block."""
        texts = tree.text[self.nodes].tolist()
        bounds = [*self.first.tolist(), len(texts)]
        return ["".join(texts[start:stop]) for start, stop in pairwise(bounds)]


def find_blocks(tree: Tree) -> Blocks:
    """Split the readable text of a page into blocks."""
    readable = np.flatnonzero(tree.is_text & ~tree.below(tree.has_tag(UNREAD)))
    texts = tree.text[readable].tolist()
    inked = np.fromiter(map(bool, map(str.strip, texts)), dtype=bool, count=len(texts))
    nodes = readable[inked].astype(np.int32)
    starts = line_breaks(tree, nodes, _BREAKING)
    first = np.flatnonzero(starts).astype(np.int32)
    return Blocks(
        nodes=nodes,
        block_of=(np.cumsum(starts) - 1).astype(np.int32),
        first=first,
        container=_enclosing(tree, nodes[first]),
    )


def _enclosing(tree: Tree, nodes: Ints) -> Ints:
    """The nearest block-level element above each node; the root where there is none."""
    block = tree.has_tag(BLOCK)
    block[0] = True
    found = tree.parent[nodes]
    found[found < 0] = 0
    inline = ~block[found]
    while inline.any():
        found[inline] = tree.parent[found[inline]]
        inline = ~block[found]
    return found
