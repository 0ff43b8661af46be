"""ECON: content of a news page from periods and commas alone (Guo et al., 2010; paper 000).

Punctuation stands where sentences stand. The longest run of text that is not broken by anything but paragraphs and
formatting holds a part of the content; going up from there, the content is complete as soon as a step up adds no
period and no comma. There is no weight and no threshold.

Readings where the paper leaves a choice:
- A text node of white space only is none: otherwise every element of an indented page would be a big-node.
- Of the text-node-set with the longest text-para the last node is the snippet-node; the paper picks one at random, and
  since all are siblings, the first step up is the same for each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.content.selection import Selection
from scythe.tree.characters import Characters
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Ints, Tree
from scythe.tree.visibility import skipped

BIG_TAGS = TagSet("p br h1 h2 h3 h4 h5 h6 strong em b i tt font")


def econ(tree: Tree) -> Selection:
    """Select the content of a page by the algorithm Extract-news."""
    readable = ~skipped(tree)
    characters = Characters.of(tree, readable)
    punc_num = characters.sentence_stops
    ink = characters.ink
    big = big_nodes(tree, ink) & readable
    para = text_paras(tree, big, tree.totals(ink), tree.totals(punc_num))
    if not len(para.punc_num) or not para.punc_num.any():
        return Selection(readable & tree.is_text, confidence=0.0)
    longest = int(np.argmax(np.where(para.punc_num > 0, para.length, 0)))
    snippet_node = int(para.last[longest])
    summary_node = backtrack(tree, snippet_node, tree.totals(punc_num))
    noise = np.zeros(len(tree), dtype=bool)
    noise[para.nodes[para.punc_num[para.set_of] == 0]] = True
    chosen = readable & ~tree.below(noise)
    chosen[: summary_node] = False
    chosen[tree.end[summary_node] :] = False
    return Selection(chosen, confidence=0.5)
