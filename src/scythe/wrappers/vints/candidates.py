"""Candidate records (ViNTs, section 4): the lines between separators, grouped by
likeness, and where each record begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scythe.wrappers.vints.blocks import Block, SimilarityLimits, visually_similar
from scythe.wrappers.vints.lines import (
    EMPTY_TYPES,
    HEAD_TYPES,
    ContentLine,
    LineType,
)
from scythe.wrappers.vints.separators import (
    ContentLineSeparator,
    candidate_separators,
)

MAX_LINES = 3_000
"""Lines in which candidates are looked for, a bound on work. A wrapper made from them
still extracts from the whole page.
"""
GROUPING_LIMITS = SimilarityLimits(type=0.5, shape=300, position=300)
"""Strict type limits lose records, loose ones make more wrappers to choose from:
without boxes, on one page of every set of the data folder, the best wrappers have a
macro recall of 0.85 with 0.3 and 0.89 with 0.5. Positions of 20 and 500 pixels do the
same; the shape was not swept alone.
"""
MIN_GROUP_SIZE = 3
"""Blocks of a group: a wrapper is built from three records."""

CandidateGroup = tuple[int, ...]
"""The first node of the first line of each candidate record of a group, in page order."""

Bounds = tuple[int, int]
"""A block as the indices of its first line and of the line behind its last."""


def candidate_groups(lines: Sequence[ContentLine]) -> list[CandidateGroup]:
    """Return the candidate groups of every separator, each once, in the order of the
    separators.
    """
    lines = lines[:MAX_LINES]
    groups: dict[CandidateGroup, None] = {}
    for separator in candidate_separators(lines):
        all_blocks = segment_lines(lines, separator)
        for blocks in similar_runs(lines, all_blocks):
            nodes = first_nodes(lines, blocks)
            if len(nodes) >= MIN_GROUP_SIZE:
                groups[nodes] = None
    return list(groups)


def segment_lines(
    lines: Sequence[ContentLine], separator: ContentLineSeparator
) -> list[Bounds]:
    """Return the blocks that a separator cuts the lines into: every one ends with the
    last line of an occurrence.
    """
    blocks = []
    start = 0
    for end in separator.ends:
        blocks.append((start, end + 1))
        start = end + 1
    if start < len(lines):
        blocks.append((start, len(lines)))
    return blocks


def similar_runs(
    lines: Sequence[ContentLine], blocks: Sequence[Bounds]
) -> Iterator[list[Bounds]]:
    """Yield the runs of blocks that are visually similar, each to the one before it."""
    run: list[Bounds] = []
    previous: Block | None = None
    for start, stop in blocks:
        block = Block(lines[start:stop])
        is_alike = previous is None or visually_similar(
            previous, block, GROUPING_LIMITS
        )
        if not is_alike:
            yield run
            run = []
        run.append((start, stop))
        previous = block
    yield run


def first_nodes(
    lines: Sequence[ContentLine], blocks: Sequence[Bounds]
) -> CandidateGroup:
    """Return the first nodes of the records that begin in the blocks of a group.

    A block without a line to begin with is passed over.
    """
    if len(blocks) < MIN_GROUP_SIZE:
        return ()
    nodes: list[int] = []
    for start, stop in blocks:
        first = first_line(lines, start, stop)
        if first is None:
            continue
        node = lines[first].node
        if not nodes or node > nodes[-1]:
            nodes.append(node)
    return tuple(nodes)


def first_line(lines: Sequence[ContentLine], start: int, stop: int) -> int | None:
    """Return the line of the block start..stop with which a record begins.

    The paper's four rules (section 4.3) in their order, and else the first line:

    (1) the line following an HR-LINE is a first line;
    (2) if only one line starts with a number, this line is a first line;
    (3) if only one line has the smallest position code, this line is a first line;
    (4) if there is only one BLANK line, the line following it is the first line.

    A separator ends its block, so the line that follows a rule or a blank line may be
    the first of the next block.
    """
    after_rules: list[int] = []
    numbered: list[int] = []
    leftmost: list[int] = []
    after_blanks: list[int] = []
    positions = [line.position for line in lines[start:stop]]
    smallest_position = min(positions)
    for index in range(start, stop):
        line = lines[index]
        if line.type == LineType.HR_LINE:
            after_rules.append(index + 1)
        if line.type in HEAD_TYPES:
            numbered.append(index)
        if line.position == smallest_position:
            leftmost.append(index)
        if line.type == LineType.BLANK:
            after_blanks.append(index + 1)

    if after_rules:  # rule (1)
        first = after_rules[0]
    elif len(numbered) == 1:  # rule (2)
        first = numbered[0]
    elif len(leftmost) == 1:  # rule (3)
        first = leftmost[0]
    elif len(after_blanks) == 1:  # rule (4)
        first = after_blanks[0]
    else:
        first = start
    return _with_characters(lines, first)


def _with_characters(lines: Sequence[ContentLine], index: int) -> int | None:
    """Return the line itself, or the first of the next two that has characters."""
    last = min(index + 3, len(lines))
    for candidate in range(index, last):
        if lines[candidate].type not in EMPTY_TYPES:
            return candidate
    return None
