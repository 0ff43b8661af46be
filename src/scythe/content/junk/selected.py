"""The selected texts of a page, as the steps that look for junk read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import ne

import numpy as np
from numpy.typing import NDArray

from scythe.content.junk import sought
from scythe.core.texts import FoundJunk, find_junk
from scythe.tree.compiled.signs import FoundSigns, Signs, TextSigns
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tree import Bools, Tree

_IS_TEXT, _MAY_BE_NUMBERS, _MAY_BE_ICON, _IS_LINK_SIGN = map(np.uint8, (1, 2, 4, 8))
"""Bits of texts, as in core/src/text/junk.rs."""
_ICON_NAME = re.compile("[a-z0-9_]+")
"""All that names of icons have."""


@dataclass(frozen=True, eq=False)
class SelectedTexts:
    """The selected text nodes of a page; their texts are made where a step reads them."""

    tree: Tree
    selected: Bools

    @cached_property
    def nodes(self) -> NDArray[np.int64]:
        """The text nodes."""
        return np.flatnonzero(self.selected & self.tree.is_text)

    @cached_property
    def texts(self) -> list[str]:
        """Their texts."""
        return self.tree.texts(self.nodes)

    def changed(self, texts: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
        """Return the nodes whose text would be another one, with that text."""
        is_other = list(map(ne, self.texts, texts))
        return self.nodes[is_other], list(compress(texts, is_other))

    @cached_property
    def joined(self) -> str:
        """All texts in one, which is searched faster than they are one by one."""
        return "\n".join(self.texts)

    @cached_property
    def stripped(self) -> list[str]:
        """The texts without white space at their ends."""
        return list(map(str.strip, self.texts))

    @cached_property
    def _junk(self) -> FoundJunk | None:
        """What the compiled core knows of the texts; None where it is not at work."""
        search = sought.GROUPS.search
        block = block_of(self.tree)
        tables = None if block is None else text_tables()
        if block is None or tables is None or search is None:
            return None
        link_signs = (sought.LINK_SIGN_BYTES, sought.MAX_LINK_SIGN)
        return find_junk(
            tables, block, sought.TAG_BITS, self.selected, search, link_signs
        )

    @cached_property
    def _signs(self) -> TextSigns:
        found = None
        if self._junk is not None:
            found = FoundSigns(self._junk.groups, self._junk.known_groups)
        return TextSigns(sought.GROUPS, self.tree, self.selected, found)

    @cached_property
    def has_text(self) -> Bools:
        """Which of the texts are not blank."""
        if self._junk is not None:
            return (self._junk.kinds[: len(self.nodes)] & _IS_TEXT) != 0
        return np.array(self.stripped, dtype=bool)

    @cached_property
    def may_be_numbers(self) -> Bools:
        """Which of the texts may be nothing but numbers."""
        if self._junk is not None:
            return (self._junk.kinds[: len(self.nodes)] & _MAY_BE_NUMBERS) != 0
        return self.has_text

    @cached_property
    def may_be_icons(self) -> Bools:
        """Which of the texts may be nothing but the name of an icon."""
        if self._junk is not None:
            kinds = self._junk.kinds[: len(self.nodes)]
            return (kinds & _MAY_BE_ICON) != 0
        are_names = map(_ICON_NAME.fullmatch, self.stripped)
        return np.array(list(map(bool, are_names)), dtype=bool)

    @property
    def may_have_link_signs(self) -> bool:
        """Whether one of the texts may be nothing but a sign for a link."""
        if self._junk is not None:
            return self._junk.has_link_signs
        return self.may_have(sought.LINK_CHARACTERS)

    @property
    def are_link_signs(self) -> Bools:
        """Which of the texts are nothing but a sign for a link."""
        if self._junk is not None:
            return (self._junk.kinds[: len(self.nodes)] & _IS_LINK_SIGN) != 0
        is_sign = [
            sign in sought.LINK_SIGNS and len(text) <= sought.MAX_LINK_SIGN
            for sign, text in zip(self.stripped, self.texts, strict=True)
        ]
        return np.array(is_sign, dtype=bool)

    @property
    def known_neighbours(self) -> NDArray[np.integer] | None:
        """The texts, by their number, that may be glued to the next; None where nobody
        knows.
        """
        return None if self._junk is None else self._junk.neighbours

    @property
    def known_labels(self) -> NDArray[np.integer] | None:
        """The texts, by their number, that have the field of a form between them and the
        next on the same line; None where nobody knows.
        """
        return None if self._junk is None else self._junk.labels

    def may_have(self, words: tuple[str, ...]) -> bool:
        """Return whether one of the words, in lower case, may stand in any of the
        texts: most pages have none of what a step looks for.
        """
        known = self._signs.has_any(words)
        if known is not None:
            return known
        joined = self.joined
        return any(word in joined for word in words)

    def has_signs(self, signs: Signs) -> bool | None:
        """Return whether the texts in lower case have one of the signs, or of some bytes
        in UTF-8; None where nobody knows before they are made.
        """
        return self._signs.has_any(signs)
