"""Numbers of lines beside or inside code, which nobody wants in a copy of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import PREFORMATTED, TagSet
from scythe.tree.tree import Bools, Tree

MIN_LINES = 3
"""Numbers that count up before they are taken for line numbers where no class says so:
a bound, not tuned.
"""
_LEVELS = 4
"""How far above line numbers the element may be that has the code as well: a bound."""
_CODE = TagSet("pre code listing xmp")
_COLUMN = TagSet("td pre")
_NUMBERS = re.compile(r"\s*\d{1,6}(?:\s+\d{1,6})*\s*")
_NUMBER_CLASS = re.compile(
    r"""
    (?: ^ | [\s_-] )
    (?: line-?nos? | line-?num(?:ber)?s? | blob-num | gutter | lnt? )
    (?: $ | [\s_-] )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""As Pygments, Rouge, Chroma, highlight.js, Prism, GitHub and SyntaxHighlighter name
them.
"""


def line_numbers(tree: Tree, nodes: NDArray[np.int64], texts: Sequence[str]) -> Bools:
    """Return the text nodes that number lines of code: in elements whose class says so,
    in a column that counts up, or counting up at the beginnings of lines.
    """
    found = np.zeros(len(tree), dtype=bool)
    code_counts = tree.totals(tree.has_tag(_CODE))
    if not code_counts[0]:
        return found

    numbers = _NumberTexts.from_texts(tree, nodes, texts)
    columns = np.flatnonzero(tree.has_tag(_COLUMN) & numbers.fill).tolist()
    for node in columns:
        found[node] = numbers.count_up_below(tree, node)
    for node, value in tree.with_attribute("class").items():
        found[node] |= numbers.fill[node] and bool(_NUMBER_CLASS.search(value))
    for node in np.flatnonzero(found).tolist():
        around = list(islice(tree.ancestors(node), _LEVELS))
        found[node] = bool((code_counts[around] > code_counts[node]).any())

    for node in np.flatnonzero(tree.has_tag(PREFORMATTED)).tolist():
        found[numbers.at_line_starts(tree, node)] = True
    return tree.below(found)


@dataclass(frozen=True, eq=False, slots=True)
class _NumberTexts:
    """The selected text nodes that hold numbers only."""

    is_number: Bools
    is_blank: Bools
    is_selected: Bools
    fill: Bools
    """Which elements have no other text."""

    @classmethod
    def from_texts(
        cls, tree: Tree, nodes: NDArray[np.int64], texts: Sequence[str]
    ) -> _NumberTexts:
        """Return the numbers among some text nodes."""
        masks = [np.zeros(len(tree), dtype=bool) for _ in range(3)]
        is_number, is_blank, is_selected = masks
        is_number[nodes] = [_NUMBERS.fullmatch(text) is not None for text in texts]
        is_blank[nodes] = [not text.strip() for text in texts]
        is_selected[nodes] = True
        is_other = is_selected & ~is_number & ~is_blank
        fill = (tree.totals(is_number) > 0) & (tree.totals(is_other) == 0)
        return cls(is_number, is_blank, is_selected, fill)

    def count_up_below(self, tree: Tree, node: int) -> bool:
        """Return whether the numbers below a node count up, one by one."""
        below = slice(node, int(tree.end[node]))
        texts = tree.text[below][self.is_number[below]].tolist()
        return _counts_up(" ".join(texts).split())

    def at_line_starts(self, tree: Tree, block: int) -> list[int]:
        """Return the numbers that begin the lines of preformatted text, if they count
        up and stand in elements of their own that are not marked as a part of the code.
        """
        starts = []
        begins_line = True
        for node in range(block, int(tree.end[block])):
            if not self.is_selected[node]:
                continue
            text = tree.text[node]
            is_alone = tree.parent[node] != block and self.fill[tree.parent[node]]
            if begins_line and self.is_number[node] and is_alone:
                starts.append(node)
            elif begins_line and not self.is_blank[node]:
                return []
            if text:
                begins_line = text.endswith("\n")
        parents = tree.parent[starts].tolist()
        is_marked = any(tree.attribute_values("class", parents))
        numbers = [tree.text[node].strip() for node in starts]
        return [] if is_marked or not _counts_up(numbers) else starts


def _counts_up(numbers: list[str]) -> bool:
    """Return whether there are several numbers, each one more than the one before."""
    if len(numbers) < MIN_LINES or not all(map(str.isdecimal, numbers)):
        return False
    first = int(numbers[0])
    expected = range(first, first + len(numbers))
    return list(map(int, numbers)) == list(expected)
