"""Which node of a group each of several like siblings of a page stands for. Nothing is
learned here: pages that are only read are matched in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.likeness import shape_likeness
from scythe.templates.matching.node import NEW, STEADY, Node, SiblingGroup
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import begins_with_label

_MAX_ROW_TEXTS = 4
"""Texts of what is still a row of a label and its value."""


def match_rows(
    group: SiblingGroup,
    page_nodes: Sequence[int],
    view: PageView,
    cache: MatchingCache,
) -> list[tuple[Node, int]]:
    """Return the node of a group that each sibling stands for; nothing is learned."""
    if group.state is STEADY:
        nodes = [*group.rows, *[group.example] * len(page_nodes)]
        return list(zip(nodes, page_nodes, strict=False))
    if group.state is NEW or not group.rows:
        return [(group.example, page_node) for page_node in page_nodes]
    rows = match_labelled_rows(group, page_nodes, view, cache)
    pairs = zip(rows, page_nodes, strict=True)
    return [(row or group.example, page_node) for row, page_node in pairs]


def match_labelled_rows(
    group: SiblingGroup,
    page_nodes: Sequence[int],
    view: PageView,
    cache: MatchingCache,
) -> list[Node | None]:
    """Return the row of a labelled group that each sibling stands for, None where there
    is none.

    Siblings are rows of the label that they begin with. A box, which is more than a
    label and its value, may begin with data, so a box with an unknown beginning can be
    one that has been seen with another, between the same neighbours.
    """
    row_of_label = {row.row_label: index for index, row in enumerate(group.rows)}
    found: list[int | None] = []
    for page_node in page_nodes:
        index = row_of_label.get(view.leading_texts[page_node])
        is_taken = index in found and not begins_with_label(view, page_node)
        found.append(None if is_taken else index)

    for position, page_node in enumerate(page_nodes):
        is_row = view.text_count(page_node) <= _MAX_ROW_TEXTS
        if is_row or found[position] is not None:
            continue
        best = None
        best_likeness = 0.0
        for index in _open_rows(group, found, position):
            row = group.rows[index]
            row_likeness = shape_likeness(row, page_node, view, cache)
            if row_likeness > best_likeness:
                best = index
                best_likeness = row_likeness
        found[position] = best
    return [None if index is None else group.rows[index] for index in found]


def _open_rows(
    group: SiblingGroup, found: Sequence[int | None], position: int
) -> list[int]:
    """Return the free rows between the neighbours of a sibling that may begin with
    data.
    """
    before = [index for index in found[:position] if index is not None]
    low = max(before, default=-1)
    behind = [index for index in found[position + 1 :] if index is not None]
    behind_low = [index for index in behind if index > low]
    high = min(behind_low, default=len(group.rows))

    free = [index for index in range(low + 1, high) if index not in found]
    rows = group.rows
    return [index for index in free if _may_begin_with_data(group, rows[index])]


def _may_begin_with_data(group: SiblingGroup, row: Node) -> bool:
    if row.row_label is None:
        return True
    pages, _ = group.leading_texts.get(row.row_label, (1, 0))
    return pages == 1
