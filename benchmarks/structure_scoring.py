"""The measure of whole structures in Markdown: data tables, lists, headings, figures.

A reader notices a hole in a table sooner than a lost word, and word F1 does not. Texts
are compared by their letters and digits alone, so that no mark of Markdown counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from lxml import html as lxml_html

KINDS = ("tables", "lists", "headings", "figures")
MIN_PARTS = 4
"""Cells or items below which a table or list is too small to have holes."""
CONTENT_SHARE = 0.8
"""Of its cells or items that stand in the truth: then a table or list is content."""

_NOT_LETTERS = re.compile(r"[\W_]+")
_HEADING = re.compile(r"^(#{1,6})\s+\S")
_UNSEEN = "//script|//style|//template|//noscript"
_ROWS = "./tr|./thead/tr|./tbody/tr|./tfoot/tr"
_PARAGRAPH = "p[string-length(normalize-space(.)) > 60][1]"
_NAME_LENGTH = 40
"""Of a picture's file name; longer ones are cut by some extractors."""


@dataclass(frozen=True, slots=True)
class StructureScore:
    """How many structures of each kind there are, and how many come out whole."""

    total: Counter[str] = field(default_factory=Counter)
    whole: Counter[str] = field(default_factory=Counter)

    def count(self, kind: str, *, is_whole: bool) -> None:
        """Count one structure."""
        self.total[kind] += 1
        self.whole[kind] += is_whole

    def add(self, other: StructureScore) -> None:
        """Count the structures of another page too."""
        self.total.update(other.total)
        self.whole.update(other.whole)

    def share(self, kind: str) -> float:
        """Return the share that comes out whole."""
        return self.whole[kind] / max(self.total[kind], 1)


def squeeze(text: str) -> str:
    """Return the letters and digits of a text."""
    return _NOT_LETTERS.sub("", text.lower())


def structure_score(html: bytes, truth: str, markdown: str) -> StructureScore:
    """Return how whole the structures of a page stand in its Markdown."""
    score = StructureScore()
    for stands_over_something in headings(markdown):
        score.count("headings", is_whole=stands_over_something)

    try:
        root = lxml_html.fromstring(html.decode("utf-8", "replace"))
    except (etree.LxmlError, ValueError):
        return score
    for element in root.xpath(_UNSEEN):
        element.drop_tree()

    expected, found = squeeze(truth), squeeze(markdown)
    for kind, structures in (("tables", _tables(root)), ("lists", _lists(root))):
        for parts in structures:
            if _is_content(parts, expected):
                score.count(kind, is_whole=all(part in found for part in parts))
    for picture, caption in _figures(root, expected):
        score.count("figures", is_whole=picture in found and caption in found)
    return score


def headings(markdown: str) -> Iterator[bool]:
    """Yield of each heading whether it stands over something: text, a list, a table, or
    a deeper heading that does.
    """
    lines = [line for line in markdown.splitlines() if line.strip()]
    matches = [_HEADING.match(line) for line in lines]
    levels = [len(match[1]) if match else 0 for match in matches]
    for index, level in enumerate(levels):
        if level:
            after = (other for other in levels[index + 1 :] if other <= level)
            yield next(after, None) == 0


def _is_content(parts: Sequence[str], truth: str) -> bool:
    known = sum(part in truth for part in parts)
    return len(parts) >= MIN_PARTS and known >= CONTENT_SHARE * len(parts)


def _tables(root: Any) -> Iterator[list[str]]:
    """Yield the texts of the cells of each innermost table of two rows and columns."""
    for table in root.iter("table"):
        rows = [row.xpath("./td|./th") for row in table.xpath(_ROWS)]
        widest = max(map(len, rows), default=0)
        if len(rows) >= 2 and widest >= 2 and not table.xpath(".//table"):
            yield _texts([cell for row in rows for cell in row])


def _lists(root: Any) -> Iterator[list[str]]:
    """Yield the texts of the items of each innermost list."""
    for element in root.xpath("//ul|//ol"):
        if not element.xpath(".//ul|.//ol|.//table"):
            yield _texts(element.xpath("./li"))


def _figures(root: Any, truth: str) -> Iterator[tuple[str, str]]:
    """Yield the name of the picture and the caption of each figure that stands between
    two paragraphs of the content.
    """
    for figure in root.iter("figure"):
        addresses = [image.get("src") or "" for image in figure.iter("img")]
        pictures = [each for each in addresses if each and not each.startswith("data:")]
        before = figure.xpath(f"preceding::{_PARAGRAPH}")
        after = figure.xpath(f"following::{_PARAGRAPH}")
        if not (pictures and before and after):
            continue
        if _text(before[0]) in truth and _text(after[0]) in truth:
            name = pictures[0].split("?")[0].rsplit("/", 1)[-1]
            captions = map(_text, figure.iter("figcaption"))
            yield squeeze(name)[:_NAME_LENGTH], "".join(captions)


def _texts(elements: Sequence[Any]) -> list[str]:
    return [text for text in map(_text, elements) if text]


def _text(element: Any) -> str:
    return squeeze(" ".join(element.itertext()))
