"""Names of icons, which an icon font draws as pictures: `keyboard_arrow_down`."""

from __future__ import annotations

import re

import numpy as np

from scythe.content.junk.selected import SelectedTexts
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


_CLASS_WORDS = ("icon", "material-symbols")
"""One of which all of these classes have."""
_MAT_ICON = "mat-icon"


def icon_names(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that name an icon in an element for icons."""
    tree = page.tree
    icons = tree.nodes_with_words("class", _CLASS_WORDS)
    if not icons and _MAT_ICON not in tree.extra_names:
        return None
    nodes = page.nodes[page.may_be_icons]
    if not len(nodes):
        return None
    is_icon = tree.tag == tree.code(_MAT_ICON)
    is_icon[icons] = True
    in_icon = is_icon[tree.parent[nodes]]
    if not in_icon.any():
        return None

    nodes = nodes[in_icon]
    texts = zip(nodes.tolist(), tree.texts(nodes), strict=True)
    names = {
        node: text
        for node, text in texts
        if len(text) <= MAX_NAME and _NAME.fullmatch(text)
    }
    if not names:
        return None
    class_names = tree.with_words("class", _CLASS_WORDS)
    found = np.zeros(len(tree), dtype=bool)
    for node, text in names.items():
        parent = int(tree.parent[node])
        class_name = class_names.get(parent, "")
        is_element = tree.name(parent) == _MAT_ICON
        has_class = _LIGATURE_CLASS.search(class_name) is not None
        is_ligature = is_element or has_class
        is_labelled = _ICON_CLASS.search(class_name) is not None
        found[node] = is_ligature or (is_labelled and "_" in text)
    return found


def without_icon_names(tree: Tree, seen: Bools) -> Bools:
    """Return what a reader sees of a page as text: names of icons are seen as pictures."""
    names = icon_names(SelectedTexts(tree, seen))
    return seen if names is None else seen & ~names
