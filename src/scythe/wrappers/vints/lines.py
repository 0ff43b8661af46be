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

MOSTLY = 0.9
"""The share of a line's area above which it is a link line or a text line; the paper's
figure.
"""

_NUMBER = re.compile(r"[(\[#]?\d{1,4}(?:[.):\]]+\s|[.):\]]*\s*$|\s)")
"""A line that counts: `1`, `1.`, `2)`, `(3)`, `#4`; not `2nd`, `3D` or `10,000`."""


class LineType(IntEnum):
    """The eight types of content lines, with the paper's codes."""

    LINK = 1
    TEXT = 2
    LINK_TEXT = 3
    LINK_HEAD = 4
    TEXT_HEAD = 5
    LINK_TEXT_HEAD = 6
    HR_LINE = 7
    BLANK = 8


HEADS = frozenset({LineType.LINK_HEAD, LineType.TEXT_HEAD, LineType.LINK_TEXT_HEAD})
UNSEEN = frozenset({LineType.HR_LINE, LineType.BLANK})
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
        return (self.right - self.left) * (self.bottom - self.top)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


class ContentLine(NamedTuple):
    """A line of a section of the page.

    `node` is the first text node of the line, or the `<hr>`; a blank line has that of
    the line before it. `position` is the left x coordinate in pixels. Without a browser
    there is none: every position is 0 and `box` is None.
    """

    type: LineType
    position: int
    node: int
    text: str = ""
    box: Box | None = None


def line_type(text: str, link_share: float) -> LineType:
    """The type of a line of characters, from the share of it that is link."""
    plain = (
        LineType.LINK
        if link_share > MOSTLY
        else LineType.TEXT
        if link_share < 1 - MOSTLY
        else LineType.LINK_TEXT
    )
    return LineType(plain + 3) if _NUMBER.match(text) else plain


def linked(tree: Tree) -> Bools:
    """Nodes that are part of an anchor with a URL, which alone is a link in the paper."""
    has_url = np.zeros(len(tree), dtype=bool)
    has_url[list(tree.with_attribute("href"))] = True
    return tree.below(has_url & (tree.tag == code("a")))


def without(
    lines: Sequence[ContentLine], no_result: Sequence[ContentLine]
) -> list[ContentLine]:
    """The lines that the no-result page does not have: what stands there belongs to no
    query.

    Blank and ruled lines have nothing to compare and stay.
    """
    known = {(line.type, line.text) for line in no_result if line.type not in UNSEEN}
    return [line for line in lines if (line.type, line.text) not in known]
