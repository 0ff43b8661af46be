"""Numbers of lines beside or inside code, which nobody wants in a copy of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

import numpy as np

from scythe.content.junk.selected import SelectedTexts
from scythe.tree.tags import PREFORMATTED, TagSet
from scythe.tree.text import line_breaks
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
_CLASS_WORDS = ("line", "num", "gutter", "ln")
"""One of which all of these classes have."""


def line_numbers(page: SelectedTexts) -> Bools | None:
    """Return the text nodes that number lines of code: in elements whose class says so,
    in a column that counts up, or counting up at the beginnings of lines.
    """
    tree = page.tree
    if not tree.has_any(_CODE):
        return None
    numbers = _NumberTexts.of(page)
    if numbers is None:
        return None
    found = np.zeros(len(tree), dtype=bool)
    code_counts = tree.totals(tree.has_tag(_CODE))
    columns = np.flatnonzero(tree.has_tag(_COLUMN) & numbers.fill).tolist()
    for node in columns:
        found[node] = numbers.count_up_below(tree, node)
    for node, class_name in tree.with_words("class", _CLASS_WORDS).items():
        if numbers.fill[node] and _NUMBER_CLASS.search(class_name):
            found[node] = True
    for node in np.flatnonzero(found).tolist():
        around = list(islice(tree.ancestors(node), _LEVELS))
        found[node] = bool((code_counts[around] > code_counts[node]).any())

    for node in numbers.preformatted(tree):
        found[numbers.at_line_starts(node) or numbers.at_block_starts(node)] = True
    return tree.below(found)


@dataclass(frozen=True, eq=False, slots=True)
class _NumberTexts:
    """The selected text nodes that hold numbers only."""

    page: SelectedTexts
    are_numbers: list[bool]
    """Which of the texts are."""
    is_number: Bools
    fill: Bools
    """Which elements have no other text."""

    @classmethod
    def of(cls, page: SelectedTexts) -> _NumberTexts | None:
        """Return the numbers among the selected texts, None where there are none."""
        tree, nodes = page.tree, page.nodes
        candidates = np.flatnonzero(page.may_be_numbers)
        texts = map(str.strip, tree.texts(nodes[candidates]))
        are_numbers = list(map(bool, map(_NUMBERS.fullmatch, texts)))
        if not any(are_numbers):
            return None
        numbers = np.zeros(len(nodes), dtype=bool)
        numbers[candidates[are_numbers]] = True
        is_number = np.zeros(len(tree), dtype=bool)
        is_number[nodes] = numbers
        is_other = np.zeros(len(tree), dtype=bool)
        is_other[nodes] = page.has_text & ~numbers
        fill = (tree.totals(is_number) > 0) & (tree.totals(is_other) == 0)
        return cls(page, numbers.tolist(), is_number, fill)

    def preformatted(self, tree: Tree) -> list[int]:
        """Return the preformatted elements that hold enough numbers to be counted."""
        elements = np.flatnonzero(tree.has_tag(PREFORMATTED))
        nodes = np.flatnonzero(self.is_number)
        before = np.searchsorted(nodes, elements)
        through = np.searchsorted(nodes, tree.end[elements])
        held: list[int] = elements[through - before >= MIN_LINES].tolist()
        return held

    def count_up_below(self, tree: Tree, node: int) -> bool:
        """Return whether the numbers below a node count up, one by one."""
        below = slice(node, int(tree.end[node]))
        texts = tree.text[below][self.is_number[below]].tolist()
        return _counts_up(" ".join(texts).split())

    def at_line_starts(self, block: int) -> list[int]:
        """Return the numbers that begin the lines of preformatted text, if they count
        up and stand in elements of their own that are not marked as a part of the code.
        """
        page, tree = self.page, self.page.tree
        starts = []
        begins_line = True
        first, last = np.searchsorted(page.nodes, (block, tree.end[block]))
        for index in range(first, last):
            if begins_line:
                node = int(page.nodes[index])
                parent = int(tree.parent[node])
                is_alone = parent != block and self.fill[parent]
                if self.are_numbers[index] and is_alone:
                    starts.append(node)
                elif page.stripped[index]:
                    return []
            if page.texts[index]:
                begins_line = page.texts[index].endswith("\n")
        parents = tree.parent[starts].tolist()
        is_marked = any(tree.attribute_values("class", parents))
        numbers = [tree.text[node].strip() for node in starts]
        return [] if is_marked or not _counts_up(numbers) else starts

    def at_block_starts(self, block: int) -> list[int]:
        """Return the numbers that stand alone on lines of preformatted text which its
        elements part, if all of them are marked alike and count up from 1.
        """
        page, tree = self.page, self.page.tree
        first, last = np.searchsorted(page.nodes, (block, tree.end[block]))
        if last - first < 2 * MIN_LINES:
            return []
        nodes = page.nodes[first:last]
        parent = tree.parent[nodes]
        is_number = np.array(self.are_numbers[first:last])
        is_number &= self.fill[parent]
        is_number &= line_breaks(tree, nodes)
        starts: list[int] = nodes[is_number].tolist()
        numbers = [tree.text[node].strip() for node in starts]
        if numbers[:1] != ["1"] or not _counts_up(numbers):
            return []
        parents = tree.parent[starts].tolist()
        classes = set(tree.attribute_values("class", parents))
        return starts if len(classes) == 1 else []


def _counts_up(numbers: list[str]) -> bool:
    """Return whether there are several numbers, each one more than the one before."""
    if len(numbers) < MIN_LINES or not all(map(str.isdecimal, numbers)):
        return False
    first = int(numbers[0])
    expected = range(first, first + len(numbers))
    return list(map(int, numbers)) == list(expected)
