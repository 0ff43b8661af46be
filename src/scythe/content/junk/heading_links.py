"""Links that pages hang on their headings: to the heading itself, and to edit it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import code
from scythe.tree.tree import Bools, Tree

MAX_SIGN = 8
"""Characters of a sign with the space around it: a bound on work, not tuned."""
_A = code("a")
_SIGN = re.compile(r"\s*[¶#§\u2693\U0001f517]\ufe0f?\s*")
"""What generators of documentation show for a link to a place on the page."""
_EDIT_CLASS = "mw-editsection"
"""The class of MediaWiki, in all languages."""


def heading_links(tree: Tree, nodes: NDArray[np.int64], texts: Sequence[str]) -> Bools:
    """Return the text nodes that are only a sign for a link to a place on a page, or
    belong to a link to edit a section.
    """
    found = np.zeros(len(tree), dtype=bool)
    is_sign = [
        len(text) <= MAX_SIGN and _SIGN.fullmatch(text) is not None for text in texts
    ]
    signs = nodes[is_sign]
    parents = tree.parent[signs]
    addresses = tree.attribute_values("href", parents.tolist())
    for node, parent, address in zip(
        signs.tolist(), parents.tolist(), addresses, strict=True
    ):
        found[node] = tree.tag[parent] == _A and "#" in (address or "")

    for element, class_name in tree.with_attribute("class").items():
        if _EDIT_CLASS in class_name:
            found[element : tree.end[element]] = True
    return found
