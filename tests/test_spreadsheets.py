"""What a page says is never calculated by the spreadsheet that shows it."""

from __future__ import annotations

import pytest

from scythe.spreadsheets import without_formula


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\n=1",
        "  =1",
        "\uff1d1",
    ],
)
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert without_formula(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["", "hay", "-12", "+3.5%", "-1,250.00", 7, None])
def test_everything_else_is_left_alone(cell: object) -> None:
    assert without_formula(cell) == cell
