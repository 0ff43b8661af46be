"""LBDA's combined tag tree: what several pages of one site have in common.

LBDA (section "Tag Tree Parsing") integrates the tag trees of a site's pages into a
single one. Two nodes merge when the same tag path leads to the same text; so the
combined tree is a count of (path, text) pairs over pages, and what stands on more than
one page belongs to the site, not to the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import code
from scythe.tree.tree import Bools, Tree

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
"""2**64 divided by the golden ratio, as in Fibonacci hashing: it spreads path hashes."""

TextKey = tuple[int, str]
"""The hash of a text node's tag path, and its text."""


@dataclass(frozen=True, slots=True)
class SiteTree:
    """The text nodes of several pages of one site, counted by their path and text."""

    page_counts: Counter[TextKey]

    @classmethod
    def merge(cls, trees: Iterable[Tree]) -> SiteTree:
        """Return the combined tag tree of pages of one site."""
        page_counts: Counter[TextKey] = Counter()
        for tree in trees:
            _, keys = _text_keys(tree)
            page_counts.update(set(keys))
        return cls(page_counts)

    def shared(self, tree: Tree) -> Bools:
        """Return the text nodes that another page of the site has at the same path.

        Top headings never count as shared. The page itself may be among those merged:
        two pages must have a text before it is shared.
        """
        nodes, keys = _text_keys(tree)
        counts = np.fromiter(
            (self.page_counts[key] for key in keys), dtype=np.int64, count=len(keys)
        )
        in_top_heading = tree.below(tree.tag == code("h1"))[nodes]

        shared = np.zeros(len(tree), dtype=bool)
        shared[nodes[(counts > 1) & ~in_top_heading]] = True
        return shared


def _text_keys(tree: Tree) -> tuple[NDArray[np.int64], list[TextKey]]:
    """Return the text nodes that are not blank, and the key of each."""
    path_hashes = _path_hashes(tree).tolist()
    nodes: list[int] = []
    keys: list[TextKey] = []
    for node, text in enumerate(tree.text.tolist()):
        normalized = " ".join(text.split())
        if normalized:
            nodes.append(node)
            keys.append((path_hashes[node], normalized))
    return np.array(nodes, dtype=np.int64), keys


def _path_hashes(tree: Tree) -> NDArray[np.uint64]:
    """Return a hash of the tags on the path to each node, level by level from the
    root.
    """
    hashes = tree.tag.astype(np.uint64) + np.uint64(1)
    by_depth = np.argsort(tree.depth, kind="stable")
    depths = np.arange(1, int(tree.depth.max()) + 2)
    borders = np.searchsorted(tree.depth[by_depth], depths)
    for start, stop in pairwise(borders.tolist()):
        level = by_depth[start:stop]
        hashes[level] += hashes[tree.parent[level]] * _MULTIPLIER
    return hashes
