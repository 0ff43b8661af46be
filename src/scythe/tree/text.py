"""The visible text of a subtree or of any set of text nodes, with line breaks where a browser would put them."""

from __future__ import annotations

import re

import numpy as np

from scythe.tree.tags import BLOCK, PREFORMATTED, code
from scythe.tree.tree import Bools, Tree
from scythe.tree.visibility import visible

_SPACES = re.compile(r"[ \t\n\r\f\v\u00a0\u3000\u200b\ufeff]+")


def visible_text(tree: Tree, node: int = 0) -> str:
    """The text a reader sees under a node."""
    chosen = np.zeros(len(tree), dtype=bool)
    chosen[node : tree.end[node]] = True
    return plain_text(tree, chosen & visible(tree))


def plain_text(tree: Tree, chosen: Bools) -> str:
    """The text of the chosen text nodes: one line a block, white space collapsed except in preformatted text."""
    nodes = np.flatnonzero(chosen & tree.is_text)
    if not len(nodes):
        return ""
    breaks = line_breaks(tree, nodes)
    preformatted = tree.below(tree.having(PREFORMATTED))[nodes]
    texts = tree.text[nodes].tolist()
    lines = []
    starts = np.flatnonzero(breaks).tolist()
    for start, stop in zip(starts, [*starts[1:], len(texts)], strict=True):
        line = "".join(texts[start:stop])
        line = line.strip("\n").rstrip() if preformatted[start] else _SPACES.sub(" ", line).strip(" ")
        if line:
            lines.append(line)
    return "\n".join(lines)


def line_breaks(tree: Tree, nodes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Bools:
    """For text nodes in document order: which of them begin a new line.

    A line ends where a block element begins or ends between two text nodes, or a `<br>` stands.
    """
    block = tree.having(BLOCK) | (tree.tag == code("br"))
    begun = np.cumsum(block)
    ended = np.cumsum(np.bincount(tree.end[block], minlength=len(tree) + 1)[: len(tree)])
    borders = (begun + ended)[nodes]
    breaks = np.ones(len(nodes), dtype=bool)
    breaks[1:] = borders[1:] != borders[:-1]
    return breaks
