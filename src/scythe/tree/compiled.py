"""HTML to `Tree` by the compiled core, where there is one.

`scythe.tree.parse` is the reference: the same tree, node for node.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.core import Block, parse_block
from scythe.tree.encoding import PageText
from scythe.tree.limits import Limits
from scythe.tree.structure import flatten_below
from scythe.tree.tags import TEXT
from scythe.tree.tree import Ints, Tree

_CAPITAL = re.compile("[A-Z]")


def compiled_tree(page: PageText, limits: Limits) -> Tree | None:
    """Return the tree of a page; None where there is no core, or it leaves the page to
    the reference.
    """
    block = parse_block(page.utf8(), limits.max_nodes)
    if block is None:
        return None
    cut = list(page.cut)
    if block.is_cut:
        cut.append("nodes")
    parent, end, depth = block.parent, block.end, block.depth
    if block.max_depth > limits.max_depth:
        parent, end, depth = parent.copy(), end.copy(), depth.copy()
        flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")
    return Tree(
        tag=block.tag,
        parent=parent,
        end=end,
        depth=depth,
        text=_text_column(block),
        source=BlockAttributes(block),
        extra_names=block.extra_names,
        encoding=page.encoding,
        cut=tuple(cut),
    )


def _text_column(block: Block) -> NDArray[np.object_]:
    """Return the text of every node, empty for what is no text."""
    texts = block.texts
    column = np.full(len(block.tag), "", dtype=object)
    column[block.tag == TEXT] = np.fromiter(texts, dtype=object, count=len(texts))
    return column


@dataclass(frozen=True, eq=False)
class BlockAttributes:
    """Attributes read from the core's arrays when they are asked for."""

    block: Block

    @cached_property
    def _bounds(self) -> Ints:
        """Where the attributes of each node begin, and those of the last end."""
        nodes = np.arange(len(self.block.tag) + 1)
        bounds: Ints = np.searchsorted(self.block.attribute_node, nodes).astype(np.int32)
        return bounds

    @cached_property
    def _ids(self) -> dict[str, list[int]]:
        """The indexes of each name in lower case: SVG writes some with capitals."""
        ids: dict[str, list[int]] = {}
        for number, name in enumerate(self.block.attribute_names):
            ids.setdefault(_ascii_lower(name), []).append(number)
        return ids

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element, valueless ones as the empty string."""
        start, stop = self._bounds[node : node + 2].tolist()
        numbers = self.block.attribute_name[start:stop].tolist()
        names = [self.block.attribute_names[number] for number in numbers]
        return dict(zip(names, self.block.values[start:stop], strict=True))

    def with_attribute(self, name: str) -> dict[int, str]:
        """Return the nodes that have an attribute, in document order, with its value."""
        places = self._places(name)
        nodes = self.block.attribute_node[places].tolist()
        values = self.block.values
        return {
            node: values[place] for node, place in zip(nodes, places.tolist(), strict=True)
        }

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        return list(map(self.with_attribute(name).get, elements))

    def _places(self, name: str) -> NDArray[np.int64]:
        """Return which attributes have a name."""
        ids = self._ids.get(_ascii_lower(name), [])
        if len(ids) == 1:
            return np.flatnonzero(self.block.attribute_name == ids[0])
        return np.flatnonzero(np.isin(self.block.attribute_name, ids))


def _ascii_lower(name: str) -> str:
    return _CAPITAL.sub(lambda letter: letter[0].lower(), name)
