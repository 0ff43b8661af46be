"""A page as templates see it: what has something to say, with labels, heads of rows, and numbers for equal subtrees.

Elements without text or image in them, scripts, controls, line breaks and texts of mere punctuation are left out: they come and
go without meaning, and what stands around them is then side by side, as it is for a reader. All is computed in a few passes
over the page; matching then asks only lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import children_of, class_key
from scythe.tree.tags import BLOCK, KNOWN, TagSet, code
from scythe.tree.tree import Tree

DROPPED = TagSet("script style noscript iframe object applet svg math select datalist textarea button input audio video canvas")
"""Elements whose content is no text of the page."""

_NOT_IN_PROSE = BLOCK | TagSet("br img")
_RUNS_ON = frozenset(",;(\u201c\"'")
_SHORTEST_PROSE = 60
"""Characters of an element's own text from which on it is prose, where formatting stands between its words."""

COLONS = ":："  # noqa: RUF001 - the full-width colon
TEXT_LABEL = "#text"
_STATES = frozenset("odd even first last alt active current selected hover open closed clearfix cf row".split())
"""Class names that tell of an element's turn or looks, not of what it is."""

_SAYS = re.compile(r"[^\W_]|[$€£¥₹★☆✓✔✗✘%#@]")
_LABEL = re.compile(r"[^\W\d_][^:：]{0,39}[:：](?!//)")  # noqa: RUF001 - the full-width colon
_SAYS_ALWAYS = 12
"""Characters beyond which a text is no mere punctuation."""

_LONGEST = 42
_NUMBERED = re.compile(r"\d{2}|\d$")
_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)


def label_part(text: str) -> str:
    """The label that a text begins with ("Prep time:"), empty where it has none."""
    if ":" not in text[:_LONGEST] and "：" not in text[:_LONGEST]:  # noqa: RUF001
        return ""
    found = _LABEL.match(text)
    return found.group() if found else ""


@lru_cache(maxsize=1 << 16)
def label_of(tag: str, identity: str | None, classes: str | None, prop: str | None = None) -> str:
    """What an element calls itself: `div#main.box@name`, without what numbers it."""
    label = tag
    if identity and not _NUMBERED.search(identity) and not identity.isspace():
        label += "#" + "_".join(identity.split())
    if key := " ".join(name for name in class_key(classes).split() if name.lower() not in _STATES):
        label += "." + key.replace(" ", ".")
    return f"{label}@{prop}" if prop else label


class PageView:
    """The nodes of a page that count, numbered 0, 1, 2, ... in document order; node i's subtree is i..ends[i]."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        dropped = tree.below(tree.having(DROPPED))
        texts = np.flatnonzero(tree.is_text & ~dropped)
        said = [" ".join(words) if words else "" for words in map(str.split, tree.text[texts].tolist())]
        leaves = (tree.tag == code("img")) & ~dropped
        leaves[texts] = [len(text) > _SAYS_ALWAYS or (text and _SAYS.search(text) is not None) for text in said]
        for first, stop, parent in prose(tree, leaves, texts, said):
            inside = slice(*np.searchsorted(texts, (parent, stop)))
            said[int(np.searchsorted(texts, first))] = " ".join(" ".join(tree.text[texts[inside]].tolist()).split())
            leaves[parent:stop] = False
            leaves[first] = True
        kept = tree.above(leaves)
        kept[0] = True
        place = np.zeros(len(tree) + 1, dtype=np.int64)
        np.cumsum(kept, out=place[1:])
        nodes = np.flatnonzero(kept)
        self.nodes: list[int] = nodes.tolist()
        self._ends = place[tree.end[nodes]]
        self.ends: list[int] = self._ends.tolist()
        is_text = tree.is_text[nodes]
        self.labels = self._labels(nodes, is_text)
        self.texts: list[str] = [""] * len(nodes)
        for at, text in zip(np.flatnonzero(is_text).tolist(), _of(said, leaves[texts]), strict=True):
            self.texts[at] = text
        counts = np.zeros(len(nodes) + 1, dtype=np.int64)
        np.cumsum(is_text, out=counts[1:])
        self.text_before: list[int] = counts.tolist()
        self.text_nodes: list[int] = np.flatnonzero(is_text).tolist()
        self._heads: dict[int, tuple[str, bool]] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def _labels(self, nodes: NDArray[np.int64], is_text: NDArray[np.bool_]) -> list[str]:
        tree, labels = self.tree, [TEXT_LABEL] * len(nodes)
        elements = np.flatnonzero(~is_text)
        numbers = nodes[elements].tolist()
        identities, classes = tree.values("id", numbers), tree.values("class", numbers)
        props = tree.holders("itemprop")
        every = (*KNOWN, *tree.extra_names)
        names = [every[number] for number in tree.tag[nodes[elements]].tolist()]
        given = map(props.get, numbers) if props else repeat(None)
        made = [
            name if identity is key is prop is None else label_of(name, identity, key, prop)
            for name, identity, key, prop in zip(names, identities, classes, given, strict=False)
        ]
        for at, label in zip(elements.tolist(), made, strict=True):
            labels[at] = label
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
        places = np.flatnonzero(self.tree.tag[self.nodes] == code(tag)).tolist()
        values = self.tree.values(attribute, [self.nodes[place] for place in places])
        return {place: value.strip() for place, value in zip(places, values, strict=True) if value}

    @cached_property
    def shapes(self) -> list[int]:
        """A number for every subtree, equal where labels are."""
        return self._numbers(self._own)

    @cached_property
    def hashes(self) -> list[int]:
        """A number for every subtree, equal where labels, texts and addresses are."""
        own = self._own.copy()
        texts = np.fromiter(map(hash, filter(None, self.texts)), dtype=np.int64, count=len(self.text_nodes))
        own[self.text_nodes] = texts.view(np.uint64)
        for addresses in (self.links, self.images):
            values = np.fromiter(map(hash, addresses.values()), dtype=np.int64, count=len(addresses))
            own[list(addresses)] ^= values.view(np.uint64) * _MIX
        return self._numbers(own)

    @cached_property
    def _own(self) -> NDArray[np.uint64]:
        return np.fromiter(map(hash, self.labels), dtype=np.int64, count=len(self)).view(np.uint64)

    def _numbers(self, own: NDArray[np.uint64]) -> list[int]:
        """A polynomial over the slice of each subtree: prefix sums, of which the place is divided out."""
        size = len(self)
        ends = self._ends
        own = (own ^ ((ends - np.arange(size)).view(np.uint64) * _BASE)) * _MIX
        own ^= own >> np.uint64(29)
        powers, inverse = _powers(size)
        sums = np.zeros(size + 1, dtype=np.uint64)
        np.cumsum(own * powers, out=sums[1:])
        numbers: list[int] = ((sums[ends] - sums[:-1]) * inverse).view(np.int64).tolist()
        return numbers

    def children(self, node: int) -> list[int]:
        """The children of a node in order."""
        return children_of(self.ends, node)

    def head(self, node: int) -> tuple[str, bool]:
        """What a row begins with (its first text, or the label that this begins with), and whether there is more than that."""
        known = self._heads.get(node)
        if known is None:
            known = self._heads[node] = self._read_head(node)
        return known

    def _read_head(self, node: int) -> tuple[str, bool]:
        first, last = self.text_before[node], self.text_before[self.ends[node]]
        if first == last:
            return "", False
        text = self.texts[self.text_nodes[first]]
        label = label_part(text)
        return (label or text), last - first > 1 or 0 < len(label) < len(text)

    def has_text(self, node: int, text: str) -> bool:
        """Whether a text of a subtree is this one, or begins with it as a label."""
        first, last = self.text_before[node], self.text_before[self.ends[node]]
        return any(self.texts[at].startswith(text) for at in self.text_nodes[first:last])

    def whole_text(self, node: int) -> str:
        """All texts of a subtree, parted by spaces."""
        first, last = self.text_before[node], self.text_before[self.ends[node]]
        return " ".join([self.texts[at] for at in self.text_nodes[first:last]])

    def text_count(self, node: int) -> int:
        """How many texts a subtree has."""
        return self.text_before[self.ends[node]] - self.text_before[node]

    @property
    def fingerprint(self) -> str:
        """The same in every process for pages that say the same in the same way."""
        said = "\0".join([*self.labels, *(self.texts[at] for at in self.text_nodes)])
        return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def prose(tree: Tree, leaves: NDArray[np.bool_], texts: NDArray[np.int64], said: list[str]) -> Iterator[tuple[int, int, int]]:
    """Elements whose text runs on through formatting and links: their first own text, their end, and themselves.

    They are one value, which a paragraph with two words in italics would not be by its text nodes. `texts` are the text nodes of
    the page, and `said` is what they say.
    """
    size = len(tree)
    own = np.bincount(tree.parent[np.flatnonzero(leaves & tree.is_text)], minlength=size)
    may_be = (own > 1) & (tree.totals(leaves) > own)
    may_be &= tree.totals(tree.having(_NOT_IN_PROSE)) == tree.having(_NOT_IN_PROSE)
    for parent in np.flatnonzero(may_be).tolist():
        lines, joins, before = [], 0, ""
        for child in tree.children(parent):
            if tree.is_text[child]:
                before = said[int(np.searchsorted(texts, child))]
                if leaves[child]:
                    lines.append((child, len(before)))
            elif leaves[child : tree.end[child]].any():
                joins += before[-1:].isalnum() or before[-1:] in _RUNS_ON
                before = ""
        if joins and len(lines) > 1 and sum(length for _, length in lines) >= _SHORTEST_PROSE:
            yield lines[0][0], int(tree.end[parent]), parent


def _of(said: list[str], chosen: NDArray[np.bool_]) -> list[str]:
    return [text for text, keep in zip(said, chosen.tolist(), strict=True) if keep]


@lru_cache(maxsize=1)
def _table(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    base = int(_BASE) | 1
    inverse = pow(base, -1, 1 << 64)
    powers, inverses = np.full(size, base, dtype=np.uint64), np.full(size, inverse, dtype=np.uint64)
    powers[0] = inverses[0] = 1
    return np.cumprod(powers, dtype=np.uint64), np.cumprod(inverses, dtype=np.uint64)


def _powers(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Powers of an odd number and of its inverse, modulo 2 ** 64; tables grow by doubling."""
    rounded = 1 << max(12, size.bit_length())
    powers, inverse = _table(rounded)
    return powers[:size], inverse[:size]
