"""Words of attributes by the compiled core: all that any step looks for in the values of
one attribute, in one pass over the page.

A group of words is known from the first time that it is asked for; from the next page
on it is looked for with all others of its attribute.
"""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from operator import or_
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block
from scythe.core.texts import WordSearch, find_words, read_word_search

MAX_GROUPS = 64
"""Groups fill the bits of one number; those beyond are left to the reference."""


class KnownGroups:
    """The groups of words that were asked for in this process, of one attribute."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, ...], int] = {}
        self._search: WordSearch | None = None
        self._lock = Lock()

    def number(self, attribute: str, words: tuple[str, ...]) -> int | None:
        """Return the number of a group; None where the core cannot look for it."""
        number = self._numbers.get(words)
        return self._add(attribute, words) if number is None else number

    def _add(self, attribute: str, words: tuple[str, ...]) -> int | None:
        with self._lock:
            if words in self._numbers:
                return self._numbers[words]
            all_words = [*self._numbers, words]
            groups = [(attribute, group) for group in all_words]
            is_full = len(groups) > MAX_GROUPS
            search = None if is_full else read_word_search(groups)
            if search is None:
                return None
            self._search = search
            return self._numbers.setdefault(words, len(self._numbers))

    @property
    def search(self) -> WordSearch | None:
        """The search for all groups so far."""
        return self._search


KNOWN_GROUPS: defaultdict[str, KnownGroups] = defaultdict(KnownGroups)
"""By attribute: where nobody asks for the addresses of links, they are not searched."""
_NOWHERE: NDArray[np.int64] = np.empty(0, dtype=np.int64)


class FoundWords:
    """The attributes of one name of a page that have words of groups."""

    def __init__(self, block: Block, attribute: str) -> None:
        self._block = block
        self._attribute = attribute
        self._known = KNOWN_GROUPS[attribute]
        self._groups = 0
        self._any = 0
        """The groups of which the page has words at all, as bits."""
        self._positions: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        self._bits: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)

    def positions(self, words: tuple[str, ...]) -> NDArray[np.int64] | None:
        """Return the positions of the attributes that have one of the words, in document
        order; None where that is left to the reference.
        """
        number = self._known.number(self._attribute, words)
        if number is None:
            return None
        if number >= self._groups and not self._find():
            return None
        bit = 1 << number
        if not self._any & bit:
            return _NOWHERE
        has_group = (self._bits & np.uint64(bit)) != 0
        positions = self._positions[has_group]
        return positions.astype(np.int64)

    def _find(self) -> bool:
        """Look for all groups that are known by now; return whether that was done."""
        search = self._known.search
        found = None if search is None else find_words(search, self._block)
        if search is None or found is None:
            return False
        self._groups = search.groups
        self._positions, self._bits = found
        different_bits = set(self._bits.tolist())
        self._any = reduce(or_, different_bits, 0)
        return True
