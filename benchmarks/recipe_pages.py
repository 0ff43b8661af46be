"""The saved recipe pages with their truth."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.common import require


@dataclass(frozen=True, slots=True)
class RecipePage:
    """A recipe page: `truth` has title, ingredients, instructions and what else the
    page says.
    """

    name: str
    html: bytes
    truth: Mapping[str, Any]

    @property
    def domain(self) -> str:
        """The site that it is from."""
        return str(self.truth["domain"])

    @property
    def declares_all(self) -> bool:
        """Whether its schema.org data is full."""
        return bool(self.truth["schema_org"] == "full")


def recipe_pages(data: Path) -> Iterator[RecipePage]:
    """Yield all pages in the order of their names."""
    folder = require(data / "recipes" / "pages")
    for path in sorted((folder / "truth").glob("*.json")):
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
        yield RecipePage(path.stem, html, json.loads(path.read_text("utf-8")))


def based_cooking_stage(
    data: Path, stage: int
) -> tuple[Mapping[str, Any], Mapping[str, bytes]]:
    """Return the truth of a stage of based.cooking, and its pages by path."""
    folder = require(data / "recipes" / "sites" / "based.cooking")
    truth = json.loads((folder / f"stage-{stage}.truth.json").read_text("utf-8"))
    pages = {}
    with tarfile.open(
        fileobj=io.BytesIO((folder / f"stage-{stage}.tar.xz").read_bytes())
    ) as content:
        for member in content.getmembers():
            if member.isfile() and (file := content.extractfile(member)):
                path = "/" + member.name.removeprefix("./")
                pages[path] = pages[path.removesuffix("index.html")] = file.read()
    return truth, pages
