"""Signs in the texts of a tree by the compiled core: all groups that any step looks for,
in one pass.

As with the words of attributes, a group is known from the first time that it is asked
for.
"""

from __future__ import annotations

from threading import Lock

from scythe.core.texts import (
    WordSearch,
    elements_with_signs,
    find_signs,
    read_sign_search,
)
from scythe.tree.compiled.trees import block_of
from scythe.tree.tree import Bools, Tree

Signs = tuple[str | bytes, ...]
"""Signs, or the beginnings of some in UTF-8."""
MAX_GROUPS = 64
"""Groups fill the bits of one number; those beyond are left to the reference."""


class SignGroups:
    """The groups of signs that were asked for in this process."""

    def __init__(self, *, folds: bool = False) -> None:
        self.folds = folds
        """Whether signs are in lower case, and capitals count as small letters."""
        self._numbers: dict[Signs, int] = {}
        self._search: WordSearch | None = None
        self._lock = Lock()

    @property
    def search(self) -> WordSearch | None:
        """The search for all groups so far."""
        return self._search

    def bit(self, signs: Signs) -> int | None:
        """Return the bit of a group; None where the core cannot look for it."""
        number = self._numbers.get(signs)
        if number is None:
            number = self._add(signs)
        return None if number is None else 1 << number

    def _add(self, signs: Signs) -> int | None:
        with self._lock:
            if signs in self._numbers:
                return self._numbers[signs]
            groups = []
            for group in (*self._numbers, signs):
                encoded = tuple(map(_in_utf8, group))
                groups.append(encoded)
            if len(groups) > MAX_GROUPS:
                return None
            search = read_sign_search(groups, folds=self.folds)
            if search is None:
                return None
            self._search = search
            return self._numbers.setdefault(signs, len(self._numbers))

    def find(self, tree: Tree, chosen: Bools) -> FoundSigns | None:
        """Return the groups that chosen texts have signs of; None where that is left to
        the reference.
        """
        search = self._search
        block = block_of(tree)
        if search is None or block is None:
            return None
        bits = find_signs(search, block, chosen)
        return None if bits is None else FoundSigns(bits, search.groups)


def elements_with(
    groups: SignGroups, signs: Signs, tree: Tree, tags: bytes
) -> list[int] | None:
    """Return the elements of some tags, given by `tag_bits`, whose text has one of the
    signs, which must be all that the groups have; None where that is left to the
    reference.
    """
    block = block_of(tree)
    is_known = groups.bit(signs) is not None
    search = groups.search
    if block is None or not is_known or search is None:
        return None
    return elements_with_signs(search, block, tags)


class FoundSigns:
    """The groups of signs that texts have."""

    def __init__(self, bits: int, groups: int) -> None:
        self._bits = bits
        self._known = (1 << groups) - 1

    def has(self, bit: int) -> bool | None:
        """Return whether a group was found; None where it was not looked for."""
        if not self._known & bit:
            return None
        return bool(self._bits & bit)


class TextSigns:
    """The signs of some texts of a tree."""

    def __init__(
        self,
        groups: SignGroups,
        tree: Tree,
        chosen: Bools,
        found: FoundSigns | None = None,
    ) -> None:
        self._groups = groups
        self._tree = tree
        self._chosen = chosen
        self._found = found

    def has_any(self, signs: Signs) -> bool | None:
        """Return whether one of the signs stands in any of the texts; None where that is
        left to the reference.
        """
        bit = self._groups.bit(signs)
        if bit is None:
            return None
        known = None if self._found is None else self._found.has(bit)
        if known is None:
            self._found = self._groups.find(self._tree, self._chosen)
            known = None if self._found is None else self._found.has(bit)
        return known


def _in_utf8(sign: str | bytes) -> bytes:
    return sign.encode() if isinstance(sign, str) else sign
