"""Refined wrappers (ViNTs, section 5.5): which of the pieces that a wrapper cuts are
records of one kind; and the best wrapper of a page (section 5.6): four weights of the
records each gives, summed with learned factors.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from typing import NamedTuple

from scythe.sections.span import Span
from scythe.tree.tree import Tree
from scythe.wrappers.vints.blocks import Block, SimilarityLimits, visually_similar
from scythe.wrappers.vints.initial import InitialWrapper
from scythe.wrappers.vints.lines import EMPTY_TYPES, Box, ContentLine, bounding_box
from scythe.wrappers.vints.rule import SeparatedRule

REFINING_LIMITS = SimilarityLimits(type=0.9, shape=600, position=600)
"""Looser than for grouping: it is enough if three records are alike to build a wrapper,
but all must be to be extracted. On one page of every set of the data folder, the macro
recall of the best wrappers with boxes is 0.72 with limits of 0.6, 100 and 50, 0.77 with
0.8, 200 and 50, and 0.82 with 0.8 alone; without boxes it is 0.887 with 0.8 and 0.894
with 0.9.
"""


MAX_ODD = 1
"""Records in a row that may be unlike the others without being the end of the list."""


@dataclass(frozen=True)
class RefinedWrapper:
    """A wrapper with its [min, max], and the records it gives on its page as spans and
    as blocks.
    """

    initial: InitialWrapper
    min: int
    max: int | None
    spans: list[Span]
    blocks: list[Block]

    def rule(self) -> SeparatedRule:
        """Return the wrapper in the form that fits other pages too."""
        rule = self.initial.rule()
        return replace(rule, min=self.min, max=self.max)


class LineIndex:
    """The content lines and links of a page, looked up by record."""

    def __init__(self, tree: Tree, lines: Sequence[ContentLine]) -> None:
        self.lines = lines
        self._line_nodes = [line.node for line in lines]
        self._links = sorted(tree.with_attribute("href"))

    def block(self, span: Span) -> Block:
        """Return the lines that begin in a record, without those after its last
        characters: they tell of what comes next.
        """
        start = bisect_left(self._line_nodes, span.start)
        stop = bisect_left(self._line_nodes, span.stop)
        while start < stop and self.lines[stop - 1].type in EMPTY_TYPES:
            stop -= 1
        return Block(self.lines[start:stop])

    def has_link(self, span: Span) -> bool:
        """Return whether a record contains a link."""
        first = bisect_left(self._links, span.start)
        stop = bisect_left(self._links, span.stop)
        return first < stop


def refine(page: LineIndex, initial: InitialWrapper) -> RefinedWrapper:
    """Return the records from the middle one, the paper's Rm, to both ends, as far as
    each has a link and looks like Rm.

    Where an end is reached there is no bound: `min` stays 0, `max` stays open.
    """
    spans = [initial.forest.span(start, stop) for start, stop in initial.records]
    blocks = [page.block(span) for span in spans]
    middle = len(spans) // 2

    def is_like_middle(index: int) -> bool:
        if not page.has_link(spans[index]):
            return False
        return visually_similar(blocks[index], blocks[middle], REFINING_LIMITS)

    count = len(spans)
    before = range(middle - 1, -1, -1)
    after = range(middle + 1, count)
    first = middle - _alike_in_a_row(is_like_middle, before)
    stop = middle + 1 + _alike_in_a_row(is_like_middle, after)

    least = first + 1 if first else 0
    most = stop if stop < count else None
    kept = slice(first, stop)
    return RefinedWrapper(initial, least, most, spans[kept], blocks[kept])


def _alike_in_a_row(is_alike: Callable[[int], bool], indices: range) -> int:
    """Return up to which of the records in a row the list goes on: one odd record does
    not end it if those behind it are alike again.
    """
    length = 0
    for number, index in enumerate(indices, 1):
        if is_alike(index):
            length = number
        elif number - length > MAX_ODD:
            break
    return length


class GroupWeights(NamedTuple):
    """The paper's four weights of a group, each 1 for the best group of its page; also
    the factors they are summed with.
    """

    raw: float
    """Rendering area weight."""
    cdw: float
    """Center distance weight: nearness of the group's centre to the page's."""
    nrw: float
    """Number of records weight."""
    acnw: float
    """Average number of characters weight."""

    def combined(self, factors: GroupWeights) -> float:
        """Return the weighted sum."""
        pairs = zip(self, factors, strict=True)
        return sum(weight * factor for weight, factor in pairs)


VISUAL_FACTORS = GroupWeights(raw=1.0, cdw=0.1, nrw=1.0, acnw=0.1)
"""Learned by `python -m training.vints` on the 330 pages of the data folder. Area and
number of records tell nearly everything; for the nearness to the centre 0 and 0.1 choose
the same, and the paper sums four weights, so it is 0.1.
"""
TAG_FACTORS = GroupWeights(raw=1.0, cdw=0.1, nrw=1.5, acnw=0.0)
"""Learned on the first page of the 106 sets that choices are made on, where they choose
with a macro precision and recall of 0.899 and 0.892; the best wrapper of every page
would have 0.962 and 0.946. With all characters for the area it is 0.854 and 0.844, with
those outside links but without the limit `OUTSTANDING` 0.889 and 0.883.
"""
OUTSTANDING = 3
"""How many times as long as the usual one a record counts without boxes: the part of a
page with the list in it, among header and footer, has the characters of all its records.
"""


def learned_factors(page: Box | None) -> GroupWeights:
    """Return the learned factors for a page with or without boxes."""
    return TAG_FACTORS if page is None else VISUAL_FACTORS


def group_weights(
    groups: Sequence[Sequence[Block]], page: Box | None
) -> list[GroupWeights]:
    """Return the weights of each group of records, relative to the other groups of the
    page.

    Without boxes the characters of a group outside links stand for its area, and no
    group is nearer to the centre than another.
    """
    counts = []
    areas = []
    averages = []
    distances = []
    for group in groups:
        characters = sum([block.characters for block in group])
        box = _rendering_box(group) if page else None
        counts.append(len(group))
        averages.append(characters / len(group))
        areas.append(_written_area(group) if box is None else box.area)
        distances.append(_center_distance(box, page))

    most_area = max(areas, default=0) or 1
    most_records = max(counts, default=0) or 1
    most_characters = max(averages, default=0) or 1
    nearest = min(distances, default=0)
    weights = []
    for area, distance, count, average in zip(
        areas, distances, counts, averages, strict=True
    ):
        weight = GroupWeights(
            raw=area / most_area,
            cdw=(nearest + 1) / (distance + 1),
            nrw=count / most_records,
            acnw=average / most_characters,
        )
        weights.append(weight)
    return weights


def _written_area(group: Sequence[Block]) -> float:
    """Return what stands for the area of a group without boxes: menus are links, and a
    record that is much longer than the others holds other things.
    """
    sizes = [block.characters_outside_links for block in group]
    usual = median(sizes)
    longest = OUTSTANDING * usual
    area = 0.0
    for size in sizes:
        area += min(size, longest)
    return area


def _rendering_box(group: Sequence[Block]) -> Box | None:
    boxes = [block.box for block in group if block.box is not None]
    if not boxes:
        return None
    return bounding_box(boxes)


def _center_distance(box: Box | None, page: Box | None) -> float:
    """Return how far the centre of a group is from the centre of the page in pixels; 0
    if the group lies around it.
    """
    if box is None or page is None:
        return 0
    page_x, page_y = page.center
    contains_x = box.left <= page_x <= box.right
    contains_y = box.top <= page_y <= box.bottom
    if contains_x and contains_y:
        return 0
    x, y = box.center
    return hypot(x - page_x, y - page_y)
