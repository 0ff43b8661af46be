"""Tables of data, distinguished from tables that only lay out a page, as a grid with
sane spans.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.content.structures.outline import Cell, Leaf, Table
from scythe.tree.tags import HEADING, TagSet, code
from scythe.tree.tree import Bools, Tree, prefix_sums

MAX_COLSPAN, MAX_ROWSPAN = 1000, 65_534
"""What browsers take at most (HTML standard, 4.9.11)."""

MAX_PADDING = 65_536
"""Empty grid positions of one table, beyond a few for each cell; what Markdown readers
allow to a table too (markdown-it). A table that needs more is written as blocks.
"""
_COLUMNS_PER_CELL = 32
_PADDING_PER_CELL = 4
"""Grid columns that each cell may span, and empty positions it may cause, before
`MAX_PADDING` is used up. Plain bounds, not tuned.
"""

MAX_CELL_TEXT = 600
"""Characters in one cell of a table without header cells. Longer ones are columns of a
page, not data.
"""

MAX_HEADING_TEXT = 200
"""Characters in a cell that is a heading; a longer one is a section with its heading."""

_OWN_BLOCKS = TagSet("table pre listing xmp plaintext blockquote figure")
"""Blocks that make no sense on one line: a table around them is layout."""
_FLOW = TagSet("p li dd hr article section")
"""Blocks that a cell may hold one of; several make a layout, unless header cells prove
the table to be one of data.
"""

_CAPTION, _TR, _TH, _TD = map(code, ("caption", "tr", "th", "td"))
_THEAD = code("thead")
_SECTIONS = frozenset(map(code, ("thead", "tbody", "tfoot")))
_LAYOUT_ROLES = ("presentation", "none")


class SubtreeCounts:
    """Counts over the elements that hold selected content, for any subtree in two
    look-ups.
    """

    def __init__(self, tree: Tree, is_content: Bools) -> None:
        self.tree = tree
        self.content = prefix_sums(is_content)
        self.holds_content = tree.above(is_content)
        self._content_nodes = np.flatnonzero(is_content)

    def below(self, sums: NDArray[np.int64], node: int) -> int:
        """Return the sum over what lies below a node, the node itself left out."""
        end = self.tree.end[node]
        return int(sums[end] - sums[node + 1])

    def sums_of(self, tags: TagSet) -> NDArray[np.int64]:
        """Return prefix sums of the elements of some tags that hold content."""
        return prefix_sums(self.holds_content & self.tree.has_tag(tags))

    @cached_property
    def own_blocks(self) -> NDArray[np.int64]:
        """Blocks that need lines of their own."""
        return self.sums_of(_OWN_BLOCKS)

    @cached_property
    def headings(self) -> NDArray[np.int64]:
        """Headings."""
        return self.sums_of(HEADING)

    @cached_property
    def flow(self) -> NDArray[np.int64]:
        """Paragraph-like blocks."""
        return self.sums_of(_FLOW)

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """Characters of selected text."""
        nodes = self._content_nodes
        lengths = np.zeros(len(self.tree), dtype=np.int32)
        texts = self.tree.text[nodes]
        lengths[nodes] = [len(text) for text in texts]
        return prefix_sums(lengths)


class _TableParts(NamedTuple):
    """The caption and the rows of a table, and how many of the rows stand in its
    leading `<thead>`.
    """

    captions: list[int]
    rows: list[int]
    header_rows: int


@dataclass(slots=True)
class _GridCell:
    """A cell as the page has it: its node and the part of the page's grid it covers."""

    node: int
    is_header: bool
    row: int
    column: int
    colspan: int
    rowspan: int


def read_table(
    counts: SubtreeCounts, node: int
) -> tuple[Table, dict[int, Leaf]] | None:
    """Return the table at a node, with the leaf that each of its cells and its caption
    is to fill; None if it only lays out.
    """
    tree = counts.tree
    if counts.below(counts.own_blocks, node):
        return None
    if tree.attributes(node).get("role") in _LAYOUT_ROLES:
        return None

    parts = _table_parts(counts, node)
    cells = _lay_out(tree, parts.rows)
    if cells is None:
        return None
    filled = [cell for cell in cells if counts.below(counts.content, cell.node)]
    has_headers = any(cell.is_header for cell in filled)
    if not _holds_all_content(counts, node, filled, parts.captions):
        return None
    if any(_is_section(counts, cell.node) for cell in filled):
        return None
    if not has_headers and not _is_grid(counts, cells, filled):
        return None

    rows = sorted({cell.row for cell in filled})
    columns = sorted({cell.column for cell in filled})
    if len(columns) < 2 or (len(rows) < 2 and not has_headers):
        return None
    positions = len(columns) * len(rows)
    if positions > MAX_PADDING + _PADDING_PER_CELL * len(cells):
        return None

    caption = Leaf("caption")
    leaves = dict.fromkeys(parts.captions, caption)
    table_rows = _compact_rows(cells, rows, columns, leaves)
    first_row = [cell for cell in filled if cell.row == rows[0]]
    is_first_row_header = (
        not has_headers
        or rows[0] < parts.header_rows
        or all(cell.is_header for cell in first_row)
    )
    return Table(table_rows, len(columns), is_first_row_header, caption), leaves


def _table_parts(counts: SubtreeCounts, node: int) -> _TableParts:
    tree = counts.tree
    tag = tree.tag
    captions: list[int] = []
    rows: list[int] = []
    header_rows = 0
    for child in tree.children(node):
        if tag[child] == _TR:
            rows.append(child)
        elif tag[child] == _CAPTION:
            if counts.holds_content[child]:
                captions.append(child)
        elif tag[child] in _SECTIONS:
            is_leading_head = not rows and tag[child] == _THEAD
            rows += (row for row in tree.children(child) if tag[row] == _TR)
            if is_leading_head:
                header_rows = len(rows)
    return _TableParts(captions[:1], rows, header_rows)


def _lay_out(tree: Tree, rows: list[int]) -> list[_GridCell] | None:
    """Return the cells in the grid as browsers lay them out; None where that takes
    disproportionately many positions.
    """
    cells: list[_GridCell] = []
    free_from: list[int] = []  # the first row in which each column is free
    budget = MAX_PADDING
    for index, row in enumerate(rows):
        column = 0
        for node in tree.children(row):
            if tree.tag[node] not in (_TD, _TH):
                continue
            while column < len(free_from) and free_from[column] > index:
                column += 1
                budget -= 1

            attributes = tree.attributes(node)
            colspan = _span(attributes.get("colspan"), MAX_COLSPAN)
            rowspan = _span(attributes.get("rowspan"), MAX_ROWSPAN)
            budget += _COLUMNS_PER_CELL - colspan
            if budget < 0:
                return None
            colspan = max(colspan, 1)
            rows_left = len(rows) - index
            rowspan = min(rowspan or len(rows), rows_left)
            cells.append(
                _GridCell(
                    node=node,
                    is_header=bool(tree.tag[node] == _TH),
                    row=index,
                    column=column,
                    colspan=colspan,
                    rowspan=rowspan,
                )
            )
            next_column = column + colspan
            free_from[column:next_column] = [index + rowspan] * colspan
            column = next_column
    return cells


def _span(value: str | None, maximum: int) -> int:
    if value is None:
        return 1
    digits = value.strip()[:20]
    if not digits.isascii() or not digits.isdigit():
        return 1
    return min(int(digits), maximum)


def _holds_all_content(
    counts: SubtreeCounts, table: int, filled: list[_GridCell], captions: list[int]
) -> bool:
    """Return whether all selected content of a table is in its cells and caption."""
    holders = [*captions, *(cell.node for cell in filled)]
    held = 0
    for holder in holders:
        held += counts.below(counts.content, holder)
    return held == counts.below(counts.content, table)


def _is_section(counts: SubtreeCounts, node: int) -> bool:
    """Return whether a cell holds headings and what stands under them."""
    headings = counts.below(counts.headings, node)
    if headings == 1:
        return counts.below(counts.length, node) > MAX_HEADING_TEXT
    return headings > 1


def _is_grid(
    counts: SubtreeCounts, cells: list[_GridCell], filled: list[_GridCell]
) -> bool:
    """Return whether a table without header cells is one of data: texts side by side,
    short, of one paragraph each or in rows alike.
    """
    texts_in_row: Counter[int] = Counter()
    for cell in filled:
        length = counts.below(counts.length, cell.node)
        if length > MAX_CELL_TEXT:
            return False
        if length:
            texts_in_row[cell.row] += 1
    rows_side_by_side = [row for row, count in texts_in_row.items() if count > 1]
    if len(rows_side_by_side) < 2:
        return False

    cells_in_row = Counter(cell.row for cell in cells)
    are_rows_alike = len(set(cells_in_row.values())) == 1
    if are_rows_alike and len(cells_in_row) >= 3:
        return True
    return all(counts.below(counts.flow, cell.node) <= 1 for cell in filled)


def _compact_rows(
    cells: list[_GridCell],
    rows: list[int],
    columns: list[int],
    leaves: dict[int, Leaf],
) -> list[list[Cell]]:
    """Return the grid without rows and columns in which nothing begins; spans count
    what is left of them. The leaf of each cell is added to `leaves`.
    """
    compact: list[list[Cell]] = [[] for _ in rows]
    index_of_row = {row: index for index, row in enumerate(rows)}
    for cell in cells:
        row = index_of_row.get(cell.row)
        column = bisect_left(columns, cell.column)
        next_column = bisect_left(columns, cell.column + cell.colspan)
        if row is None or next_column == column:
            continue
        next_row = bisect_left(rows, cell.row + cell.rowspan)
        leaf = Leaf("cell")
        leaves[cell.node] = leaf
        compact[row].append(
            Cell(
                text=leaf,
                is_header=cell.is_header,
                column=column,
                colspan=next_column - column,
                rowspan=next_row - row,
            )
        )
    return compact
