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

_CJK_RANGES = (
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2FA1F),
)
_SPACES = " \t\n\r\f\v\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff\u200b"


def _class_table() -> NDArray[np.uint8]:
    table = np.full(0x110000, LETTER, dtype=np.uint8)
    table[:0x80] = 0
    table[0x80:0xC0] = 0
    table[0x2000:0x2C00] = 0
    table[0x3000:0x3040] = 0
    table[0xFF00:0xFF10] = 0
    for first, last in (("A", "Z"), ("a", "z")):
        table[ord(first) : ord(last) + 1] = LETTER
    table[ord("A") : ord("Z") + 1] |= UPPER
    table[0xC0:0xDF] |= UPPER
    table[0x410:0x430] |= UPPER
    table[ord("0") : ord("9") + 1] = DIGIT
    for low, high in _CJK_RANGES:
        table[low : high + 1] = LETTER | CJK
    table[[ord(space) for space in _SPACES]] = SPACE
    table[0x2000:0x200B] = SPACE
    table[[ord(mark) for mark in PERIODS_AND_COMMAS]] = PUNCTUATION
    table[[ord("."), ord(",")]] |= ASCII_PUNCTUATION
    return table


_TABLE = _class_table()


def _classes(text: str) -> NDArray[np.uint8]:
    """Return the class of every character. Text within the basic plane, which is nearly
    all, takes half the memory.
    """
    utf16 = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=np.uint16)
    if len(utf16) == len(text):
        return _TABLE.take(utf16)
    utf32 = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return _TABLE.take(utf32)


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
        nodes = np.flatnonzero(chosen & tree.is_text).astype(np.int32)
        texts: list[str] = tree.text[nodes].tolist()
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return cls(nodes, len(tree), offsets, _classes("".join(texts)))

    def count(self, flags: Bools) -> Ints:
        """Return how many of the flagged characters each node of the tree has itself; 0
        where it was not read.
        """
        sums = np.zeros(len(flags) + 1, dtype=np.int32)
        np.cumsum(flags, out=sums[1:])
        sums_at_borders = sums[self.offsets]
        counts = np.zeros(self.size, dtype=np.int32)
        counts[self.nodes] = sums_at_borders[1:] - sums_at_borders[:-1]
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
        wordlike = self.is_class(LETTER | DIGIT)
        after_other = np.ones(len(wordlike), dtype=bool)
        after_other[1:] = ~wordlike[:-1]
        after_other[self._first] = True
        return self.count((wordlike & after_other) | self.is_class(CJK))

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
        continues = self.is_class(LETTER | DIGIT)
        continues[self._first] = False
        counted[:-1] &= ~(self.is_class(ASCII_PUNCTUATION)[:-1] & continues[1:])
        return self.count(counted)
