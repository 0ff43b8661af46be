"""What the elements of a page call themselves: by tag, id and classes. Pages have few
such names, each on many elements.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.elements import Hashes, hash_paths, number_elements
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import KNOWN
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree

ElementName = tuple[str, str, str]
"""What an element calls itself: its tag, its id and its classes, empty where it has none."""


class ElementNames(NamedTuple):
    """The names of all elements of a page."""

    numbers: Ints
    """The number of the name of every node; -1 for texts."""
    names: list[ElementName]
    """The names by their numbers, in the order in which they are first met."""


@once_per_tree
def element_names(tree: Tree) -> ElementNames:
    """Return what the elements of a page call themselves."""
    block = block_of(tree)
    found = None if block is None else number_elements(block)
    if found is None:
        return _find_names(tree)
    tags = _tag_names(tree, found.tags)
    names = zip(tags, found.ids, found.classes, strict=True)
    return ElementNames(found.numbers, list(names))


def _find_names(tree: Tree) -> ElementNames:
    elements = np.flatnonzero(~tree.is_text)
    nodes = elements.tolist()
    tags = _tag_names(tree, tree.tag[elements])
    identities = tree.attribute_values("id", nodes)
    classes = tree.attribute_values("class", nodes)
    rows = zip(tags, identities, classes, strict=True)
    known: dict[ElementName, int] = {}
    numbers = np.full(len(tree), -1, dtype=np.int32)
    numbers[elements] = [
        known.setdefault((tag, identity or "", class_names or ""), len(known))
        for tag, identity, class_names in rows
    ]
    return ElementNames(numbers, list(known))


def _tag_names(tree: Tree, codes: NDArray[np.integer]) -> list[str]:
    names = (*KNOWN, *tree.extra_names)
    return list(map(names.__getitem__, codes.tolist()))


def compiled_path_hashes(
    tree: Tree, chosen: Bools, tag_hashes: Hashes
) -> Hashes | None:
    """Return for every chosen element a number for its path by tags; None where that is
    left to the reference.
    """
    block = block_of(tree)
    return None if block is None else hash_paths(block, chosen, tag_hashes)
