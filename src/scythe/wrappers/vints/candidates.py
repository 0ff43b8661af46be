"""Candidate records (ViNTs, section 4): the lines between separators, grouped by
likeness, and where each record begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scythe.wrappers.vints.blocks import Block, Limits, visually_similar
from scythe.wrappers.vints.lines import HEADS, UNSEEN, ContentLine, LineType
from scythe.wrappers.vints.separators import LineSeparator, line_separators

MOST_LINES = 3_000
"""Lines in which candidates are looked for. A wrapper made from them still extracts
from the whole page.
"""
GROUPING = Limits(type=0.5, shape=300, position=300)
"""Strict type limits lose records, loose ones make more wrappers to choose from:
without boxes, on one page of every set of the data folder, the best wrappers have a
macro recall of 0.85 with 0.3 and 0.89 with 0.5. Positions of 20 and 500 pixels do the
same; the shape was not swept alone.
"""
SMALLEST_GROUP = 3
"""Blocks of a group: a wrapper is built from three records."""

Group = tuple[int, ...]
"""A candidate group: the first node of the first line of each of its candidate records,
in page order.
"""


def candidate_groups(lines: Sequence[ContentLine]) -> list[Group]:
    """The candidate groups of every separator, each once, in the order of the
    separators.
    """
    lines = lines[:MOST_LINES]
    found: dict[Group, None] = {}
    for separator in line_separators(lines):
        for group in similar_runs(lines, segment(lines, separator)):
            nodes = first_nodes(lines, group)
            if len(nodes) >= SMALLEST_GROUP:
                found[nodes] = None
    return list(found)


def segment(
    lines: Sequence[ContentLine], separator: LineSeparator
) -> list[tuple[int, int]]:
    """The blocks a separator cuts the lines into, as bounds: every one ends with the
    last line of an occurrence.
    """
    stops = [end + 1 for end in separator.ends]
    return list(zip([0, *stops], [*stops, len(lines)], strict=True))[
        : None if stops[-1] < len(lines) else -1
    ]


def similar_runs(
    lines: Sequence[ContentLine], bounds: Sequence[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """Runs of consecutive blocks that are visually similar, each to the one before it."""
    run: list[tuple[int, int]] = []
    before: Block | None = None
    for start, stop in bounds:
        block = Block(lines[start:stop])
        if before is not None and not visually_similar(before, block, GROUPING):
            yield run
            run = []
        run.append((start, stop))
        before = block
    yield run


def first_nodes(
    lines: Sequence[ContentLine], bounds: Sequence[tuple[int, int]]
) -> Group:
    """The first nodes of the records that begin in the blocks of a group; a block
    without a line to begin with is passed over.
    """
    if len(bounds) < SMALLEST_GROUP:
        return ()
    nodes: list[int] = []
    for start, stop in bounds:
        first = first_line(lines, start, stop)
        if first is not None and (not nodes or lines[first].node > nodes[-1]):
            nodes.append(lines[first].node)
    return tuple(nodes)


def first_line(lines: Sequence[ContentLine], start: int, stop: int) -> int | None:
    """The line of a block with which a record begins: the paper's four rules in their
    order, and else the first line.

    A separator ends its block, so the line that follows a rule or a blank line may be
    the first of the next block.
    """
    block = lines[start:stop]
    ruled = [
        place
        for place, line in enumerate(block, start + 1)
        if line.type == LineType.HR_LINE
    ]
    heads = [place for place, line in enumerate(block, start) if line.type in HEADS]
    least = min(line.position for line in block)
    leftmost = [
        place for place, line in enumerate(block, start) if line.position == least
    ]
    blank = [
        place
        for place, line in enumerate(block, start + 1)
        if line.type == LineType.BLANK
    ]
    for places in (ruled[:1], heads, leftmost, blank):
        if len(places) == 1:
            return _seen(lines, places[0])
    return _seen(lines, start)


def _seen(lines: Sequence[ContentLine], place: int) -> int | None:
    """The line itself, or the next one that has characters."""
    return next(
        (
            at
            for at in range(place, min(place + 3, len(lines)))
            if lines[at].type not in UNSEEN
        ),
        None,
    )
