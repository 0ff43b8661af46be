"""Links that pages hang on their headings: to the heading itself, and to edit it."""

from __future__ import annotations

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.tree.tags import code
from scythe.tree.tree import Bools

MAX_SIGN = 8
"""Characters of a sign with the space around it: a bound on work, not tuned."""
_A = code("a")
_CHARACTERS = tuple("¶#§\u2693\U0001f517")
_SIGNS = frozenset([*_CHARACTERS, *[f"{sign}\ufe0f" for sign in _CHARACTERS]])
"""What generators of documentation show for a link to a place on the page."""
_EDIT_CLASS = "mw-editsection"
"""The class of MediaWiki, in all languages."""


def heading_links(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that are only a sign for a link to a place on a page, or
    belong to a link to edit a section.
    """
    tree = page.tree
    editing = tree.with_words("class", (_EDIT_CLASS,))
    if not editing and not page.may_have(_CHARACTERS):
        return None

    found = np.zeros(len(tree), dtype=bool)
    is_sign = [
        sign in _SIGNS and len(text) <= MAX_SIGN
        for sign, text in zip(page.stripped, page.texts, strict=True)
    ]
    signs = page.nodes[is_sign]
    parents = tree.parent[signs]
    addresses = tree.attribute_values("href", parents.tolist())
    for node, parent, address in zip(
        signs.tolist(), parents.tolist(), addresses, strict=True
    ):
        found[node] = tree.tag[parent] == _A and "#" in (address or "")
    for element, class_name in editing.items():
        if _EDIT_CLASS in class_name:
            found[element : tree.end[element]] = True
    return found
