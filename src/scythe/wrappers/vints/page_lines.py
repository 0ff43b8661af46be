"""The content lines of a page (ViNTs, section 3.1), from the boxes that the browser gave
its text; of a page that was not rendered (NV, section 6.3) from its tags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.tree.layout import Layout
from scythe.tree.tags import BLOCK, TagSet, code
from scythe.tree.text import line_breaks
from scythe.tree.tree import Tree, prefix_sums
from scythe.tree.visibility import skipped, visible
from scythe.wrappers.vints.blocks import Block
from scythe.wrappers.vints.lines import (
    Box,
    ContentLine,
    LineType,
    bounding_box,
    line_type,
    link_nodes,
)

RENDERED_SHARE = 0.5
"""Share of a page's characters that must be rendered for its boxes to be of use; not
tuned.
"""
SAME_HEIGHT = 0.5
"""Share of the lower of two boxes that the other must stand beside for both to be in
one line; not tuned.
"""
BLANK_HEIGHT = 0.5
"""Empty space above a line, in heights of the line, that counts as a blank line; 0.8
finds a few records less.
"""

LINE_ENDING = TagSet(" ".join(BLOCK.names - {"td", "th"})) | TagSet("br")
"""Cells of a table row stand side by side and are one line, as on the rendered page."""

SPACED = TagSet("p ul ol dl h1 h2 h3 h4 h5 h6 blockquote pre figure fieldset menu dir")
"""Elements that browsers set off with a blank line before and after."""

_RULE = TagSet("hr")
_BREAK = TagSet("br")


def content_lines(tree: Tree) -> list[ContentLine]:
    """Return the content lines of a page, by its boxes where it has them.

    Some pages hide most of their text until a script has run. Their boxes tell nothing,
    and they are read by their tags.
    """
    by_tags = tag_lines(tree)
    if tree.layout is None:
        return by_tags
    by_boxes = visual_lines(tree, tree.layout)
    rendered = Block(by_boxes).characters
    written = Block(by_tags).characters
    if rendered < RENDERED_SHARE * written:
        return by_tags
    return by_boxes


class _LinePart(NamedTuple):
    """What one text node has in one line."""

    node: int
    text: str
    box: Box
    is_link: bool


def visual_lines(tree: Tree, layout: Layout) -> list[ContentLine]:
    """Return the content lines of a rendered page in document order.

    Document order keeps sections apart: the first line of a section does not stand to
    the right of the last line of the one before it, except where both have one line
    only, and then they are cells of a row. A limit to the gap within a line tears such
    rows.
    """
    lines: list[ContentLine] = []
    rules = _visual_rules(tree, layout)
    rules.reverse()
    parts = _line_parts(tree, layout)
    for line_parts in _parts_by_line(parts):
        line = _line_of_parts(line_parts)
        while rules and rules[-1].node < line.node:
            lines.append(rules.pop())
        last = lines[-1] if lines else None
        if last is not None and _is_blank_between(last, line):
            blank = ContentLine(LineType.BLANK, last.position, last.node)
            lines.append(blank)
        lines.append(line)
    rules.reverse()
    return lines + rules


def _line_parts(tree: Tree, layout: Layout) -> Iterator[_LinePart]:
    rows = layout.lines
    is_visible = layout.visible & ~skipped(tree)
    rendered = np.flatnonzero(is_visible[rows.node])
    right = rows.x + rows.width
    bottom = rows.y + rows.height
    columns = (
        rows.node,
        rows.start,
        rows.length,
        rows.x,
        rows.y,
        right,
        bottom,
    )
    values = [column[rendered].tolist() for column in columns]
    is_link = link_nodes(tree)
    for node, start, length, *sides in zip(*values, strict=True):
        stop = start + length
        line_text = tree.text[node][start:stop]
        text = " ".join(line_text.split())
        if text:
            box = Box(*sides)
            yield _LinePart(node, text, box, bool(is_link[node]))


def _parts_by_line(parts: Iterable[_LinePart]) -> Iterator[list[_LinePart]]:
    """Yield the parts of each line: one follows the other to the right, at the same
    height.
    """
    line: list[_LinePart] = []
    for part in parts:
        if line and not _is_beside(line[-1].box, part.box):
            yield line
            line = []
        line.append(part)
    if line:
        yield line


def _is_beside(left: Box, right: Box) -> bool:
    top = max(left.top, right.top)
    bottom = min(left.bottom, right.bottom)
    lower = min(left.height, right.height)
    has_same_height = bottom - top > SAME_HEIGHT * lower
    return has_same_height and right.left >= left.left


def _line_of_parts(parts: list[_LinePart]) -> ContentLine:
    texts = []
    boxes = []
    area = 0.0
    link_area = 0.0
    for part in parts:
        texts.append(part.text)
        boxes.append(part.box)
        area += part.box.area
        if part.is_link:
            link_area += part.box.area

    text = " ".join(texts)
    box = bounding_box(boxes)
    link_share = link_area / area if area else 0
    type_ = line_type(text, link_share)
    left = round(box.left)
    return ContentLine(type_, left, parts[0].node, text, box)


def _visual_rules(tree: Tree, layout: Layout) -> list[ContentLine]:
    """Return the HR lines of a rendered page."""
    if tree.box is None:
        return []
    rules = []
    is_rule = tree.tag == code("hr")
    for node in np.flatnonzero(is_rule & layout.visible).tolist():
        x, y, width, height = tree.box[node].tolist()
        box = Box(x, y, x + width, y + height)
        rule = ContentLine(LineType.HR_LINE, round(x), node, box=box)
        rules.append(rule)
    return rules


def _is_blank_between(upper: ContentLine, lower: ContentLine) -> bool:
    """Return whether there is room for a line between two, one below the other."""
    above = upper.box
    below = lower.box
    if above is None or below is None:
        return False
    if above.left >= below.right or below.left >= above.right:
        return False
    gap = below.top - above.bottom
    return gap >= BLANK_HEIGHT * below.height


def tag_lines(tree: Tree) -> list[ContentLine]:
    """Return the content lines in document order where tags alone say where lines end."""
    nodes, texts = _visible_texts(tree)
    if not texts:
        return []
    begins_line = line_breaks(tree, nodes, LINE_ENDING)
    starts = np.flatnonzero(begins_line)
    stops = np.append(starts[1:], len(nodes))
    lengths = np.array([len(text) for text in texts])
    is_link = link_nodes(tree)[nodes]
    link_lengths = lengths * is_link
    line_lengths = np.add.reduceat(lengths, starts)
    link_shares = np.add.reduceat(link_lengths, starts) / line_lengths

    gaps = _Gaps(tree)
    lines: list[ContentLine] = []
    bounds = zip(starts.tolist(), stops.tolist(), link_shares.tolist(), strict=True)
    for start, stop, link_share in bounds:
        node = int(nodes[start])
        if start:
            previous = int(nodes[start - 1])
            lines.extend(gaps.lines(previous, node))
        text = " ".join(texts[start:stop])
        type_ = line_type(text, link_share)
        lines.append(ContentLine(type_, 0, node, text))
    return lines


def _visible_texts(tree: Tree) -> tuple[NDArray[np.int64], list[str]]:
    """Return the text nodes with visible characters, and their text in one line."""
    visible_nodes = np.flatnonzero(tree.is_text & visible(tree))
    visible_texts = tree.text[visible_nodes].tolist()
    nodes = []
    texts = []
    for node, node_text in zip(visible_nodes.tolist(), visible_texts, strict=True):
        text = " ".join(node_text.split())
        if text:
            nodes.append(node)
            texts.append(text)
    return np.array(nodes, dtype=np.int64), texts


class _Gaps:
    """What stands between two lines of characters: rules, and elements that leave a
    blank line.
    """

    def __init__(self, tree: Tree) -> None:
        starting = tree.has_tag(SPACED)
        size = len(tree)
        end_counts = np.bincount(tree.end[starting], minlength=size + 1)
        ending = end_counts[:size]
        self._spaced: NDArray[np.int64] = np.cumsum(starting + ending)
        self._breaks = prefix_sums(tree.has_tag(_BREAK))
        self._rules = np.flatnonzero(tree.has_tag(_RULE))

    def lines(self, last: int, node: int) -> list[ContentLine]:
        """Return the lines without characters between the text node `last` of one line
        and `node` of the next.
        """
        first, stop = np.searchsorted(self._rules, (last, node))
        if first < stop:
            rule = int(self._rules[first])
            return [ContentLine(LineType.HR_LINE, 0, rule)]
        is_spaced = self._spaced[node] > self._spaced[last]
        breaks = self._breaks[node] - self._breaks[last]
        if is_spaced or breaks >= 2:
            return [ContentLine(LineType.BLANK, 0, last)]
        return []
