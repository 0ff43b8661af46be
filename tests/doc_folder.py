"""What the documentation takes for granted: files that a reader has, and the names that
stand for them in Python.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet

import scythe
from crawl import articles_warc
from doc_sites import PRODUCT
from engine_pages import no_result_page, result_page
from recipe_pages import recipe_page

ROOT = Path(__file__).parent.parent
FILM = (
    "<html><head><title>The mower</title></head><body><h1>The mower</h1>"
    "<p>Director: Ada Meadow</p><p>A film about a long summer.</p></body></html>"
)


def fill(folder: Path) -> None:
    """Put the files into a folder: the examples, and pages, crawls and tables."""
    shutil.copytree(ROOT / "examples", folder, dirs_exist_ok=True)
    shutil.copytree(ROOT / "examples", folder / "examples")
    article = (ROOT / "examples" / "harvest.html").read_bytes()
    for name in ("page.html", "a.html", "b.html"):
        (folder / name).write_bytes(article)
    for name in ("site", "pages"):
        (folder / name).mkdir()
        for number in range(3):
            (folder / name / f"{number}.html").write_bytes(article)

    results = ("results", "hay", "oats", "rye", "wheat")
    for number, name in enumerate(results):
        (folder / f"{name}.html").write_text(result_page(number, len(results)))
    (folder / "nothing.html").write_text(no_result_page())
    (folder / "saved-pages").mkdir()
    shutil.copy(folder / "wheat.html", folder / "saved-pages")
    (folder / "fork.html").write_text(PRODUCT)
    (folder / "film.html").write_text(FILM)
    for name, numbers in {"recipes": range(1, 6), "new": range(6, 8)}.items():
        (folder / name).mkdir()
        for number in numbers:
            (folder / name / f"{number}.html").write_text(recipe_page(number))
    _fill_with_crawls(folder, article)


def _fill_with_crawls(folder: Path, article: bytes) -> None:
    (folder / "crawl").mkdir()
    articles_warc(folder / "crawl" / "one.warc.gz", 3)
    shutil.copy(folder / "crawl" / "one.warc.gz", folder / "crawl.warc.gz")
    shutil.copy(folder / "crawl" / "one.warc.gz", folder / "results.warc.gz")
    row = {"url": "https://courier.example/barley", "html": article.decode()}
    line = json.dumps(row).encode() + b"\n"
    (folder / "dump.jsonl.gz").write_bytes(gzip.compress(line))
    table = arrow.table({"url": [row["url"]], "raw": [article]})
    parquet.write_table(table, folder / "table.parquet")
    scythe.learn([(folder / "hay.html").read_text()]).save(folder / "shop.json")


def names(folder: Path) -> dict[str, Any]:
    """Return what stands for these files in Python."""
    article = (folder / "harvest.html").read_text()
    recipes = [path.read_text() for path in sorted((folder / "recipes").iterdir())]
    urls = [f"https://recipes.example/{number}" for number in range(len(recipes))]
    pages = {name: (folder / f"{name}.html").read_text() for name in
             ("hay", "oats", "rye", "wheat", "nothing")}  # fmt: skip
    return {
        **pages,
        "html": article,
        "url": "https://courier.example/barley",
        "pages": list(zip(urls, recipes, strict=True)),
        "pages_of_one_site": recipes,
        "recipe_pages": recipes,
        "result_pages": [pages["hay"], pages["oats"], pages["rye"]],
    }
