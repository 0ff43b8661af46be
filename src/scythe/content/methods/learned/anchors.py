"""Blocks that the head of the page speaks of: its title, and text that its descriptions
or structured data repeat.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.declared import Declared

_SHORTEST_TITLE = 8
_LONGEST_TITLE = 200
_START = 40
"""Characters of a block that are looked for in the descriptions; shorter blocks stand
there by chance.
"""


def title_block(
    lines: list[str], heading: NDArray[np.int64], declared: Declared
) -> int:
    """The block that says the most of the page's title, headings first; -1 for none."""
    best, found = 0, -1
    for at, line in enumerate(lines):
        if (
            _SHORTEST_TITLE <= len(line) <= _LONGEST_TITLE
            and line.lower() in declared.title
        ):
            size = len(line) + (_LONGEST_TITLE if heading[at] else 0)
            if size > best:
                best, found = size, at
    return found


def described(lines: list[str], declared: Declared) -> NDArray[np.bool_]:
    """Which blocks begin with words that the descriptions or the structured data have
    too.
    """
    found = np.zeros(len(lines), dtype=bool)
    if declared.text:
        for at, line in enumerate(lines):
            if len(line) >= _START:
                found[at] = line[:_START].lower() in declared.text
    return found
