"""Words of attributes by the compiled core: all that any step looks for, in one pass
over the page.

A group of words is known from the first time that it is asked for; from the next page
on it is looked for with all others.
"""

from __future__ import annotations

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block
from scythe.core.texts import WordSearch, find_words, read_word_search

MAX_GROUPS = 64
"""Groups fill the bits of one number; those beyond are left to the reference."""


class KnownGroups:
    """The groups of words that were asked for in this process."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[str, ...]], int] = {}
        self._search: WordSearch | None = None
        self._lock = Lock()

    def number(self, attribute: str, words: tuple[str, ...]) -> int | None:
        """Return the number of a group; None where the core cannot look for it."""
        group = (attribute, words)
        number = self._numbers.get(group)
        return self._add(group) if number is None else number

    def _add(self, group: tuple[str, tuple[str, ...]]) -> int | None:
        with self._lock:
            if group in self._numbers:
                return self._numbers[group]
            groups = [*self._numbers, group]
            search = read_word_search(groups) if len(groups) <= MAX_GROUPS else None
            if search is None:
                return None
            self._search = search
            return self._numbers.setdefault(group, len(self._numbers))

    @property
    def search(self) -> WordSearch | None:
        """The search for all groups so far."""
        return self._search


KNOWN_GROUPS = KnownGroups()


class FoundWords:
    """The attributes of a page that have words of groups."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._groups = 0
        self._positions: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)
        self._bits: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)

    def positions(
        self, attribute: str, words: tuple[str, ...]
    ) -> NDArray[np.int64] | None:
        """Return the positions of the attributes that have one of the words, in document
        order; None where that is left to the reference.
        """
        number = KNOWN_GROUPS.number(attribute, words)
        if number is None:
            return None
        if number >= self._groups and not self._find():
            return None
        bit = np.uint64(1 << number)
        has_group = (self._bits & bit) != 0
        positions = self._positions[has_group]
        return positions.astype(np.int64)

    def _find(self) -> bool:
        """Look for all groups that are known by now; return whether that was done."""
        search = KNOWN_GROUPS.search
        found = None if search is None else find_words(search, self._block)
        if search is None or found is None:
            return False
        self._groups = search.groups
        self._positions, self._bits = found
        return True
