"""Attributes of a tree by the compiled core, found as the reference finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.core.block import Block

PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")
"""Attribute names that can stand in a selector as they are."""
_CAPITAL = re.compile("[A-Z]")


@dataclass(frozen=True, eq=False)
class BlockAttributes:
    """Attributes read from the core's arrays when they are asked for."""

    block: Block
    text: NDArray[np.object_]
    """The texts of the tree, as they were parsed."""

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
    def _numbers_of_name(self) -> dict[str, list[int]]:
        """The numbers of each name in lower case: SVG writes some with capitals."""
        numbers: dict[str, list[int]] = {}
        for number, name in enumerate(self._lower_names):
            numbers.setdefault(name, []).append(number)
        return numbers

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element, valueless ones as the empty string."""
        start, stop = self._bounds[node : node + 2]
        values = self.block.values[start:stop]
        numbers = self._name_numbers[start:stop]
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

    def _numbers(self, name: str) -> tuple[int, ...]:
        numbers = self._numbers_of_name.get(_ascii_lower(name), ())
        if PLAIN_NAME.fullmatch(name):
            # As the reference, which asks a selector for such names.
            names = self.block.attribute_names
            return tuple([number for number in numbers if names[number] == name])
        return tuple(numbers)

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        numbers = tuple(self._numbers_of_name.get(_ascii_lower(name), ()))
        return list(map(self._with_numbers(numbers).get, elements))

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

    def _search(self, numbers: tuple[int, ...]) -> dict[int, str]:
        names = self.block.attribute_name
        is_named = np.zeros(len(names), dtype=bool)
        for number in numbers:
            is_named |= names == number
        positions = np.flatnonzero(is_named)
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
        return self._by_lower_name.get(_ascii_lower(name), default)

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
