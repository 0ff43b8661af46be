"""The selected texts of a page, as the steps that look for junk read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import ne

import numpy as np
from numpy.typing import NDArray

from scythe.tree.compiled.signs import SignGroups, Signs, TextSigns
from scythe.tree.tree import Bools, Tree

_GROUPS = SignGroups(folds=True)
"""All that steps look for: what a page without capitals cannot have, it has not."""


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
    def _signs(self) -> TextSigns:
        return TextSigns(_GROUPS, self.tree, self.selected)

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
