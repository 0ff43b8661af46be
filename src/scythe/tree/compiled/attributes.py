"""Attributes of a tree by the compiled core, found as the reference finds them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block
from scythe.tree.compiled.words import FoundWords
from scythe.tree.tags import PLAIN_NAME, TEXT

_CAPITAL = re.compile("[A-Z]")


_MANY = 100
"""Elements that are asked for one by one, before the attributes of all are made."""


@dataclass(eq=False)
class BlockAttributes:
    """Attributes read from the core's arrays when they are asked for."""

    block: Block
    _asked: int = 0
    """Elements whose attributes were made one by one."""

    @cached_property
    def text(self) -> NDArray[np.object_]:
        """The text of every node, empty for what is no text."""
        block = self.block
        texts = block.texts
        column = np.full(len(block.tag), "", dtype=object)
        column[block.tag == TEXT] = np.fromiter(texts, dtype=object, count=len(texts))
        return column

    def texts(self, nodes: NDArray[np.integer]) -> list[str]:
        """Return the texts of some text nodes, in document order."""
        return self.block.texts_at(self.block.texts_before[nodes])

    def long_text_nodes(self, length: float) -> list[int]:
        """Return the text nodes of more bytes: no fewer than they have characters."""
        numbers = self.block.long_texts(length)
        nodes: list[int] = self._text_nodes[numbers].tolist() if len(numbers) else []
        return nodes

    def texts_between(self, start: int, stop: int) -> list[str]:
        """Return the texts of the text nodes from one node to another."""
        before = self.block.texts_before
        if start >= stop:
            return []
        first = int(before[start])
        last = self.block.text_count
        if stop < len(before):
            last = int(before[stop])
        return self.block.texts_between(first, last)

    def with_texts(
        self, nodes: NDArray[np.integer], texts: Sequence[str]
    ) -> BlockAttributes:
        """Return the attributes of the page with other texts in some text nodes."""
        block = self.block.with_texts(self.block.texts_before[nodes], texts)
        changed = BlockAttributes(block)
        for shared in ("_text_nodes", "_found_words", "_found"):
            vars(changed)[shared] = getattr(self, shared)
        return changed

    def text_nodes_with(self, sign: str) -> NDArray[np.int64]:
        """Return the text nodes that have a sign."""
        return self._text_nodes[self.block.texts_with(sign)]

    @cached_property
    def _text_nodes(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.block.tag == TEXT)

    @cached_property
    def _found_words(self) -> dict[str, FoundWords]:
        return {}

    @cached_property
    def _bounds(self) -> list[int]:
        """Where the attributes of each node begin, and those of the last end."""
        nodes = np.arange(len(self.block.tag) + 1)
        bounds: list[int] = np.searchsorted(self.block.attribute_node, nodes).tolist()
        return bounds

    @cached_property
    def _lower_names(self) -> list[str]:
        """The names of attributes in lower case."""
        return list(map(_ascii_lower, self.block.attribute_names))

    @cached_property
    def _has_capitals(self) -> bool:
        return self._lower_names != self.block.attribute_names

    @cached_property
    def _name_numbers(self) -> list[int]:
        numbers: list[int] = self.block.attribute_name.tolist()
        return numbers

    @cached_property
    def _number_of_name(self) -> dict[str, int]:
        names = self.block.attribute_names
        return dict(zip(names, range(len(names)), strict=True))

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element, valueless ones as the empty string."""
        if self._asked < _MANY:
            self._asked += 1
            start = bisect_left(self.block.attribute_node.data, node)
            stop = bisect_right(self.block.attribute_node.data, node, start)
            values = self.block.values_between(start, stop)
            numbers = self.block.attribute_name[start:stop].tolist()
            return self._element(numbers, values)
        start, stop = self._bounds[node : node + 2]
        values = self.block.values[start:stop]
        return self._element(self._name_numbers[start:stop], values)

    def attributes_of(self, elements: Sequence[int]) -> list[dict[str, str]]:
        """Return the attributes of each of some elements, by names in lower case."""
        nodes = np.array(elements, dtype=np.int32)
        starts = np.searchsorted(self.block.attribute_node, nodes)
        stops = np.searchsorted(self.block.attribute_node, nodes, side="right")
        counts = stops - starts
        lasts = np.cumsum(counts)
        positions = np.arange(counts.sum())
        positions += np.repeat(stops - lasts, counts)
        values = self.block.values_at(positions)
        numbers = self.block.attribute_name[positions].tolist()
        names = list(map(self._lower_names.__getitem__, numbers))
        found = []
        for start, stop in pairwise([0, *lasts.tolist()]):
            pairs = zip(names[start:stop], values[start:stop], strict=True)
            found.append(dict(pairs))
        return found

    def _element(self, numbers: list[int], values: list[str]) -> Mapping[str, str]:
        lower_names = map(self._lower_names.__getitem__, numbers)
        by_lower_name = dict(zip(lower_names, values, strict=True))
        if not self._has_capitals:
            return BlockElementAttributes(by_lower_name, by_lower_name)
        names = map(self.block.attribute_names.__getitem__, numbers)
        by_name = dict(zip(names, values, strict=True))
        return BlockElementAttributes(by_name, by_lower_name)

    def with_attribute(self, name: str) -> dict[int, str]:
        """Return the nodes that have an attribute, in document order, with its value."""
        return self._with_numbers(self._numbers(name))

    def all_values(self, name: str) -> list[str]:
        """Return the values of an attribute."""
        return list(self.with_attribute(name).values())

    def with_words(self, name: str, words: tuple[str, ...]) -> dict[int, str] | None:
        """Return the nodes whose attribute has one of the words, in lower case or
        capitals, with the value; None where that is left to the reference.
        """
        positions = self._positions_with(name, words)
        return None if positions is None else self._values_at(positions)

    def nodes_with_words(self, name: str, words: tuple[str, ...]) -> list[int] | None:
        """Return the nodes whose attribute has one of the words; None where that is left
        to the reference.
        """
        positions = self._positions_with(name, words)
        if positions is None:
            return None
        nodes: list[int] = self.block.attribute_node[positions].tolist()
        return nodes

    def _positions_with(
        self, name: str, words: tuple[str, ...]
    ) -> NDArray[np.int64] | None:
        found = self._found_words.get(name)
        if found is None:
            if not PLAIN_NAME.fullmatch(name):
                return None
            found = self._found_words[name] = FoundWords(self.block, name)
        return found.positions(words)

    def _numbers(self, name: str) -> tuple[int, ...]:
        if PLAIN_NAME.fullmatch(name):
            # As the reference, which asks a selector for such names.
            number = self._number_of_name.get(name)
            return () if number is None else (number,)
        return self._numbers_in_any_case(name)

    def _numbers_in_any_case(self, name: str) -> tuple[int, ...]:
        """Return the numbers of a name: SVG writes some with capitals."""
        lower = _ascii_lower(name)
        if not self._has_capitals:
            number = self._number_of_name.get(lower)
            return () if number is None else (number,)
        names = enumerate(self._lower_names)
        return tuple(number for number, known in names if known == lower)

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        if not elements:
            return []
        numbers = self._numbers_in_any_case(name)
        if numbers in self._found:
            known = self._with_numbers(numbers)
            return list(map(known.get, elements))

        nodes = self.block.attribute_node
        bounds = np.array((min(elements), max(elements) + 1), dtype=nodes.dtype)
        start, stop = nodes.searchsorted(bounds).tolist()
        is_most_of_the_page = 2 * (stop - start) > len(nodes)
        if is_most_of_the_page:
            known = self._with_numbers(numbers)
        else:
            known = self._search(numbers, start, stop)
        return list(map(known.get, elements))

    @cached_property
    def _found(self) -> dict[tuple[int, ...], dict[int, str]]:
        return {}

    def _with_numbers(self, numbers: tuple[int, ...]) -> dict[int, str]:
        """Return the nodes that have an attribute of one of the names, with its value.
        Records ask for the same one again and again: the page is searched once.
        """
        if numbers not in self._found:
            self._found[numbers] = self._search(numbers)
        return self._found[numbers]

    def _search(
        self, numbers: tuple[int, ...], start: int = 0, stop: int | None = None
    ) -> dict[int, str]:
        """Return the same of the attributes from one position to another."""
        if not numbers:
            return {}
        names = self.block.attribute_name[start:stop]
        is_named = names == numbers[0]
        for number in numbers[1:]:
            is_named |= names == number
        return self._values_at(np.flatnonzero(is_named) + start)

    def _values_at(self, positions: NDArray[np.int64]) -> dict[int, str]:
        if not len(positions):
            return {}
        nodes = self.block.attribute_node[positions].tolist()
        return dict(zip(nodes, self.block.values_at(positions), strict=True))


class BlockElementAttributes(Mapping[str, str]):
    """The attributes of one element; as with the reference, capitals do not count where
    one is looked up.
    """

    __slots__ = ("_by_lower_name", "_values")

    def __init__(self, values: dict[str, str], by_lower_name: dict[str, str]) -> None:
        self._values = values
        self._by_lower_name = by_lower_name

    def __getitem__(self, name: str) -> str:
        return self._by_lower_name[_ascii_lower(name)]

    def get(self, name: str, default: Any = None, /) -> Any:
        """Return what any mapping does, without the cost of an exception for each
        attribute that is absent.
        """
        values = self._by_lower_name
        if name in values or name.islower():
            return values.get(name, default)
        return values.get(_ascii_lower(name), default)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _ascii_lower(name) in self._by_lower_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def _ascii_lower(name: str) -> str:
    if name.islower() or not _CAPITAL.search(name):
        return name
    return _CAPITAL.sub(lambda letter: letter[0].lower(), name)
