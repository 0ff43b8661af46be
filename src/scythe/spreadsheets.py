"""Records for spreadsheets: texts of pages that none of them calculates, and workbooks.

What a page says must not be calculated on the machine of whoever opens a file, so every
CSV and every workbook that Scythe writes asks here which texts would be.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, TextIO

from scythe.errors import UsageError

_FORMULA_SIGNS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula, in some spreadsheet: also the full-width signs."""
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*%?")
_MAX_CELL = 32_767
_MAX_ROWS = 1_048_575
"""Characters of a cell, and rows under the head of a sheet, by the limits of Excel."""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_COLUMN_WIDTH = 24
"""Characters of a column when a workbook is opened: for the eye, not tuned."""


def is_formula(cell: Any) -> bool:
    """Return whether a spreadsheet would calculate a text instead of showing it. Plain
    numbers with a sign are shown.
    """
    if not isinstance(cell, str):
        return False
    visible = cell.strip(" ")
    first = visible[:1] or cell[:1]
    return first in _FORMULA_SIGNS and not _NUMBER.fullmatch(visible)


def without_formula(cell: Any) -> Any:
    """Return a cell of CSV that no spreadsheet takes for a formula: with an apostrophe
    before it where it would be one.
    """
    return f"'{cell}" if is_formula(cell) else cell


class CsvWriter:
    """Writes lines of CSV, no cell of them a formula."""

    def __init__(self, out: TextIO) -> None:
        self._writer = csv.writer(out, lineterminator="\n")

    def writerow(self, cells: Iterable[Any]) -> None:
        """Write a line."""
        self._writer.writerow(map(without_formula, cells))


def as_given(cell: str) -> str:
    """Return the text that `without_formula` was given."""
    is_quoted = cell[:1] == "'" and is_formula(cell[1:])
    return cell[1:] if is_quoted else cell


def require_workbooks() -> None:
    """Refuse to begin what would end in a workbook where none can be written."""
    try:
        import openpyxl  # noqa: F401 - only whether it is there
    except ImportError as error:
        raise UsageError(
            "A workbook needs openpyxl. Install it: pip install 'webscythe[xlsx]', "
            "or write CSV."
        ) from error


def write_workbook(
    path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> int:
    """Write a workbook with one sheet, whose first line has the names of the columns;
    return how many rows it has. Texts are texts, whatever they begin with.
    """
    require_workbooks()
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("records")
    sheet.freeze_panes = "A2"
    for number in range(1, len(columns) + 1):
        sheet.column_dimensions[get_column_letter(number)].width = _COLUMN_WIDTH

    def cell(value: Any) -> Any:
        made = WriteOnlyCell(sheet, _cell_value(value))
        if isinstance(made.value, str):
            made.data_type = "s"  # openpyxl takes `=...` for a formula
            made.quotePrefix = is_formula(made.value)  # and so would who edits it
        return made

    head = [cell(name) for name in columns]
    for made in head:
        made.font = Font(bold=True)
    count = 0
    try:
        sheet.append(head)
        for row in rows:
            if count == _MAX_ROWS:
                raise UsageError(
                    f"A sheet has at most {_MAX_ROWS:,} rows. Write CSV or Parquet."
                )
            cells = [cell(row.get(name)) for name in columns]
            sheet.append(cells)
            count += 1
    finally:
        sheet.close()  # else it prints a traceback when it is dropped
    content = BytesIO()  # and so does what openpyxl writes to a disk that is full
    book.save(content)
    path.write_bytes(content.getbuffer())
    return count


def _cell_value(value: Any) -> Any:
    """Return a value as a cell holds it: lists of texts as lines, what has parts as
    JSON, times without their zone.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    elif not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return _NOT_XML.sub("\ufffd", value)[:_MAX_CELL]
