"""Counts of kinds of characters in the text nodes, several kinds in one running sum.

Three counters share a 64-bit number; the difference of two running sums is exact in
every counter as long as one text node has fewer than 2**21 characters of a kind,
whatever the length of the page.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.tree.characters import (
    CJK,
    DIGIT,
    LETTER,
    PUNCTUATION,
    SPACE,
    UPPER,
    Characters,
)
from scythe.tree.tree import Ints, Tree

_BITS = 21
_START, _SENTENCE = 64, 128
_CLASSES = SPACE | PUNCTUATION | LETTER | DIGIT | CJK | UPPER


def _tables() -> NDArray[np.uint64]:
    kind = np.arange(256)
    word = ((kind & _START) > 0) | ((kind & CJK) > 0)
    fields = (
        (word, (kind & SPACE) == 0, (kind & PUNCTUATION) > 0),
        ((kind & _SENTENCE) > 0, (kind & DIGIT) > 0, (kind & UPPER) > 0),
    )
    tables = np.zeros((len(fields), 256), dtype=np.uint64)
    for table, group in zip(tables, fields, strict=True):
        for place, field in enumerate(group):
            table += field.astype(np.uint64) << np.uint64(place * _BITS)
    return tables


_TABLES = _tables()


def count_characters(tree: Tree, nodes: Ints) -> NDArray[np.int64]:
    """For each of the text nodes (columns): words, ink, stops, sentence stops, digits,
    capitals (rows).
    """
    chosen = np.zeros(len(tree), dtype=bool)
    chosen[nodes] = True
    characters = Characters.from_tree(tree, chosen)
    kinds = characters.classes & _CLASSES
    wordlike = (kinds & (LETTER | DIGIT)) != 0
    before = np.zeros(len(kinds), dtype=bool)
    before[1:] = wordlike[:-1]
    before[characters.offsets[:-1]] = False
    kinds[wordlike & ~before] |= _START
    after = np.zeros(len(kinds), dtype=bool)
    after[:-1] = (wordlike & ((kinds & CJK) == 0))[1:]
    kinds[((kinds & PUNCTUATION) != 0) & ~after] |= _SENTENCE
    counts = np.zeros((len(_TABLES) * 3, len(nodes)), dtype=np.int64)
    for row, table in enumerate(_TABLES):
        sums = np.cumsum(table[kinds])
        ends = sums[characters.offsets[1:] - 1]
        packed = np.diff(ends, prepend=np.uint64(0))
        for place in range(3):
            counts[3 * row + place] = (packed >> np.uint64(place * _BITS)) & np.uint64(
                (1 << _BITS) - 1
            )
    return counts
