"""Records for spreadsheets: texts of pages that none of them calculates.

What a page says must not be calculated on the machine of whoever opens a file, so every
CSV and every workbook that Scythe writes asks here which texts would be.
"""

from __future__ import annotations

import re
from typing import Any

_FORMULA_SIGNS = frozenset("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula, in some spreadsheet: also the full-width signs."""
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)*%?")


def is_formula(cell: Any) -> bool:
    """Return whether a spreadsheet would calculate a text instead of showing it. Plain
    numbers with a sign are shown.
    """
    if not isinstance(cell, str):
        return False
    first = cell.strip(" ")[:1] or cell[:1]
    return first in _FORMULA_SIGNS and not _NUMBER.fullmatch(cell.strip(" "))


def without_formula(cell: Any) -> Any:
    """Return a cell of CSV that no spreadsheet takes for a formula: with an apostrophe
    before it where it would be one.
    """
    return f"'{cell}" if is_formula(cell) else cell
