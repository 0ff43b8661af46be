"""MDR: the data regions of a page and their records (Liu, Grossman and Zhai, Mining
Data Records in Web Pages, 2003).

The baseline that the ViNTs paper compares itself with. A generalized node is a run of
adjacent siblings; a data region is two or more adjacent generalized nodes of the same
length whose tag strings are alike by normalised edit distance; every generalized node
of a region holds one record or several. Nothing is learned and only tags are read.

Three readings where the description leaves room. Scripts, styles and the like are no
tag nodes: they stand between records without being seen. A generalized node of several
nodes is one record here: records whose parts stand in several places (the columns of a
table, the n-component rule) are no slice of the page, and no page of the benchmark has
them. Of several regions the main one is that with the most text, as in the comparison
of the ViNTs paper.

In the flat tree the tag string of a generalized node is a slice of the one tag string
of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Bools, Tree, prefix_sums
from scythe.wrappers.span import Span

MAX_COMPONENTS = 10
"""The most siblings in a generalized node: the published K."""

THRESHOLD = 0.4
"""Tag strings are alike up to this edit distance as a share of their mean length: the
60 % similarity of the comparison in the ViNTs paper, advised by MDR's authors. Their
own paper's 0.3 measures lower: macro recall 0.370 against 0.422.
"""

MAX_TAGS = 2_000
"""Longer generalized nodes are not compared, which bounds the cost of one comparison;
the longest record of the benchmark has 693 tags.
"""

MAX_WORK = 20_000_000
"""Steps of comparing on one page, each of 64 tags with one, after which nothing more is
found alike; pages of the benchmark need at most 2.8 million.
"""

_NO_TAG_NODES = TagSet("script style noscript template head")


def mdr(tree: Tree) -> list[list[Span]]:
    """The records of every data region, in page order."""
    return _Mining(tree).regions()


def main_region(tree: Tree, regions: Sequence[Sequence[Span]]) -> list[Span]:
    """The region with the most text; no record where there is no region."""
    counted = tree.is_text & ~tree.below(tree.has_tag(_NO_TAG_NODES))
    lengths = np.zeros(len(tree), dtype=np.int32)
    nodes = np.flatnonzero(counted)
    lengths[nodes] = [len(text.strip()) for text in tree.text[nodes].tolist()]
    sums = prefix_sums(lengths)
    return list(
        max(
            regions,
            key=lambda region: sum(
                int(sums[stop] - sums[start]) for start, stop in region
            ),
            default=[],
        )
    )


class _Mining:
    """One page being searched: its tag string, and what may still be spent on
    comparing.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.counted: Bools = ~tree.is_text & ~tree.below(tree.has_tag(_NO_TAG_NODES))
        self.tags = "".join(map(chr, (tree.tag[self.counted] + 256).tolist()))
        self.place = prefix_sums(self.counted)
        self.work = MAX_WORK

    def regions(self) -> list[list[Span]]:
        """Every region that lies in no generalized node of another: a region further up
        covers those below it.
        """
        found, waiting, deep = [], [0], self._with_grandchildren()
        while waiting:
            node = waiting.pop()
            children = self._children(node)
            covered: set[int] = set()
            for components, first, size in self._data_regions(children):
                run = children[first : first + size]
                covered.update(run)
                found.append(list(self._records(run, components)))
            waiting += [
                child for child in children if deep[child] and child not in covered
            ]
        return sorted(found)

    def _with_grandchildren(self) -> Bools:
        """Nodes of three levels and more: a region of fewer would be bare tags."""
        parents = self.tree.parent[self.counted]
        above = self.tree.parent[parents[parents >= 0]]
        deep = np.zeros(len(self.tree), dtype=bool)
        deep[above[above >= 0]] = True
        return deep

    def _children(self, node: int) -> list[int]:
        return [child for child in self.tree.children(node) if self.counted[child]]

    def _data_regions(self, children: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The regions among siblings: components of a generalized node, first sibling,
        number of siblings.

        From where the last region ended, the longest region is taken among those that
        begin first.
        """
        count = len(children)
        chains = [
            self._chains(children, components)
            for components in range(1, min(MAX_COMPONENTS, count // 2) + 1)
        ]
        start = 0
        while start < count - 1:
            best = (0, count, 0)
            for components, (first_alike, alike) in enumerate(chains, 1):
                for offset in range(start, min(start + components, count)):
                    first = first_alike[offset]
                    if first < count:
                        size = (alike[first] + 1) * components
                        if size > best[2] and first <= best[1]:
                            best = (components, first, size)
            if not best[2]:
                return
            yield best
            start = best[1] + best[2]

    def _chains(
        self, children: Sequence[int], components: int
    ) -> tuple[list[int], list[int]]:
        """For every sibling, in steps of a generalized node: the next that is like its
        successor; how many in a row are.
        """
        count = len(children)
        first_alike, alike = [count] * (count + components), [0] * (count + components)
        is_alike = self._alike_next(children, components)
        for place in range(count - 1, -1, -1):
            if is_alike[place]:
                first_alike[place], alike[place] = place, alike[place + components] + 1
            else:
                first_alike[place] = first_alike[place + components]
        return first_alike, alike

    def _alike_next(self, children: Sequence[int], components: int) -> list[bool]:
        """Whether the generalized node that begins at a sibling is like the one that
        follows it.
        """
        bounds = self._bounds(children)
        first, middle, last = (
            bounds[: -2 * components],
            bounds[components:-components],
            bounds[2 * components :],
        )
        ours, theirs = middle - first, last - middle
        allowed = (THRESHOLD / 2 * (ours + theirs)).astype(np.int64)
        possible = (np.abs(ours - theirs) <= allowed) & (
            np.maximum(ours, theirs) <= MAX_TAGS
        )
        alike = [False] * len(children)
        columns = (first, middle, last, allowed)
        for place, *bound in zip(
            np.flatnonzero(possible).tolist(),
            *(c[possible].tolist() for c in columns),
            strict=True,
        ):
            alike[place] = self._alike(*bound)
        return alike

    def _bounds(self, children: Sequence[int]) -> NDArray[np.int64]:
        """Where each sibling's tag string begins in the page's, and where the last
        one's ends.
        """
        return self.place[[*children, int(self.tree.end[children[-1]])]]

    def _alike(self, first: int, middle: int, last: int, allowed: int) -> bool:
        self.work -= 1 + (middle - first) * (last - middle) // 64
        if self.work < 0:
            return False
        return (
            Levenshtein.distance(
                self.tags[first:middle], self.tags[middle:last], score_cutoff=allowed
            )
            <= allowed
        )

    def _records(self, run: Sequence[int], components: int) -> Iterator[Span]:
        """The records of a region; a node with like children is a row of records,
        unless it is the row of a data table.
        """
        end = self.tree.end
        for place in range(0, len(run), components):
            first, last = run[place], run[place + components - 1]
            if components == 1 and self.tree.tag[first] != code("tr"):
                children = self._children(first)
                if len(children) > 1 and all(self._alike_next(children, 1)[:-1]):
                    yield from (Span(child, int(end[child])) for child in children)
                    continue
            yield Span(first, int(end[last]))
