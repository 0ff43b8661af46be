"""Differences between the compiled core and its reference, on pages nobody wrote.

python -m benchmarks.fuzz_parser [DATA] --seconds 600 [--seed 0]
python -m benchmarks.fuzz_parser --cases FOLDER

Pages are made of markup drawn at random, of bytes, and of real pages cut, spliced and
strewn with markup; each is parsed with and without the core, and the trees must be the
same in every array, text and attribute. A page that differs is cut down and printed.
With DATA, the folder's pages are mutated, otherwise those of tests and examples. The
counts of every seed are kept, a minute at a time: docs/benchmarks.md has their sum. With
`--cases`, the pages are those of html5lib's tree-construction tests: `pip download
--no-deps --no-binary :all: html5lib`, which needs `setuptools<70` as a build
constraint, has them in html5lib/tests/testdata.
"""

from __future__ import annotations

import argparse
import gzip
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchmarks.fuzz_counts import Kind, Run, shown
from scythe.core.library import is_built
from scythe.tree.compiled.trees import compiled_tree
from scythe.tree.construction.reference import reference_tree
from scythe.tree.encoding import PageText, page_text
from scythe.tree.limits import Limits
from scythe.tree.tags import KNOWN
from scythe.tree.tree import Tree

LIMITS = Limits()
LONGEST = 60_000
"""Characters of a real page that are kept, so that a run sees many."""
KIND = Kind(
    "fuzz_parser",
    "The core's parser against its reference, pages made at random",
    ("pages", "declined", "differences"),
)

TAGS = [
    *KNOWN[1:],
    *"desc foreignObject mi mo mtext annotation-xml mglyph x-y linearGradient g".split(),
]
CROWDED = """
    a b i nobr font p div li dd dt table tbody thead tr td th caption col colgroup select
    option optgroup template svg math title textarea script style form input button ruby
    rt rp frameset frame noframes noscript head body html h1 pre plaintext object br hr
    """.split()
"""Tags with rules of their own, drawn as often as all others together."""
ATTRIBUTES = [
    "",
    " a=1",
    " class='x y'",
    ' type="hidden"',
    " type=hidden",
    " color=red",
    " A=2 a=3",
    " encoding=text/html",
    " viewbox=0",
    " definitionurl=x",
    " x=&amp;&ampx&lt=",
    " y='\x00'",
    " =z",
    " /",
    " b",
]
PIECES = [
    "text",
    " ",
    "\n",
    "\r\n",
    "x y",
    "é",
    "\u2013",
    "😀",
    "\x00",
    "&amp;",
    "&nbsp",
    "&notit;",
    "&#0;",
    "&#x80;",
    "&#13;",
    "&#x110000;",
    "&",
    "<",
    "</",
    "</>",
    "<!---->",
    "<!-- x -->",
    "<!-->",
    "<!--->",
    "--!>",
    "-->",
    "<!-- <script> ",
    "<!",
    "<?php x ?>",
    "<?xml",
    "<![CDATA[",
    "]]>",
    "<!doctype html>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>",
    "<a",
    "='",
    '"',
    ">",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", type=Path, help="a folder of pages")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=Path, help="a folder of html5lib's .dat files")
    options = parser.parse_args()
    if not is_built():
        raise SystemExit("There is no compiled core: see CONTRIBUTING.md.")
    if options.cases:
        counts = Counter(dict.fromkeys(KIND.columns, 0))
        compare(html5lib_pages(options.cases), counts)
    else:
        run = Run(KIND, options.seed, options.seconds)
        counts = run.counts
        fuzz(Pages(options.data, options.seed), run)
    print(shown(counts))
    if counts["differences"]:
        raise SystemExit(1)


def fuzz(pages: Pages, run: Run) -> None:
    """Compare the trees of pages for as long as a run goes on."""

    def drawn() -> Iterator[tuple[PageText, Limits]]:
        while run.goes_on():
            yield pages.draw(), pages.draw_limits()

    compare(drawn(), run.counts)


def compare(pages: Iterable[tuple[PageText, Limits]], counts: Counter[str]) -> None:
    """Compare the trees of pages, print what differs, and count."""
    for page, limits in pages:
        counts["pages"] += 1
        found = difference(page, limits)
        if found == "declined":
            counts["declined"] += 1
        elif found is not None:
            counts["differences"] += 1
            small = shrunk(page, limits)
            print(f"{found} under {limits}: {small.text!r}", flush=True)


def html5lib_pages(folder: Path) -> Iterator[tuple[PageText, Limits]]:
    """Yield the pages of html5lib's tests of tree construction."""
    for path in sorted(folder.rglob("tree-construction/**/*.dat")):
        cases = "\n" + path.read_text(encoding="utf-8")
        for case in cases.split("\n#data\n")[1:]:
            html = case.partition("\n#errors")[0]
            yield page_text(html, LIMITS.max_bytes), LIMITS


def difference(page: PageText, limits: Limits = LIMITS) -> str | None:
    """Return in what the two trees of a page differ; "declined" where there is only
    one, None where they are the same.
    """
    compiled = compiled_tree(page, limits)
    if compiled is None:
        return "declined"
    return tree_difference(compiled, reference_tree(page, limits))


def tree_difference(one: Tree, other: Tree) -> str | None:
    """Return in what two trees differ, None where they are the same."""
    for name in ("cut", "encoding", "extra_names"):
        if getattr(one, name) != getattr(other, name):
            return name
    for name in ("tag", "parent", "end", "depth", "text"):
        if getattr(one, name).tolist() != getattr(other, name).tolist():
            return name
    for node in range(len(one)):
        if list(one.attributes(node).items()) != list(other.attributes(node).items()):
            return "attributes"
    return None


def shrunk(page: PageText, limits: Limits) -> PageText:
    """Return a part of a page that still differs."""
    text = page.text
    step = len(text) // 2
    while step:
        for start in range(0, len(text), step):
            shorter = PageText(text[:start] + text[start + step :], page.encoding, ())
            if difference(shorter, limits) not in (None, "declined"):
                text = shorter.text
                break
        else:
            step //= 2
    return PageText(text, page.encoding, ())


class Pages:
    """Pages drawn at random, the same ones for the same seed."""

    def __init__(self, data: Path | None, seed: int) -> None:
        self._random = random.Random(seed)
        self._files = page_files(data)
        kinds: list[Callable[[], str | bytes]] = [
            self._markup,
            self._crowded,
            self._bytes,
            self._mutated,
            self._spliced,
            self._flipped,
        ]
        self._kinds = kinds

    def draw(self) -> PageText:
        """Return the next page."""
        text = self._random.choice(self._kinds)()
        return page_text(text, LIMITS.max_bytes)

    def draw_limits(self) -> Limits:
        """Return the usual limits, or now and then some that cut."""
        if self._random.random() < 0.9:
            return LIMITS
        nodes, depth = self._random.randrange(1, 200), self._random.randrange(1, 40)
        return Limits(max_nodes=nodes, max_depth=depth)

    def _markup(self) -> str:
        count = self._random.randrange(1, 60)
        return "".join(self._piece(TAGS) for _ in range(count))

    def _crowded(self) -> str:
        """Return markup of few tags, which meet each other more often."""
        few = self._random.sample(CROWDED, self._random.randrange(2, 8))
        count = self._random.randrange(1, 80)
        return "".join(self._piece(few) for _ in range(count))

    def _piece(self, tags: list[str]) -> str:
        draw = self._random.random()
        if draw < 0.25:
            return self._random.choice(PIECES)
        tag = self._random.choice(tags if draw < 0.7 else CROWDED)
        if draw < 0.45:
            return f"</{tag}>"
        if self._random.random() < 0.02:
            tag = tag.title()
        attributes = self._random.choice(ATTRIBUTES)
        return f"<{tag}{attributes}>"

    def _bytes(self) -> str:
        """Return characters that markup is made of."""
        alphabet = "<>/!-?&#;='\" \n\x00abscriptemlé\u2013x[]CDATA"
        return "".join(self._random.choices(alphabet, k=self._random.randrange(200)))

    def _real(self) -> str:
        path = self._random.choice(self._files)
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        text = page_text(data, LIMITS.max_bytes).text
        start = max(0, self._random.randrange(-LONGEST, len(text) + 1))
        return text[start : start + LONGEST]

    def _mutated(self) -> str:
        """Return a real page with markup strewn in and pieces left out."""
        text = self._real()
        for _ in range(self._random.randrange(1, 12)):
            at = self._random.randrange(len(text) + 1)
            left_out = self._random.choice([0, 0, 1, 3, 50])
            text = text[:at] + self._piece(TAGS) + text[at + left_out :]
        return text

    def _flipped(self) -> bytes:
        """Return the bytes of a real page, some of them replaced."""
        data = bytearray(self._real().encode())
        for _ in range(self._random.randrange(1, 40) if data else 0):
            data[self._random.randrange(len(data))] = self._random.randrange(256)
        return bytes(data)

    def _spliced(self) -> str:
        """Return parts of two real pages and markup between them."""
        one, other = self._real(), self._real()
        at = self._random.randrange(len(one) + 1)
        other_at = self._random.randrange(len(other) + 1)
        return one[:at] + self._crowded() + other[other_at:]


def page_files(data: Path | None) -> list[Path]:
    """Return the pages of a folder, or of the project."""
    if data is not None:
        return sorted([*data.rglob("*.html"), *data.rglob("*.html.gz")])
    root = Path(__file__).parents[1]
    return [path for name in ("tests", "examples") for path in page_files(root / name)]


if __name__ == "__main__":
    main()
