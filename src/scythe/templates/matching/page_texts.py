"""Which nodes of a page hold something for a reader: its images, and its texts.

Elements without text or image in them, scripts, controls, line breaks and texts of mere
punctuation are left out: they come and go without meaning. A paragraph whose words run
on through formatting and links is one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import children_of
from scythe.tree.compiled.texts import collapsed_texts
from scythe.tree.tags import BLOCK, TagSet, code
from scythe.tree.tree import Tree, prefix_sums

DROPPED = TagSet(
    "script style noscript iframe object applet svg math select datalist textarea "
    "button input audio video canvas"
)
"""Elements whose content is no text of the page."""

_NOT_IN_PROSE = BLOCK | TagSet("br img")
_RUNS_ON = frozenset(",;(\u201c\"'")
"""Characters after which a text goes on in the next element."""

_MIN_PROSE = 60
"""Characters of an element's own text from which on it is prose, where formatting
stands between its words. Not tuned.
"""

_MEANINGFUL = re.compile(r"[^\W_]|[$€£¥₹★☆✓✔✗✘%#@]")
_ALWAYS_MEANINGFUL = 12
"""Characters beyond which a text is no mere punctuation: it is not searched then, which
only saves time.
"""


def page_leaves(tree: Tree) -> tuple[NDArray[np.bool_], dict[int, str]]:
    """Return which nodes of a page are images or meaningful texts, and its texts.

    The texts are of all text nodes that are not blank, with white space collapsed.
    """
    dropped = tree.below(tree.has_tag(DROPPED))
    is_read = tree.is_text & ~dropped
    text_nodes, texts = _written_texts(tree, is_read)
    meaningful = [
        len(text) > _ALWAYS_MEANINGFUL
        or text[:1].isalnum()
        or _MEANINGFUL.search(text) is not None
        for text in texts
    ]
    is_image = tree.tag == code("img")
    leaves = is_image & ~dropped
    leaves[text_nodes] = meaningful

    text_of = dict(zip(text_nodes.tolist(), texts, strict=True))
    for first, end, element in _prose(tree, leaves, text_of):
        low, high = np.searchsorted(text_nodes, (element, end))
        text_of[first] = " ".join(texts[low:high])
        leaves[element:end] = False
        leaves[first] = True
    return leaves, text_of


def _written_texts(
    tree: Tree, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.integer], list[str]]:
    """Return the chosen text nodes that are not blank, and their texts with white space
    collapsed.
    """
    found = collapsed_texts(tree, chosen)
    if found is not None:
        return found
    text_nodes = np.flatnonzero(chosen)
    written = tree.text[text_nodes]
    blank = np.fromiter(map(str.isspace, written), dtype=bool, count=len(text_nodes))
    is_kept = ~blank
    kept = written[is_kept].tolist()
    texts = [" ".join(text.split()) for text in kept]
    return text_nodes[is_kept], texts


def _prose(
    tree: Tree, leaves: NDArray[np.bool_], text_of: Mapping[int, str]
) -> Iterator[tuple[int, int, int]]:
    """Yield the elements whose text runs on through formatting and links, each as its
    first own text, its end, and itself.

    They are one value, which a paragraph with two words in italics would not be by its
    text nodes.
    """
    for element in _mixed_elements(tree, leaves):
        end = int(tree.end[element])
        is_leaf = leaves[element:end].tolist()
        ends = (tree.end[element:end] - element).tolist()

        own_texts: list[int] = []
        own_length = joins = 0
        before = ""
        for child in children_of(ends, 0):
            node = element + child
            if tree.is_text[node]:
                before = text_of.get(node, "")
                if is_leaf[child]:
                    own_texts.append(node)
                    own_length += len(before)
            elif True in is_leaf[child : ends[child]]:
                last = before[-1:]
                joins += last.isalnum() or last in _RUNS_ON
                before = ""

        if joins and len(own_texts) > 1 and own_length >= _MIN_PROSE:
            yield own_texts[0], end, element


def _mixed_elements(tree: Tree, leaves: NDArray[np.bool_]) -> list[int]:
    """Return elements with several texts of their own and leaves in other elements
    between them, but no block in them.
    """
    is_text_leaf = leaves & tree.is_text
    text_parents = tree.parent[np.flatnonzero(is_text_leaf)]
    own_texts = np.bincount(text_parents, minlength=1)
    elements = np.flatnonzero(own_texts > 1)

    leaves_before = prefix_sums(leaves)
    ends = tree.end[elements]
    inside = leaves_before[ends] - leaves_before[elements]
    elements = elements[inside > own_texts[elements]]

    blocks_before = prefix_sums(tree.has_tag(_NOT_IN_PROSE))
    ends = tree.end[elements]
    without_block = blocks_before[ends] == blocks_before[elements + 1]
    mixed: list[int] = elements[without_block].tolist()
    return mixed
