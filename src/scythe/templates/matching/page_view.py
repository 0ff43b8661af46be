"""A page as templates see it: what has something to say, with labels, heads of rows,
and numbers for equal subtrees.

Elements without text or image in them, scripts, controls, line breaks and texts of mere
punctuation are left out: they come and go without meaning, and what stands around them
is then side by side, as it is for a reader. All is computed in a few passes over the
page; matching then asks only lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import children_of, class_key
from scythe.tree.tags import BLOCK, KNOWN, TEXT, TagSet, code
from scythe.tree.tree import Tree, prefix_sums

DROPPED = TagSet(
    "script style noscript iframe object applet svg math select datalist textarea button input audio video canvas"
)
"""Elements whose content is no text of the page."""

_NOT_IN_PROSE = BLOCK | TagSet("br img")
_RUNS_ON = frozenset(",;(\u201c\"'")
_SHORTEST_PROSE = 60
"""Characters of an element's own text from which on it is prose, where formatting
stands between its words.
"""

COLONS = ":："  # noqa: RUF001 - the full-width colon
TEXT_LABEL = "#text"
_STATES = frozenset(
    "odd even first last alt active current selected hover open closed clearfix cf row".split()
)
"""Class names that tell of an element's turn or looks, not of what it is."""

_SAYS = re.compile(r"[^\W_]|[$€£¥₹★☆✓✔✗✘%#@]")
_LABEL = re.compile(r"[^\W\d_][^:：]{0,39}[:：](?!//)")  # noqa: RUF001 - the full-width colon
_SAYS_ALWAYS = 12
"""Characters beyond which a text is no mere punctuation."""

_NUMBERED = re.compile(r"\d{2}|\d$")
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)


def label_part(text: str) -> str:
    """The label that a text begins with ("Prep time:"), empty where it has none."""
    found = _LABEL.match(text) if ":" in text or "：" in text else None  # noqa: RUF001
    return found.group() if found else ""


@lru_cache(maxsize=1 << 16)
def label_of(tag: str, identity: str | None, classes: str | None) -> str:
    """What an element calls itself: `div#main.box`, without what numbers it."""
    label = tag
    if identity and not _NUMBERED.search(identity) and not identity.isspace():
        label += "#" + "_".join(identity.split())
    if key := " ".join(
        name for name in class_key(classes).split() if name.lower() not in _STATES
    ):
        label += "." + key.replace(" ", ".")
    return label


class PageView:
    """The nodes of a page that count, numbered 0, 1, 2, ... in document order; node i's
    subtree is i..ends[i].
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        leaves, said = _leaves(tree)
        kept = tree.above(leaves)
        kept[0] = True
        place = prefix_sums(kept)
        nodes = np.flatnonzero(kept)
        self._tags = tree.tag[nodes]
        self._ends = place[tree.end[nodes]]
        is_text = self._tags == TEXT
        self._text_nodes = np.flatnonzero(is_text)
        self.nodes: list[int] = nodes.tolist()
        self.ends: list[int] = self._ends.tolist()
        self.labels = self._labels(np.flatnonzero(~is_text))
        self._before = prefix_sums(is_text)
        self.text_before: list[int] = self._before.tolist()
        self.text_nodes: list[int] = self._text_nodes.tolist()
        self.said: list[str] = [said[node] for node in nodes[is_text].tolist()]
        """The texts alone, in document order."""
        self.texts: list[str] = [""] * len(nodes)
        """The text of each node, empty for elements."""
        for at, text in zip(self.text_nodes, self.said, strict=True):
            self.texts[at] = text

    def __len__(self) -> int:
        return len(self.nodes)

    def _labels(self, elements: NDArray[np.int64]) -> list[str]:
        tree = self.tree
        names = (*KNOWN, *tree.extra_names)
        labels = [names[number] for number in self._tags.tolist()]
        places = elements.tolist()
        numbers = [self.nodes[place] for place in places]
        for place, identity, classes in zip(
            places,
            tree.attribute_values("id", numbers),
            tree.attribute_values("class", numbers),
            strict=True,
        ):
            if identity or classes:
                labels[place] = label_of(labels[place], identity, classes)
        if props := tree.with_attribute("itemprop"):
            for place, number in zip(places, numbers, strict=True):
                if prop := props.get(number):
                    labels[place] += f"@{prop}"
        return labels

    @cached_property
    def links(self) -> dict[int, str]:
        """The addresses that `<a>` elements lead to."""
        return self._addresses("a", "href")

    @cached_property
    def images(self) -> dict[int, str]:
        """Where `<img>` elements come from."""
        return self._addresses("img", "src")

    def _addresses(self, tag: str, attribute: str) -> dict[int, str]:
        places = np.flatnonzero(self._tags == code(tag)).tolist()
        values = self.tree.attribute_values(
            attribute, [self.nodes[place] for place in places]
        )
        return {
            place: value.strip()
            for place, value in zip(places, values, strict=True)
            if value
        }

    @cached_property
    def shapes(self) -> list[int]:
        """A number for every subtree, equal where labels are."""
        return self._numbers(self._own)

    @cached_property
    def hashes(self) -> list[int]:
        """A number for every subtree, equal where labels, texts and addresses are."""
        return self.numbered(
            map(hash, self.said),
            map(hash, self.links.values()),
            map(hash, self.images.values()),
        )

    def numbered(
        self, texts: Iterable[int], links: Iterable[int], images: Iterable[int]
    ) -> list[int]:
        """A number for every subtree, equal where labels and the numbers of texts and
        addresses are.
        """
        own = self._own.copy()
        own[self._text_nodes] = np.fromiter(
            texts, dtype=np.int64, count=len(self.text_nodes)
        ).view(np.uint64)
        for addresses, given in ((self.links, links), (self.images, images)):
            values = np.fromiter(given, dtype=np.int64, count=len(addresses))
            own[list(addresses)] ^= values.view(np.uint64) * _MIX
        return self._numbers(own)

    @cached_property
    def _own(self) -> NDArray[np.uint64]:
        return np.fromiter(
            map(hash, self.labels), dtype=np.int64, count=len(self)
        ).view(np.uint64)

    def _numbers(self, own: NDArray[np.uint64]) -> list[int]:
        """A polynomial over the slice of each subtree: prefix sums, of which the place
        is divided out.
        """
        size = len(self)
        ends = self._ends
        own = (own ^ ((ends - np.arange(size)).view(np.uint64) * _BASE)) * _MIX
        own ^= own >> np.uint64(29)
        powers, inverse = _powers(size)
        sums = np.zeros(size + 1, dtype=np.uint64)
        np.cumsum(own * powers, out=sums[1:])
        numbers: list[int] = (
            ((sums[ends] - sums[:-1]) * inverse).view(np.int64).tolist()
        )
        return numbers

    def children(self, node: int) -> list[int]:
        """The children of a node in order."""
        return children_of(self.ends, node)

    @cached_property
    def said_labels(self) -> list[str]:
        """The label that each text begins with, empty where it has none."""
        return [label_part(text) for text in self.said]

    @cached_property
    def _said_heads(self) -> list[str]:
        return [
            label or text
            for label, text in zip(self.said_labels, self.said, strict=True)
        ]

    @cached_property
    def heads(self) -> list[str]:
        """What every node begins with: its first text, or the label that this begins
        with.
        """
        heads = [*self._said_heads, ""]
        return [heads[first] for first in self._first_texts.tolist()]

    @cached_property
    def more(self) -> list[bool]:
        """Whether there is more in a node than what it begins with."""
        more = [
            len(head) < len(text)
            for head, text in zip(self._said_heads, self.said, strict=True)
        ]
        several = self._before[self._ends] - self._before[:-1] > 1
        behind: list[bool] = (
            several | np.array([*more, False])[self._first_texts]
        ).tolist()
        return behind

    @cached_property
    def _first_texts(self) -> NDArray[np.int64]:
        """The number of the first text in every node; that of no text where there is
        none.
        """
        first = self._before[:-1]
        return np.where(first < self._before[self._ends], first, len(self.said))

    def has_text(self, node: int, text: str) -> bool:
        """Whether a text of a subtree is this one, or begins with it as a label."""
        first, last = self.text_before[node], self.text_before[self.ends[node]]
        return text in self._said_heads[first:last] or text in self.said[first:last]

    def child_labels(self, node: int) -> set[str]:
        """The labels that children of a node have."""
        return {self.labels[child] for child in self.children(node)}

    def whole_text(self, node: int) -> str:
        """All texts of a subtree, parted by spaces."""
        first, last = self.text_before[node], self.text_before[self.ends[node]]
        return " ".join(self.said[first:last])

    def text_count(self, node: int) -> int:
        """How many texts a subtree has."""
        return self.text_before[self.ends[node]] - self.text_before[node]

    @property
    def fingerprint(self) -> str:
        """The same in every process for pages that say the same in the same way."""
        said = "\0".join([*self.labels, *self.said])
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _leaves(tree: Tree) -> tuple[NDArray[np.bool_], dict[int, str]]:
    """Which nodes of a page have something to say: images and texts, and the words of
    all texts but blank ones.
    """
    dropped = tree.below(tree.has_tag(DROPPED))
    texts = np.flatnonzero(tree.is_text & ~dropped)
    written = tree.text[texts]
    solid = ~np.fromiter(map(str.isspace, written), dtype=bool, count=len(texts))
    texts = texts[solid]
    words = [" ".join(text.split()) for text in written[solid].tolist()]
    says = [
        len(text) > _SAYS_ALWAYS or text[:1].isalnum() or _SAYS.search(text) is not None
        for text in words
    ]
    leaves = (tree.tag == code("img")) & ~dropped
    leaves[texts] = says
    said = dict(zip(texts.tolist(), words, strict=True))
    for first, stop, parent in _prose(tree, leaves, said):
        low, high = np.searchsorted(texts, (parent, stop))
        said[first] = " ".join(words[low:high])
        leaves[parent:stop] = False
        leaves[first] = True
    return leaves, said


def _prose(
    tree: Tree, leaves: NDArray[np.bool_], said: Mapping[int, str]
) -> Iterator[tuple[int, int, int]]:
    """Elements whose text runs on through formatting and links: their first own text,
    their end, and themselves.

    They are one value, which a paragraph with two words in italics would not be by its
    text nodes. `said` is what the texts of the page say that are not blank.
    """
    own = np.bincount(tree.parent[np.flatnonzero(leaves & tree.is_text)], minlength=1)
    several = np.flatnonzero(own > 1)
    ends, sums = tree.end[several], prefix_sums(leaves)
    several = several[sums[ends] - sums[several] > own[several]]
    ends, sums = tree.end[several], prefix_sums(tree.has_tag(_NOT_IN_PROSE))
    for parent in several[sums[ends] == sums[several + 1]].tolist():
        stop = int(tree.end[parent])
        says, ends = (
            leaves[parent:stop].tolist(),
            (tree.end[parent:stop] - parent).tolist(),
        )
        lines, joins, before = [], 0, ""
        for child in children_of(ends, 0):
            if tree.is_text[parent + child]:
                before = said.get(parent + child, "")
                if says[child]:
                    lines.append((parent + child, len(before)))
            elif True in says[child : ends[child]]:
                joins += before[-1:].isalnum() or before[-1:] in _RUNS_ON
                before = ""
        if (
            joins
            and len(lines) > 1
            and sum(length for _, length in lines) >= _SHORTEST_PROSE
        ):
            yield lines[0][0], stop, parent


@lru_cache(maxsize=1)
def _table(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    base = int(_BASE) | 1
    inverse = pow(base, -1, 1 << 64)
    powers, inverses = (
        np.full(size, base, dtype=np.uint64),
        np.full(size, inverse, dtype=np.uint64),
    )
    powers[0] = inverses[0] = 1
    return np.cumprod(powers, dtype=np.uint64), np.cumprod(inverses, dtype=np.uint64)


def _powers(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Powers of an odd number and of its inverse, modulo 2 ** 64; tables grow by
    doubling.
    """
    rounded = 1 << max(12, size.bit_length())
    powers, inverse = _table(rounded)
    return powers[:size], inverse[:size]
