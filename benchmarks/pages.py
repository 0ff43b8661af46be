"""The pages of the suite's quality gate, one folder each in `tests/quality/pages`: see
CONTRIBUTING.md.

python -m benchmarks.pages add NAME SOURCE [--page-type TYPE]
python -m benchmarks.pages pin [NAME ...] [--allow-lower]

`add` makes the folder of a page that comes out wrong, from a web address or a file.
`pin` sets floors by what the default method reaches today: upward only, unless told
that a page may come out worse than before.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import scythe
from benchmarks.content import PAGE_TYPES
from benchmarks.scoring import word_score
from scythe.errors import ScytheError
from scythe.sources import FileSource, ReadOptions, Source, UrlSource

PAGES = Path(__file__).parents[1] / "tests" / "quality" / "pages"
MARGIN = 0.03
"""What a page may lose without failing: one short paragraph of these pages. Smaller
changes are for `benchmarks.gate`.
"""

NEW_FLOOR = 0.95
"""The floor of a page just added, so that its test fails until the page comes out
right.
"""

_SETTINGS = {"page_type", "floor", "with", "without", "charset"}
_FLOOR = re.compile(r"^floor = ([\d.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PageFolder:
    """A page, the text expected of it, and how close to it the default method must
    come.
    """

    name: str
    html: bytes
    expected: str
    page_type: str
    floor: float
    """The least word F1."""
    included: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    charset: str | None = None
    """What the transport declared, where that is not what the page itself says."""

    @property
    def text(self) -> str:
        """What comes out today."""
        return scythe.extract(self.html, charset=self.charset).text


def read_folder(folder: Path) -> PageFolder:
    """Read `page.html`, `expected.txt` and `about.toml`."""
    about = tomllib.loads((folder / "about.toml").read_text("utf-8"))
    if strange := sorted(about.keys() - _SETTINGS):
        raise ValueError(
            f"{folder.name}/about.toml has {', '.join(strange)}. "
            f"Known are: {', '.join(sorted(_SETTINGS))}."
        )
    return PageFolder(
        name=folder.name,
        html=(folder / "page.html").read_bytes(),
        expected=(folder / "expected.txt").read_text("utf-8"),
        page_type=about["page_type"],
        floor=about["floor"],
        included=tuple(about.get("with", ())),
        excluded=tuple(about.get("without", ())),
        charset=about.get("charset"),
    )


def read_folders(pages: Path = PAGES) -> list[PageFolder]:
    """Return all pages, in the order of their names."""
    return [
        read_folder(folder) for folder in sorted(pages.iterdir()) if folder.is_dir()
    ]


def add(pages: Path, name: str, source: str, page_type: str | None) -> Path:
    """Read a page and write its folder, which must be new."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(
            f"{name!r} is no name for a page folder. Use lower case and dashes."
        )
    folder = pages / name
    if folder.exists():
        raise ValueError(
            f"There is a page {name} already. Choose another name, or correct the one in {folder}."
        )
    origin: Source = UrlSource(source) if "://" in source else FileSource(Path(source))
    page = origin.read(ReadOptions())
    document = scythe.extract(page.data, url=page.url, charset=page.charset)
    about = [
        f'page_type = "{page_type or document.page_type or "article"}"',
        f"floor = {NEW_FLOOR}",
        "with = []",
        "without = []",
    ]
    if page.charset:
        about.append(f'charset = "{page.charset}"')
    folder.mkdir(parents=True)
    (folder / "page.html").write_bytes(page.data)
    (folder / "expected.txt").write_text(document.text + "\n", "utf-8")
    (folder / "about.toml").write_text("\n".join(about) + "\n", "utf-8")
    return folder


def pin(about: Path, f1: float, *, lower: bool) -> float:
    """Write the floor that an F1 allows, if it is higher or may be lower; the floor
    that now holds.
    """
    text = about.read_text("utf-8")
    written = _FLOOR.search(text)
    if written is None:
        raise ValueError(f"{about} has no line `floor = ...`. Add one.")
    old, new = (
        float(written[1]),
        max(0.0, math.floor(round((f1 - MARGIN) * 1000, 6)) / 1000),
    )
    if new < old and not lower:
        return old
    about.write_text(
        f"{text[: written.start(1)]}{new:.3f}{text[written.end(1) :]}", "utf-8"
    )
    return new


def main() -> None:
    parser = argparse.ArgumentParser(
        description="The pages of the suite's quality gate."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    adding = commands.add_parser(
        "add", help="make the folder of a page that comes out wrong"
    )
    adding.add_argument("name", help="of the folder, in lower case with dashes")
    adding.add_argument("source", help="a web address or a file")
    adding.add_argument(
        "--page-type",
        choices=PAGE_TYPES,
        help="by default what Scythe takes the page for",
    )
    pinning = commands.add_parser("pin", help="raise floors to what is reached today")
    pinning.add_argument(
        "names", nargs="*", metavar="NAME", help="folders; all, if none is named"
    )
    pinning.add_argument("--allow-lower", action="store_true", help="lower floors too")
    options = parser.parse_args()
    try:
        if options.command == "add":
            folder = add(PAGES, options.name, options.source, options.page_type)
            print(
                f"{folder} is made. Now correct expected.txt by hand and look through about.toml."
            )
        else:
            _pin_all(options.names, lower=options.allow_lower)
    except (ScytheError, ValueError) as error:
        sys.exit(str(error))


def _pin_all(names: list[str], *, lower: bool) -> None:
    for page in read_folders():
        if not names or page.name in names:
            f1 = word_score(page.text, page.expected).f1
            floor = pin(PAGES / page.name / "about.toml", f1, lower=lower)
            print(
                f"{page.name:28} {page.page_type:14} word F1 {f1:.3f}  floor {floor:.3f}"
                + ("" if f1 >= floor else "  BELOW")
            )


if __name__ == "__main__":
    main()
