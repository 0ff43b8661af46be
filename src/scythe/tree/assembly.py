"""A tree put together from parts of another: what a page says, in a structure that the
page does not have.

The parts are copied, node for node, under elements of the assembly's own. Attributes
are still read from the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TEXT, code
from scythe.tree.tree import Bools, Tree

_OWN = -1
"""The origin of a node that is not from the page."""


@dataclass(frozen=True, eq=False)
class AssembledAttributes:
    """The attributes of copied nodes; elements of the assembly have none."""

    page: Tree
    origin: NDArray[np.int64]

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element."""
        origin = int(self.origin[node])
        return {} if origin == _OWN else self.page.attributes(origin)

    def with_attribute(self, name: str) -> Mapping[int, str]:
        """Return the nodes that have an attribute, in document order, with its value."""
        values = self.page.with_attribute(name)
        found = {}
        for node, origin in enumerate(self.origin.tolist()):
            value = values.get(origin)
            if value is not None:
                found[node] = value
        return found

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        origins = self.origin[np.array(elements, dtype=np.int64)]
        copied = origins[origins != _OWN].tolist()
        copied_values = iter(self.page.attribute_values(name, copied))

        values: list[str | None] = []
        for origin in origins.tolist():
            value = None if origin == _OWN else next(copied_values)
            values.append(value)
        return values

    def all_values(self, name: str) -> Sequence[str]:
        """Return the values of an attribute on the whole page."""
        return self.page.source.all_values(name)


@dataclass(eq=False)
class TreeAssembly:
    """A tree in the making: elements are opened and closed, parts of the page added."""

    page: Tree
    _tags: list[NDArray[np.int16]] = field(default_factory=list)
    _parents: list[NDArray[np.int64]] = field(default_factory=list)
    _ends: list[NDArray[np.int64]] = field(default_factory=list)
    _depths: list[NDArray[np.int64]] = field(default_factory=list)
    _texts: list[NDArray[np.object_]] = field(default_factory=list)
    _origins: list[NDArray[np.int64]] = field(default_factory=list)
    _chosen: list[Bools] = field(default_factory=list)
    _open: list[tuple[int, NDArray[np.int64]]] = field(default_factory=list)
    _size: int = 0

    def open(self, name: str) -> None:
        """Begin an element."""
        end = self._add_node(code(name), "", is_chosen=False)
        self._open.append((self._size - 1, end))

    def close(self) -> None:
        """End the element that was opened last."""
        _, end = self._open.pop()
        end[0] = self._size

    def add_text(self, text: str) -> None:
        """Add a text that is chosen."""
        self._add_node(TEXT, text, is_chosen=True)

    def _add_node(self, tag: int, text: str, *, is_chosen: bool) -> NDArray[np.int64]:
        end = np.array([self._size + 1])
        texts = np.empty(1, dtype=object)
        texts[0] = text
        self._tags.append(np.array([tag], dtype=np.int16))
        self._parents.append(np.array([self._parent]))
        self._ends.append(end)
        self._depths.append(np.array([len(self._open)]))
        self._texts.append(texts)
        self._origins.append(np.array([_OWN]))
        self._chosen.append(np.array([is_chosen]))
        self._size += 1
        return end

    @property
    def _parent(self) -> int:
        return self._open[-1][0] if self._open else -1

    def add_part(
        self,
        start: int,
        stop: int,
        chosen: Bools,
        names: Mapping[int, str] | None = None,
    ) -> None:
        """Add the nodes start..stop of the page, one subtree or several side by side.
        `chosen` is a mask over the page, `names` gives elements another tag.
        """
        page = self.page
        part = slice(start, stop)
        shift = self._size - start
        tags = page.tag[part].copy()
        for node, name in (names or {}).items():
            tags[node - start] = code(name)
        parents = page.parent[part].astype(np.int64)
        is_top = parents < start
        depths = page.depth[part].astype(np.int64)
        ends = page.end[part].astype(np.int64)
        shifted_parents = parents + shift
        top_depth = len(self._open)
        self._tags.append(tags)
        self._parents.append(np.where(is_top, self._parent, shifted_parents))
        self._ends.append(ends + shift)
        self._depths.append(depths - depths[0] + top_depth)
        self._texts.append(page.text[part])
        self._origins.append(np.arange(start, stop))
        self._chosen.append(chosen[part])
        self._size += stop - start

    def finish(self) -> tuple[Tree, Bools]:
        """Return the tree and which of its nodes are chosen; every element is closed."""
        while self._open:
            self.close()
        origins = np.concatenate(self._origins)
        tree = Tree(
            tag=np.concatenate(self._tags),
            parent=np.concatenate(self._parents).astype(np.int32),
            end=np.concatenate(self._ends).astype(np.int32),
            depth=np.concatenate(self._depths).astype(np.int32),
            text=np.concatenate(self._texts),
            source=AssembledAttributes(self.page, origins),
            extra_names=self.page.extra_names,
            encoding=self.page.encoding,
            cut=self.page.cut,
        )
        return tree, np.concatenate(self._chosen)
