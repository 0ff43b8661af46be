"""Links that pages hang on their headings: to the heading itself, and to edit it."""

from __future__ import annotations

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.tree.tags import code
from scythe.tree.tree import Bools

_A = code("a")
_EDIT_CLASS = "mw-editsection"
"""The class of MediaWiki, in all languages."""


def heading_links(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that are only a sign for a link to a place on a page, or
    belong to a link to edit a section.
    """
    tree = page.tree
    editing = tree.with_words("class", (_EDIT_CLASS,))
    if not editing and not page.may_have_link_signs:
        return None

    found = np.zeros(len(tree), dtype=bool)
    signs = page.nodes[page.are_link_signs]
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
