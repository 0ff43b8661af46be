"""What a reader sees, as a mask over nodes."""

from __future__ import annotations

import re

import numpy as np

from scythe.tree.characters import Characters
from scythe.tree.compiled.texts import character_counts, seen_texts
from scythe.tree.tags import SKIPPED, code
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree

_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_HIDING_WORDS = ("none", "hidden")
"""One of which all such styles have."""


@once_per_tree
def skipped(tree: Tree) -> Bools:
    """Return the nodes in elements that hold no running text: scripts, styles, form
    controls, embedded media.
    """
    return tree.below(tree.has_tag(SKIPPED))


@once_per_tree
def hidden(tree: Tree) -> Bools:
    """Return the nodes that the page itself hides: by the `hidden` attribute, or by an
    inline style.

    Style sheets are not read: a parsed tree cannot know them, and a rendered one has
    boxes instead.
    """
    return tree.below(_hiding(tree))


@once_per_tree
def _hiding(tree: Tree) -> Bools:
    """Return the elements that hide what they hold."""
    hiding = np.zeros(len(tree), dtype=bool)
    if tree.source.all_values("hidden"):
        hiding[list(tree.with_attribute("hidden"))] = True
    for node, style in tree.with_words("style", _HIDING_WORDS).items():
        if _HIDING_STYLE.search(style):
            hiding[node] = True

    # Pages that hide their whole body do so until a script has run; a reader sees it
    # all the same.
    hiding &= tree.tag != code("body")
    hiding[0] = False
    return hiding


@once_per_tree
def visible(tree: Tree) -> Bools:
    """Return the nodes a reader can see, neither skipped nor hidden."""
    seen = seen_texts(tree)
    if seen is not None:
        return seen[0]
    skipped = tree.has_tag(SKIPPED)
    return ~tree.below(skipped | _hiding(tree))


@once_per_tree
def visible_lengths(tree: Tree) -> Ints:
    """Return the characters of every text that a reader sees, white space at its ends
    left out; 0 for all other nodes.
    """
    seen = seen_texts(tree)
    if seen is not None:
        return seen[1]
    lengths = np.zeros(len(tree), dtype=np.int32)
    text_nodes = np.flatnonzero(tree.is_text & visible(tree))
    texts = tree.texts(text_nodes)
    stripped = map(str.strip, texts)
    lengths[text_nodes] = list(map(len, stripped))
    return lengths


def text_sizes(tree: Tree, chosen: Bools) -> Ints:
    """Return for every node its characters other than white space; 0 where it is no
    chosen text.
    """
    counts = character_counts(tree, chosen)
    if counts is not None:
        return counts[0]
    return Characters.from_tree(tree, chosen).non_space
