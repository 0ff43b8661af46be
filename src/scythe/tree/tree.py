"""The page as data: a flat tree in document order.

Every algorithm here asks the same questions of a page: what is under this node, how
much text, how many links, which path leads here. With nodes in document order, node i's
subtree is the slice i..end[i], and any subtree total is one prefix sum and two
look-ups. Nothing walks parser objects and nothing mutates a page: taking noise away is
a boolean mask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scythe.tree.layout import Layout
from scythe.tree.tags import CODES, KNOWN, TEXT, TagSet, known_or_last

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Value = TypeVar("Value")
_FEW_ROOTS = 12
"""Roots below which one slice each takes less time than sums over the whole page."""


class AttributeSource(Protocol):
    """Where a tree's attributes come from: the parser's nodes or the browser's
    snapshot, read only when they are asked for.
    """

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element."""

    def with_attribute(self, name: str) -> Mapping[int, str]:
        """Return the nodes that have an attribute, in document order, with its value."""

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""

    def all_values(self, name: str) -> Sequence[str]:
        """Return the values of an attribute, in any order; also those of elements that
        the tree left out, where they are not told apart for nothing.
        """


class AttributeText:
    """All values of an attribute of a page in one text, which is searched faster than
    the values are one by one.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self.size = len(values)
        self.text = "\n".join(values)
        if not self.text.isascii():
            values = [value.lower() for value in values]
            self.text = "\n".join(values)
        self.text = self.text.lower()
        self._values = values

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each value begins."""
        lengths = np.fromiter(map(len, self._values), dtype=np.int64, count=self.size)
        return np.cumsum(lengths + 1) - lengths - 1

    def with_words(self, words: Iterable[str]) -> list[int]:
        """Return the indices of the values that have one of the words."""
        found: list[int] = []
        for word in words:
            position = self.text.find(word)
            while position >= 0:
                found.append(position)
                position = self.text.find(word, position + 1)
        if not found:
            return []
        indices = np.searchsorted(self._starts, found, side="right") - 1
        return sorted(set(indices.tolist()))


@dataclass(frozen=True, eq=False)
class Tree:
    """A page as parallel arrays; index 0 is the root element `<html>`.

    `text[i]` is the text of a text node and `""` for an element. `box[i]` is (x, y,
    width, height) in pixels where the page was rendered, NaN where the browser drew
    none; `box` and `layout` are None where it was parsed. `cut` names the limits that
    the page exceeded.
    """

    tag: NDArray[np.int16]
    parent: Ints
    end: Ints
    depth: Ints
    text: NDArray[np.object_]
    source: AttributeSource = field(repr=False)
    extra_names: tuple[str, ...] = ()
    box: NDArray[np.float32] | None = None
    encoding: str | None = None
    cut: tuple[str, ...] = ()
    layout: Layout | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.tag)

    def name(self, node: int) -> str:
        """Return the tag name of a node; `#text` for text."""
        tag_code = int(self.tag[node])
        if tag_code < len(KNOWN):
            return KNOWN[tag_code]
        return self.extra_names[tag_code - len(KNOWN)]

    def code(self, name: str) -> int:
        """Return the code of a tag name on this page; -1, which no node has, where the
        page cannot have such a tag.
        """
        if name in CODES:
            return CODES[name]
        if name in self.extra_names:
            return len(KNOWN) + self.extra_names.index(name)
        return -1

    def elements(self, name: str) -> NDArray[np.intp]:
        """Return the elements with a tag of HTML's own, in document order."""
        return np.flatnonzero(self.tag == CODES[name])

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return the attributes of an element; none for text."""
        if self.tag[node] == TEXT:
            return {}
        return self.source.attributes(node)

    def attributes_of(self, elements: Sequence[int]) -> list[Mapping[str, str]]:
        """Return the attributes of each of some elements, to be asked for by names in
        lower case.
        """
        return list(map(self.source.attributes, elements))

    def attribute(self, name: str) -> list[str | None]:
        """Return one attribute of every node at once, None where it is absent."""
        column: list[str | None] = [None] * len(self)
        for node, value in self.source.with_attribute(name).items():
            column[node] = value
        return column

    def with_attribute(self, name: str) -> Mapping[int, str]:
        """Return the nodes that have an attribute, in document order, with its value.
        Several steps ask for the same one: the page is searched once.
        """
        found = self._found_attributes
        if name not in found:
            found[name] = self.source.with_attribute(name)
        return found[name]

    @cached_property
    def _found_attributes(self) -> dict[str, Mapping[int, str]]:
        return {}

    def with_words(self, name: str, words: Iterable[str]) -> dict[int, str]:
        """Return the nodes whose attribute has one of the words in its value, in lower
        case or capitals, with the value. What no value has costs next to nothing.
        """
        indices = self._attribute_text(name).with_words(words)
        if not indices:
            return {}
        items = list(self.with_attribute(name).items())
        if len(items) == self._attribute_text(name).size:
            return dict([items[index] for index in indices])
        found = {}
        for node, value in items:
            lower = value.lower()
            if any(word in lower for word in words):
                found[node] = value
        return found

    def nodes_with_words(self, name: str, words: Iterable[str]) -> list[int]:
        """Return the nodes of `with_words` without the values, which many steps need of
        few nodes or of none.
        """
        return list(self.with_words(name, words))

    def _attribute_text(self, name: str) -> AttributeText:
        texts = self._attribute_texts
        if name not in texts:
            texts[name] = AttributeText(self.source.all_values(name))
        return texts[name]

    @cached_property
    def _attribute_texts(self) -> dict[str, AttributeText]:
        return {}

    @cached_property
    def computed(self) -> dict[Callable[[Tree], Any], Any]:
        """What `once_per_tree` has computed of this tree."""
        return {}

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent: cheaper
        than `with_attribute` for most of a page.
        """
        return self.source.attribute_values(name, elements)

    def children(self, node: int) -> Iterator[int]:
        """Yield the child nodes in order."""
        child = node + 1
        stop = int(self.end[node])
        end = self.end
        while child < stop:
            yield child
            child = int(end[child])

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the nodes above a node: parent first, root last."""
        node = int(self.parent[node])
        while node >= 0:
            yield node
            node = int(self.parent[node])

    def contains(self, node: int, other: int) -> bool:
        """Return whether `other` is `node` or below it."""
        return node <= other < int(self.end[node])

    def first_element(self, name: str) -> int | None:
        """Return the first element of a known tag name in document order."""
        nodes = np.flatnonzero(self.has_tag(TagSet(name)))
        return int(nodes[0]) if len(nodes) else None

    def has_tag(self, tags: TagSet) -> Bools:
        """Return which nodes are elements of one of the tags."""
        return tags.mask_of_known(self._known_tag)

    @cached_property
    def _known_tag(self) -> NDArray[np.intp]:
        return known_or_last(self.tag)

    def has_any(self, tags: TagSet) -> bool:
        """Return whether the page has an element of one of the tags at all."""
        return not tags.codes.isdisjoint(self._tags)

    @cached_property
    def _tags(self) -> frozenset[int]:
        """The codes of the tags that occur on the page."""
        counts = np.bincount(self.tag)
        codes: list[int] = np.flatnonzero(counts).tolist()
        return frozenset(codes)

    def texts(self, nodes: NDArray[np.integer]) -> list[str]:
        """Return the texts of text nodes, given in document order: cheaper than `text`
        where few of them are needed.
        """
        texts: list[str] = self.text[nodes].tolist()
        return texts

    def long_texts(self, tags: TagSet, length: float) -> list[str]:
        """Return the texts of more characters that are all that an element of one of
        the tags holds.
        """
        if not self.has_any(tags):
            return []
        elements = np.flatnonzero(self.has_tag(tags))
        holds_one = self.end[elements] - elements == 2
        held = elements[holds_one] + 1
        texts = self.texts(held[self.is_text[held]])
        return [text for text in texts if len(text) > length]

    def texts_between(self, start: int, stop: int) -> list[str]:
        """Return the texts of the text nodes from one node to another."""
        is_text = self.is_text[start:stop]
        nodes = self.text[start:stop]
        texts: list[str] = nodes[is_text].tolist()
        return texts

    def text_below(self, node: int) -> str:
        """Return all text below a node, as it stands in the page."""
        stop = int(self.end[node])
        return "".join(self.texts_between(node, stop))

    def text_length(self, chosen: Bools) -> int:
        """Return the characters of the chosen texts."""
        nodes = np.flatnonzero(chosen & self.is_text)
        return sum(map(len, self.texts(nodes)))

    def nodes_with_text(
        self, sought: str, nodes: NDArray[np.integer]
    ) -> NDArray[np.integer]:
        """Return those of some text nodes that have a text in theirs."""
        texts = self.texts(nodes)
        return nodes[[sought in text for text in texts]] if texts else nodes

    def texts_with(self, sought: str, nodes: NDArray[np.integer]) -> list[str]:
        """Return the texts of those of some text nodes that have a text in theirs."""
        return self.texts(self.nodes_with_text(sought, nodes))

    def with_texts(self, nodes: NDArray[np.integer], texts: Sequence[str]) -> Tree:
        """Return the page with other texts in some of its text nodes."""
        text = self.text.copy()
        text[nodes] = texts
        changed = replace(self, text=text)
        for shared in ("_found_attributes", "_attribute_texts"):
            changed.__dict__[shared] = getattr(self, shared)
        return changed

    @cached_property
    def is_text(self) -> Bools:
        """Which nodes are text nodes."""
        return self.tag == TEXT

    @cached_property
    def starts(self) -> Ints:
        """The node numbers 0, 1, 2, ...: with `end`, the bounds of every subtree."""
        return np.arange(len(self), dtype=np.int32)

    def totals(self, values: NDArray[np.int32] | Bools) -> NDArray[np.int64]:
        """Return the sum of `values` over every subtree, the node itself included."""
        sums = prefix_sums(values)
        before = sums[:-1]
        through = sums[self.end]
        return through - before

    def subtree(self, node: int) -> Bools:
        """Return a node and all below it, as a mask."""
        inside = np.zeros(len(self), dtype=bool)
        inside[node : self.end[node]] = True
        return inside

    def below(self, roots: Bools) -> Bools:
        """Return which nodes are one of `roots` or lie under one."""
        nodes = np.flatnonzero(roots)
        ends = self.end[nodes]
        if len(nodes) <= _FEW_ROOTS:
            inside = np.zeros(len(self), dtype=bool)
            for node, end in zip(nodes.tolist(), ends.tolist(), strict=True):
                inside[node:end] = True
            return inside
        ended = np.bincount(ends, minlength=len(self) + 1)
        open_roots = np.cumsum(roots - ended[:-1])
        return open_roots > 0

    def above(self, nodes: Bools) -> Bools:
        """Return which nodes are one of `nodes` or have one below them."""
        return self.totals(nodes) > 0


def prefix_sums(values: NDArray[np.integer] | Bools) -> NDArray[np.int64]:
    """Return the running sums: sums[j] - sums[i] is the sum of values[i:j]."""
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def once_per_tree(compute: Callable[[Tree], Value]) -> Callable[[Tree], Value]:
    """Return a function of a tree whose value is computed once for each tree: several
    steps ask for it. They share arrays, which therefore cannot be written to.
    """

    @wraps(compute)
    def shared(tree: Tree) -> Value:
        computed = tree.computed
        if compute not in computed:
            value = compute(tree)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            computed[compute] = value
        found: Value = computed[compute]
        return found

    return shared
