"""ECON: content of a news page from periods and commas alone (Guo et al., 2010).

Punctuation stands where sentences stand. The longest run of text that is broken by
nothing but paragraphs and formatting holds a part of the content; going up from there,
the content is complete as soon as a step up adds no period and no comma. There is no
weight and no threshold. The names are those of section III.B of the paper.

Readings where the paper leaves a choice, each the one that measures best on wcxb
articles, zh and news-eras together:

- A text node of white space only is none, else every element of an indented page would
  be a big-node; and an element without any text (an image, a script) does not part two
  adjacent big-nodes.
- The snippet-node is "the descendant of the summary-node", so the first step up is
  always taken (+0.01 on articles).
- Joint-para prunes no inline piece of a text-node-set that is kept: a link or an
  emphasised word has no punctuation of its own (+0.02 on articles). Deeper pieces, such
  as an emphasised link, stay where their paragraph has a period or comma (+0.001);
  without that condition buttons beside the text stay too (-0.002 on news-eras).
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
from scythe.core.content import select_by_econ
from scythe.tree.characters import Characters
from scythe.tree.compiled.texts import character_counts, text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import BLOCK, SKIPPED, TagSet, tag_bits
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools, Ints, Tree
from scythe.tree.visibility import skipped

BIG_TAGS = TagSet("p br h1 h2 h3 h4 h5 h6 strong em b i tt font")
"""The tags of big-nodes (section III.B, condition 2 of the definition)."""


_TAG_BITS = tag_bits(SKIPPED, BIG_TAGS, BLOCK)
"""Bits of tags, in the order of core/src/econ.rs."""


def econ(tree: Tree) -> Selection:
    """Return the content of a news page."""
    return _by_core(tree) or reference_econ(tree)


def _by_core(tree: Tree) -> Selection | None:
    """Return what the compiled core selects; None where it is not at work."""
    block = block_of(tree)
    tables = None if block is None else text_tables()
    if block is None or tables is None:
        return None
    found = select_by_econ(tables, block, _TAG_BITS)
    if found is None:
        return None
    if found.punc_num is None:
        return Selection(found.nodes, confidence=0.0)
    summary_punc_num, page_punc_num = found.punc_num
    return Selection(found.nodes, confidence=summary_punc_num / page_punc_num)


def reference_econ(tree: Tree) -> Selection:
    """Return the content of a news page without the compiled core: the algorithm
    Extract-news (section III.B).
    """
    readable = ~skipped(tree)
    non_space, sentence_punctuation = sentence_counts(tree, readable)
    node_punc_num = tree.totals(sentence_punctuation)
    length = tree.totals(non_space)

    big_node = big_nodes(tree, non_space)
    text_paras = joint_para(tree, big_node, length, node_punc_num)
    snippet_node = text_paras.snippet_node()
    if snippet_node is None:
        return Selection(readable & tree.is_text, confidence=0.0)

    summary_node = backtrack(tree, snippet_node, node_punc_num)
    noise = pruned(tree, text_paras, text_paras.punc_num == 0, sentence_punctuation)
    return Selection(
        nodes=tree.subtree(summary_node) & readable & ~noise,
        confidence=float(node_punc_num[summary_node] / node_punc_num[0]),
    )


def sentence_counts(tree: Tree, chosen: Bools) -> tuple[Ints, Ints]:
    """Return for every node its characters other than white space, and its periods and
    commas as in `Characters.sentence_punctuation`; 0 where it is no chosen text.
    """
    counts = character_counts(tree, chosen)
    if counts is not None:
        return counts
    characters = Characters.from_tree(tree, chosen)
    return characters.non_space, characters.sentence_punctuation


def big_nodes(tree: Tree, non_space: Ints) -> Bools:
    """Return the big-nodes (section III.B): fathers of a text node, and the elements
    that break the text of an article into pieces.
    """
    big_node = tree.has_tag(BIG_TAGS)
    text_nodes = np.flatnonzero(non_space)
    big_node[tree.parent[text_nodes]] = True
    return big_node


@dataclass(frozen=True, eq=False, slots=True)
class TextParas:
    """The text-node-sets of a page, and the length and punc-num of the text-para of
    each (section III.B).
    """

    nodes: NDArray[np.int64]
    """The big-nodes that are in a set."""
    set_of: NDArray[np.int64]
    """The number of the set of each of `nodes`."""
    length: NDArray[Any]
    punc_num: NDArray[Any]

    def snippet_node(self) -> int | None:
        """Return a node of the set with the longest text-para, None where no text on
        the page has a period or comma.
        """
        length = np.where(self.punc_num > 0, self.length, 0)
        if not length.any():
            return None
        longest = np.argmax(length)
        return int(self.nodes[self.set_of == longest][0])


def joint_para(
    tree: Tree, big: Bools, length: NDArray[np.int64], punc_num: NDArray[np.int64]
) -> TextParas:
    """Return all text-node-sets at once, runs of adjacent big-nodes under one parent:
    the algorithm Joint-para (section III.B).
    """
    has_text_or_is_big = (length > 0) | big
    elements = np.flatnonzero(has_text_or_is_big & ~tree.is_text)
    by_parent = np.argsort(tree.parent[elements], kind="stable")
    siblings = elements[by_parent]
    is_big = big[siblings]
    parent = tree.parent[siblings]

    begins_set = np.ones(len(siblings), dtype=bool)
    other_parent = parent[1:] != parent[:-1]
    after_gap = is_big[1:] & ~is_big[:-1]
    begins_set[1:] = other_parent | after_gap

    nodes = siblings[is_big]
    set_numbers = np.cumsum(begins_set) - 1
    set_of = set_numbers[is_big]
    return TextParas(
        nodes=nodes,
        set_of=set_of,
        length=np.bincount(set_of, length[nodes]),
        punc_num=np.bincount(set_of, punc_num[nodes]),
    )


def pruned(tree: Tree, text_paras: TextParas, is_noise: Bools, punc_num: Ints) -> Bools:
    """Return the nodes that Joint-para prunes: those under text-node-sets that are
    noise, but for inline pieces of a set that is not.

    `punc_num` are the periods and commas of each text node itself.
    """
    in_noise = is_noise[text_paras.set_of]
    noise_nodes = text_paras.nodes[in_noise]
    content_root = np.zeros(len(tree), dtype=bool)
    content_root[text_paras.nodes[~in_noise]] = True

    noise_root = np.zeros(len(tree), dtype=bool)
    noise_root[noise_nodes] = True
    pieces = _inline_pieces(tree, noise_nodes, content_root, punc_num)
    noise_root[pieces] = False
    return tree.below(noise_root)


def _inline_pieces(
    tree: Tree, nodes: NDArray[np.int64], content_root: Bools, punc_num: Ints
) -> NDArray[np.int64]:
    """Return the inline elements among the nodes that stand in a node of content: right
    below it, or deeper in a paragraph that has a period or comma.
    """
    is_block = tree.has_tag(BLOCK)
    pieces = nodes[~is_block[nodes]]
    ancestors = tree.parent[pieces]
    is_child = content_root[ancestors]
    while True:
        climbing = ~(content_root | is_block)[ancestors]
        if not climbing.any():
            break
        ancestors[climbing] = tree.parent[ancestors[climbing]]

    paragraph = line_borders(tree, BLOCK)
    paragraph_punc_num = np.bincount(paragraph, punc_num)
    is_in_sentence = paragraph_punc_num[paragraph[pieces]] > 0
    is_piece = is_child | (content_root[ancestors] & is_in_sentence)
    return pieces[is_piece]


def backtrack(tree: Tree, snippet_node: int, node_punc_num: NDArray[np.int64]) -> int:
    """Return the summary-node: the first ancestor of the snippet-node whose own parent
    has no more periods and commas than itself, so that the distance of the next step
    is 0 (section III.B).
    """
    node = max(int(tree.parent[snippet_node]), 0)
    parent = int(tree.parent[node])
    while parent >= 0 and node_punc_num[parent] != node_punc_num[node]:
        node = parent
        parent = int(tree.parent[node])
    return node
