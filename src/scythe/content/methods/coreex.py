"""CoreEx: the baseline of the ECON paper (Prasad and Paepcke, CIKM 2008), as published
descriptions give it.

Every node has two counts, the words below it and the links below it, a link counting as
one word and one link. A node whose share of unlinked words exceeds 0.9 is text. The
score of a node weighs that share, over those of its children that are text, against the
share of the page's words they hold: 0.99 to 0.01, so that among nodes of pure text the
fullest wins. The text children of the best node are the content.
"""

from __future__ import annotations

import numpy as np

from scythe.content.selection import Selection
from scythe.tree.characters import Characters
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped

RATIO_WEIGHT, TEXT_WEIGHT, TEXT_THRESHOLD = 0.99, 0.01, 0.9
"""The published values, not tuned here: CoreEx stands as the baseline."""


def coreex(tree: Tree) -> Selection:
    """Select the text children of the node with the best score."""
    readable = ~skipped(tree)
    link = (tree.tag == code("a")) & readable
    words = np.where(tree.below(link), 0, Characters.from_tree(tree, readable).words)
    text_count = tree.totals(words) + tree.totals(link)
    link_count = tree.totals(link)
    share = (text_count - link_count) / np.maximum(text_count, 1)
    in_set = (text_count > 0) & (share > TEXT_THRESHOLD)
    members = np.flatnonzero(in_set[1:]) + 1
    set_text = np.bincount(
        tree.parent[members], text_count[members], minlength=len(tree)
    )
    set_links = np.bincount(
        tree.parent[members], link_count[members], minlength=len(tree)
    )
    set_share = (set_text - set_links) / np.maximum(set_text, 1)
    score = RATIO_WEIGHT * set_share + TEXT_WEIGHT * set_text / max(
        int(text_count[0]), 1
    )
    best = int(np.argmax(score))
    roots = np.zeros(len(tree), dtype=bool)
    roots[members[tree.parent[members] == best]] = True
    return Selection(
        tree.below(roots) & readable,
        confidence=float(set_text[best] / max(int(text_count[0]), 1)),
    )
