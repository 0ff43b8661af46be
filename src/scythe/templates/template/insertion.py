"""Where new siblings go in a template, and how their order is learned.

RecipeCrawler inserts what is unmatched at its unique position, and merges it "as a
possible value into a possible node" where there is none. Here the siblings of a
possible node stay apart, under one number (`possible_node`), and leave it when a page
shows their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scythe.templates.matching.node import Entry, Node
from scythe.templates.matching.sequences import longest_increasing


def unique_insertion(
    siblings: list[Entry], new: list[Entry], left: Entry | None, right: Entry | None
) -> bool:
    """Insert new siblings between two neighbours; return whether their position was
    unique.

    It is unique where the neighbours stand side by side. Otherwise the new ones share a
    possible node with what stands between: each is a possible value of it, and which
    comes first will be known when a page has both. Figure 6 of RecipeCrawler, with
    possible values in brackets; "d" of t2 is repeated, and folded by sibling matching:

        page          template        what happens
        t2  a d d e f   a d e f       the largest page is the seed; d is an example node
        t1  a b d e     a b d e f     a and d stand side by side: b is inserted there
        t3  a c d e f   a [b c] d e f b stands between a and d: no unique position for c
        t4  a c d e     a [b c] d e f c is matched, but its order is still open
        t5  a b c d e f a b c d e f   the page shows the order of b and c
    """
    index_of = {id(entry): index for index, entry in enumerate(siblings)}
    low = -1
    if left is not None:
        low = index_of[id(left)]
    high = len(siblings)
    if right is not None:
        high = index_of[id(right)]
    if high <= low + 1:
        siblings[low + 1 : low + 1] = new
        return True

    between = siblings[low + 1 : high]
    number = next((entry.possible_node for entry in between if entry.possible_node), 0)
    if not number:
        number = 1 + max(entry.possible_node for entry in siblings)
    for entry in (*between, *new):
        entry.possible_node = number
    siblings[high:high] = new
    return False


def learn_order(node: Node, found: Sequence[Entry | None]) -> tuple[bool, list[Entry]]:
    """Learn from the order in which a page has the children of a node.

    Possible values of one possible node are put in order; others that stand in another
    order are marked as moved. Return whether the children were put in order, and which
    were marked.
    """
    index_of = {id(entry): index for index, entry in enumerate(node.children)}
    seen = []
    for unit_index, entry in enumerate(found):
        if entry is not None:
            index = index_of[id(entry)]
            seen.append((index, unit_index))

    in_order = all(one[0] <= other[0] for one, other in pairwise(seen))
    has_open_order = any(entry.possible_node for entry in node.children)
    if in_order and not has_open_order:
        return False, []

    by_possible_node: dict[int, list[int]] = {}
    for index, _ in seen:
        number = node.children[index].possible_node
        if number and index not in by_possible_node.get(number, ()):
            by_possible_node.setdefault(number, []).append(index)

    reordered = False
    for number, indices in by_possible_node.items():
        if len(indices) > 1:
            _put_in_order(node.children, number, indices)
            reordered = True
    if in_order or by_possible_node:
        return reordered, []
    return reordered, _mark_moved(node, seen)


def _mark_moved(node: Node, seen: Sequence[tuple[int, int]]) -> list[Entry]:
    unmoved = {index for index, _ in longest_increasing(seen)}
    moved: list[Entry] = []
    for index, _ in seen:
        entry = node.children[index]
        if index not in unmoved and not entry.moved:
            entry.moved = True
            moved.append(entry)
    return moved


def _put_in_order(siblings: list[Entry], number: int, indices: list[int]) -> None:
    """Put siblings of one possible node in the order in which a page has them; those
    that it has are no longer only possible values.
    """
    ordered = [siblings[index] for index in indices]
    was_moved = any(entry.moved for entry in ordered)
    for index, entry in zip(sorted(indices), ordered, strict=True):
        siblings[index] = entry
    if was_moved:
        return

    left = [
        entry
        for entry in siblings
        if entry.possible_node == number and entry not in ordered
    ]
    if len(left) == 1:
        ordered += left
    for entry in ordered:
        entry.possible_node = 0
