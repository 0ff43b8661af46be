"""Tables of data, told apart from tables that only lay out a page, as a grid with sane
spans.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.content.structures.outline import Cell, Leaf, Table
from scythe.tree.tags import HEADING, TagSet, code
from scythe.tree.tree import Bools, Tree, prefix_sums

MAX_COLSPAN, MAX_ROWSPAN = 1000, 65_534
"""What browsers take at most (HTML standard, 4.9.11)."""

MAX_PADDING = 65_536
"""Empty grid places for one table, beyond a few for each cell; what Markdown readers
allow to a table too (markdown-it). A table that needs more is written as blocks.
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

_TABLE, _CAPTION, _TR, _TH, _TD, _THEAD = map(
    code, ("table", "caption", "tr", "th", "td", "thead")
)
_SECTIONS = frozenset(map(code, ("thead", "tbody", "tfoot")))


class Census:
    """Counts over the elements that hold something chosen, for any subtree in two
    look-ups.
    """

    def __init__(self, tree: Tree, solid: Bools) -> None:
        self.tree = tree
        self.solid = prefix_sums(solid)
        self._solid_nodes = solid
        self.kept = tree.above(solid)

    def under(self, sums: NDArray[np.int64], node: int) -> int:
        """The sum over what lies below a node, the node itself left out."""
        return int(sums[self.tree.end[node]] - sums[node + 1])

    def counted(self, tags: TagSet) -> NDArray[np.int64]:
        """Prefix sums of the kept elements of some tags."""
        return prefix_sums(self.kept & self.tree.has_tag(tags))

    @cached_property
    def own_blocks(self) -> NDArray[np.int64]:
        """Blocks that need lines of their own."""
        return self.counted(_OWN_BLOCKS)

    @cached_property
    def headings(self) -> NDArray[np.int64]:
        """Headings."""
        return self.counted(HEADING)

    @cached_property
    def flow(self) -> NDArray[np.int64]:
        """Paragraph-like blocks."""
        return self.counted(_FLOW)

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """Characters of chosen text."""
        lengths = np.zeros(len(self.tree), dtype=np.int32)
        nodes = np.flatnonzero(self._solid_nodes)
        lengths[nodes] = [len(text) for text in self.tree.text[nodes]]
        return prefix_sums(lengths)


@dataclass(slots=True)
class _Slot:
    """A cell as the page has it: its node and the part of the page's grid it covers."""

    node: int
    header: bool
    row: int
    column: int
    colspan: int
    rowspan: int


def read_table(census: Census, node: int) -> tuple[Table, dict[int, Leaf]] | None:
    """The table at a node, with the leaf that each kept cell and caption is to fill;
    None if it only lays out.
    """
    tree = census.tree
    if census.under(census.own_blocks, node) or tree.attributes(node).get("role") in (
        "presentation",
        "none",
    ):
        return None
    captions, rows, headed = _parts(census, node)
    slots = _place(tree, rows)
    if slots is None:
        return None
    full = {slot.node for slot in slots if census.under(census.solid, slot.node)}
    holders = [*full, *captions[:1]]
    if sum(census.under(census.solid, holder) for holder in holders) != census.under(
        census.solid, node
    ):
        return None
    filled = [slot for slot in slots if slot.node in full]
    labelled = any(slot.header for slot in filled)
    if any(_is_section(census, slot.node) for slot in filled) or not (
        labelled or _is_grid(census, slots, filled)
    ):
        return None
    kept_rows = sorted({slot.row for slot in filled})
    columns = sorted({slot.column for slot in filled})
    if len(columns) < 2 or (len(kept_rows) < 2 and not labelled):
        return None
    if len(columns) * len(kept_rows) > MAX_PADDING + 4 * len(slots):
        return None
    caption = Leaf("caption")
    leaves = dict.fromkeys(captions[:1], caption)
    table_rows = _squeeze(slots, kept_rows, columns, leaves)
    first = [slot for slot in filled if slot.row == kept_rows[0]]
    headed = not labelled or kept_rows[0] < headed or all(slot.header for slot in first)
    return Table(table_rows, len(columns), headed, caption), leaves


def _parts(census: Census, node: int) -> tuple[list[int], list[int], int]:
    """Captions and rows of a table, and how many of the rows stand in its leading
    `<thead>`.
    """
    tree, tag = census.tree, census.tree.tag
    captions, rows, headed = [], [], 0
    for child in tree.children(node):
        if tag[child] == _TR:
            rows.append(child)
        elif tag[child] == _CAPTION:
            captions.append(child)
        elif tag[child] in _SECTIONS:
            leading = not rows and tag[child] == _THEAD
            rows += (row for row in tree.children(child) if tag[row] == _TR)
            headed = len(rows) if leading else headed
    return [caption for caption in captions if census.kept[caption]], rows, headed


def _place(tree: Tree, rows: list[int]) -> list[_Slot] | None:
    """Lay the cells into the grid as browsers do; None where that takes out of
    proportion many places.
    """
    slots: list[_Slot] = []
    free_from: list[int] = []
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
            rowspan = min(
                _span(attributes.get("rowspan"), MAX_ROWSPAN) or len(rows),
                len(rows) - index,
            )
            budget += 32 - colspan
            if budget < 0:
                return None
            slots.append(
                _Slot(
                    node,
                    bool(tree.tag[node] == _TH),
                    index,
                    column,
                    max(colspan, 1),
                    rowspan,
                )
            )
            free_from[column : column + max(colspan, 1)] = [index + rowspan] * max(
                colspan, 1
            )
            column += max(colspan, 1)
    return slots


def _span(value: str | None, most: int) -> int:
    if value is None:
        return 1
    digits = value.strip()[:20]
    return min(int(digits), most) if digits.isascii() and digits.isdigit() else 1


def _is_section(census: Census, node: int) -> bool:
    """Whether a cell holds headings and what stands under them."""
    headings = census.under(census.headings, node)
    return headings > 1 or (
        headings == 1 and census.under(census.length, node) > MAX_HEADING_TEXT
    )


def _is_grid(census: Census, slots: list[_Slot], filled: list[_Slot]) -> bool:
    """Whether a table without header cells is one of data: texts side by side, short,
    of one paragraph each or in rows alike.
    """
    lengths = [census.under(census.length, slot.node) for slot in filled]
    beside = Counter(
        slot.row for slot, length in zip(filled, lengths, strict=True) if length
    )
    if (
        max(lengths, default=0) > MAX_CELL_TEXT
        or sum(count > 1 for count in beside.values()) < 2
    ):
        return False
    rows = Counter(slot.row for slot in slots)
    alike = len(rows) >= 3 and len(set(rows.values())) == 1
    return alike or all(census.under(census.flow, slot.node) <= 1 for slot in filled)


def _squeeze(
    slots: list[_Slot],
    kept_rows: list[int],
    columns: list[int],
    leaves: dict[int, Leaf],
) -> list[list[Cell]]:
    """The grid without rows and columns in which nothing begins; spans count what is
    left of them.
    """
    rows: list[list[Cell]] = [[] for _ in kept_rows]
    index = {row: place for place, row in enumerate(kept_rows)}
    for slot in slots:
        place = index.get(slot.row)
        column = bisect_left(columns, slot.column)
        colspan = bisect_left(columns, slot.column + slot.colspan) - column
        if place is None or not colspan:
            continue
        rowspan = bisect_left(kept_rows, slot.row + slot.rowspan) - place
        leaf = leaves[slot.node] = Leaf("cell")
        rows[place].append(Cell(leaf, slot.header, column, colspan, rowspan))
    return rows
