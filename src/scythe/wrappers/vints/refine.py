"""Refined wrappers (ViNTs, section 5.5): which of the pieces that a wrapper cuts are
records of one kind.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scythe.tree.tree import Tree
from scythe.wrappers.span import Span
from scythe.wrappers.vints.blocks import Block, Limits, visually_similar
from scythe.wrappers.vints.build import Initial
from scythe.wrappers.vints.lines import UNSEEN, ContentLine
from scythe.wrappers.vints.rule import Separated

REFINING = Limits(type=0.9, shape=600, position=600)
"""Looser than for grouping: it is enough if three records are alike to build a wrapper,
but all must be to be extracted. On one
page of every set of the data folder, the macro recall of the best wrappers with boxes
is 0.72 with limits of 0.6, 100 and 50,
0.77 with 0.8, 200 and 50, and 0.82 with 0.8 alone; without boxes it is 0.887 with 0.8
and 0.894 with 0.9.
"""


@dataclass(frozen=True)
class Refined:
    """A wrapper with its [min, max], and the records it gives on its page as spans and
    as blocks.
    """

    initial: Initial
    min: int
    max: int | None
    spans: list[Span]
    blocks: list[Block]

    def rule(self) -> Separated:
        """The wrapper in the form that fits other pages too."""
        return replace(self.initial.rule(), min=self.min, max=self.max)


class Page:
    """The content lines of a page and which of its nodes are links, asked for one
    record after the other.
    """

    def __init__(self, tree: Tree, lines: Sequence[ContentLine]) -> None:
        self.lines = lines
        self._nodes = [line.node for line in lines]
        self._links = sorted(tree.with_attribute("href"))

    def block(self, span: Span) -> Block:
        """The lines that begin in a record, without those after its last characters:
        they tell of what comes next.
        """
        start, stop = (
            bisect_left(self._nodes, span.start),
            bisect_left(self._nodes, span.stop),
        )
        while start < stop and self.lines[stop - 1].type in UNSEEN:
            stop -= 1
        return Block(self.lines[start:stop])

    def has_link(self, span: Span) -> bool:
        """Whether a record contains a link."""
        return bisect_left(self._links, span.start) < bisect_left(
            self._links, span.stop
        )


def refine(page: Page, initial: Initial) -> Refined:
    """The records from the middle one to both ends, as far as each has a link and looks
    like the middle one.

    Where an end is reached there is no bound: `min` stays 0, `max` stays open.
    """
    spans = [initial.forest.span(start, stop) for start, stop in initial.pieces]
    blocks = [page.block(span) for span in spans]
    middle = len(spans) // 2

    def alike(place: int) -> bool:
        return page.has_link(spans[place]) and visually_similar(
            blocks[place], blocks[middle], REFINING
        )

    first = _last_alike(range(middle, -1, -1), alike)
    last = _last_alike(range(middle, len(spans)), alike)
    least = first + 1 if first else 0
    most = last + 1 if last + 1 < len(spans) else None
    return Refined(
        initial, least, most, spans[first : last + 1], blocks[first : last + 1]
    )


def _last_alike(places: range, alike: Callable[[int], bool]) -> int:
    """The last place before the first that is not alike, the first place itself
    counting as alike.
    """
    reached = places[0]
    for place in places[1:]:
        if not alike(place):
            break
        reached = place
    return reached
