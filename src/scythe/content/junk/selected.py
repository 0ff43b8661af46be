"""The selected texts of a page, as the steps that look for junk read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tree import Bools, Tree


@dataclass(frozen=True, eq=False)
class SelectedTexts:
    """The selected text nodes of a page, with their texts."""

    tree: Tree
    nodes: NDArray[np.int64]
    texts: Sequence[str]

    @classmethod
    def of(cls, tree: Tree, selected: Bools) -> SelectedTexts:
        """Return the texts of a selection."""
        nodes = np.flatnonzero(selected & tree.is_text)
        return cls(tree, nodes, tree.text[nodes].tolist())

    @cached_property
    def joined(self) -> str:
        """All texts in one, which is searched faster than they are one by one."""
        return "\n".join(self.texts)

    @cached_property
    def stripped(self) -> list[str]:
        """The texts without white space at their ends."""
        return list(map(str.strip, self.texts))

    def has_any(self, words: Iterable[str]) -> bool:
        """Return whether one of the words stands in any of the texts."""
        joined = self.joined
        return any(word in joined for word in words)
