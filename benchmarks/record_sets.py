"""The sets of list and search-result pages with true records, and the text of a record
as the truth writes it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from benchmarks.common import is_put_aside, require
from scythe.sections.span import Span
from scythe.tree import Tree, parse
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools

_NO_TEXT = TagSet("script style noscript template")
_NOT_A_SITE = {"co", "com", "org", "net", "ac", "gov", "edu"}


@dataclass(frozen=True)
class RecordPage:
    """A saved page, the true texts of its records in order, and the true texts of their
    fields where known.
    """

    page_set: str
    file: str
    url: str | None
    html: bytes
    records: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @cached_property
    def tree(self) -> Tree:
        """The parsed page."""
        return parse(self.html)


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Pages of the same engine or list; `forest` where a record is several sibling
    elements.
    """

    name: str
    site: str
    forest: bool
    pages: tuple[RecordPage, ...]
    no_result: bytes | None

    @property
    def live(self) -> bool:
        """Whether the pages were saved from an engine that runs on loopback, with its
        style sheets.
        """
        return self.name.startswith("live-")

    @property
    def put_aside(self) -> bool:
        """Whether no choice was made on the set: it is looked at once, at the end."""
        return is_put_aside(self.site)

    @property
    def halves(self) -> tuple[tuple[RecordPage, ...], tuple[RecordPage, ...]]:
        """The pages to learn from and those to apply a wrapper to: every other page."""
        return self.pages[::2], self.pages[1::2]


def record_sets(data: Path) -> list[RecordSet]:
    """Return all sets, in the order of their names."""
    return [
        _record_set(path)
        for path in sorted(require(data / "records").glob("*/truth.json"))
    ]


def _record_set(path: Path) -> RecordSet:
    truth, folder = json.loads(path.read_text("utf-8")), path.parent
    found = sorted(truth["pages"], key=lambda page: (len(page["file"]), page["file"]))
    pages = tuple(
        RecordPage(
            folder.name,
            page["file"],
            _address(page["url"]),
            _html(folder / page["file"]),
            tuple(page["records"]),
            tuple(tuple(row) for row in page.get("rows", ())),
        )
        for page in found
    )
    no_result = _html(folder / truth["noresult"]) if truth.get("noresult") else None
    return RecordSet(
        folder.name,
        site_of(folder.name, pages[0].url),
        bool(truth["forest"]),
        pages,
        no_result,
    )


def _html(path: Path) -> bytes:
    return gzip.decompress(path.with_name(f"{path.name}.gz").read_bytes())


def _address(url: str) -> str | None:
    """Return the address without the remark that may follow it."""
    found = re.match(r"https?://[^\s/]+\S*", url)
    return found[0] if found else None


def site_of(name: str, url: str | None) -> str:
    """Return what cross-validation groups by: the site's name without its country, so
    that all pages of one engine stay together.
    """
    host = urlsplit(url).hostname if url else None
    if not host or host.replace(".", "").isdigit():
        return name
    labels = host.split(".")[:-1]
    while len(labels) > 1 and labels[-1] in _NOT_A_SITE:
        labels.pop()
    return labels[-1]


def shown_text(tree: Tree) -> Bools:
    """Return which nodes are text that the truth counts: all but scripts, styles and
    what stands in their place.
    """
    return tree.is_text & ~tree.below(tree.has_tag(_NO_TEXT))


def record_texts(tree: Tree, spans: Sequence[Span]) -> list[str]:
    """Return the texts of records as the truth writes them: their text nodes parted by
    spaces.
    """
    shown = shown_text(tree)
    return [
        " ".join(
            " ".join(
                tree.text[start + np.flatnonzero(shown[start:stop])].tolist()
            ).split()
        )
        for start, stop in spans
    ]
