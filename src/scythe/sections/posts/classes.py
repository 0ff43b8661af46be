"""Elements by what a class or another attribute says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from scythe.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class AttributePattern:
    """A pattern for values of an attribute, with words in lower case one of which all
    that it finds have: a page is searched for these at once.
    """

    attribute: str
    pattern: re.Pattern[str]
    words: tuple[str, ...]

    def find(self, tree: Tree) -> list[int]:
        """Return the elements with an attribute in which the pattern is found, in page
        order.
        """
        return [node for node, _ in self.values(tree)]

    def values(self, tree: Tree) -> list[tuple[int, str]]:
        """Return the same elements with the attribute."""
        found = []
        for node, value in tree.with_words(self.attribute, self.words).items():
            if _has(self.pattern, value):
                found.append((node, value))
        return found


@lru_cache(maxsize=8192)
def _has(pattern: re.Pattern[str], value: str) -> bool:
    """Return whether a pattern is found in a value; pages of a site share most."""
    return pattern.search(value) is not None
