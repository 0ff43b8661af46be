"""What a result page has that the page without results has not: evidence of records before anything is learned.

Menus, boxes and footers stand on both. So new links and new lines tell how many records an answer has, and whether a wrapper
that was learned takes in just the part of the page that answers the query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, quote_plus, urldefrag, urljoin

import numpy as np

from scythe.engines.queries import words_of
from scythe.tree.tags import code
from scythe.tree.text import visible_text
from scythe.tree.tree import Tree, prefix_sums
from scythe.wrappers.span import Span

A = code("a")
LETTERS = 3
"""Letters that a link to a record shows at least; numbers, arrows and signs lead to other pages of the list."""
ENOUGH = 4
"""Records that a sample page must have (ViNTs, section 2)."""
LONG_LINE = 25
LINES_A_RECORD = 2


@dataclass(frozen=True, eq=False)
class Novelty:
    """A page seen beside the page without results."""

    tree: Tree
    url: str
    query: str
    known_links: frozenset[str] = frozenset()
    known_lines: frozenset[str] = frozenset()

    @classmethod
    def beside(cls, tree: Tree, url: str, query: str, empty: Novelty | None) -> Novelty:
        """The page for a query beside the one without results, if there is such a page."""
        if empty is None:
            return cls(tree, url, query)
        return cls(tree, url, query, frozenset(empty.links), frozenset(empty.lines))

    @cached_property
    def _echo(self) -> re.Pattern[str]:
        """The query as pages repeat it: links to other orders of the same results are not new for having it in them."""
        forms = dict.fromkeys([self.query, quote(self.query), quote_plus(self.query), *self.query.split()])
        return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or r"(?!)", re.IGNORECASE)

    @cached_property
    def _anchors(self) -> list[tuple[int, str]]:
        """The links that show words, with where they lead."""
        nodes = np.flatnonzero(self.tree.tag == A).tolist()
        found = []
        for node, href in zip(nodes, self.tree.values("href", nodes), strict=True):
            if href and not href.startswith(("#", "javascript:", "mailto:")) and self._letters(node) >= LETTERS:
                found.append((node, self._echo.sub("*", _absolute(self.url, href))))
        return found

    def _letters(self, node: int) -> int:
        return sum(letter.isalpha() for text in self.tree.text[node : self.tree.end[node]] for letter in text[:80])

    @cached_property
    def links(self) -> list[str]:
        """Where all links lead that show words."""
        return list(dict.fromkeys(link for _, link in self._anchors))

    @cached_property
    def lines(self) -> list[str]:
        """The longer lines of text."""
        lines = (self._echo.sub("*", line) for line in visible_text(self.tree).splitlines())
        return [line for line in lines if len(line) >= LONG_LINE]

    @cached_property
    def new_anchors(self) -> list[int]:
        """The links that the page without results does not have; of several to one place the first."""
        first: dict[str, int] = {}
        for node, link in self._anchors:
            if link not in self.known_links:
                first.setdefault(link, node)
        return list(first.values())

    @property
    def new_lines(self) -> list[str]:
        """The longer lines that the page without results does not have."""
        return [line for line in self.lines if line not in self.known_lines]

    @property
    def records(self) -> int:
        """About how many records the page may have."""
        return max(len(self.new_anchors), len(self.new_lines) // LINES_A_RECORD)

    @property
    def enough(self) -> bool:
        """Whether a wrapper can be learned from the page."""
        return self.records >= ENOUGH

    @property
    def texts(self) -> list[str]:
        """What is new on the page, piece by piece, as a source of words."""
        shown = [" ".join("".join(self.tree.text[node : self.tree.end[node]].tolist()).split()) for node in self.new_anchors]
        return [text for text in shown + self.new_lines if next(words_of(text), None)]

    def agreement(self, spans: Sequence[Span]) -> float:
        """How well records agree with what is new: the F1 of records with a new link, and new links within records.

        A page whose news has no links is judged by the records alone.
        """
        if not spans:
            return 0.0
        if not self.new_anchors:
            return 0.5
        marks = np.zeros(len(self.tree), dtype=np.int32)
        marks[self.new_anchors] = 1
        sums = prefix_sums(marks)
        held = [int(sums[span.stop] - sums[span.start]) for span in spans]
        right, covered = sum(count > 0 for count in held) / len(spans), sum(held) / len(self.new_anchors)
        return 2 * right * covered / (right + covered) if right and covered else 0.0


def _absolute(url: str, href: str) -> str:
    try:
        return urldefrag(urljoin(url, href.strip())).url
    except ValueError:
        return href
