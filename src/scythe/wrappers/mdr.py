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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from scythe.sections.span import Span
from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Bools, Tree, prefix_sums

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

DataRegion = list[Span]
"""The records of a data region, in page order."""


def data_regions(tree: Tree) -> list[DataRegion]:
    """Return the records of every data region, in page order."""
    return _RegionMiner(tree).data_regions()


def main_region(tree: Tree, regions: Sequence[DataRegion]) -> DataRegion:
    """Return the region with the most text; no record where there is no region."""
    is_ignored = tree.below(tree.has_tag(_NO_TAG_NODES))
    nodes = np.flatnonzero(tree.is_text & ~is_ignored)
    lengths = np.zeros(len(tree), dtype=np.int32)
    texts = tree.text[nodes].tolist()
    lengths[nodes] = [len(text.strip()) for text in texts]
    sums = prefix_sums(lengths).tolist()

    def text_length(region: DataRegion) -> int:
        length = 0
        for start, stop in region:
            length += sums[stop] - sums[start]
        return length

    if not regions:
        return []
    return max(regions, key=text_length)


class _SiblingRun(NamedTuple):
    """A data region among siblings, by index, of generalized nodes of one length."""

    components: int
    """Siblings in a generalized node."""
    first: int
    size: int


class _Chains(NamedTuple):
    """For every sibling, in steps of one generalized node: where the next is that is
    alike to its successor, and how many in a row are.
    """

    next_alike: list[int]
    alike_count: list[int]


class _RegionMiner:
    """One page being searched: its tag string, and what may still be spent on
    comparing.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        is_ignored = tree.below(tree.has_tag(_NO_TAG_NODES))
        self.is_tag_node: Bools = ~tree.is_text & ~is_ignored
        tag_codes = tree.tag[self.is_tag_node] + 256
        letters = map(chr, tag_codes.tolist())
        self.tag_string = "".join(letters)
        self.offsets = prefix_sums(self.is_tag_node)
        self.work = MAX_WORK

    def data_regions(self) -> list[DataRegion]:
        """Return every region that lies in no generalized node of another: a region
        further up covers those below it.
        """
        regions = []
        has_grandchildren = self._has_grandchildren()
        stack = [0]
        while stack:
            children = self._children(stack.pop())
            covered: set[int] = set()
            for run in self._sibling_runs(children):
                stop = run.first + run.size
                siblings = children[run.first : stop]
                covered.update(siblings)
                records = self._records(siblings, run.components)
                regions.append(list(records))

            uncovered = [child for child in children if child not in covered]
            stack += [child for child in uncovered if has_grandchildren[child]]
        return sorted(regions)

    def _has_grandchildren(self) -> Bools:
        """Return which nodes have three levels and more: a region of fewer would be
        bare tags.
        """
        parents = self.tree.parent[self.is_tag_node]
        parents = parents[parents >= 0]
        grandparents = self.tree.parent[parents]
        grandparents = grandparents[grandparents >= 0]
        has_grandchildren = np.zeros(len(self.tree), dtype=bool)
        has_grandchildren[grandparents] = True
        return has_grandchildren

    def _children(self, node: int) -> list[int]:
        return [child for child in self.tree.children(node) if self.is_tag_node[child]]

    def _sibling_runs(self, children: Sequence[int]) -> Iterator[_SiblingRun]:
        """Yield the regions among siblings.

        From where the last region ended, the longest region is taken among those that
        begin first.
        """
        count = len(children)
        most_components = min(MAX_COMPONENTS, count // 2)
        lengths = range(1, most_components + 1)
        chains = [self._chains(children, components) for components in lengths]
        start = 0
        while start < count - 1:
            best = _SiblingRun(0, count, 0)
            for components, (next_alike, alike_count) in enumerate(chains, 1):
                stop = min(start + components, count)
                for offset in range(start, stop):
                    first = next_alike[offset]
                    if first >= count:
                        continue
                    size = (alike_count[first] + 1) * components
                    if size > best.size and first <= best.first:
                        best = _SiblingRun(components, first, size)
            if not best.size:
                return
            yield best
            start = best.first + best.size

    def _chains(self, children: Sequence[int], components: int) -> _Chains:
        count = len(children)
        length = count + components
        next_alike = [count] * length
        alike_count = [0] * length
        is_alike = self._alike_to_next(children, components)
        for index in range(count - 1, -1, -1):
            following = index + components
            if is_alike[index]:
                next_alike[index] = index
                alike_count[index] = alike_count[following] + 1
            else:
                next_alike[index] = next_alike[following]
        return _Chains(next_alike, alike_count)

    def _alike_to_next(self, children: Sequence[int], components: int) -> list[bool]:
        """Return whether the generalized node that begins at each sibling is alike to
        the one that follows it.
        """
        bounds = self._bounds(children)
        first = bounds[: -2 * components]
        middle = bounds[components:-components]
        last = bounds[2 * components :]
        lengths = middle - first
        next_lengths = last - middle
        total_lengths = lengths + next_lengths
        allowed = (THRESHOLD / 2 * total_lengths).astype(np.int64)
        is_near = np.abs(lengths - next_lengths) <= allowed
        is_short = np.maximum(lengths, next_lengths) <= MAX_TAGS
        compared = np.flatnonzero(is_near & is_short)

        columns = (
            compared,
            first[compared],
            middle[compared],
            last[compared],
            allowed[compared],
        )
        rows = np.column_stack(columns).tolist()
        alike = [False] * len(children)
        for index, *bounds_and_allowed in rows:
            alike[index] = self._is_alike(*bounds_and_allowed)
        return alike

    def _bounds(self, children: Sequence[int]) -> NDArray[np.int64]:
        """Return where each sibling's tag string begins in the page's, and where the
        last one's ends.
        """
        last_child = children[-1]
        last = int(self.tree.end[last_child])
        return self.offsets[[*children, last]]

    def _is_alike(self, first: int, middle: int, last: int, allowed: int) -> bool:
        """Return whether two tag strings side by side are within an edit distance."""
        length = middle - first
        next_length = last - middle
        self.work -= 1 + length * next_length // 64
        if self.work < 0:
            return False
        distance = Levenshtein.distance(
            self.tag_string[first:middle],
            self.tag_string[middle:last],
            score_cutoff=allowed,
        )
        return distance <= allowed

    def _records(self, siblings: Sequence[int], components: int) -> Iterator[Span]:
        """Yield the records of a region; a node with like children is a row of records,
        unless it is the row of a data table.
        """
        end = self.tree.end
        for index in range(0, len(siblings), components):
            first = siblings[index]
            last = siblings[index + components - 1]
            is_row = self.tree.tag[first] == code("tr")
            if components == 1 and not is_row:
                children = self._children(first)
                if self._are_records(children):
                    for child in children:
                        yield Span(child, int(end[child]))
                    continue
            yield Span(first, int(end[last]))

    def _are_records(self, children: Sequence[int]) -> bool:
        """Return whether the children of a generalized node are all alike."""
        if len(children) < 2:
            return False
        alike_to_next = self._alike_to_next(children, 1)
        return all(alike_to_next[:-1])
