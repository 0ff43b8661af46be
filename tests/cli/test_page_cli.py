"""`scythe page` as a user types it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recipe_pages import recipe_page
from scythe.cli.main import app

SHOP = """<title>Hay fork</title><h1>Hay fork</h1><p>$24.50</p>
    <button>Add to cart</button><p>Brand: Hofwerk</p>"""


def run(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(app, ["page", *map(str, arguments)], input=given)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.html"
    path.write_text(SHOP)
    return path


def test_one_page_is_one_json_object(shop: Path) -> None:
    result = run(shop)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {
        "source": str(shop),
        "url": None,
        "kind": "product",
        "complete": True,
        "record": {
            "title": "Hay fork",
            "price": "24.50",
            "currency": "USD",
            "availability": "InStock",
            "brand": "Hofwerk",
        },
    }


def test_sources_of_values_are_shown_when_asked_for(shop: Path) -> None:
    sources = json.loads(run(shop, "--with-sources").stdout)["sources"]
    assert sources["title"] == "h1"
    assert sources["brand"] == "label beside it"
    table = run(shop, "--with-sources", "--format", "table").stdout
    assert "price beside the title" in table


def test_standard_input_and_its_address(tmp_path: Path) -> None:
    url = "https://farm.example.au/fork"
    result = run("-", "--url", url, given=SHOP)
    values = json.loads(result.stdout)
    assert values["url"] == url
    assert values["record"]["currency"] == "AUD"


def test_several_pages_are_lines_and_a_bad_one_stops_no_other(
    shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "bread.html").write_text(recipe_page(1))
    result = run(tmp_path / "gone.html", shop, tmp_path / "bread.html")
    assert result.exit_code == 1
    kinds = [json.loads(line)["kind"] for line in result.stdout.splitlines()]
    assert kinds == ["product", "recipe"]
    assert "gone.html" in result.stderr
    assert "1 of 3 sources failed." in result.stderr


def test_rows_of_all_pages_have_the_same_columns(shop: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    assert run(shop, shop, "--kind", "product", "-o", out).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert [row["price"] for row in rows] == ["24.50", "24.50"]
    assert rows[0]["properties"] == ""


def test_a_page_of_another_kind_is_warned_of(shop: Path) -> None:
    result = run(shop, "--kind", "event")
    assert result.exit_code == 0
    assert "it has no start, so it may not be an event" in result.stderr


def test_a_page_with_nothing_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    path.write_text(
        "<html><body><div id=app></div><script>run()</script></body></html>"
    )
    result = run(path)
    assert result.exit_code == 1
    assert "nothing could be read from it" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["--kind", "film"], ["--url", "farm"], ["--format", "xml"]]
)
def test_wrong_usage(shop: Path, arguments: list[str]) -> None:
    assert run(shop, *arguments).exit_code == 2


def test_a_source_is_never_written_over(shop: Path) -> None:
    assert run(shop, "-o", shop).exit_code == 2
    assert shop.read_text() == SHOP
