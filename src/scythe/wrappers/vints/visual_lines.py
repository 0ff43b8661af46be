"""Content lines of a rendered page (ViNTs, section 3.1), from the boxes that the
browser gave its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scythe.tree.layout import Layout
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped
from scythe.wrappers.vints.lines import (
    Box,
    ContentLine,
    LineType,
    around,
    line_type,
    linked,
)

SAME_HEIGHT = 0.5
"""Share of the lower of two boxes that the other must stand beside for both to be in
one line.
"""
BLANK_HEIGHT = 0.5
"""Empty space above a line, in heights of the line, that counts as a blank line; 0.8
finds a few records less.
"""


class _Piece(NamedTuple):
    """What one text node has in one line."""

    node: int
    text: str
    box: Box
    is_link: bool


def visual_lines(tree: Tree, layout: Layout) -> list[ContentLine]:
    """The content lines in document order.

    This keeps sections apart: the first line of a section does not stand to the right
    of the last line of the one before it, except where both have one line only, and
    then they are cells of a row. A limit to the gap within a line tears such rows.
    """
    lines: list[ContentLine] = []
    rules = _rules(tree, layout)[::-1]
    for line in map(_line, _joined(_pieces(tree, layout))):
        while rules and rules[-1].node < line.node:
            lines.append(rules.pop())
        if lines and _blank_between(lines[-1], line):
            lines.append(
                ContentLine(LineType.BLANK, lines[-1].position, lines[-1].node)
            )
        lines.append(line)
    return lines + rules[::-1]


def _pieces(tree: Tree, layout: Layout) -> Iterator[_Piece]:
    rows = layout.lines
    shown = np.flatnonzero((layout.visible & ~skipped(tree))[rows.node])
    columns = (
        rows.node,
        rows.start,
        rows.length,
        rows.x,
        rows.y,
        rows.x + rows.width,
        rows.y + rows.height,
    )
    links = linked(tree)
    for node, start, length, *sides in zip(
        *[column[shown].tolist() for column in columns], strict=True
    ):
        text = " ".join(tree.text[node][start : start + length].split())
        if text:
            yield _Piece(node, text, Box(*sides), bool(links[node]))


def _joined(pieces: Iterator[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces of each line: one follows the other to the right, at the same height."""
    line: list[_Piece] = []
    for piece in pieces:
        if line and not _beside(line[-1].box, piece.box):
            yield line
            line = []
        line.append(piece)
    if line:
        yield line


def _beside(left: Box, right: Box) -> bool:
    shared = min(left.bottom, right.bottom) - max(left.top, right.top)
    lower = min(left.bottom - left.top, right.bottom - right.top)
    return right.left >= left.left and shared > SAME_HEIGHT * lower


def _line(pieces: list[_Piece]) -> ContentLine:
    text = " ".join([piece.text for piece in pieces])
    area = sum([piece.box.area for piece in pieces])
    links = sum([piece.box.area for piece in pieces if piece.is_link])
    box = around([piece.box for piece in pieces])
    return ContentLine(
        line_type(text, links / area if area else 0),
        round(box.left),
        pieces[0].node,
        text,
        box,
    )


def _rules(tree: Tree, layout: Layout) -> list[ContentLine]:
    if tree.box is None:
        return []
    found = []
    for node in np.flatnonzero((tree.tag == code("hr")) & layout.visible).tolist():
        x, y, width, height = tree.box[node].tolist()
        found.append(
            ContentLine(
                LineType.HR_LINE, round(x), node, box=Box(x, y, x + width, y + height)
            )
        )
    return found


def _blank_between(upper: ContentLine, lower: ContentLine) -> bool:
    """Whether there is room for a line between two that stand one below the other."""
    if upper.box is None or lower.box is None:
        return False
    below = upper.box.left < lower.box.right and lower.box.left < upper.box.right
    return below and lower.box.top - upper.box.bottom >= BLANK_HEIGHT * (
        lower.box.bottom - lower.box.top
    )
