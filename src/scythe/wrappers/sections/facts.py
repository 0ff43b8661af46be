"""What is counted of a page before any group is looked at: sums over any span are two
look-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.tree.characters import Characters
from scythe.tree.tags import HEADING, TagSet
from scythe.tree.tree import Bools, Ints, Tree, prefix_sums
from scythe.wrappers.reading import readable

Sums = NDArray[np.int64]

LINK = TagSet("a")
IMAGE = TagSet("img picture")
SHOWN = TagSet("img picture svg input button")
"""What fills an element that has no text."""
INLINE = TagSet(
    "a span b i em strong small font u sup sub img br abbr time label input button"
)
ITEM = TagSet("li dt dd tr td")
FURNITURE = TagSet("nav footer header aside")

_NUMBER = re.compile(r"\d")
_PRICE = re.compile(r"[$€£¥₹₩]\s?\d|\d\s?(?:€|£|kr|zł|Kč|USD|EUR|円|元)")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\bago\b",
    re.IGNORECASE,
)
_LONG = 80
"""Characters from which a text is a sentence rather than a label."""
_MOST_CLASSES = 8
"""Class names of one element that are looked at: pages put hundreds on an element, and
the first ones name it.
"""


@dataclass(frozen=True, eq=False)
class Facts:
    """A page and the counts that all features are made of."""

    tree: Tree

    @cached_property
    def read(self) -> Bools:
        """The nodes that can be part of records."""
        return readable(self.tree)

    @cached_property
    def sums(self) -> dict[str, Sums]:
        """Prefix sums over the nodes of all that is counted."""
        tree, read = self.tree, self.read
        words = Characters.from_tree(tree, read).words
        counted = {
            "words": words,
            "link_words": np.where(tree.below(tree.has_tag(LINK)), words, 0),
            "texts": words > 0,
            "links": tree.has_tag(LINK) & read,
            "headings": tree.has_tag(HEADING) & read,
            "images": tree.has_tag(IMAGE) & read,
            "items": tree.has_tag(ITEM) & read,
            "inline": tree.has_tag(INLINE) & read,
            "elements": ~tree.is_text & read,
            **self._text_kinds(words),
        }
        return {name: prefix_sums(values) for name, values in counted.items()}

    def _text_kinds(self, words: Ints) -> dict[str, Bools]:
        nodes = np.flatnonzero(words)
        texts = self.tree.text[nodes].tolist()
        kinds = {}
        for name, pattern in (
            ("numbers", _NUMBER),
            ("prices", _PRICE),
            ("dates", _DATE),
        ):
            kinds[name] = np.zeros(len(self.tree), dtype=bool)
            kinds[name][nodes] = [pattern.search(text) is not None for text in texts]
        kinds["sentences"] = np.zeros(len(self.tree), dtype=bool)
        kinds["sentences"][nodes] = [len(text) > _LONG for text in texts]
        return kinds

    @cached_property
    def filled(self) -> Bools:
        """Which elements have text or a picture in them: only those can be records."""
        words = self.sums["words"]
        tree = self.tree
        shown = tree.totals(tree.has_tag(SHOWN) & self.read) > 0
        return ((words[tree.end] - words[:-1] > 0) | shown) & self.read & ~tree.is_text

    @cached_property
    def furniture(self) -> Bools:
        """Which nodes are in what the page itself calls navigation, header, footer or
        aside.
        """
        return self.tree.below(self.tree.has_tag(FURNITURE))

    @cached_property
    def classes(self) -> dict[int, tuple[str, ...]]:
        """The class names of the elements that have any."""
        split = {
            value: tuple(dict.fromkeys(value.split()))[:_MOST_CLASSES]
            for value in set(self.tree.with_attribute("class").values())
        }
        return {
            node: split[value]
            for node, value in self.tree.with_attribute("class").items()
            if split[value]
        }

    @cached_property
    def tag_shape(self) -> Ints:
        """A number for every element that stands for its tag and its parent's; 0 for
        text.
        """
        return self._numbered(self._tag_pairs())

    @cached_property
    def shape(self) -> Ints:
        """A number for every element that stands for its tag, its parent's and its
        first class; 0 for text.
        """
        names: dict[str, int] = {}
        first = np.zeros(len(self.tree), dtype=np.int64)
        for node, classes in self.classes.items():
            first[node] = names.setdefault(classes[0], len(names) + 1)
        return self._numbered(self._tag_pairs() * (len(names) + 1) + first)

    def _tag_pairs(self) -> NDArray[np.int64]:
        tags = self.tree.tag.astype(np.int64)
        return tags * (int(tags.max()) + 1) + tags[self.tree.parent]

    def _numbered(self, keys: NDArray[np.int64]) -> Ints:
        numbers = np.unique(keys, return_inverse=True)[1].astype(np.int32) + 1
        return np.where(self.tree.is_text, 0, numbers)

    @cached_property
    def path(self) -> Ints:
        """A number for every node that stands for all the tags on the way from the root
        to it.
        """
        tags, parents = self.tree.tag.tolist(), self.tree.parent.tolist()
        known: dict[tuple[int, int], int] = {}
        paths: list[int] = []
        for tag, parent in zip(tags, parents, strict=True):
            paths.append(
                known.setdefault(
                    (paths[parent] if parent >= 0 else -1, tag), len(known)
                )
            )
        return np.array(paths, dtype=np.int32)

    @cached_property
    def links(self) -> NDArray[np.int64]:
        """All links, in document order."""
        return np.flatnonzero(self.tree.has_tag(LINK) & self.read)

    @cached_property
    def addresses(self) -> list[str | None]:
        """Where each of the links leads."""
        return self.tree.attribute_values("href", self.links.tolist())
