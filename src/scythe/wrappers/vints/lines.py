"""Content lines (ViNTs, section 3.1): what a reader sees as the lines of a page, each a
pair of type code and position code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from scythe.tree.tags import code
from scythe.tree.tree import Bools, Tree

LINK_LINE_SHARE = 0.9
"""The share of a line's area above which it is a link line or a text line; the paper's
figure.
"""

_NUMBER = re.compile(r"[(\[#]?\d{1,4}(?:[.):\]]+\s|[.):\]]*\s*$)|\d{1,3}\s")
"""The start of a line that counts: `1`, `1.`, `2)`, `(3)`, `#4`; not `2nd`, `3D` or
`10,000`.
"""


class LineType(IntEnum):
    """The eight types of content lines, with the paper's type codes."""

    LINK = 1
    TEXT = 2
    LINK_TEXT = 3
    LINK_HEAD = 4
    TEXT_HEAD = 5
    LINK_TEXT_HEAD = 6
    HR_LINE = 7
    BLANK = 8


HEAD_TYPES = frozenset(
    {LineType.LINK_HEAD, LineType.TEXT_HEAD, LineType.LINK_TEXT_HEAD}
)
"""Lines that start with a number."""

LINK_TYPES = frozenset({LineType.LINK, LineType.LINK_HEAD})
"""Lines that are link and little else."""

EMPTY_TYPES = frozenset({LineType.HR_LINE, LineType.BLANK})
"""Lines without characters: no record begins with one."""


class Box(NamedTuple):
    """A rendering box in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Width times height."""
        width = self.right - self.left
        height = self.bottom - self.top
        return width * height

    @property
    def center(self) -> tuple[float, float]:
        """The middle, from left to right and from top to bottom."""
        x = (self.left + self.right) / 2
        y = (self.top + self.bottom) / 2
        return x, y

    @property
    def height(self) -> float:
        """Distance from top to bottom."""
        return self.bottom - self.top


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box that holds all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


class ContentLine(NamedTuple):
    """A line of a section of the page.

    `node` is the first text node of the line, or the `<hr>`; a blank line has that of
    the line before it. `position` is the position code, the left x coordinate in pixels.
    Without a browser there is none: every position is 0 and `box` is None.
    """

    type: LineType
    position: int
    node: int
    text: str = ""
    box: Box | None = None


def line_type(text: str, link_share: float) -> LineType:
    """Return the type of a line of characters, from the share of it that is link."""
    if link_share > LINK_LINE_SHARE:
        plain_type = LineType.LINK
    elif link_share < 1 - LINK_LINE_SHARE:
        plain_type = LineType.TEXT
    else:
        plain_type = LineType.LINK_TEXT
    if _NUMBER.match(text):
        return LineType(plain_type + 3)
    return plain_type


def link_nodes(tree: Tree) -> Bools:
    """Return which nodes are part of an anchor with a URL: the paper's only links."""
    has_url = np.zeros(len(tree), dtype=bool)
    has_url[list(tree.with_attribute("href"))] = True
    is_anchor = tree.tag == code("a")
    return tree.below(has_url & is_anchor)


def without_no_result_lines(
    lines: Sequence[ContentLine], no_result: Sequence[ContentLine]
) -> list[ContentLine]:
    """Return the lines that the no-result page does not have.

    What stands there belongs to no query. Blank and ruled lines have nothing to compare
    and stay.
    """
    known = set()
    for line in no_result:
        if line.type not in EMPTY_TYPES:
            known.add((line.type, line.text))
    return [line for line in lines if (line.type, line.text) not in known]
