"""Microdata of a page in the shape of JSON-LD, so that one reader serves both.

An item is a dict with `@type` (the `itemtype`, a list where there are several), `@id`
(the `itemid`) and its properties under their original names; a property that occurs
more than once has a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scythe.content.metadata.jsonld import Item
from scythe.tree.text import line_borders
from scythe.tree.tree import Ints, Tree

MAX_PROPERTIES = 10_000
"""Properties read of a page; the wcxb page with the most has 600."""
MAX_TEXT = 200_000
"""Characters of all property texts of a page. Items nested in each other would repeat
their text at every level.
"""
MAX_NODES = 500_000
"""Nodes that are gone through for them, for the same reason: elements nested without a
text use up no characters.
"""
MAX_DEPTH = 64
MAX_NAMES = 8
MAX_REGIONS = 100
"""Levels of nesting, names of one property and regions that `itemref` names: caps
against hostile pages, not tuned.
"""

_VALUE_ATTRIBUTE = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(
        ("audio", "embed", "iframe", "img", "source", "track", "video"), "src"
    ),
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}


def read_microdata(tree: Tree, *, lines: bool = False) -> list[Item]:
    """Return the top-level items of a page in document order. Nesting, properties and
    text are bounded.

    With `lines`, a text has a line break wherever a browser would begin a new line, so
    that a list is not run together.
    """
    scopes = list(tree.with_attribute("itemscope"))[:MAX_PROPERTIES]
    if not scopes:
        return []
    properties = [
        node for node, value in tree.with_attribute("itemprop").items() if value
    ]
    borders = line_borders(tree) if lines else None
    reader = _MicrodataReader(tree, scopes, borders)
    reader.read(properties[:MAX_PROPERTIES])
    return reader.items


class _Region(NamedTuple):
    """An element that `itemref` makes part of an item elsewhere."""

    first: int
    end: int
    item: Item


class _MicrodataReader:
    """One pass over scopes and properties in document order, with the stack of the
    scopes that are open there.
    """

    def __init__(self, tree: Tree, scopes: list[int], borders: Ints | None) -> None:
        self.tree = tree
        self.borders = borders
        self.text_left = MAX_TEXT
        self.nodes_left = MAX_NODES
        self.items: list[Item] = []
        self.scope_items: dict[int, Item] = {}
        self.item_by_reference: dict[str, Item] = {}
        for node, attributes in zip(scopes, tree.attributes_of(scopes), strict=True):
            item = self.scope_items[node] = _new_item(attributes)
            references = attributes.get("itemref", "").split()[:MAX_NAMES]
            self.item_by_reference.update(dict.fromkeys(references, item))
        self.regions = self._referenced_regions()

    def read(self, properties: list[int]) -> None:
        """Fill the items with their properties, and collect those at the top level."""
        end, scope_items = self.tree.end, self.scope_items
        columns = zip(properties, self.tree.attributes_of(properties), strict=True)
        attributes_of = dict(columns)
        open_scopes: list[int] = []
        for node in sorted({*properties, *scope_items}):
            while open_scopes and node >= end[open_scopes[-1]]:
                open_scopes.pop()
            owner = None
            if open_scopes:
                owner = scope_items[open_scopes[-1]]
            own_item = None
            if len(open_scopes) < MAX_DEPTH:
                own_item = scope_items.get(node)

            attributes = attributes_of.get(node)
            if attributes is not None:
                if owner is None and own_item is None:
                    owner = self._referring_item(node)
                if owner is not None:
                    value: Item | str | None = own_item
                    if value is None:
                        value = self._plain_value(node, attributes)
                    _add_property(owner, attributes["itemprop"], value)

            if own_item is not None:
                open_scopes.append(node)
                if owner is None or attributes is None:
                    self.items.append(own_item)

    def _plain_value(self, node: int, attributes: Mapping[str, str]) -> str:
        # The standard knows `content` on <meta> only; schema.org and the search engines
        # read it on every element.
        value_attribute = _VALUE_ATTRIBUTE.get(self.tree.name(node), "")
        for name in ("content", value_attribute):
            value = attributes.get(name)
            if value is not None:
                return value.strip()

        lines = []
        for texts in self._text_lines(node):
            line = "".join(texts)[: self.text_left]
            lines.append(" ".join(line.split()))
        filled = [line for line in lines if line]
        text = "\n".join(filled)[: max(self.text_left, 0)]
        self.text_left -= len(text)
        return text

    def _text_lines(self, node: int) -> list[list[str]]:
        """Return the texts under a node, line by line where line borders are known."""
        tree = self.tree
        stop = int(tree.end[node])
        if self.nodes_left <= 0:
            return []
        self.nodes_left -= stop - node
        if self.borders is None:
            return [tree.texts_between(node, stop)]

        is_text = tree.is_text[node:stop]
        text_nodes = np.flatnonzero(is_text) + node
        texts = tree.texts(text_nodes)
        if len(texts) < 2:
            return [texts]

        line_numbers = self.borders[text_nodes]
        cuts = np.flatnonzero(np.diff(line_numbers)) + 1
        bounds = [0, *cuts.tolist(), len(texts)]
        return [texts[start:stop] for start, stop in pairwise(bounds)]

    def _referenced_regions(self) -> list[_Region]:
        item_by_id = self.item_by_reference
        if not item_by_id:
            return []

        regions = []
        for node, identifier in self.tree.with_attribute("id").items():
            if identifier in item_by_id:
                end = int(self.tree.end[node])
                regions.append(_Region(node, end, item_by_id[identifier]))
        return regions[:MAX_REGIONS]

    def _referring_item(self, node: int) -> Item | None:
        """Return the item that refers to a property outside all items. Only plain
        values follow: items could form a circle.
        """
        for region in self.regions:
            if region.first <= node < region.end:
                return region.item
        return None


def _add_property(owner: Item, names: str, value: Item | str) -> None:
    for name in names.split()[:MAX_NAMES]:
        present = owner.get(name)
        if present is None:
            owner[name] = value
        elif isinstance(present, list):
            present.append(value)
        else:
            owner[name] = [present, value]


def _new_item(attributes: Mapping[str, str]) -> Item:
    item: Item = {}
    types = attributes.get("itemtype", "").split()
    if types:
        item["@type"] = types[0] if len(types) == 1 else types
    identifier = attributes.get("itemid")
    if identifier:
        item["@id"] = identifier
    return item
