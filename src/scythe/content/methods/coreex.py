"""CoreEx: the baseline of the ECON paper (Prasad and Paepcke, CIKM 2008), as published
descriptions give it.

Every node has two counts, the words below it and the links below it, a link counting as
one word and one link. A node whose share of unlinked words exceeds 0.9 is text. The
score of a node weighs that share, over those of its children that are text, against the
share of the page's words they hold: 0.99 to 0.01, so that among nodes of pure text the
fullest wins. The text children of the best node are the content.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.content.selection import Selection
from scythe.tree.characters import Characters
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped

RATIO_WEIGHT, TEXT_WEIGHT, TEXT_THRESHOLD = 0.99, 0.01, 0.9
"""The published values, not tuned here: CoreEx stands as the baseline."""


def coreex(tree: Tree) -> Selection:
    """Return the text children of the node with the best score."""
    n = len(tree)
    readable = ~skipped(tree)
    is_link = (tree.tag == code("a")) & readable
    words = Characters.from_tree(tree, readable).words
    unlinked_words = np.where(tree.below(is_link), 0, words)

    link_count = tree.totals(is_link)
    text_count = tree.totals(unlinked_words) + link_count
    page_text_count = max(int(text_count[0]), 1)
    is_text = _unlinked_ratio(text_count, link_count) > TEXT_THRESHOLD
    text_nodes = np.flatnonzero(is_text[1:]) + 1
    parents = tree.parent[text_nodes]

    set_text = np.bincount(parents, text_count[text_nodes], minlength=n)
    set_links = np.bincount(parents, link_count[text_nodes], minlength=n)
    ratio_score = RATIO_WEIGHT * _unlinked_ratio(set_text, set_links)
    text_score = TEXT_WEIGHT * set_text / page_text_count
    best = int(np.argmax(ratio_score + text_score))

    roots = np.zeros(n, dtype=bool)
    roots[text_nodes[parents == best]] = True
    return Selection(
        nodes=tree.below(roots) & readable,
        confidence=float(set_text[best] / page_text_count),
    )


def _unlinked_ratio(text: NDArray[Any], links: NDArray[Any]) -> NDArray[Any]:
    return (text - links) / np.maximum(text, 1)
