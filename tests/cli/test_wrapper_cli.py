"""`scythe wrapper` as a user types it: learn from some pages, apply to others, export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from engine_pages import no_result_page, result_page
from loopback import Loopback
from scythe.cli.main import app

DRIFTED = (
    result_page(0)
    .replace("class='hit", "class='found")
    .replace("id=results", "id=list")
    .replace("<h3>", "<h4>")
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["wrapper", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(5):
        (tmp_path / f"page-{number}.html").write_text(result_page(number, pages=6))
    (tmp_path / "none.html").write_text(no_result_page())
    (tmp_path / "plain.html").write_text("<p>Nothing that repeats.</p>")
    (tmp_path / "drifted.html").write_text(DRIFTED)
    return tmp_path


@pytest.fixture
def wrapper(folder: Path) -> Path:
    pages = [folder / f"page-{number}.html" for number in range(3)]
    result = run(
        "learn",
        "--no-render",
        *pages,
        "--no-result",
        folder / "none.html",
        "-o",
        folder / "w.json",
    )
    assert result.exit_code == 0, result.stderr
    return folder / "w.json"


def test_learning_says_what_was_learned(folder: Path, wrapper: Path) -> None:
    result = run("learn", "--no-render", folder / "page-0.html", folder / "page-1.html")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["scythe"] == "wrapper"
    assert result.stderr.startswith(
        "learned from 2 pages with 10 to 10 records; columns: title, link, "
    )


def test_an_unseen_page_gives_its_records(folder: Path, wrapper: Path) -> None:
    result = run("apply", wrapper, folder / "page-4.html", "--format", "jsonl")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, result.stderr) == (0, "")
    assert [row["link"] for row in rows] == [
        f"/item/{number}" for number in range(40, 50)
    ]
    assert all(row["text"].startswith(row["fields"]["title"] + "\n") for row in rows)


def test_several_pages_name_their_source(folder: Path, wrapper: Path) -> None:
    pages = [folder / "page-3.html", folder / "page-4.html"]
    lines = run("apply", wrapper, *pages, "--format", "csv").stdout.splitlines()
    assert lines[0].startswith("source,title,")
    assert sum(line.startswith(str(pages[1])) for line in lines) == 10
    rows = [
        json.loads(line)
        for line in run("apply", wrapper, *pages, "-f", "json").stdout.splitlines()
    ]
    assert [(row["source"], row["status"], len(row["records"])) for row in rows] == [
        (str(page), "ok", 10) for page in pages
    ]
    table = run("apply", wrapper, *pages).stdout
    assert f"==> {pages[0]} <==\n\n" in table
    assert f"\n\n==> {pages[1]} <==\n\n" in table


def test_results_of_all_pages_go_to_one_file(folder: Path, wrapper: Path) -> None:
    out = folder / "rows.jsonl"
    result = run(
        "apply", wrapper, folder / "page-3.html", folder / "page-4.html", "-o", out
    )
    assert (result.exit_code, result.stdout) == (0, "")
    assert len(out.read_text().splitlines()) == 20


def test_what_does_not_fit_is_told_apart(folder: Path, wrapper: Path) -> None:
    empty = run("apply", wrapper, folder / "none.html")
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert empty.stderr.startswith(f"warning: {folder / 'none.html'}: empty: ")
    drifted = run(
        "apply", wrapper, folder / "drifted.html", folder / "page-4.html", "-f", "jsonl"
    )
    assert drifted.exit_code == 1
    assert drifted.stderr.startswith(f"error: {folder / 'drifted.html'}: drifted: ")
    assert len(drifted.stdout.splitlines()) == 10


def test_a_bad_page_stops_no_other(folder: Path, wrapper: Path) -> None:
    result = run(
        "apply", wrapper, folder / "nowhere.html", folder / "page-4.html", "-f", "jsonl"
    )
    assert result.exit_code == 1
    assert result.stderr.startswith("error: There is no file")
    assert len(result.stdout.splitlines()) == 10
    learned = run(
        "learn",
        "--no-render",
        folder / "page-0.html",
        folder / "nowhere.html",
        folder / "page-1.html",
        "-o",
        folder / "v.json",
    )
    assert learned.exit_code == 1
    assert "learned from 2 pages" in learned.stderr
    assert (folder / "v.json").exists()


def test_a_web_address_makes_links_whole(
    folder: Path, wrapper: Path, web: Loopback
) -> None:
    web.add("/search", result_page(4).encode())
    result = run("apply", wrapper, web.url("/search"), "-f", "json")
    assert json.loads(result.stdout)["records"][0]["link"] == web.url("/item/40")


def test_exports(folder: Path, wrapper: Path) -> None:
    paths = run("export", wrapper, "--to", "xpath").stdout
    assert paths.startswith("record: //")
    assert "\ntitle: ./h3/a\nlink: ./h3/a/@href\n" in paths
    entry = run(
        "export",
        wrapper,
        "--to",
        "searxng",
        "--url",
        "https://www.x.example/?q={query}&page={pageno}",
    ).stdout
    assert entry.startswith('engines:\n  - name: "x.example"\n')
    run(
        "export",
        wrapper,
        "--to",
        "scrapy",
        "--url",
        "https://x.example/",
        "--name",
        "hay",
        "-o",
        folder / "spider.py",
    )
    assert 'name = "hay"' in (folder / "spider.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "{wrapper}", "--to", "scrapy"], "--url"),
        (["export", "{wrapper}", "--to", "searxng"], "{query}"),
        (
            ["export", "{wrapper}", "--to", "searxng", "--url", "https://x.example/"],
            "{query}",
        ),
        (
            ["export", "{wrapper}", "--to", "xpath", "--url", "https://x.example/"],
            "--url",
        ),
        (["export", "{wrapper}", "--to", "word"], "word"),
        (["export", "{wrapper}", "--to", "xpath", "-o", "{wrapper}"], "written over"),
        (["apply", "{page}", "{page}"], "not a wrapper"),
        (["apply", "{wrapper}", "{page}", "-o", "{page}"], "written over"),
        (["learn", "{page}", "-o", "{page}"], "written over"),
        (["learn", "{page}", "--no-result", "{folder}"], "is a folder"),
        (["learn", "--no-render", "{plain}"], "No records"),
    ],
)
def test_wrong_commands_are_told_what_to_do(
    folder: Path, wrapper: Path, arguments: list[str], said: str
) -> None:
    names = {
        "wrapper": wrapper,
        "page": folder / "page-0.html",
        "folder": folder,
        "plain": folder / "plain.html",
        "query": "{query}",
    }
    result = run(*(argument.format(**names) for argument in arguments))
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_missing_wrapper_and_no_page_at_all_are_errors(folder: Path) -> None:
    assert run("apply", "nowhere.json", folder / "page-0.html").exit_code == 1
    assert run("learn", "nowhere.html").exit_code == 1


def test_a_wrapper_is_learned_from_examples_and_its_columns_renamed(
    folder: Path,
) -> None:
    pages = [folder / f"page-{number}.html" for number in range(3)]
    arguments = ["--no-render", *pages, "--example", "what=€3.50", "-o", folder / "w"]
    result = CliRunner().invoke(app, ["learn", *map(str, arguments)])
    assert result.exit_code == 0, result.stderr
    assert "columns: link, what." in result.stderr
    result = run("name", folder / "w", "what", "price")
    assert result.exit_code == 0, result.stderr
    result = run("apply", folder / "w", pages[1], "--format", "jsonl")
    assert json.loads(result.stdout.splitlines()[0])["fields"]["price"].startswith("€")
    assert run("name", folder / "w", "what", "x").exit_code == 2


def test_the_methods_of_the_papers_can_be_asked_for(folder: Path) -> None:
    pages = [folder / f"page-{number}.html" for number in range(3)]
    result = run("learn", "--no-render", "--method", "vints", *pages)
    assert json.loads(result.stdout)["rule"]["kind"] == "separated"
    assert run("learn", "--method", "vints", "--example", "x", *pages).exit_code == 2
    for method in ("vints", "mdr"):
        command = ["records", "--no-render", "--method", method, "--format", "json"]
        result = CliRunner().invoke(app, [*command, str(pages[0])])
        assert json.loads(result.stdout)["method"] == method
