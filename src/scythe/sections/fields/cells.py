"""The cells of table rows as positions: by column, whatever their classes."""

from __future__ import annotations

from collections import Counter, defaultdict

from scythe.align.forest import class_key
from scythe.sections.fields.grid import (
    CELLS,
    ROW,
    RowGrid,
    header_texts,
    row_grid,
)
from scythe.sections.fields.grouping import Instance, PositionGroup
from scythe.sections.fields.position import ANY_TAG, ColumnPosition
from scythe.sections.fields.record_tree import RecordTree
from scythe.sections.span import Span

_ONE_TABLE = 0.8
"""The share of the rows that have the same number of columns if these are the columns
of a table, not of a layout; not tuned.
"""
_MIN_COLUMNS = 2

Key = tuple[str, int]
"""Tag and number of a cell."""


def cell_groups(
    rows: list[Instance], below: list[Instance]
) -> list[PositionGroup] | None:
    """Return a position for each column of the rows of a table; None where the elements
    are no such rows, or the classes of their cells say more.

    Tables without cells over several rows or columns are told apart by the number of a
    cell among those of its tag, which XPath can say too.
    """
    if not rows or not all(map(_is_row, rows)):
        return None
    cells = [one for one in below if one.node >= 0]
    if any(one.record.tags[one.node] not in CELLS for one in cells):
        return None
    grids = [_grid(one) for one in rows]
    widths = Counter(grid.width for grid in grids)
    width, count = widths.most_common(1)[0]
    if width < _MIN_COLUMNS or count < _ONE_TABLE * len(grids):
        return None

    first = rows[0].record
    first_row = first.start + rows[0].node
    headers = header_texts(first.tree, first_row)
    is_plain = all(grid.is_plain for grid in grids)
    if is_plain and not headers and _classes_differ(cells):
        return None
    by_column = _by_column(rows, grids, cells)
    if is_plain and all(len(_tags(alike)) == 1 for alike in by_column.values()):
        positions = _numbered_positions(by_column)
    else:
        positions = {
            column: ColumnPosition(ANY_TAG, cell=column) for column in by_column
        }
    groups = []
    for column in sorted(by_column):
        position = positions[column]
        position.header = headers.get(column)
        groups.append(PositionGroup(position, by_column[column]))
    return groups


def _grid(row: Instance) -> RowGrid:
    record = row.record
    return row_grid(record.tree, record.start + row.node)


def _is_row(instance: Instance) -> bool:
    if instance.node < 0:
        return False
    return instance.record.tags[instance.node] == ROW


def _classes_differ(cells: list[Instance]) -> bool:
    """Return whether the classes of the cells tell them apart in every row."""
    seen: set[tuple[int, str]] = set()
    for cell in cells:
        key = class_key(cell.record.classes(cell.node))
        if not key or (cell.owner, key) in seen:
            return False
        seen.add((cell.owner, key))
    return True


def _by_column(
    rows: list[Instance], grids: list[RowGrid], cells: list[Instance]
) -> dict[int, list[Instance]]:
    """Return the cells of each column, also those that reach down from earlier rows."""
    by_column: dict[int, list[Instance]] = defaultdict(list)
    for cell in cells:
        grid = grids[cell.owner]
        column = grid.own.get(cell.record.start + cell.node)
        if column is not None:
            cell.start = column
            by_column[column].append(cell)
    pairs = zip(rows, grids, strict=True)
    for owner, (row, grid) in enumerate(pairs):
        tree = row.record.tree
        for column, node in grid.above.items():
            span = Span(node, int(tree.end[node]))
            record = RecordTree(tree, span)
            by_column[column].append(Instance(record, 0, owner, column))
    return by_column


def _tags(cells: list[Instance]) -> set[int]:
    return {cell.record.tags[cell.node] for cell in cells}


def _numbered_positions(
    by_column: dict[int, list[Instance]],
) -> dict[int, ColumnPosition]:
    """Return a position for each column, by its number among those of its tag."""
    counts: Counter[str] = Counter()
    positions = {}
    for column in sorted(by_column):
        first = by_column[column][0]
        record = first.record
        tag = record.tree.name(record.start + first.node)
        counts[tag] += 1
        positions[column] = ColumnPosition(tag, number=counts[tag])
    return positions
