"""LBDA's merged tag tree: what several pages of one site have in common.

The paper merges the tag trees of a site's pages into one. Two nodes merge when the same
tag path leads to the same text; so the merged tree is a count of (path, text) pairs
over pages, and what stands on more than one page is the site's, not the page's.
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

_PRIME = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class SiteTree:
    """The text nodes of several pages of one site, counted by their path and text."""

    pages: Counter[tuple[int, str]]

    @classmethod
    def merge(cls, trees: Iterable[Tree]) -> SiteTree:
        """Merge the tag trees of pages of one site."""
        pages: Counter[tuple[int, str]] = Counter()
        for tree in trees:
            pages.update(set(_keys(tree)[1]))
        return cls(pages)

    def shared(self, tree: Tree) -> Bools:
        """The text nodes that stand in the same place on another page of the site;
        headings of the page are its own.

        The page itself may be among those merged: two pages must have a text before it
        is shared.
        """
        nodes, keys = _keys(tree)
        heading = tree.below(tree.tag == code("h1"))[nodes]
        common = np.fromiter(
            (self.pages[key] > 1 for key in keys), dtype=bool, count=len(keys)
        )
        shared = np.zeros(len(tree), dtype=bool)
        shared[nodes[common & ~heading]] = True
        return shared


def _keys(tree: Tree) -> tuple[NDArray[np.int64], list[tuple[int, str]]]:
    paths = _path_hashes(tree)
    texts = [" ".join(text.split()) for text in tree.text.tolist()]
    nodes = np.array([node for node, text in enumerate(texts) if text], dtype=np.int64)
    return nodes, [(int(paths[node]), texts[node]) for node in nodes.tolist()]


def _path_hashes(tree: Tree) -> NDArray[np.uint64]:
    """A number for every node that depends on the tags on the way to it, level by level
    from the root.
    """
    hashes = tree.tag.astype(np.uint64) + np.uint64(1)
    by_level = np.argsort(tree.depth, kind="stable")
    borders = np.searchsorted(
        tree.depth[by_level], np.arange(1, int(tree.depth.max()) + 2)
    )
    for start, stop in pairwise(borders.tolist()):
        level = by_level[start:stop]
        hashes[level] += hashes[tree.parent[level]] * _PRIME
    return hashes
