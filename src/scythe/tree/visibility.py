"""What a reader sees, as a mask over nodes."""

from __future__ import annotations

import re

import numpy as np

from scythe.tree.tags import SKIPPED, code
from scythe.tree.tree import Bools, Tree

_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def skipped(tree: Tree) -> Bools:
    """Return the nodes in elements that hold no running text: scripts, styles, form
    controls, embedded media.
    """
    return tree.below(tree.has_tag(SKIPPED))


def hidden(tree: Tree) -> Bools:
    """Return the nodes that the page itself hides: by the `hidden` attribute, or by an
    inline style.

    Style sheets are not read: a parsed tree cannot know them, and a rendered one has
    boxes instead.
    """
    roots = np.zeros(len(tree), dtype=bool)
    with_hidden = list(tree.with_attribute("hidden"))
    roots[with_hidden] = True
    for node, style in tree.with_attribute("style").items():
        if _HIDING_STYLE.search(style):
            roots[node] = True

    # Pages that hide their whole body do so until a script has run; a reader sees it
    # all the same.
    roots &= tree.tag != code("body")
    roots[0] = False
    return tree.below(roots)


def visible(tree: Tree) -> Bools:
    """Return the nodes a reader can see, neither skipped nor hidden."""
    return ~(skipped(tree) | hidden(tree))
