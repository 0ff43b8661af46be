"""Signs that stand for a checkbox, which readers tick in a page and not in its text."""

from __future__ import annotations

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.tree.tree import Bools

_SIGNS = ("\u25a2", "\u2610", "\u25a1", "\u25fb")
_CLASS_WORDS = ("checkbox",)


def checkbox_signs(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that are only a sign in an element for a checkbox. The
    signs in the cells of a table say something, and are in no such element.
    """
    if not page.may_have(_SIGNS):
        return None
    tree = page.tree
    boxes = tree.with_words("class", _CLASS_WORDS)
    is_checkbox = np.zeros(len(tree), dtype=bool)
    is_checkbox[list(boxes)] = True
    is_sign = np.zeros(len(tree), dtype=bool)
    is_sign[page.nodes] = [text in _SIGNS for text in page.stripped]
    return is_sign & tree.below(is_checkbox)
