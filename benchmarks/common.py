"""What the benchmarks share: the data folder, tables on standard output, the same as
JSON beside it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
CONTENT_FOLDERS = ("content", "content-more")
"""The folders of the data folder that hold sets of content pages."""
DEFAULT_DATA = Path(__file__).parents[2] / "shared" / "data"
PARTS_OF_SITES = 3
"""One part of the sites in so many is put aside."""
RESULTS = Path(__file__).parent / "results"


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser that knows the data folder."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument(
        "data",
        nargs="?",
        type=Path,
        default=DEFAULT_DATA,
        help="the folder with pages and truth",
    )
    return parser


def require(folder: Path) -> Path:
    """Return the folder, or exit with a message on what is missing."""
    if not folder.is_dir():
        sys.exit(
            f"There is no folder {folder}. Give the data folder as the first argument."
        )
    return folder


@dataclass(frozen=True, slots=True)
class Page:
    """A saved page with its truth."""

    name: str
    html: bytes
    truth: Mapping[str, Any]

    @property
    def domain(self) -> str:
        """What folds are made over: pages of one domain are in one fold."""
        return str(self.truth.get("domain") or self.truth.get("site") or self.name)


def content_folder(data: Path, name: str) -> Path:
    """Return the folder of one set of content pages."""
    folders = [data / parent / name for parent in CONTENT_FOLDERS]
    present = [folder for folder in folders if folder.is_dir()]
    return require([*present, folders[0]][0])


def content_pages(data: Path, name: str) -> Iterator[Page]:
    """Yield the pages of one set of content pages, in the order of their names."""
    folder = content_folder(data, name)
    for path in sorted((folder / "truth").glob("*.json")):
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
        yield Page(path.stem, html, json.loads(path.read_text("utf-8")))


def is_put_aside(site: str) -> bool:
    """Return whether a site is of the third that was not looked at while choices were
    made: by hash, so that it is the same in every run.
    """
    digest = sha256(site.encode()).digest()
    return int.from_bytes(digest) % PARTS_OF_SITES == 0


def sampled(pages: Iterable[Page], size: int | None) -> Iterator[Page]:
    """Yield as many pages, chosen by the hash of their names, so that it is the same
    ones in every run and for every extractor; all of them where no size is given.
    """
    if size is None:
        yield from pages
        return
    ranked = sorted(pages, key=lambda page: sha256(page.name.encode()).digest())
    yield from ranked[:size]


def map_pages(work: Callable[[Item], Result], pages: Iterable[Item]) -> list[Result]:
    """Return the result of a function for every page, on all cores, in the order of the
    pages.
    """
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, pages, chunksize=8))


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table, numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    lines = [
        f"### {title}",
        "",
        _line(header, widths),
        "|" + "|".join(_rule(index, width) for index, width in enumerate(widths)) + "|",
    ]
    return "\n".join(lines + [_line(row, widths) for row in cells]) + "\n"


def _rule(index: int, width: int) -> str:
    return "-" * (width + 2) if index == 0 else "-" * (width + 1) + ":"


def _cell(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.ljust(width) if index == 0 else cell.rjust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "| " + " | ".join([first, *others]) + " |"


def report(name: str, tables: Sequence[str], figures: object) -> None:
    """Print the tables, and write them with the figures and the versions measured to
    `benchmarks/results`.
    """
    print("\n".join(tables))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text("\n".join(tables), "utf-8")
    result = {
        "python": platform.python_version(),
        "packages": _versions(),
        "figures": figures,
    }
    (RESULTS / f"{name}.json").write_text(
        json.dumps(result, indent=1, ensure_ascii=False, sort_keys=True), "utf-8"
    )


def last_figures(name: str) -> dict[str, Any]:
    """Return the figures of the last run of a benchmark; none if it never ran."""
    path = RESULTS / f"{name}.json"
    return (
        dict(json.loads(path.read_text("utf-8"))["figures"]) if path.is_file() else {}
    )


def _versions() -> dict[str, str]:
    names = (
        "scythe turbohtml numpy trafilatura readability-lxml resiliparse jusText "
        "newspaper4k goose3 boilerpy3 recipe-scrapers"
    ).split()
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
