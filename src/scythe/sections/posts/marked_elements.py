"""The elements that hold one date or name each, by the compiled core where it is at work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scythe.core.posts import find_own_elements
from scythe.sections.posts.thread_page import Key, ThreadPage
from scythe.tree.compiled.trees import block_of

MIN_SHARE = 0.45
"""Of the dates or names of a kind, how many must have an element of their own. Posts
with a second date of the same markup (edited, last reply) are common; two thirds of
dates with an element of their own are not chance.
"""


def own_elements(
    page: ThreadPage, groups: Sequence[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the elements of one key that hold one of the marks of a group each, in page
    order, every series once.
    """
    block = block_of(page.tree)
    found = None
    if block is not None:
        found = find_own_elements(block, page.keys, groups, MIN_SHARE)
    return reference_elements(page, groups) if found is None else iter(found)


def reference_elements(
    page: ThreadPage, groups: Sequence[Sequence[int]]
) -> Iterator[list[int]]:
    """Yield the same without the compiled core."""
    seen: set[tuple[int, ...]] = set()
    for marks in groups:
        marked = _MarkedElements(page, marks)
        for nodes in marked.by_key.values():
            own, held = marked.nearest(nodes)
            has_own = len(own) >= 2 and len(own) >= MIN_SHARE * held
            are_enough = held >= MIN_SHARE * len(marks)
            key = tuple(own)
            if has_own and are_enough and key not in seen:
                seen.add(key)
                yield own


class _MarkedElements:
    """The elements that hold marks, each met once however many it holds."""

    def __init__(self, page: ThreadPage, marks: Sequence[int]) -> None:
        self._end = page.tree.end
        self.by_key: dict[Key, list[int]] = {}
        """Elements by their key, the first met first on the way up from each mark."""
        self._held: dict[int, int] = {-1: 0}
        """How many marks each element holds."""
        keys = page.keys
        parent = page.tree.parent
        held = self._held
        for mark in marks:
            node = mark
            while node not in held:
                held[node] = 0
                self.by_key.setdefault(int(keys[node]), []).append(node)
                node = int(parent[node])
            held[mark] += 1
        for node in sorted(held, reverse=True)[:-1]:
            held[int(parent[node])] += held[node]

    def nearest(self, nodes: Sequence[int]) -> tuple[list[int], int]:
        """Return those of some elements of one key that are the nearest one above any
        mark, in page order, and how many marks stand in any.
        """
        inner = dict.fromkeys(nodes, 0)
        around: list[tuple[int, int]] = []
        total = 0
        in_order = sorted(nodes)
        ends = self._end[in_order].tolist()
        for node, end in zip(in_order, ends, strict=True):
            while around and around[-1][1] <= node:
                around.pop()
            if around:
                innermost, _ = around[-1]
                inner[innermost] += self._held[node]
            else:
                total += self._held[node]
            around.append((node, end))
        own = [node for node in in_order if self._held[node] > inner[node]]
        return own, total
