"""Counts of kinds of characters for every text node, in one pass over all the text of
the page.

All text is laid end to end as code points; a table maps each to its classes; prefix
sums at the node borders give the counts. What a class costs is one comparison over the
text, whatever the number of nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Ints, Tree

SPACE, PUNCTUATION, LETTER, DIGIT = 1, 2, 4, 8
CJK, UPPER, ASCII_PUNCTUATION = 16, 32, 64
"""Classes of characters, one bit each."""

PERIODS_AND_COMMAS = ".,。，、．｡､﹐﹑﹒،۔؛"  # noqa: RUF001
"""Period and comma in the ten languages of the ECON paper: Latin, Cyrillic, Chinese and
Japanese with their full-width and half-width forms, Arabic (and its semicolon, which
Arabic uses where others put a comma).
"""

_RANGES = (
    (0x0000, 0x00C0, 0),
    (0x2000, 0x2C00, 0),
    (0x3000, 0x3040, 0),
    (0xFF00, 0xFF10, 0),
    (ord("0"), ord("9") + 1, DIGIT),
    (ord("a"), ord("z") + 1, LETTER),
    (ord("A"), ord("Z") + 1, LETTER | UPPER),
    (0x00C0, 0x00DF, LETTER | UPPER),
    (0x0410, 0x0430, LETTER | UPPER),
    (0x3040, 0x3100, LETTER | CJK),
    (0x3400, 0x4DC0, LETTER | CJK),
    (0x4E00, 0xA000, LETTER | CJK),
    (0xF900, 0xFB00, LETTER | CJK),
    (0x20000, 0x2FA20, LETTER | CJK),
    (0x2000, 0x200B, SPACE),
)
"""Classes by code points from and up to, the later ones first; all others are letters."""
_SPACES = " \t\n\r\f\v\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\u200b"


def _class_table() -> NDArray[np.uint8]:
    table = np.full(0x110000, LETTER, dtype=np.uint8)
    for start, stop, character_class in _RANGES:
        table[start:stop] = character_class
    for space in _SPACES:
        table[ord(space)] = SPACE
    for mark in PERIODS_AND_COMMAS:
        table[ord(mark)] = PUNCTUATION
    for mark in ".,":
        table[ord(mark)] |= ASCII_PUNCTUATION
    return table


CLASS_TABLE = _class_table()
"""The classes of every code point."""


def _classes(text: str) -> NDArray[np.uint8]:
    """Return the class of every character. Text within the basic plane, which is nearly
    all, takes half the memory.
    """
    utf16 = text.encode("utf-16-le", "surrogatepass")
    units = np.frombuffer(utf16, dtype=np.uint16)
    if len(units) == len(text):
        return CLASS_TABLE.take(units)
    utf32 = text.encode("utf-32-le", "surrogatepass")
    return CLASS_TABLE.take(np.frombuffer(utf32, dtype=np.uint32))


@dataclass(frozen=True, eq=False)
class Characters:
    """The classes of all characters of the chosen text nodes, and the counts per node
    of the tree.
    """

    nodes: Ints
    """The text nodes that were read, in document order."""
    size: int
    """How many nodes the tree has."""
    offsets: NDArray[np.int64]
    """Where each of the text nodes begins in `classes`, and at last where the text
    ends.
    """
    classes: NDArray[np.uint8]

    @classmethod
    def from_tree(cls, tree: Tree, chosen: Bools) -> Characters:
        """Return the characters of the text nodes that are `chosen`."""
        chosen_texts = np.flatnonzero(chosen & tree.is_text)
        nodes = chosen_texts.astype(np.int32)
        texts = tree.texts(nodes)

        count = len(texts)
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=count)
        offsets = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        classes = _classes("".join(texts))
        return cls(nodes, len(tree), offsets, classes)

    def count(self, flags: Bools) -> Ints:
        """Return how many of the flagged characters each node of the tree has itself; 0
        where it was not read.
        """
        sums = np.zeros(len(flags) + 1, dtype=np.int32)
        np.cumsum(flags, out=sums[1:])
        sums_at_borders = sums[self.offsets]
        before = sums_at_borders[:-1]
        through = sums_at_borders[1:]
        counts = np.zeros(self.size, dtype=np.int32)
        counts[self.nodes] = through - before
        return counts

    def is_class(self, classes: int) -> Bools:
        """Return which characters are of one of the classes."""
        return (self.classes & classes) != 0

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        """Where a text node begins: what stands before it is another node's."""
        starts = self.offsets[:-1]
        return starts[starts < len(self.classes)]

    @cached_property
    def non_space(self) -> Ints:
        """Characters other than white space, per node."""
        return self.count(~self.is_class(SPACE))

    @cached_property
    def words(self) -> Ints:
        """Words per node: runs of letters and digits, and every CJK character for
        itself.
        """
        in_word = self.is_class(LETTER | DIGIT)
        after_other = np.ones(len(in_word), dtype=bool)
        after_other[1:] = ~in_word[:-1]
        after_other[self._first] = True
        begins_word = in_word & after_other
        return self.count(begins_word | self.is_class(CJK))

    @cached_property
    def punctuation(self) -> Ints:
        """Periods and commas per node, as the ECON paper counts them."""
        return self.count(self.is_class(PUNCTUATION))

    @cached_property
    def sentence_punctuation(self) -> Ints:
        """Periods and commas per node that are not inside a number, a URL or an
        abbreviation: no letter or digit follows.

        Only `.` and `,` occur inside such things; and what follows in another node does
        not count as following.
        """
        counted = self.is_class(PUNCTUATION)
        is_ascii = self.is_class(ASCII_PUNCTUATION)
        continues = self.is_class(LETTER | DIGIT)
        continues[self._first] = False
        is_inside = is_ascii[:-1] & continues[1:]
        counted[:-1] &= ~is_inside
        return self.count(counted)
