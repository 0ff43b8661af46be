"""Blocks of content lines and how alike they look (ViNTs, sections 3.2 and 3.3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from scythe.wrappers.vints.lines import Box, ContentLine, LineType, around

_DIGITS = "012345678"
_TEXTS = re.compile(f"{_DIGITS[LineType.TEXT]}{{2,}}")


class Limits(NamedTuple):
    """Distances up to which two blocks are visually similar."""

    type: float
    """As a share of the longer type code."""
    shape: int
    """In pixels."""
    position: int
    """In pixels."""


LONGEST_CODE = 200
"""Type codes are compared up to this length; no record is that long."""


class Block:
    """Consecutive content lines."""

    def __init__(self, lines: Sequence[ContentLine]) -> None:
        self.lines = lines

    @cached_property
    def type_code(self) -> str:
        """The type codes of the lines, one digit a line; a run of text lines counts as
        one, for snippets vary in length.
        """
        return _TEXTS.sub(
            _DIGITS[LineType.TEXT], "".join([_DIGITS[line.type] for line in self.lines])
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The left profile: the position codes of the lines, from top to bottom."""
        return tuple([line.position for line in self.lines])

    @cached_property
    def modified_shape(self) -> tuple[int, ...]:
        """The indentations of the left profile: from its smallest position on, a run of
        the same position counting once.
        """
        least = self.position
        return tuple(
            [
                code - least
                for before, code in zip((None, *self.shape), self.shape, strict=False)
                if code != before
            ]
        )

    @cached_property
    def position(self) -> int:
        """The position code nearest to the left edge of the page."""
        return min(self.shape, default=0)

    @cached_property
    def characters(self) -> int:
        """The number of characters on the lines."""
        return sum([len(line.text) for line in self.lines])

    @cached_property
    def box(self) -> Box | None:
        """The rendering box of all lines; None where the page was not rendered."""
        boxes = [line.box for line in self.lines if line.box is not None]
        return around(boxes) if boxes else None


def visually_similar(a: Block, b: Block, limits: Limits) -> bool:
    """Whether two blocks are alike in all three distances; without positions only the
    types tell.
    """
    return (
        position_distance(a, b) <= limits.position
        and shape_distance(a, b) <= limits.shape
        and type_distance(a, b) <= limits.type * max(len(a.type_code), len(b.type_code))
    )


def type_distance(a: Block, b: Block) -> int:
    """The edit distance of the type codes."""
    return edit_distance(a.type_code[:LONGEST_CODE], b.type_code[:LONGEST_CODE])


def shape_distance(a: Block, b: Block) -> int:
    """The greatest difference of corresponding indentations, the shorter profile being
    filled up with 0.
    """
    return max(
        (
            abs(x - y)
            for x, y in zip_longest(a.modified_shape, b.modified_shape, fillvalue=0)
        ),
        default=0,
    )


def position_distance(a: Block, b: Block) -> int:
    """How far apart the left edges of the two are."""
    return abs(a.position - b.position)


@lru_cache(maxsize=1 << 14)
def edit_distance(a: str, b: str) -> int:
    """The least number of characters to insert, delete or replace to make one string of
    the other.

    A column of the usual table is kept as two numbers, whose bits say where its values
    go up and where down (Myers, 1999).
    """
    if not a:
        return len(b)
    whole, last = (1 << len(a)) - 1, 1 << (len(a) - 1)
    places: dict[str, int] = {}
    for place, letter in enumerate(a):
        places[letter] = places.get(letter, 0) | 1 << place
    up, down, distance = whole, 0, len(a)
    for letter in b:
        same = places.get(letter, 0)
        diagonal = (((same & up) + up) ^ up) | same
        right_up, right_down = down | ~(diagonal | up) & whole, up & diagonal
        distance += bool(right_up & last) - bool(right_down & last)
        right_up, right_down = (right_up << 1 | 1) & whole, right_down << 1 & whole
        vertical = same | down
        up, down = right_down | ~(vertical | right_up) & whole, right_up & vertical
    return distance
