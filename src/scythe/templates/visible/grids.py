"""Elements that label others: in rows of two cells and in definition lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

_ROW = TagSet("tr")
_CELLS = TagSet("td th")
_TERM = TagSet("dt")
_DETAIL = TagSet("dd")


def labelled_elements(tree: Tree) -> Iterator[tuple[int, list[int]]]:
    """Yield the elements of labels with those of their values, rows before definition
    lists.
    """
    yield from _rows(tree)
    yield from _definitions(tree)


def _rows(tree: Tree) -> Iterator[tuple[int, list[int]]]:
    """Yield the cells of rows that have two."""
    is_cell = tree.has_tag(_CELLS)
    for row in np.flatnonzero(tree.has_tag(_ROW)).tolist():
        cells = [child for child in tree.children(row) if is_cell[child]]
        if len(cells) == 2:
            yield cells[0], cells[1:]


def _definitions(tree: Tree) -> Iterator[tuple[int, list[int]]]:
    """Yield terms with the details that follow them, in lists that may wrap each group."""
    is_detail = tree.has_tag(_DETAIL)
    is_term = tree.has_tag(_TERM)
    for term in np.flatnonzero(is_term).tolist():
        details: list[int] = []
        parent = int(tree.parent[term])
        following = int(tree.end[term])
        end = int(tree.end[parent])
        while following < end and not is_term[following]:
            if is_detail[following]:
                details.append(following)
            following = int(tree.end[following])
        if details:
            yield term, details
