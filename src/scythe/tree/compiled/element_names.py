"""What the elements of a page call themselves: by tag, id and classes. Pages have few
such names, each on many elements.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scythe.core.block import Block
from scythe.core.elements import Hashes, hash_paths, number_elements
from scythe.tree.compiled.trees import block_of
from scythe.tree.tree import Bools, Ints, Tree, once_per_tree

ElementName = tuple[int, str | None, str | None]
"""What an element calls itself: its tag, its id and its classes."""


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
    found = None if block is None else _numbered(block)
    return _find_names(tree) if found is None else found


def _find_names(tree: Tree) -> ElementNames:
    elements = np.flatnonzero(~tree.is_text)
    nodes = elements.tolist()
    rows = zip(
        tree.tag[elements].tolist(),
        tree.attribute_values("id", nodes),
        tree.attribute_values("class", nodes),
        strict=True,
    )
    known: dict[ElementName, int] = {}
    numbers = np.full(len(tree), -1, dtype=np.int32)
    numbers[elements] = [known.setdefault(row, len(known)) for row in rows]
    return ElementNames(numbers, list(known))


def _numbered(block: Block) -> ElementNames | None:
    """Return the same by the compiled core; None where it is not at work."""
    found = number_elements(block)
    if found is None:
        return None
    tags = block.tag[found.first].tolist()
    identities = _values(block, found.ids)
    class_names = _values(block, found.classes)
    names = zip(tags, identities, class_names, strict=True)
    return ElementNames(found.numbers, list(names))


def _values(block: Block, positions: Ints) -> list[str | None]:
    """Return the values of attributes, None for those at -1."""
    values: list[str | None] = [None] * len(positions)
    there = np.flatnonzero(positions >= 0)
    found = block.values_at(positions[there])
    for number, value in zip(there.tolist(), found, strict=True):
        values[number] = value
    return values


def compiled_path_hashes(
    tree: Tree, chosen: Bools, tag_hashes: Hashes
) -> Hashes | None:
    """Return for every chosen element a number for its path by tags; None where that is
    left to the reference.
    """
    block = block_of(tree)
    return None if block is None else hash_paths(block, chosen, tag_hashes)
