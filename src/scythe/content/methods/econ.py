"""ECON: content of a news page from periods and commas alone (Guo et al., 2010; paper
000).

Punctuation stands where sentences stand. The longest run of text that is broken by
nothing but paragraphs and formatting holds a part of the content; going up from there,
the content is complete as soon as a step up adds no period and no comma. There is no
weight and no threshold.

Readings where the paper leaves a choice, each the one that measures best on wcxb
articles, zh and news-eras together:
- A text node of white space only is none, else every element of an indented page would
  be a big-node; and an element
  without any text (an image, a script) does not part two adjacent big-nodes.
- The snippet-node is "the descendant of the summary-node", so the first step up is
  always taken (+0.01 on articles).
- Joint-para prunes no inline piece of a text-node-set that is kept: a link or an
  emphasised word has no punctuation of
  its own (+0.02 on articles).
- A period or comma inside a number, a URL or an abbreviation is none (+0.01 on
  news-eras, the same on the others).
- The paper picks the snippet-node at random from the longest text-node-set; they are
  siblings, so any gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.content.selection import Selection
from scythe.tree.characters import Characters
from scythe.tree.tags import BLOCK, TagSet
from scythe.tree.tree import Bools, Ints, Tree
from scythe.tree.visibility import skipped

BIG_TAGS = TagSet("p br h1 h2 h3 h4 h5 h6 strong em b i tt font")


def econ(tree: Tree) -> Selection:
    """Select the content of a news page (the paper's Extract-news)."""
    readable = ~skipped(tree)
    characters = Characters.from_tree(tree, readable)
    node_punc_num = tree.totals(characters.sentence_punctuation)
    length = tree.totals(characters.non_space)
    paras = joint_para(
        tree, big_nodes(tree, characters.non_space), length, node_punc_num
    )
    snippet_node = paras.snippet_node()
    if snippet_node is None:
        return Selection(readable & tree.is_text, confidence=0.0)
    summary_node = backtrack(tree, snippet_node, node_punc_num)
    chosen = (
        tree.subtree(summary_node)
        & readable
        & ~pruned(tree, paras, paras.punc_num == 0)
    )
    return Selection(
        chosen, confidence=float(node_punc_num[summary_node] / node_punc_num[0])
    )


def big_nodes(tree: Tree, ink: Ints) -> Bools:
    """Fathers of a text node, and the elements that break the text of an article into
    pieces.
    """
    big = tree.has_tag(BIG_TAGS)
    big[tree.parent[np.flatnonzero(ink)]] = True
    return big


@dataclass(frozen=True, eq=False, slots=True)
class TextParas:
    """The text-node-sets of a page, and what the text-para of each measures."""

    nodes: NDArray[np.int64]
    set_of: NDArray[np.int64]
    length: NDArray[Any]
    punc_num: NDArray[Any]

    def snippet_node(self) -> int | None:
        """A node of the set with the longest text-para, None where no text on the page
        has a period or comma.
        """
        length = np.where(self.punc_num > 0, self.length, 0)
        if not length.any():
            return None
        return int(self.nodes[self.set_of == np.argmax(length)][0])


def joint_para(
    tree: Tree, big: Bools, length: NDArray[np.int64], punc_num: NDArray[np.int64]
) -> TextParas:
    """All text-node-sets at once: runs of adjacent big-nodes under one parent."""
    elements = np.flatnonzero(~tree.is_text & ((length > 0) | big))
    siblings = elements[np.argsort(tree.parent[elements], kind="stable")]
    is_big, parent = big[siblings], tree.parent[siblings]
    begins = np.ones(len(siblings), dtype=bool)
    begins[1:] = (parent[1:] != parent[:-1]) | (is_big[1:] & ~is_big[:-1])
    nodes, set_of = siblings[is_big], (np.cumsum(begins) - 1)[is_big]
    return TextParas(
        nodes,
        set_of,
        np.bincount(set_of, length[nodes]),
        np.bincount(set_of, punc_num[nodes]),
    )


def pruned(tree: Tree, paras: TextParas, is_noise: Bools) -> Bools:
    """The nodes under text-node-sets that are noise, but for inline pieces of a set
    that is not.
    """
    noise_node = is_noise[paras.set_of]
    roots, kept = np.zeros((2, len(tree)), dtype=bool)
    roots[paras.nodes[noise_node]] = True
    kept[paras.nodes[~noise_node]] = True
    return tree.below(roots & (tree.has_tag(BLOCK) | ~kept[tree.parent]))


def backtrack(tree: Tree, snippet_node: int, node_punc_num: NDArray[np.int64]) -> int:
    """The summary-node: the first ancestor whose own parent has no more periods and
    commas than itself.
    """
    node = max(int(tree.parent[snippet_node]), 0)
    while (parent := int(tree.parent[node])) >= 0 and node_punc_num[
        parent
    ] != node_punc_num[node]:
        node = parent
    return node
