"""What a method chose: nodes, and nothing about how they will be written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Tree


@dataclass(frozen=True, eq=False, slots=True)
class Selection:
    """The nodes that are main content.

    `nodes` marks text nodes and elements without text (images, rules, breaks). Which
    elements stand around them is read from the tree by the renderers, so that every
    rendering shows the same selection.
    """

    nodes: Bools
    confidence: float
    """How sure the method is, from 0 to 1: the F1 it expects, calibrated only where the
    method says so.
    """
    page_type: str | None = None
    tree: Tree | None = None
    """The tree that `nodes` are of, where that is not the page's own: content found
    outside its visible text.
    """


def with_spaces(tree: Tree, chosen: Bools, inked: NDArray[np.integer]) -> Bools:
    """The chosen nodes, and the white space between two chosen texts, without which
    words and lines of code grow together.

    For methods that choose text nodes one by one. `inked` are the text nodes they
    choose from, in order.
    """
    others = tree.is_text.copy()
    others[inked] = False
    candidates = np.flatnonzero(others)
    taken = np.concatenate([[False], chosen[inked], [False]])
    following = np.searchsorted(inked, candidates)
    between = candidates[taken[following] & taken[following + 1]]
    result = chosen.copy()
    result[
        [
            node
            for node, text in zip(
                between.tolist(), tree.text[between].tolist(), strict=True
            )
            if text.isspace()
        ]
    ] = True
    return result
