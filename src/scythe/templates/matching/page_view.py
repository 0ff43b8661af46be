"""A page as templates see it: its meaningful nodes, with labels, leading texts, and
hashes for equal subtrees.

What `page_texts` leaves out is not there, and what stands around it is then side by
side, as it is for a reader. All is computed in a few passes over the page; matching then
only looks things up in lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import children_of, class_key
from scythe.core.templates import write_subtree_hashes
from scythe.templates.matching.page_parts import page_parts
from scythe.tree.compiled.element_names import ElementName, element_names
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree, prefix_sums
from scythe.urls import resolve

TEXT_LABEL = "#text"

_STATE_CLASSES = frozenset(
    "odd even first last alt active current selected hover open closed clearfix cf row".split()
)
"""Class names that tell of an element's turn or looks, not of what it is."""

_NUMBERED_ID = re.compile(r"\d{2}|\d$")

_BASE = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
"""Odd constants that spread the bits of a hash."""

_MAX_LABELS = 1 << 16
_MAX_ADDRESSES = 4_096
_MAX_ADDRESS = 200
"""Names of elements and addresses that are remembered, and the characters of one: bounds
on memory.
"""

_MIN_TABLE_BITS = 12
"""Powers are tabled for at least 4,096 nodes, so that small pages share a table."""


class _ElementLabels(dict[ElementName, str]):
    """What elements call themselves: `div#main.box`, without what numbers them; found
    once for all pages of a site.
    """

    def __missing__(self, name: ElementName) -> str:
        label, identity, classes = name
        is_numbered = _NUMBERED_ID.search(identity) is not None
        if identity and not is_numbered and not identity.isspace():
            words = identity.split()
            label += "#" + "_".join(words)
        for class_name in class_key(classes).split():
            if class_name.lower() not in _STATE_CLASSES:
                label += f".{class_name}"

        if len(self) >= _MAX_LABELS:
            self.clear()
        self[name] = label
        return label


_ELEMENT_LABELS = _ElementLabels()


class _Addresses(dict[str, str]):
    """Addresses as seen from one base, by what pages write: menus are on all pages of a
    site.
    """

    def __init__(self, base: str | None) -> None:
        super().__init__()
        self.base = base

    def __missing__(self, written: str) -> str:
        address = written.strip()
        if self.base:
            address = resolve(self.base, address) or address
        if len(self) >= _MAX_ADDRESSES:
            self.clear()
        if len(written) <= _MAX_ADDRESS:
            self[written] = address
        return address


@lru_cache(maxsize=16)
def _addresses_from(base: str | None) -> _Addresses:
    return _Addresses(base)


class PageView:
    """The meaningful nodes of a page, numbered 0, 1, 2, ... in document order; the
    subtree of page node i is i..ends[i].
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        parts = page_parts(tree)
        self._parts = parts
        self._ends = parts.ends
        tree_nodes = parts.tree_nodes
        is_text = tree.tag[tree_nodes] == TEXT
        self._text_nodes = np.flatnonzero(is_text)
        self._texts_before = prefix_sums(is_text)

        self.tree_nodes: list[int] = tree_nodes.tolist()
        """The tree node of each page node."""
        self.ends: list[int] = parts.ends.tolist()
        self.labels = self._find_labels(tree_nodes)
        self.texts_before: list[int] = self._texts_before.tolist()
        """How many texts stand before each page node."""
        self.text_nodes: list[int] = self._text_nodes.tolist()
        """The page nodes that are texts."""
        self.all_texts = parts.texts
        """The texts alone, in document order."""
        self.text_labels = parts.text_labels
        """The labels that texts begin with, by the number of the text."""
        self.text_forms = parts.text_forms
        """What each text looks like."""
        self.texts: list[str] = [""] * len(tree_nodes)
        """The text of each page node, empty for elements."""
        for page_node, text in zip(self.text_nodes, self.all_texts, strict=True):
            self.texts[page_node] = text

    def __len__(self) -> int:
        return len(self.tree_nodes)

    def _find_labels(self, tree_nodes: NDArray[np.integer]) -> list[str]:
        names = element_names(self.tree)
        label_of = list(map(_ELEMENT_LABELS.__getitem__, names.names))
        label_of.append(TEXT_LABEL)  # texts have the number -1
        numbers = names.numbers[tree_nodes]
        labels = list(map(label_of.__getitem__, numbers.tolist()))
        self._label_hashes = _as_hashes(map(hash, label_of), len(label_of))[numbers]

        for element, itemprop in self._parts.properties.items():
            labels[element] += f"@{itemprop}"
            label_hash = _as_hashes([hash(labels[element])], 1)
            self._label_hashes[element] = label_hash[0]
        return labels

    @cached_property
    def links(self) -> dict[int, str]:
        """The addresses that `<a>` elements lead to, by page node."""
        return self._resolved(self._parts.links)

    @cached_property
    def images(self) -> dict[int, str]:
        """The addresses that `<img>` elements come from, by page node."""
        return self._resolved(self._parts.images)

    def _resolved(self, written: Mapping[int, str]) -> dict[int, str]:
        addresses = _addresses_from(self._parts.base_url)
        resolved = map(addresses.__getitem__, written.values())
        return dict(zip(written, resolved, strict=True))

    @cached_property
    def shapes(self) -> list[int]:
        """A hash for every subtree, equal where labels are."""
        return self._hash_subtrees(self._label_hashes)

    @cached_property
    def hashes(self) -> list[int]:
        """A hash for every subtree, equal where labels, texts and addresses are."""
        return self.subtree_hashes(
            map(hash, self.all_texts),
            map(hash, self.links.values()),
            map(hash, self.images.values()),
        )

    def subtree_hashes(
        self, texts: Iterable[int], links: Iterable[int], images: Iterable[int]
    ) -> list[int]:
        """Return a hash for every subtree, equal where labels are and where the given
        hashes of texts and addresses are.
        """
        nodes = self._nodes_with_values
        values = _as_hashes(chain(texts, links, images), len(nodes))
        own = self._label_hashes.copy()
        own[nodes] ^= values * _MIX
        return self._hash_subtrees(own)

    @cached_property
    def _nodes_with_values(self) -> NDArray[np.int64]:
        """The page nodes that are texts, links and images."""
        return np.array([*self.text_nodes, *self.links, *self.images], dtype=np.int64)

    def _hash_subtrees(self, own: NDArray[np.uint64]) -> list[int]:
        """Return a polynomial over the slice of each subtree: differences of prefix
        sums, of which the position is divided out.
        """
        written = write_subtree_hashes(self._ends, own)
        if written is not None:
            found: list[int] = written.tolist()
            return found
        size = len(self)
        ends = self._ends
        subtree_sizes = (ends - np.arange(size)).view(np.uint64)
        own = own ^ (subtree_sizes * _BASE)
        own *= _MIX
        own ^= own >> np.uint64(29)

        powers, inverse_powers = _powers(size)
        sums = np.zeros(size + 1, dtype=np.uint64)
        np.cumsum(own * powers, out=sums[1:])
        slice_sums = sums[ends] - sums[:-1]
        hashes = slice_sums * inverse_powers
        signed: list[int] = hashes.view(np.int64).tolist()
        return signed

    def children(self, page_node: int) -> list[int]:
        """Return the children of a page node in order."""
        return children_of(self.ends, page_node)

    @cached_property
    def _leading_parts(self) -> list[str]:
        """The label that each text begins with, or the text where it has none."""
        parts = self.all_texts.copy()
        for number, label in self.text_labels.items():
            parts[number] = label
        return parts

    @cached_property
    def leading_texts(self) -> list[str]:
        """What every page node begins with: its first text, or the label that this
        begins with.
        """
        parts = [*self._leading_parts, ""]
        return list(map(parts.__getitem__, self._first_texts.tolist()))

    @cached_property
    def has_more(self) -> list[bool]:
        """Whether there is more in a page node than its leading text."""
        goes_on = np.zeros(len(self.all_texts) + 1, dtype=bool)
        for number, label in self.text_labels.items():
            goes_on[number] = len(label) < len(self.all_texts[number])
        first_goes_on = goes_on[self._first_texts]
        text_counts = self._texts_before[self._ends] - self._texts_before[:-1]
        has_several = text_counts > 1
        has_more: list[bool] = (has_several | first_goes_on).tolist()
        return has_more

    @cached_property
    def _first_texts(self) -> NDArray[np.int64]:
        """The number of the first text in every page node; one beyond the last text
        where there is none.
        """
        first = self._texts_before[:-1]
        has_text = first < self._texts_before[self._ends]
        return np.where(has_text, first, len(self.all_texts))

    def has_text(self, page_node: int, text: str) -> bool:
        """Return whether a text of a subtree is this one, or begins with it as a label."""
        first = self.texts_before[page_node]
        last = self.texts_before[self.ends[page_node]]
        if text in self._leading_parts[first:last]:
            return True
        return text in self.all_texts[first:last]

    def child_labels(self, page_node: int) -> set[str]:
        """Return the labels that the children of a page node have."""
        return {self.labels[child] for child in self.children(page_node)}

    def whole_text(self, page_node: int) -> str:
        """Return all texts of a subtree, parted by spaces."""
        first = self.texts_before[page_node]
        last = self.texts_before[self.ends[page_node]]
        return " ".join(self.all_texts[first:last])

    def text_count(self, page_node: int) -> int:
        """Return how many texts a subtree has."""
        first = self.texts_before[page_node]
        last = self.texts_before[self.ends[page_node]]
        return last - first

    @property
    def fingerprint(self) -> str:
        """The same in every process for pages of the same labels and texts."""
        content = "\0".join([*self.labels, *self.all_texts])
        encoded = content.encode("utf-8", "surrogatepass")
        return blake2b(encoded, digest_size=8).hexdigest()


def _as_hashes(numbers: Iterable[int], count: int) -> NDArray[np.uint64]:
    signed = np.fromiter(numbers, dtype=np.int64, count=count)
    return signed.view(np.uint64)


@lru_cache(maxsize=1)
def _power_table(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    base = int(_BASE) | 1
    inverse = pow(base, -1, 1 << 64)
    powers = np.full(size, base, dtype=np.uint64)
    inverses = np.full(size, inverse, dtype=np.uint64)
    powers[0] = inverses[0] = 1
    return np.cumprod(powers, dtype=np.uint64), np.cumprod(inverses, dtype=np.uint64)


def _powers(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return powers of an odd number and of its inverse, modulo 2 ** 64; tables grow by
    doubling.
    """
    table_size = 1 << max(_MIN_TABLE_BITS, size.bit_length())
    powers, inverses = _power_table(table_size)
    return powers[:size], inverses[:size]
