"""What a result page has that the page without results has not: evidence of records
before anything is learned.

Menus, boxes and footers stand on both. So new links and new lines show how many records
an answer has, and whether a wrapper that was learned takes in just the part of the page
that answers the query.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, quote_plus, urldefrag, urljoin

import numpy as np

from scythe.engines.discovery.queries import query_words
from scythe.sections.span import Span
from scythe.tree.tags import code
from scythe.tree.text import visible_text
from scythe.tree.tree import Tree, prefix_sums
from scythe.tree.visibility import visible

A = code("a")
NOT_PAGES = ("#", "javascript:", "mailto:")
"""Beginnings of links that lead to no page."""
LINK_LETTERS = 3
"""Letters that a link to a record shows at least; numbers, arrows and signs lead to
other pages of the list.
"""
COUNTED_LETTERS = 80
"""Characters of a text whose letters are counted: a bound on work, not tuned."""
ENOUGH_RECORDS = 4
"""Records that a sample page must have (ViNTs, section 2)."""
LONG_LINE = 25
"""Characters of a line that counts as a piece of a record; not tuned."""
LINES_PER_RECORD = 2
"""Long lines that are taken for one record where links do not show more; not tuned."""


@dataclass(frozen=True, eq=False)
class Novelty:
    """The page for a query, compared with the page without results, if there is one.

    Pages repeat the query: a link to other orders of the same results is not new for
    having it in its address. So addresses and lines are new only if they are so both as
    they are and with the query masked.
    """

    tree: Tree
    url: str
    query: str
    empty: Novelty | None = None

    @cached_property
    def _query_pattern(self) -> re.Pattern[str]:
        """The query as pages repeat it."""
        spellings = [self.query, quote(self.query), quote_plus(self.query)]
        spellings += self.query.split()
        distinct = dict.fromkeys(spellings)
        longest_first = sorted(distinct, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first))
        return re.compile(pattern or r"(?!)", re.IGNORECASE)

    def _masked(self, text: str) -> str:
        return self._query_pattern.sub("*", text)

    @cached_property
    def _links(self) -> list[tuple[int, str]]:
        """The links that show words, with where they lead."""
        tree = self.tree
        nodes = np.flatnonzero(tree.tag == A).tolist()
        addresses = tree.attribute_values("href", nodes)
        links = []
        for node, href in zip(nodes, addresses, strict=True):
            if not href or href.startswith(NOT_PAGES):
                continue
            if self._letters(node) >= LINK_LETTERS:
                link = _absolute(self.url, href)
                links.append((node, link))
        return links

    def _letters(self, node: int) -> int:
        letters = 0
        end = self.tree.end[node]
        for text in self.tree.text[node:end]:
            beginning = text[:COUNTED_LETTERS]
            letters += sum(map(str.isalpha, beginning))
        return letters

    @cached_property
    def links(self) -> frozenset[str]:
        """Where links lead that show words, also with the query masked."""
        links = {link for _, link in self._links}
        masked = {self._masked(link) for link in links}
        return frozenset(links | masked)

    @cached_property
    def _lines(self) -> list[str]:
        lines = visible_text(self.tree).splitlines()
        return [line for line in lines if len(line) >= LONG_LINE]

    @cached_property
    def lines(self) -> frozenset[str]:
        """The longer lines of text, also with the query masked."""
        masked = map(self._masked, self._lines)
        return frozenset({*self._lines, *masked})

    @cached_property
    def new_links(self) -> list[int]:
        """The links that the page without results does not have.

        Of several to one address it is the first.
        """
        known: Set[str] = frozenset()
        if self.empty is not None:
            known = self.empty.links
        first: dict[str, int] = {}
        for node, link in self._links:
            if self._is_new(link, known):
                first.setdefault(link, node)
        return list(first.values())

    @cached_property
    def new_lines(self) -> list[str]:
        """The longer lines that the page without results does not have."""
        known: Set[str] = frozenset()
        if self.empty is not None:
            known = self.empty.lines
        return [line for line in self._lines if self._is_new(line, known)]

    def _is_new(self, text: str, known: Set[str]) -> bool:
        return text not in known and self._masked(text) not in known

    @property
    def records(self) -> int:
        """About how many records the page may have."""
        by_lines = len(self.new_lines) // LINES_PER_RECORD
        return max(len(self.new_links), by_lines)

    @property
    def is_enough(self) -> bool:
        """Whether a wrapper can be learned from the page."""
        return self.records >= ENOUGH_RECORDS

    @property
    def texts(self) -> list[str]:
        """What is new on the page, piece by piece, as a source of words."""
        tree = self.tree
        texts = []
        for node in self.new_links:
            end = tree.end[node]
            pieces = tree.text[node:end].tolist()
            words = "".join(pieces).split()
            texts.append(" ".join(words))
        texts += self.new_lines
        return [text for text in texts if any(query_words(text))]

    def agreement(self, spans: Sequence[Span]) -> float:
        """Return how well records agree with what is new.

        It is the F1 of the share of records that have anything new, and of the share of
        new links and texts that records have.
        """
        new_nodes = [*self.new_links, *self._new_texts]
        if not spans or not new_nodes:
            return 0.0
        is_new = np.zeros(len(self.tree), dtype=np.int32)
        is_new[new_nodes] = 1
        sums = prefix_sums(is_new)
        records_with_new = 0
        new_in_records = 0
        for span in spans:
            new_before = sums[span.start]
            new_in_record = int(sums[span.stop] - new_before)
            new_in_records += new_in_record
            if new_in_record:
                records_with_new += 1

        precision = records_with_new / len(spans)
        recall = new_in_records / int(sums[-1])
        if not precision or not recall:
            return 0.0
        return 2 * precision * recall / (precision + recall)

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The longer pieces of text by their nodes."""
        tree = self.tree
        texts = {}
        visible_texts = np.flatnonzero(visible(tree) & tree.is_text)
        for node in visible_texts.tolist():
            words = tree.text[node].split()
            text = " ".join(words)
            if len(text) >= LONG_LINE:
                texts[node] = text
        return texts

    @property
    def _new_texts(self) -> list[int]:
        known: set[str] = set()
        if self.empty is not None:
            empty_texts = self.empty._texts.values()
            known.update(empty_texts)
            known.update(map(self.empty._masked, empty_texts))
        nodes = self._texts.items()
        return [node for node, text in nodes if self._is_new(text, known)]


def _absolute(url: str, href: str) -> str:
    try:
        absolute = urljoin(url, href.strip())
        return urldefrag(absolute).url
    except ValueError:
        return href
