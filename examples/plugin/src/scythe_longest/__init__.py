"""A content method in ten lines: the element whose own paragraphs have the most text."""

import numpy as np

from scythe.content.selection import Selection
from scythe.tree import Tree


def longest(tree: Tree) -> Selection:
    """Return the element whose children hold more text than those of any other."""
    lengths = np.array([len(text) for text in tree.text.tolist()])
    under_grandparent = np.zeros(len(tree))
    parents = np.maximum(tree.parent, 0)
    np.add.at(under_grandparent, parents[parents], lengths)
    best = int(under_grandparent.argmax())
    return Selection(tree.subtree(best) & tree.is_text, confidence=0.5)
