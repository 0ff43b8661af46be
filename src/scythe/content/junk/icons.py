"""Names of icons, which an icon font draws as pictures: `keyboard_arrow_down`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Tree

MAX_NAME = 60
"""Characters of a name with the space around it: a bound on work, not tuned."""
_NAME = re.compile(r"\s*[a-z0-9]+(?:_[a-z0-9]+)*\s*")
_LIGATURE_CLASS = re.compile(r"\b(?:google-)?material-(?:icons|symbols)\b|\bmat-icon\b")
"""Fonts that draw whole words: any single word in them is a picture."""
_ICON_CLASS = re.compile(r"(?:^|[\s_-])icons?(?:$|[\s_-])", re.IGNORECASE)
"""Other elements for icons may hold a label: only words with an underscore, which no
language has, are names there.
"""


def icon_names(tree: Tree, nodes: NDArray[np.int64], texts: Sequence[str]) -> Bools:
    """Return the text nodes that name an icon in an element for icons."""
    found = np.zeros(len(tree), dtype=bool)
    is_name = [
        len(text) <= MAX_NAME and _NAME.fullmatch(text) is not None for text in texts
    ]
    named = nodes[is_name]
    parents = tree.parent[named]
    classes = tree.attribute_values("class", parents.tolist())
    for node, parent, value in zip(
        named.tolist(), parents.tolist(), classes, strict=True
    ):
        is_ligature = tree.name(parent) == "mat-icon"
        is_ligature |= _LIGATURE_CLASS.search(value or "") is not None
        is_icon = _ICON_CLASS.search(value or "") is not None
        found[node] = is_ligature or (is_icon and "_" in tree.text[node])
    return found
