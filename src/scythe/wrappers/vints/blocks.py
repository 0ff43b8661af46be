"""Blocks of content lines and how alike they look (ViNTs, sections 3.2 and 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from scythe.wrappers.vints.lines import (
    LINK_TYPES,
    Box,
    ContentLine,
    LineType,
    bounding_box,
)

_DIGITS = "012345678"
_TEXT_LINES = re.compile(f"{_DIGITS[LineType.TEXT]}{{2,}}")


class SimilarityLimits(NamedTuple):
    """Distances up to which two blocks are visually similar."""

    type: float
    """As a share of the longer type code."""
    shape: int
    """In pixels."""
    position: int
    """In pixels."""


LONGEST_TYPE_CODE = 200
"""Type codes are compared up to this length: a bound on work, no record is that long."""


class Block:
    """Consecutive content lines."""

    def __init__(self, lines: Sequence[ContentLine]) -> None:
        self.lines = lines

    @cached_property
    def type_code(self) -> str:
        """The type codes of the lines, one digit a line; a run of text lines counts as
        one, for snippets vary in length.
        """
        digits = [_DIGITS[line.type] for line in self.lines]
        text_digit = _DIGITS[LineType.TEXT]
        return _TEXT_LINES.sub(text_digit, "".join(digits))

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The left profile: the position codes of the lines, from top to bottom."""
        return tuple([line.position for line in self.lines])

    @cached_property
    def modified_shape(self) -> tuple[int, ...]:
        """The indentations of the left profile: from its smallest position on, a run of
        the same position counting once.
        """
        indentations = []
        previous = None
        for position in self.shape:
            if position != previous:
                indentations.append(position - self.position)
            previous = position
        return tuple(indentations)

    @cached_property
    def position(self) -> int:
        """The position code nearest to the left edge of the page."""
        return min(self.shape, default=0)

    @cached_property
    def characters(self) -> int:
        """The number of characters on the lines."""
        return sum([len(line.text) for line in self.lines])

    @cached_property
    def characters_outside_links(self) -> int:
        """The number of characters on the lines that are not all link."""
        characters = 0
        for line in self.lines:
            if line.type not in LINK_TYPES:
                characters += len(line.text)
        return characters

    @cached_property
    def box(self) -> Box | None:
        """The rendering box of all lines; None where the page was not rendered."""
        boxes = [line.box for line in self.lines if line.box is not None]
        if not boxes:
            return None
        return bounding_box(boxes)


def visually_similar(a: Block, b: Block, limits: SimilarityLimits) -> bool:
    """Return whether two blocks are alike in all three distances.

    Without positions only the types tell.
    """
    if position_distance(a, b) > limits.position:
        return False
    if shape_distance(a, b) > limits.shape:
        return False
    longer_code = max(len(a.type_code), len(b.type_code))
    return type_distance(a, b) <= limits.type * longer_code


def type_distance(a: Block, b: Block) -> int:
    """Return the edit distance of the type codes."""
    one = a.type_code[:LONGEST_TYPE_CODE]
    other = b.type_code[:LONGEST_TYPE_CODE]
    return edit_distance(one, other)


def shape_distance(a: Block, b: Block) -> int:
    """Return the greatest difference of corresponding indentations.

    The shorter profile is filled up with 0.
    """
    pairs = zip_longest(a.modified_shape, b.modified_shape, fillvalue=0)
    distances = [abs(x - y) for x, y in pairs]
    return max(distances, default=0)


def position_distance(a: Block, b: Block) -> int:
    """Return how far apart the left edges of the two are."""
    return abs(a.position - b.position)


@lru_cache(maxsize=1 << 14)
def edit_distance(a: str, b: str) -> int:
    """Return the least number of characters to insert, delete or replace to make one
    string of the other.

    A column of the usual table is kept as two numbers, whose bits say where its values
    go up and where down (Myers, 1999).
    """
    if not a:
        return len(b)
    all_bits = (1 << len(a)) - 1
    last_bit = 1 << (len(a) - 1)
    occurrences: dict[str, int] = {}
    for index, letter in enumerate(a):
        earlier = occurrences.get(letter, 0)
        occurrences[letter] = earlier | 1 << index

    up = all_bits
    down = 0
    distance = len(a)
    for letter in b:
        equal = occurrences.get(letter, 0)
        diagonal = (((equal & up) + up) ^ up) | equal
        right_up = down | ~(diagonal | up) & all_bits
        right_down = up & diagonal
        distance += bool(right_up & last_bit) - bool(right_down & last_bit)

        right_up = (right_up << 1 | 1) & all_bits
        right_down = right_down << 1 & all_bits
        vertical = equal | down
        up = right_down | ~(vertical | right_up) & all_bits
        down = right_up & vertical
    return distance
