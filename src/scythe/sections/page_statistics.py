"""What is counted of a page before any candidate is looked at: sums over any span are
two look-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.core.records import FilledPage
from scythe.sections.shapes import PageShapes
from scythe.sections.span import record_text_nodes
from scythe.tree.characters import Characters
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import HEADING, TagSet
from scythe.tree.tree import Bools, Ints, Tree, prefix_sums

Sums = NDArray[np.int64]
Nodes = NDArray[np.int64]
ClassNames = tuple[str, ...]

LINK = TagSet("a")
IMAGE = TagSet("img picture")
VISIBLE = TagSet("img picture svg input button")
"""What fills an element that has no text."""
CHOICE = TagSet("option optgroup datalist")
"""What a form lets one choose is no list of the page."""
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
_SENTENCE_LENGTH = 80
"""Characters above which a text is a sentence rather than a label; not tuned."""
MAX_CLASSES = 8
"""Class names of one element that are read: pages put hundreds on an element, and the
first ones name it. A bound on work, not tuned.
"""


@dataclass(frozen=True, eq=False)
class PageStatistics:
    """A page and the counts that all features are made of."""

    tree: Tree

    @cached_property
    def is_record_text(self) -> Bools:
        """Which nodes can be part of records: those of dialogs, which ask for consent or
        an address, only where they hold most of the page.
        """
        is_read = record_text_nodes(self.tree)
        dialogs = self._dialogs()
        if not dialogs:
            return is_read
        is_dialog = np.zeros(len(self.tree), dtype=bool)
        is_dialog[dialogs] = True
        is_outside = is_read & ~self.tree.below(is_dialog)
        outside = np.count_nonzero(is_outside)
        everything = np.count_nonzero(is_read)
        if 2 * outside > everything:
            return is_outside
        return is_read

    def _dialogs(self) -> list[int]:
        """Return the elements that stand over the page until they are closed."""
        roles = self.tree.with_words("role", ("dialog",))
        modal = self.tree.with_words("aria-modal", ("true",))
        return [*roles, *modal]

    @cached_property
    def sums(self) -> dict[str, Sums]:
        """Prefix sums over the nodes of all that is counted."""
        tree = self.tree
        is_read = self.is_record_text
        words = Characters.from_tree(tree, is_read).words
        in_link = tree.below(tree.has_tag(LINK))
        counts = {
            "words": words,
            "link_words": np.where(in_link, words, 0),
            "texts": words > 0,
            "links": tree.has_tag(LINK) & is_read,
            "headings": tree.has_tag(HEADING) & is_read,
            "images": tree.has_tag(IMAGE) & is_read,
            "items": tree.has_tag(ITEM) & is_read,
            "inline": tree.has_tag(INLINE) & is_read,
            "elements": ~tree.is_text & is_read,
            **self._text_kinds(words),
        }
        return {name: prefix_sums(values) for name, values in counts.items()}

    def _text_kinds(self, words: Ints) -> dict[str, Bools]:
        """Return which text nodes hold numbers, prices, dates or sentences."""
        nodes = np.flatnonzero(words)
        texts = self.tree.text[nodes].tolist()

        def nodes_with(pattern: re.Pattern[str]) -> Bools:
            matches = [pattern.search(text) is not None for text in texts]
            return self._mask(nodes, matches)

        is_sentence = [len(text) > _SENTENCE_LENGTH for text in texts]
        return {
            "numbers": nodes_with(_NUMBER),
            "prices": nodes_with(_PRICE),
            "dates": nodes_with(_DATE),
            "sentences": self._mask(nodes, is_sentence),
        }

    def _mask(self, nodes: Nodes, values: list[bool]) -> Bools:
        mask = np.zeros(len(self.tree), dtype=bool)
        mask[nodes] = values
        return mask

    @cached_property
    def filled(self) -> Bools:
        """Which elements have text or a picture in them: only those can be records."""
        tree = self.tree
        words = self.sums["words"]
        has_words = words[tree.end] > words[:-1]
        pictures = tree.has_tag(VISIBLE) & self.is_record_text
        has_picture = tree.totals(pictures) > 0
        can_be_record = self.is_record_text & ~tree.is_text & ~tree.has_tag(CHOICE)
        return (has_words | has_picture) & can_be_record

    @cached_property
    def filled_page(self) -> FilledPage | None:
        """The page as the compiled core reads it; None where it is not at work."""
        block = block_of(self.tree)
        tables = text_tables()
        if block is None or tables is None:
            return None
        return FilledPage(tables, block, self.filled)

    @cached_property
    def furniture(self) -> Bools:
        """Which nodes are in what the page itself calls navigation, header, footer or
        aside.
        """
        is_furniture = self.tree.has_tag(FURNITURE)
        return self.tree.below(is_furniture)

    @cached_property
    def classes(self) -> dict[int, ClassNames]:
        """The class names of the elements that have any."""
        names_of: dict[str, ClassNames] = {}
        classes: dict[int, ClassNames] = {}
        for node, value in self.tree.with_attribute("class").items():
            if value not in names_of:
                distinct = dict.fromkeys(value.split())
                names_of[value] = tuple(distinct)[:MAX_CLASSES]
            names = names_of[value]
            if names:
                classes[node] = names
        return classes

    @cached_property
    def tag_shape(self) -> Ints:
        """A number for every element that stands for its tag and its parent's; 0 for
        text.
        """
        tag_pairs = self._tag_pairs()
        return self._shape_numbers(tag_pairs)

    @cached_property
    def shape(self) -> Ints:
        """A number for every element that stands for its tag, its parent's and its
        first class; 0 for text.
        """
        class_numbers: dict[str, int] = {}
        first_class = np.zeros(len(self.tree), dtype=np.int64)
        for node, names in self.classes.items():
            next_number = len(class_numbers) + 1
            first_class[node] = class_numbers.setdefault(names[0], next_number)
        class_count = len(class_numbers) + 1
        keys = self._tag_pairs() * class_count + first_class
        return self._shape_numbers(keys)

    def _tag_pairs(self) -> Nodes:
        tags = self.tree.tag.astype(np.int64)
        parent_tags = tags[self.tree.parent]
        tag_count = int(tags.max()) + 1
        return tags * tag_count + parent_tags

    def _shape_numbers(self, keys: Nodes) -> Ints:
        _, numbers = np.unique(keys, return_inverse=True)
        shapes = numbers.astype(np.int32) + 1
        return np.where(self.tree.is_text, 0, shapes)

    @cached_property
    def tag_shapes(self) -> PageShapes:
        """Shapes of tags, for comparing spans."""
        return PageShapes(self.tree, self.tag_shape)

    @cached_property
    def shapes(self) -> PageShapes:
        """Shapes of tags and classes, for comparing spans."""
        return PageShapes(self.tree, self.shape)

    @cached_property
    def text(self) -> str:
        """All texts of the page, without anything between them."""
        return "".join(self.tree.text.tolist())

    @cached_property
    def text_begins(self) -> Nodes:
        """Where the text of each node begins in all text; one more for the end."""
        texts = self.tree.text
        lengths = np.fromiter(
            map(len, texts),
            dtype=np.int64,
            count=len(texts),
        )
        return prefix_sums(lengths)

    @cached_property
    def _filled_children(self) -> dict[int, list[int]]:
        nodes = np.flatnonzero(self.filled)
        children: dict[int, list[int]] = {}
        parents = self.tree.parent[nodes].tolist()
        for node, parent in zip(nodes.tolist(), parents, strict=True):
            children.setdefault(parent, []).append(node)
        return children

    def filled_children(self, parent: int) -> list[int]:
        """Return the children of an element that are filled, in order."""
        return self._filled_children.get(parent, [])

    @cached_property
    def path(self) -> Ints:
        """A number for every node that stands for all the tags on the way from the root
        to it.
        """
        tags = self.tree.tag.tolist()
        parents = self.tree.parent.tolist()
        numbers: dict[tuple[int, int], int] = {}
        paths: list[int] = []
        for tag, parent in zip(tags, parents, strict=True):
            parent_path = paths[parent] if parent >= 0 else -1
            key = (parent_path, tag)
            paths.append(numbers.setdefault(key, len(numbers)))
        return np.array(paths, dtype=np.int32)

    @cached_property
    def links(self) -> Nodes:
        """All links, in document order."""
        is_link = self.tree.has_tag(LINK)
        return np.flatnonzero(is_link & self.is_record_text)

    @cached_property
    def addresses(self) -> list[str | None]:
        """Where each of the links leads."""
        links = self.links.tolist()
        return self.tree.attribute_values("href", links)

    @cached_property
    def address_numbers(self) -> Nodes:
        """A number for the address of each of the links, the same for the same one."""
        numbers: dict[str | None, int] = {}
        found = []
        for address in self.addresses:
            number = numbers.setdefault(address, len(numbers))
            found.append(number)
        return np.array(found, dtype=np.int64)
