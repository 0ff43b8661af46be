"""What a result page has that the page without results has not: evidence of records
before anything is learned.

Menus, boxes and footers stand on both. So new links and new lines tell how many records
an answer has, and whether a wrapper that was learned takes in just the part of the page
that answers the query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, quote_plus, urldefrag, urljoin

import numpy as np

from scythe.engines.discovery.queries import query_words
from scythe.tree.tags import code
from scythe.tree.text import visible_text
from scythe.tree.tree import Tree, prefix_sums
from scythe.tree.visibility import visible
from scythe.wrappers.span import Span

A = code("a")
LETTERS = 3
"""Letters that a link to a record shows at least; numbers, arrows and signs lead to
other pages of the list.
"""
ENOUGH = 4
"""Records that a sample page must have (ViNTs, section 2)."""
LONG_LINE = 25
LINES_A_RECORD = 2


@dataclass(frozen=True, eq=False)
class Novelty:
    """The page for a query, seen beside the page without results, if there is such a
    page.

    Pages repeat the query: a link to other orders of the same results is not new for
    having it in its address. So addresses and lines are new only if they are so both as
    they are and with the query taken out.
    """

    tree: Tree
    url: str
    query: str
    empty: Novelty | None = None

    @cached_property
    def _echo(self) -> re.Pattern[str]:
        """The query as pages repeat it."""
        forms = dict.fromkeys(
            [self.query, quote(self.query), quote_plus(self.query), *self.query.split()]
        )
        return re.compile(
            "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or r"(?!)",
            re.IGNORECASE,
        )

    def _blanked(self, text: str) -> str:
        return self._echo.sub("*", text)

    @cached_property
    def _anchors(self) -> list[tuple[int, str]]:
        """The links that show words, with where they lead."""
        nodes = np.flatnonzero(self.tree.tag == A).tolist()
        found = []
        for node, href in zip(
            nodes, self.tree.attribute_values("href", nodes), strict=True
        ):
            if (
                href
                and not href.startswith(("#", "javascript:", "mailto:"))
                and self._letters(node) >= LETTERS
            ):
                found.append((node, _absolute(self.url, href)))
        return found

    def _letters(self, node: int) -> int:
        return sum(
            letter.isalpha()
            for text in self.tree.text[node : self.tree.end[node]]
            for letter in text[:80]
        )

    @cached_property
    def links(self) -> frozenset[str]:
        """Where links lead that show words, also with the query taken out."""
        links = {link for _, link in self._anchors}
        return frozenset(links | set(map(self._blanked, links)))

    @cached_property
    def _lines(self) -> list[str]:
        return [
            line
            for line in visible_text(self.tree).splitlines()
            if len(line) >= LONG_LINE
        ]

    @cached_property
    def lines(self) -> frozenset[str]:
        """The longer lines of text, also with the query taken out."""
        return frozenset({*self._lines, *map(self._blanked, self._lines)})

    @cached_property
    def new_anchors(self) -> list[int]:
        """The links that the page without results does not have; of several to one
        place the first.
        """
        known = frozenset() if self.empty is None else self.empty.links
        first: dict[str, int] = {}
        for node, link in self._anchors:
            if link not in known and self._blanked(link) not in known:
                first.setdefault(link, node)
        return list(first.values())

    @cached_property
    def new_lines(self) -> list[str]:
        """The longer lines that the page without results does not have."""
        known = frozenset() if self.empty is None else self.empty.lines
        return [
            line
            for line in self._lines
            if line not in known and self._blanked(line) not in known
        ]

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
        shown = [
            " ".join(
                "".join(self.tree.text[node : self.tree.end[node]].tolist()).split()
            )
            for node in self.new_anchors
        ]
        return [
            text for text in shown + self.new_lines if next(query_words(text), None)
        ]

    def agreement(self, spans: Sequence[Span]) -> float:
        """How well records agree with what is new: the F1 of the records that have
        news, and of the news that records have.

        News are new links and new pieces of text.
        """
        news = [*self.new_anchors, *self._new_texts]
        if not spans or not news:
            return 0.0
        marks = np.zeros(len(self.tree), dtype=np.int32)
        marks[news] = 1
        sums = prefix_sums(marks)
        held = [int(sums[span.stop] - sums[span.start]) for span in spans]
        right, covered = (
            sum(count > 0 for count in held) / len(spans),
            sum(held) / int(sums[-1]),
        )
        return 2 * right * covered / (right + covered) if right and covered else 0.0

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The longer pieces of text by their nodes."""
        nodes = np.flatnonzero(visible(self.tree) & self.tree.is_text).tolist()
        return {
            node: text
            for node in nodes
            if len(text := " ".join(self.tree.text[node].split())) >= LONG_LINE
        }

    @property
    def _new_texts(self) -> list[int]:
        known = (
            set()
            if self.empty is None
            else {
                form
                for text in self.empty._texts.values()
                for form in (text, self.empty._blanked(text))
            }
        )
        return [
            node
            for node, text in self._texts.items()
            if text not in known and self._blanked(text) not in known
        ]


def _absolute(url: str, href: str) -> str:
    try:
        return urldefrag(urljoin(url, href.strip())).url
    except ValueError:
        return href
