"""Which nodes of a page hold something for a reader: its images, and its texts; and what
texts look like.

Elements without text or image in them, scripts, controls, line breaks and texts of mere
punctuation are left out: they come and go without meaning. A paragraph whose words run
on through formatting and links is one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import children_of
from scythe.tree.tags import BLOCK, TagSet, code
from scythe.tree.tree import Tree, prefix_sums

DROPPED = TagSet(
    "script style noscript iframe object applet svg math select datalist textarea "
    "button input audio video canvas"
)
"""Elements whose content is no text of the page."""

NOT_IN_PROSE = BLOCK | TagSet("br img")
RUNS_ON = frozenset(",;(\u201c\"'")
"""Characters after which a text goes on in the next element."""

MIN_PROSE = 60
"""Characters of an element's own text from which on it is prose, where formatting
stands between its words. Not tuned.
"""

SIGNS = "$€£¥₹★☆✓✔✗✘%#@"
"""Characters that mean something by themselves."""
_MEANINGFUL = re.compile(rf"[^\W_]|[{SIGNS}]")
ALWAYS_MEANINGFUL = 12
"""Characters beyond which a text is no mere punctuation: it is not searched then, which
only saves time.
"""

COLONS = ":："  # noqa: RUF001 - the full-width colon

MAX_LABEL = 40
"""Characters of a label, but its colon."""
_LABEL = re.compile(rf"[^\W\d_][^{COLONS}]{{0,{MAX_LABEL - 1}}}[{COLONS}](?!//)")

LONG_TEXT = 64
"""Characters beyond which it means nothing that a text has a digit. Not tuned."""
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")


def label_part(text: str) -> str:
    """Return the label that a text begins with ("Prep time:"), empty if it has none."""
    has_colon = ":" in text or "：" in text  # noqa: RUF001 - the full-width colon
    if not has_colon:
        return ""
    label = _LABEL.match(text)
    if label is None:
        return ""
    return label.group()


@lru_cache(maxsize=1 << 14)
def text_shape(text: str) -> int:
    """Return a number for the rough shape of a text: its length in powers of four and,
    where it is short, whether it has digits and letters.
    """
    length = len(text).bit_length() // 2 << 2
    if len(text) > LONG_TEXT:
        return length
    has_digit = _DIGIT.search(text) is not None
    has_letter = _LETTER.search(text) is not None
    return length | has_digit << 1 | has_letter


def text_form(text: str, label: str) -> int:
    """Return a number for what a text looks like beside the label that it begins with,
    which may be empty.
    """
    if label:
        return text_shape(text) << 2 | (len(label) < len(text))
    return text_shape(text) << 1 | (text[-1] in COLONS)


def page_leaves(tree: Tree) -> tuple[NDArray[np.bool_], dict[int, str]]:
    """Return which nodes of a page are images or meaningful texts, and its texts.

    The texts are of all text nodes that are not blank, with white space collapsed.
    """
    dropped = tree.below(tree.has_tag(DROPPED))
    is_read = tree.is_text & ~dropped
    text_nodes, texts = _written_texts(tree, is_read)
    meaningful = [
        len(text) > ALWAYS_MEANINGFUL
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
                joins += last.isalnum() or last in RUNS_ON
                before = ""

        if joins and len(own_texts) > 1 and own_length >= MIN_PROSE:
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

    blocks_before = prefix_sums(tree.has_tag(NOT_IN_PROSE))
    ends = tree.end[elements]
    without_block = blocks_before[ends] == blocks_before[elements + 1]
    mixed: list[int] = elements[without_block].tolist()
    return mixed
