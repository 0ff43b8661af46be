"""Lines that are the address of a script or style sheet and nothing else."""

from __future__ import annotations

import re

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.content.junk.sought import CODE
from scythe.tree.tags import TagSet
from scythe.tree.text import line_borders
from scythe.tree.tree import Bools

_LINKED_OR_CODE = CODE | TagSet("a")
_ENDINGS = (".js", ".mjs", ".css")
_ADDRESS = re.compile(
    r"\s*(?:https?:)?//[^\s\"'<>]{1,2000}\.(?:m?js|css)(?:[?#][^\s\"'<>]{0,2000})?\s*"
)


def script_addresses(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that are alone in their line and hold the address of a
    script, neither linked nor shown as code.
    """
    if not page.may_have(_ENDINGS):
        return None
    tree = page.tree
    nodes = page.nodes
    texts = page.texts
    is_address = ["//" in text and bool(_ADDRESS.fullmatch(text)) for text in texts]
    if not any(is_address):
        return None
    found = np.zeros(len(tree), dtype=bool)
    found[nodes[is_address]] = True

    lines = line_borders(tree)[nodes]
    has_text = np.array(page.stripped, dtype=bool)
    texts_in_line = np.bincount(lines, has_text)
    is_alone = texts_in_line[lines] == 1
    found[nodes[~is_alone]] = False
    return found & ~tree.below(tree.has_tag(_LINKED_OR_CODE))
