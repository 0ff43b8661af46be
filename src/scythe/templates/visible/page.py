"""A page as a reader scans it for facts: its lines, where its title is, where the button
is that buys, what the mark-up calls each element.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from scythe.content.metadata.metadata import MetadataReader
from scythe.templates.lines.lines import PageLines
from scythe.templates.visible.words import (
    BUY_WORDS,
    CART_PART_WORDS,
    CART_WORDS,
    RELATED_WORDS,
    word_pattern,
)
from scythe.tree.tags import TagSet
from scythe.tree.text import letters_and_digits
from scythe.tree.tree import Bools, Tree
from scythe.tree.visibility import hidden

MAX_BUTTON = 40
"""Characters of the text of a button that buys; longer lines are prose about buying."""
MAX_CLASS_CHARS = 300
"""Characters of a class attribute that are read; a bound on work."""
MIN_REPEATED = 4
"""Lines of one position that make a list of other things. Sizes and colours of a
product repeat as well, but seldom with a price each."""
MAX_BUY_DISTANCE = 150
"""Lines between title and button; the far ones belong to a list of other products."""

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CONTROLS = TagSet("button input a")
_FIRST_RANK = TagSet("h1")
_HEADINGS = TagSet("h1 h2")
_ASIDE = TagSet("nav footer aside")
_OTHER_PARTS = tuple(sorted(CART_WORDS | RELATED_WORDS))
"""Words that class names and ids of other parts have, among others."""


@dataclass(frozen=True, eq=False)
class VisiblePage:
    """The lines of a page with what tells the page's own record from all else."""

    tree: Tree
    url: str | None = None

    @cached_property
    def lines(self) -> PageLines:
        """The lines of the page."""
        return PageLines.from_tree(self.tree)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each line."""
        return self.lines.texts

    @cached_property
    def title_line(self) -> int:
        """The line of the title: a heading with the page's title, else any heading of
        the first rank, else a line with the title, else the first line.
        """
        title = letters_and_digits(self.title)
        in_heading = self.lines.in_tags(_HEADINGS).tolist()
        in_first_rank = self.lines.in_tags(_FIRST_RANK).tolist()
        candidates: list[tuple[int, int]] = []
        for line, text in enumerate(self.texts):
            is_long = len(text) > 2 * len(title) + 20
            if is_long and not in_heading[line]:
                continue
            key = _line_key(text)
            is_title = bool(title) and title in key
            is_other_heading = in_first_rank[line] and bool(key)
            if not self.is_shown[line] or not (is_title or is_other_heading):
                continue
            if is_title and in_heading[line]:
                return line
            candidates.append((1 if is_other_heading else 2, line))
        return min(candidates)[1] if candidates else 0

    @cached_property
    def metadata(self) -> MetadataReader:
        """What the page says about itself."""
        return MetadataReader.of_page(self.tree, self.url)

    @property
    def title(self) -> str:
        """The page's title, empty where it has none."""
        title = self.metadata.title
        return title.value if title is not None else ""

    @cached_property
    def heading(self) -> str | None:
        """The page's only heading of the first rank, where the title would otherwise be
        that of the window, which names the site and its sections too.
        """
        title = self.metadata.title
        if title is None or title.source not in ("title", "h1"):
            return None
        in_first_rank = self.lines.in_tags(_FIRST_RANK)
        lines = np.flatnonzero(in_first_rank & self.is_shown).tolist()
        return self.texts[lines[0]] if len(lines) == 1 else None

    @property
    def language(self) -> str | None:
        """The language that the page declares."""
        language = self.metadata.language
        return language.value if language is not None else None

    @cached_property
    def is_shown(self) -> Bools:
        """Which lines the page does not hide."""
        return ~hidden(self.tree)[self.lines.first]

    @cached_property
    def buy_line(self) -> int | None:
        """The line at or before which the button stands that buys the page's product:
        the first after the title, if it is near.
        """
        for line in self._buy_lines:
            if 0 <= line - self.title_line <= MAX_BUY_DISTANCE:
                return line
        return None

    @cached_property
    def _buy_lines(self) -> list[int]:
        found: set[int] = set()
        for line, text in enumerate(self.texts):
            if _is_buy_text(text) and not self.is_aside(line):
                found.add(line)
        for name in ("value", "aria-label", "title"):
            for node, value in self.tree.with_attribute(name).items():
                if _is_buy_text(value) and self._is_control[node]:
                    found.add(self.line_at(node))
        return sorted(found)

    @cached_property
    def _is_control(self) -> Bools:
        return self.tree.has_tag(_CONTROLS)

    def line_at(self, node: int) -> int:
        """Return the line that a node is in, or the next one."""
        return bisect_left(self._first_nodes, node)

    @cached_property
    def _first_nodes(self) -> list[int]:
        nodes: list[int] = self.lines.first.tolist()
        return nodes

    def class_words(self, node: int) -> frozenset[str]:
        """Return the words of an element's class names and id."""
        known = self._class_words.get(node)
        if known is None:
            classes = self.tree.with_attribute("class").get(node, "")
            identity = self.tree.with_attribute("id").get(node, "")
            named = f"{classes} {identity}"
            known = split_class(named[:MAX_CLASS_CHARS])
            self._class_words[node] = known
        return known

    @cached_property
    def _class_words(self) -> dict[int, frozenset[str]]:
        return {}

    def is_aside(self, line: int) -> bool:
        """Return whether a line stands in a part of the page that mark-up or class
        names set apart from its record: navigation, related products, a cart.
        """
        return self._aside[line]

    @cached_property
    def _aside(self) -> list[bool]:
        """Which lines stand in such a part; one that holds the title as well is the
        record's own.
        """
        tree = self.tree
        roots = tree.has_tag(_ASIDE)
        for name in ("class", "id"):
            for node in tree.with_words(name, _OTHER_PARTS):
                if _names_other_part(self.class_words(node)):
                    roots[node] = True
        title_node = int(self.lines.first[self.title_line])
        around_title = list(tree.ancestors(title_node))
        roots[around_title] = False
        is_aside: list[bool] = tree.below(roots)[self.lines.first].tolist()
        return is_aside

    @cached_property
    def repeats(self) -> list[int]:
        """For each line how many lines of the page are in the same position."""
        positions = self.lines.position.tolist()
        counts = Counter(positions)
        return [counts[position] for position in positions]


@lru_cache(maxsize=1 << 14)
def _line_key(text: str) -> str:
    """Return what a line says, remembered: most lines of a site are on all its pages."""
    return letters_and_digits(text)


@lru_cache(maxsize=1 << 14)
def _is_buy_text(text: str) -> bool:
    """Return whether a short text is what a button says that buys."""
    if len(text) > MAX_BUTTON:
        return False
    return word_pattern(BUY_WORDS).search(text) is not None


@lru_cache(maxsize=1 << 14)
def split_class(name: str) -> frozenset[str]:
    """Return the words of class names: "jobTitle price--old" has four."""
    words = _CLASS_WORD.findall(name)
    return frozenset(map(str.lower, words))


def _names_other_part(words: frozenset[str]) -> bool:
    names_cart = bool(words & CART_WORDS)
    is_cart = names_cart and bool(words & CART_PART_WORDS)
    return is_cart or bool(words & RELATED_WORDS)
