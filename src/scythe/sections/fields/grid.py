"""The rows of a table as a grid: which column a cell stands in, which cells of earlier
rows reach down into a row, and what stands over the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from scythe.sections.fields.record_tree import RecordTree
from scythe.sections.span import Span
from scythe.tree.tags import CODES
from scythe.tree.tree import Tree

ROW = CODES["tr"]
HEAD_CELL = CODES["th"]
CELLS = frozenset({CODES["td"], HEAD_CELL})
_TABLE = CODES["table"]
_HEAD = CODES["thead"]
_ROW_GROUPS = frozenset(CODES[name] for name in ("thead", "tbody", "tfoot"))

MAX_COLUMNS = 200
"""Columns of a table that are told apart: a bound on work, not tuned."""
MAX_ROWS_DOWN = 65_534
"""Rows that a cell can reach over, as HTML has it."""
MAX_HEADER_ROWS = 3
"""Rows over each other that name columns: a bound on work, not tuned."""


@dataclass(frozen=True, slots=True)
class RowGrid:
    """One row: its own cells by column, and the cells of earlier rows that reach into
    it.
    """

    own: dict[int, int]
    """The column that each cell of the row begins in."""
    above: dict[int, int]
    """The cells of earlier rows, by the column that they begin in."""
    width: int
    """Columns that the row has in all."""
    is_plain: bool
    """Whether every cell is one column wide and none comes from above."""


_GRIDS: WeakKeyDictionary[Tree, dict[int, dict[int, RowGrid]]] = WeakKeyDictionary()


def row_grid(tree: Tree, row: int) -> RowGrid:
    """Return where the cells of a row stand, computed once for all rows beside it."""
    grids = _GRIDS.setdefault(tree, {})
    group = int(tree.parent[row])
    if group not in grids:
        grids[group] = dict(_row_grids(tree, group))
    return grids[group][row]


def _row_grids(tree: Tree, group: int) -> Iterator[tuple[int, RowGrid]]:
    rows_down = tree.with_attribute("rowspan")
    columns_across = tree.with_attribute("colspan")
    reaching: dict[int, tuple[int, int, int]] = {}
    for row in tree.children(group):
        if tree.tag[row] != ROW:
            continue
        taken: set[int] = set()
        above = {}
        for column, (cell, across, _) in reaching.items():
            above[column] = cell
            taken.update(range(column, column + across))
        own = {}
        column = 0
        is_plain = not above
        for cell in tree.children(row):
            if int(tree.tag[cell]) not in CELLS:
                continue
            while column in taken:
                column += 1
            if column >= MAX_COLUMNS:
                break
            own[cell] = column
            across = _count(columns_across.get(cell), MAX_COLUMNS - column)
            down = _count(rows_down.get(cell), MAX_ROWS_DOWN)
            is_plain = is_plain and across == 1
            if down > 1:
                reaching[column] = (cell, across, down)
            column += across
        width = max([column, *(number + 1 for number in taken)])
        yield row, RowGrid(own, above, width, is_plain)

        reaching_here = reaching
        reaching = {}
        for column, (cell, across, down) in reaching_here.items():
            if down > 1:
                rows_left = down - 1
                reaching[column] = (cell, across, rows_left)


def _count(value: str | None, most: int) -> int:
    """Return how many rows or columns an attribute says; 0 is all that are left."""
    digits = (value or "1").strip()
    if not digits.isdecimal() or len(digits) > 6:
        return 1
    return min(int(digits) or most, most)


def header_texts(tree: Tree, row: int) -> dict[int, str]:
    """Return what stands over the columns of the table that a row is of: the texts of
    its header rows, from the upper to the lower.
    """
    table = -1
    for node in tree.ancestors(row):
        if tree.tag[node] == _TABLE:
            table = node
            break
    if table < 0:
        return {}
    texts: dict[int, list[str]] = {}
    for header in _header_rows(tree, table, row):
        grid = row_grid(tree, header)
        for cell, column in grid.own.items():
            span = Span(cell, int(tree.end[cell]))
            text = RecordTree(tree, span).text(0)
            across = _count(tree.attributes(cell).get("colspan"), MAX_COLUMNS)
            for number in range(column, min(column + across, MAX_COLUMNS)):
                parts = texts.setdefault(number, [])
                if text and text not in parts:
                    parts.append(text)
    return {column: " ".join(parts) for column, parts in texts.items() if parts}


def _header_rows(tree: Tree, table: int, row: int) -> list[int]:
    """Return the rows that begin a table and hold names instead of values: of its
    `<thead>`, or of `<th>` alone.
    """
    headers = []
    for candidate in _rows_of(tree, table):
        in_head = tree.tag[tree.parent[candidate]] == _HEAD
        cells = list(row_grid(tree, candidate).own)
        is_all_head = len(cells) > 1 and all(
            tree.tag[cell] == HEAD_CELL for cell in cells
        )
        if not in_head and not is_all_head:
            break
        headers.append(candidate)
        if len(headers) == MAX_HEADER_ROWS or candidate == row:
            break
    return headers


def _rows_of(tree: Tree, table: int) -> Iterator[int]:
    """Yield the rows of a table, not those of tables inside it."""
    for child in tree.children(table):
        tag = int(tree.tag[child])
        if tag == ROW:
            yield child
        elif tag in _ROW_GROUPS:
            for row in tree.children(child):
                if tree.tag[row] == ROW:
                    yield row
