"""`scythe extract`: options that reach the methods."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner, Result

from scythe.cli.main import app

SENTENCE = "They cut the barley at dawn, rested at noon, and went on until the light was gone. "
NOTICE = "<p>Subscribe to the Sheaf, for news, views and recipes, delivered to your door every week of the year.</p>"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["extract", *map(str, arguments)])


def write(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"<body><div id=main><h1>{name}</h1>{body}</div></body>", "utf-8")
    return path


def test_pages_of_one_site_lose_what_they_share(tmp_path: Path) -> None:
    for crop in ("barley", "oats", "wheat"):
        write(tmp_path, f"{crop}.html", f"{NOTICE}<p>{crop}: {SENTENCE * 4}</p>")
    broken = tmp_path / "broken.html"
    broken.write_bytes(b"")
    result = run(tmp_path, "--same-site", "-f", "json")
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(document["source"]).stem for document in documents] == [
        "barley",
        "oats",
        "wheat",
    ]
    assert all(
        f"{Path(document['source']).stem}: They" in document["text"]
        for document in documents
    )
    assert "Subscribe" not in result.stdout
    assert "Subscribe" in run(tmp_path).stdout
    assert result.exit_code == 1
    assert "broken.html" in result.stderr


def test_a_list_of_ones_own_advertisement_servers(tmp_path: Path) -> None:
    advertisement = f"<div><img src='https://shop.example/x.gif'><a href='https://shop.example/y'>{SENTENCE}</a> {SENTENCE}</div>"
    page = write(
        tmp_path,
        "barley.html",
        f"<p>{SENTENCE * 6}</p>{advertisement}<p>{SENTENCE * 6}</p>",
    )
    servers = tmp_path / "servers.txt"
    servers.write_text("||shop.example^\n")
    without = run(page, "--method", "lbda", "-f", "html").stdout
    result = run(page, "--method", "lbda", "--ad-list", servers, "-f", "html")
    assert result.exit_code == 0
    assert "shop.example" in without
    assert "shop.example" not in result.stdout
    assert (
        json.loads(
            run(page, "--method", "lbda", "--ad-list", servers, "-f", "json").stdout
        )["method"]
        == "lbda"
    )


def test_a_list_of_servers_for_a_method_without_one_is_wrong_usage(
    tmp_path: Path,
) -> None:
    page = write(tmp_path, "barley.html", SENTENCE)
    result = run(page, "--ad-list", page)
    assert result.exit_code == 2
    assert "--method lbda" in result.stderr
