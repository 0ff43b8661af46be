"""`scythe template` as a user types it: grow from some pages, name, apply to others,
update, show.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recipe_pages import recipe_page
from scythe.cli.main import app
from scythe.templates.template.template import Template


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["template", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(7):
        (tmp_path / f"page-{number}.html").write_text(recipe_page(number))
    (tmp_path / "other.html").write_text(
        "<div id=shop><p>Nothing <b>of the</b> kind</p><dl><dt>x<dd>y</dl></div>"
    )
    return tmp_path


@pytest.fixture
def template(folder: Path) -> Path:
    result = run(
        "induce",
        *(folder / f"page-{number}.html" for number in range(4)),
        "-o",
        folder / "t.json",
    )
    assert result.exit_code == 0, result.stderr
    assert "grown from 4 pages" in result.stderr
    return folder / "t.json"


def slot(template: Path, label: str) -> str:
    return next(
        slot.id for slot in Template.load(template).slots if slot.label == label
    )


def test_without_out_the_template_goes_to_standard_output(folder: Path) -> None:
    result = run("induce", folder / "page-0.html", folder / "page-1.html")
    assert json.loads(result.stdout)["scythe"] == "template"


def test_a_page_is_read_by_the_names_that_were_given(
    folder: Path, template: Path
) -> None:
    named = run("name", template, slot(template, "Cook:"), "author", "--type", "person")
    assert named.exit_code == 0
    assert "is author now, as in: Ann" in named.stderr
    run("name", template, slot(template, "Ingredients"), "ingredients")
    result = run("apply", template, folder / "page-5.html", "--format", "json")
    assert json.loads(result.stdout)["record"] == {
        "author": ["Ann spelt"],
        "ingredients": ["5 cups of spelt 0", "6 cups of spelt 1", "7 cups of spelt 2"],
    }


def test_several_pages_are_rows(folder: Path, template: Path) -> None:
    run("name", template, slot(template, "Serves:"), "serves")
    pages = [folder / "page-5.html", folder / "page-6.html"]
    rows = list(
        csv.reader(io.StringIO(run("apply", template, *pages, "-f", "csv").stdout))
    )
    assert rows == [["source", "serves"], [str(pages[0]), "7"], [str(pages[1]), "8"]]
    assert run("apply", template, *pages).stdout.splitlines()[0].split() == [
        "source",
        "serves",
    ]
    assert [
        json.loads(line)["record"]["serves"]
        for line in run("apply", template, *pages, "-f", "jsonl").stdout.splitlines()
    ] == [
        ["7"],
        ["8"],
    ]


def test_without_names_all_slots_are_read(folder: Path, template: Path) -> None:
    lines = run("apply", template, folder / "page-5.html").stdout.splitlines()
    assert any(line.endswith(" 7") for line in lines)
    assert any("5 cups of spelt 0 | 6 cups of spelt 1" in line for line in lines)


def test_pages_of_another_kind_are_named(folder: Path, template: Path) -> None:
    result = run(
        "apply", template, folder / "other.html", folder / "page-5.html", "-f", "jsonl"
    )
    assert result.exit_code == 1
    assert "another kind of page" in result.stderr
    assert len(result.stdout.splitlines()) == 1


def test_an_update_tells_what_is_new(folder: Path, template: Path) -> None:
    for number in (5, 6):
        (folder / f"new-{number}.html").write_text(
            recipe_page(number, extra=f"<p class=note>Note: for {number} people</p>")
        )
    result = run(
        "update",
        template,
        folder / "new-5.html",
        folder / "new-6.html",
        "-o",
        folder / "u.json",
    )
    assert result.exit_code == 0, result.stderr
    (notice,) = [
        json.loads(line)
        for line in result.stdout.splitlines()
        if "new attribute" in line
    ]
    assert [example["value"] for example in notice["examples"]] == [
        "Note: for 5 people",
        "Note: for 6 people",
    ]
    assert Template.load(folder / "u.json").pages == 6
    assert Template.load(template).pages == 4


def test_missing_pages_are_named_and_the_others_done(
    folder: Path, template: Path
) -> None:
    result = run("update", template, folder / "page-4.html", folder / "none.html")
    assert result.exit_code == 1
    assert "none.html" in result.stderr
    assert Template.load(template).pages == 5


def test_the_template_is_shown_as_a_tree(template: Path) -> None:
    run("name", template, slot(template, "Cook:"), "author")
    text = run("show", template).stdout
    assert text.startswith("template of 4 pages with ")
    assert 'author "Cook:" text 4/4: Ann' in text
    assert "(repeated)" in text
    assert "Copyright of nobody" not in text
    assert "Copyright of nobody" in run("show", template, "--template-text").stdout


def test_the_template_is_drawn_over_a_page(folder: Path, template: Path) -> None:
    run("name", template, slot(template, "Cook:"), "author")
    result = run(
        "show",
        template,
        "--page",
        folder / "page-5.html",
        "--draw",
        folder / "seen.html",
    )
    assert result.exit_code == 0, result.stderr
    page = (folder / "seen.html").read_text()
    assert 'data-scythe-number="author"' in page
    assert "slots on this page" in page


@pytest.mark.parametrize(
    "options",
    [
        ["--page", "p.html"],
        ["--draw", "x.html"],
        ["--page", "p.html", "--draw", "x.gif"],
    ],
)
def test_drawing_needs_a_page_and_a_file(template: Path, options: list[str]) -> None:
    assert run("show", template, *options).exit_code == 2


def test_an_unknown_slot_and_a_file_that_is_no_template_are_wrong_usage(
    folder: Path, template: Path
) -> None:
    assert run("name", template, "s999", "x").exit_code == 2
    assert run("show", folder / "page-0.html").exit_code == 2
