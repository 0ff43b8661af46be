"""Tables of cells of one line each: drawn on a terminal, aligned text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from unicodedata import east_asian_width

MAX_COLUMNS = 7
"""Columns of a table that a person still takes in; the other formats have all. Not
tuned.
"""
CELL_CHARACTERS = 60
"""Characters of a value in a table of plain text; not tuned."""

Cells = Sequence[Sequence[str]]


def render_table(names: Sequence[str], rows: Cells, *, to_terminal: bool) -> str:
    """Return a table under the names of its columns."""
    return _drawn_table(names, rows) if to_terminal else _aligned_table(names, rows)


def hidden_columns_note(hidden: int) -> str:
    """Return the line below a table that says how many columns it has not."""
    return f"{hidden} more columns: --format csv has them.\n" if hidden > 0 else ""


def _drawn_table(names: Sequence[str], rows: Cells) -> str:
    """Return a table for a terminal, as wide as that is."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    needed = _column_widths([names, *rows])
    available = console.width - 2 * len(needed) - 2
    widths = _fit_widths(needed, available)
    for name, width in zip(names, widths, strict=True):
        table.add_column(name, no_wrap=True, width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def _fit_widths(widths: Sequence[int], available: int) -> list[int]:
    """Return widths of columns that fit: the widest are narrowed, so that numbers, dates
    and prices stay whole.
    """
    low, high = 1, max(widths)
    while low < high:
        middle = (low + high + 1) // 2
        total = sum(min(width, middle) for width in widths)
        if total <= available:
            low = middle
        else:
            high = middle - 1
    return [min(width, low) for width in widths]


def _aligned_table(names: Sequence[str], rows: Cells) -> str:
    """Return a table of plain text, for files and pipes."""
    shortened = [list(map(_shorten, row)) for row in (names, *rows)]
    widths = _column_widths(shortened)
    lines = [_aligned_line(row, widths) for row in shortened]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def _shorten(cell: str) -> str:
    if len(cell) <= CELL_CHARACTERS:
        return cell
    return f"{cell[: CELL_CHARACTERS - 1]}…"


def _aligned_line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = []
    for cell, width in zip(row, widths, strict=True):
        padding = " " * (width - _display_width(cell))
        cells.append(cell + padding)
    return "  ".join(cells).rstrip()


def _column_widths(rows: Cells) -> list[int]:
    columns = zip(*rows, strict=True)
    return [max(map(_display_width, column)) for column in columns]


def _display_width(text: str) -> int:
    """Return how many columns text takes on a screen with letters of one width."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
