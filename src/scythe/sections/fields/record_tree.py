"""A record as plain lists: a few dozen nodes are read faster one by one from lists than
from arrays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

import numpy as np

from scythe.align.forest import children_of, class_key
from scythe.sections.span import Span
from scythe.tree.tags import BLOCK, CODES, SKIPPED, TEXT, TagSet
from scythe.tree.tree import Bools, Tree

BR = CODES["br"]
A = CODES["a"]
IMG = CODES["img"]

NO_VALUE_TAGS = SKIPPED.names - {"button"}
"""What is no value of a record. The text of buttons is: "Add to cart" and "Compare"
stand in the true rows, and a price or a number of votes stands on a button as often
(button text in the rows of the record sets: 4.4 of 91 points of coverage).
"""

FORMATTING_TAGS = TagSet(
    "b i em strong mark u s sub sup tt wbr q bdi bdo ins del dfn kbd samp var strike nobr "
    "big blink"
).names
"""Elements that only mark words of the text they stand in."""

FORMATTING = frozenset(CODES[name] for name in FORMATTING_TAGS)
_NO_VALUE = frozenset(CODES[name] for name in NO_VALUE_TAGS)
_BLOCKS = frozenset(CODES[name] for name in BLOCK.names)
_LINKS_AND_IMAGES = frozenset({A, IMG})

_NEXT_NUMBER = re.compile(r"\n[ \t]{0,40}\n\s{0,40}[(\[#]?\d{1,5}[.):\]]\s{0,40}\Z")
"""The number of the next record of a preformatted list, where one text ends a record and
begins the next.
"""

NO_POSITION = _NO_VALUE | {TEXT, BR}
"""What is never a position of its own: text is read in runs, and the rest says nothing."""


MAX_LINKS_ABOVE = 2
"""Elements above a shortened text whose title may be the whole of it; not tuned."""
SHORTENED = ("…", "...")
LEAST_SHOWN = 5
"""Characters that are shown at least of a text that is shortened; not tuned."""


def shown_beginning(text: str) -> str:
    """Return what a page shows of a text that it shortens; nothing of other texts."""
    for sign in SHORTENED:
        if text.endswith(sign):
            beginning = text.removesuffix(sign).rstrip()
            return beginning if len(beginning) >= LEAST_SHOWN else ""
    return ""


class RecordTree:
    """The nodes of a span; a node's number here is its distance from the start of the
    span.
    """

    def __init__(self, tree: Tree, span: Span, hidden: Bools | None = None) -> None:
        self.tree = tree
        self.start = span.start
        nodes = slice(span.start, span.stop)
        ends = tree.end[nodes] - span.start
        size = len(ends)
        self.tags: list[int] = tree.tag[nodes].tolist()
        self.ends: list[int] = np.minimum(ends, size).tolist()
        self.texts = [""] * size
        texts = iter(tree.texts_between(span.start, span.stop))
        for node, tag in enumerate(self.tags):
            if tag == TEXT:
                self.texts[node] = next(texts)
        if not _NO_VALUE.isdisjoint(self.tags):
            is_without_value = [tag in _NO_VALUE for tag in self.tags]
            self._blank_out(is_without_value)
        if hidden is not None:
            is_hidden = hidden[nodes]
            # What is hidden as a whole belongs to a list that a script shows.
            if is_hidden.any() and not is_hidden.all():
                self._blank_out(is_hidden.tolist())
        if self.texts:
            self.texts[-1] = _NEXT_NUMBER.sub("", self.texts[-1])

    def _blank_out(self, roots: list[bool]) -> None:
        """Remove the text of subtrees."""
        node = 0
        stop = len(roots)
        while node < stop:
            if roots[node]:
                end = self.ends[node]
                self.texts[node:end] = [""] * (end - node)
                node = end
            else:
                node += 1

    def children(self, node: int) -> list[int]:
        """Return the children of a node, or of -1 the roots."""
        return children_of(self.ends, node)

    def text(self, node: int) -> str:
        """Return the text of a subtree in one line.

        Elements that a style sheet sets apart (`$19<sup>97</sup>`, `<b>Books:</b>all`)
        are kept from making one number or word of two.
        """
        stop = self.ends[node]
        if stop <= node + 2:
            return " ".join(self.texts[stop - 1].split())
        texts: list[str] = []
        last = ""
        nodes = self._filled_nodes
        first = bisect_left(nodes, node)
        for filled in nodes[first : bisect_left(nodes, stop, first)]:
            text = self.texts[filled]
            if not text:
                texts.append(" ")
                continue
            if (last.isdigit() and text[0].isdigit()) or (
                last == ":" and text[0].isalpha()
            ):
                texts.append(" ")
            texts.append(text)
            last = text[-1]
        return " ".join("".join(texts).split())

    def whole_text(self, node: int) -> str:
        """Return the text of a subtree, or what its `title` or that of its link says
        where the page shows only the beginning of it.
        """
        text = self.text(node)
        beginning = shown_beginning(text)
        if not beginning:
            return text
        titles = self.tree.with_attribute("title")
        first = self.start + node
        last = self.start + self.ends[node]
        parents = list(self.tree.ancestors(first))[:MAX_LINKS_ABOVE]
        inside = [above for above in parents if above >= self.start]
        for titled in (*range(first, last), *inside):
            title = " ".join(titles.get(titled, "").split())
            if title.startswith(beginning):
                return title
        return text

    @cached_property
    def _filled_nodes(self) -> list[int]:
        """The nodes that have text, and line breaks: elements may be nested a hundred
        deep around a word.
        """
        pairs = enumerate(zip(self.texts, self.tags, strict=True))
        return [node for node, (text, tag) in pairs if text or tag == BR]

    def classes(self, node: int) -> str | None:
        """Return the class attribute of an element."""
        return self.tree.with_attribute("class").get(self.start + node)

    def first_inside(self, node: int) -> str:
        """Return tag and class of the first element inside an element, as `tag.class`."""
        child = node + 1
        stop = self.ends[node]
        while child < stop and self.tags[child] in NO_POSITION:
            child = self.ends[child]
        if child >= stop:
            return ""
        tag = self.tree.name(self.start + child)
        classes = class_key(self.classes(child))
        return f"{tag}.{classes}"

    @cached_property
    def _text_counts(self) -> list[int]:
        has_text = [text != "" and not text.isspace() for text in self.texts]
        return [0, *accumulate(has_text)]

    @cached_property
    def _block_counts(self) -> list[int]:
        is_filled_block = [
            tag in _BLOCKS and self.has_text(node) for node, tag in enumerate(self.tags)
        ]
        return [0, *accumulate(is_filled_block)]

    @cached_property
    def _source_counts(self) -> list[int]:
        is_source = [tag in _LINKS_AND_IMAGES for tag in self.tags]
        return [0, *accumulate(is_source)]

    def has_text(self, node: int) -> bool:
        """Return whether there is any text to see under a node."""
        counts = self._text_counts
        return counts[self.ends[node]] > counts[node]

    def has_sources(self, node: int) -> bool:
        """Return whether a node is or holds a link or an image."""
        counts = self._source_counts
        return counts[self.ends[node]] > counts[node]

    def is_block(self, node: int) -> bool:
        """Return whether an element begins a line of its own, itself or with something
        in it.
        """
        counts = self._block_counts
        return counts[self.ends[node]] > counts[node]

    def is_formatting(self, node: int) -> bool:
        """Return whether an element only marks words of the text it stands in: bold,
        highlighted, and nothing of its own.
        """
        if self.tags[node] not in FORMATTING:
            return False
        return not self.has_sources(node) and not self.classes(node)
