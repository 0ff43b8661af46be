"""The visible text of a subtree or of any set of text nodes, with line breaks where a
browser would put them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.compiled.texts import collapsed_text, joined_text
from scythe.tree.tags import BREAKING, PREFORMATTED, TagSet
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree
from scythe.tree.visibility import visible


def visible_text(tree: Tree, node: int = 0) -> str:
    """Return the text a reader sees under a node."""
    return plain_text(tree, tree.subtree(node) & visible(tree))


def plain_text(tree: Tree, chosen: Bools) -> str:
    """Return the text of the chosen text nodes: one line a block, white space collapsed
    except in preformatted text.
    """
    joined = joined_text(tree, chosen)
    if joined is not None:
        return joined
    nodes = np.flatnonzero(chosen & tree.is_text)
    if not len(nodes):
        return ""
    texts = tree.texts(nodes)
    begins_line = line_breaks(tree, nodes)
    first = np.flatnonzero(begins_line)
    preformatted = _is_preformatted(tree, nodes[first])

    starts = first.tolist()
    stops = [*starts[1:], len(texts)]
    lines = []
    for start, stop, verbatim in zip(starts, stops, preformatted, strict=True):
        text = "".join(texts[start:stop])
        collapsed = " ".join(text.split())
        line = text.strip("\n").rstrip() if verbatim else collapsed
        if line:
            lines.append(line)
    return "\n".join(lines)


def one_line(tree: Tree, chosen: Bools) -> str:
    """Return the text of the chosen text nodes in one line, white space collapsed."""
    collapsed = collapsed_text(tree, chosen)
    if collapsed is not None:
        return collapsed
    nodes = np.flatnonzero(chosen & tree.is_text)
    text = "".join(tree.texts(nodes))
    return " ".join(text.split())


def _is_preformatted(tree: Tree, nodes: NDArray[np.int64]) -> list[bool]:
    if not tree.has_any(PREFORMATTED):
        return [False] * len(nodes)
    inside = tree.below(tree.has_tag(PREFORMATTED))
    return inside[nodes].tolist()


def line_breaks(
    tree: Tree, nodes: NDArray[np.integer], breaking: TagSet = BREAKING
) -> Bools:
    """Return for text nodes in document order which of them begin a new line.

    A line ends where an element of the `breaking` tags begins or ends between two text
    nodes.
    """
    borders = line_borders(tree, breaking)[nodes]
    breaks = np.ones(len(nodes), dtype=bool)
    breaks[1:] = borders[1:] != borders[:-1]
    return breaks


def line_borders(tree: Tree, breaking: TagSet = BREAKING) -> Ints:
    """Return for every node how many borders of lines lie before it: text nodes of equal
    numbers are on one line.
    """
    if breaking is BREAKING:
        return _line_borders(tree)
    return _borders(tree, breaking)


@once_per_tree
def _line_borders(tree: Tree) -> Ints:
    return _borders(tree, BREAKING)


def _borders(tree: Tree, breaking: TagSet) -> Ints:
    elements = tree.has_tag(breaking)
    begun = np.cumsum(elements)
    element_ends = tree.end[elements]
    size = len(tree)
    ends_at = np.bincount(element_ends, minlength=size + 1)
    ended = np.cumsum(ends_at[:size])
    return (begun + ended).astype(np.int32)


def letters_and_digits(text: str) -> str:
    """Return only the letters and digits of a text, without case: what two ways to
    write the same words have in common.
    """
    return "".join(filter(str.isalnum, text.casefold()))
