"""`scythe records` as a user types it: formats, files, statuses, exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from engine_pages import no_result_page, result_page
from given_records import records_with
from loopback import Loopback
from scythe.cli.main import app
from scythe.cli.output.rows import RowWriter
from scythe.sections.fields import Value


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["records", "--no-render", *map(str, arguments)])


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "results.html"
    path.write_text(result_page(0))
    return path


def test_a_table_is_aligned_text_where_there_is_no_terminal(page: Path) -> None:
    result = run(page)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines[0].split() == ["title", "price", "date", "snippet", "link"]
    assert len(lines) == 12
    assert lines[2].startswith("1   The barley of scythe 0")
    assert lines[2].index("€3.50") == lines[0].index("price")


def test_json_has_the_records_and_what_is_known_of_the_page(page: Path) -> None:
    answer = json.loads(
        run(page, "--format", "json", "--url", "https://x.example/search?page=0").stdout
    )
    assert (answer["source"], answer["url"]) == (
        str(page),
        "https://x.example/search?page=0",
    )
    assert (answer["status"], answer["method"]) == ("ok", "tags")
    assert answer["next_page"] == "https://x.example/search?page=1"
    assert len(answer["records"]) == 10
    first = answer["records"][0]
    assert first["link"] == first["fields"]["link"] == "https://x.example/item/0"
    assert first["fields"]["title"] == "The barley of scythe 0"
    assert first["text"].startswith("The barley of scythe 0\n")


def test_json_lines_are_one_record_each(page: Path) -> None:
    lines = run(page, "-f", "jsonl").stdout.splitlines()
    assert [json.loads(line)["link"] for line in lines] == [
        f"/item/{number}" for number in range(10)
    ]


def test_csv_has_every_column_with_gaps_where_a_record_has_none(page: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(page, "-f", "csv").stdout)))
    assert len(rows) == 10
    assert list(rows[0])[-2:] == ["link", "text"]
    assert (rows[2]["date"], rows[3]["price"]) == ("", "")
    assert rows[4]["price"] == "€7.50"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.json", "{"),
        ("a.jsonl", '{"text"'),
        ("a.csv", "title,"),
        ("a.txt", "    title"),
    ],
)
def test_the_ending_of_the_file_names_the_format(
    page: Path, tmp_path: Path, name: str, start: str
) -> None:
    out = tmp_path / "deep" / name
    result = run(page, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8").startswith(start)


def test_the_format_that_is_asked_for_wins(page: Path, tmp_path: Path) -> None:
    run(page, "-o", tmp_path / "a.json", "-f", "csv")
    assert (tmp_path / "a.json").read_text().startswith("title,")


def test_records_are_drawn_over_the_page(page: Path, tmp_path: Path) -> None:
    result = run(page, "--show", tmp_path / "shown.html")
    shown = (tmp_path / "shown.html").read_text(encoding="utf-8")
    assert result.exit_code == 0
    assert 'data-scythe-number="10"' in shown
    assert "<dt>price</dt>" in shown


def test_a_page_without_records_is_an_answer_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "none.html"
    path.write_text(no_result_page())
    result = run(path)
    assert (result.exit_code, result.stdout) == (0, "")
    assert (
        result.stderr == f"warning: {path}: empty: The page has no list of records.\n"
    )
    assert json.loads(run(path, "-f", "json").stdout)["records"] == []


def test_a_bot_check_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "check.html"
    path.write_text(
        "<title>Just a moment...</title><h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue</p>"
    )
    result = run(path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: {path}: blocked: ")


def test_a_web_address_is_fetched(web: Loopback) -> None:
    web.add("/search", result_page(0).encode())
    answer = json.loads(run(web.url("/search"), "-f", "json").stdout)
    assert answer["records"][0]["link"] == web.url("/item/0")


def test_standard_input_is_read() -> None:
    result = CliRunner().invoke(
        app,
        ["records", "--no-render", "-", "-f", "jsonl"],
        input=result_page(0).encode(),
    )
    assert len(result.stdout.splitlines()) == 10


def test_a_page_that_is_cut_short_is_reported(page: Path) -> None:
    result = run(page, "--max-bytes", "1500")
    assert "warning" in result.stderr
    assert "--max-bytes" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{folder}"], "is a folder"),
        (["{page}", "--show", "x.pdf"], ".png"),
        (["{page}", "-o", "{page}"], "written over"),
        (["{page}", "--show", "{page}"], "written over"),
        (["{page}", "--url", "x.example"], "https://"),
        (["https://x.example/", "--url", "https://x.example/"], "--url"),
        (["{page}", "--format", "xml"], "xml"),
    ],
)
def test_wrong_commands_are_told_what_to_do(
    page: Path, arguments: list[str], said: str
) -> None:
    result = run(
        *(argument.format(folder=page.parent, page=page) for argument in arguments)
    )
    assert result.exit_code == 2
    assert said in result.stderr
    assert page.read_text() == result_page(0)


def test_a_missing_page_is_an_error() -> None:
    result = run("nowhere.html")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: There is no file or folder nowhere.html.")


def test_tables_keep_to_what_a_person_takes_in() -> None:
    values: dict[str, Value] = {
        "title": "y" * 100,
        **{f"column_{number}": "x" for number in range(20)},
    }
    table = RowWriter("table", several=False, to_terminal=False).render(
        "s", None, records_with(values)
    )
    assert table.splitlines()[0].split()[:2] == ["title", "link"]
    assert "15 more columns: --format csv has them." in table
    assert f"{'y' * 59}…" in table


def test_no_value_can_steer_the_terminal_or_break_a_table() -> None:
    for to_terminal in (True, False):
        table = RowWriter("table", several=False, to_terminal=to_terminal).render(
            "s", None, records_with({"title": "a\x1b[31m\nb [red]c"})
        )
        assert "\x1b[31m" not in table
        assert "[red]c" in table
        assert "b" in next(line for line in table.splitlines() if "a\ufffd" in line)


def test_wide_letters_are_aligned() -> None:
    rows = records_with(
        {"title": "大麦", "date": "today"}, {"title": "hay", "date": "now"}
    )
    lines = (
        RowWriter("table", several=False, to_terminal=False)
        .render("s", None, rows)
        .splitlines()
    )
    assert lines[2] == "1  大麦   today  /x"
    assert lines[3] == "2  hay    now    /x"


def test_lists_are_joined_in_cells() -> None:
    text = RowWriter("csv", several=False, to_terminal=False).render(
        "s", None, records_with({"tags": ["a", "b"]})
    )
    assert text == "tags,link,text\na | b,/x,t\n"


def test_records_that_are_in_doubt_come_with_a_warning(tmp_path: Path) -> None:
    said = ("every few minutes", "from heel to toe", "with a light hand")
    text = "".join(
        f"<p>A scythe is whetted {how}, and the stone is kept wet in its holder at the belt.</p>"
        for how in said
    )
    path = tmp_path / "article.html"
    path.write_text(
        f"<h1>On whetting</h1>{text}<ul><li><a href=/a>Hay</a><li><a href=/b>Rye</a><li><a href=/c>Oats</a></ul>"
    )
    result = run(path)
    assert result.exit_code == 0
    assert "may not be the records of the page" in result.stderr


@pytest.mark.parametrize(
    "formula", ["=1+1", "+a", "-1+cmd|' /C calc'!A0", "@SUM(1)", " =1", "\t=1"]
)
def test_csv_holds_no_formula_of_a_page(formula: str) -> None:
    rows = records_with({"title": formula, "price": "3"})
    writer = RowWriter("csv", several=False, to_terminal=False)
    text = writer.render_rows("", rows)
    _, row = csv.reader(io.StringIO(text))
    assert row[0] == f"'{formula}"
    assert row[1] == "3"
