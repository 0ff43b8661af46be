"""What a page says is never calculated by the spreadsheet that shows it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from engine_pages import result_page
from scythe.cli.main import app
from scythe.errors import UsageError
from scythe.spreadsheets import as_given, without_formula, write_workbook


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
    assert as_given(without_formula(text)) == text


@pytest.mark.parametrize("cell", ["", "hay", "-12", "+3.5%", "-1,250.00", 7, None])
def test_everything_else_is_left_alone(cell: object) -> None:
    assert without_formula(cell) == cell


def test_a_workbook_has_texts_numbers_lines_and_times(tmp_path: Path) -> None:
    path = tmp_path / "hay.xlsx"
    when = datetime(2026, 8, 1, 12, tzinfo=UTC)
    row = {
        "title": '=HYPERLINK("http://evil.example")',
        "price": 24.9,
        "lines": ["oats", "salt"],
        "parts": [{"quantity": 1}],
        "when": when,
        "odd": "bell \x07 rings" + "x" * 40_000,
    }
    assert write_workbook(path, list(row), [row, {"price": 3}]) == 2
    sheet = load_workbook(path)["records"]
    head, first, second = sheet.iter_rows()
    assert [cell.value for cell in head] == list(row)
    title, price, lines, parts, time, odd = first
    assert (title.value, title.data_type) == (row["title"], "s")
    assert title.quotePrefix
    assert (price.value, lines.value) == (24.9, "oats\nsalt")
    assert parts.value == '[{"quantity": 1}]'
    assert time.value == when.replace(tzinfo=None)
    assert odd.value.startswith("bell \ufffd rings")
    assert len(odd.value) == 32_767
    assert [cell.value for cell in second][:3] == [None, 3, None]


def test_records_are_written_to_a_workbook(tmp_path: Path) -> None:
    page, out = tmp_path / "results.html", tmp_path / "hay.xlsx"
    page.write_text(result_page(0).replace("The barley", "=The barley"))
    command = ["records", "--no-render", str(page), "-o", str(out)]
    done = CliRunner().invoke(app, command)
    assert (done.exit_code, done.stdout) == (0, "")
    head, first, *_ = load_workbook(out)["records"].iter_rows()
    assert "price" in [cell.value for cell in head]
    assert (first[0].value, first[0].data_type) == ("=The barley of scythe 0", "s")


def test_a_workbook_needs_a_file_and_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "results.html"
    page.write_text(result_page(0))
    to_terminal = CliRunner().invoke(app, ["records", str(page), "-f", "xlsx"])
    assert to_terminal.exit_code == 2
    assert "-o FILE.xlsx" in to_terminal.stderr
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    out = tmp_path / "hay.xlsx"
    missing = CliRunner().invoke(app, ["records", str(page), "-o", str(out)])
    assert missing.exit_code == 2
    assert "webscythe[xlsx]" in missing.stderr
    with pytest.raises(UsageError, match="openpyxl"):
        write_workbook(out, [], [])
    assert not out.exists()
