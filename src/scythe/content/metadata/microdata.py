"""Microdata of a page in the shape of JSON-LD, so that one reader serves both.

An item is a dict with `@type` (the `itemtype`, a list where there are several), `@id`
(the `itemid`) and its properties under their original names; a property that occurs
more than once has a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

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
MAX_DEPTH = 64

MAX_NAMES = 8
MAX_REGIONS = 100

_VALUE_ATTRIBUTE = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(
        ("audio", "embed", "iframe", "img", "source", "track", "video"), "src"
    ),
    "object": "data",
    "data": "value",
    "meter": "value",
}


def read_microdata(tree: Tree, *, lines: bool = False) -> list[Item]:
    """The top-level items of a page in document order. Nesting, properties and text are
    bounded.

    With `lines`, a text has a line break wherever a browser would begin a new line, so
    that a list is not run together.
    """
    scopes = list(tree.with_attribute("itemscope"))[:MAX_PROPERTIES]
    if not scopes:
        return []
    properties = [
        node for node, value in tree.with_attribute("itemprop").items() if value
    ][:MAX_PROPERTIES]
    return _Reader(
        tree, scopes, properties, line_borders(tree) if lines else None
    ).items


class _Reader:
    """One pass over scopes and properties in document order, with the stack of scopes
    that are open at that place.
    """

    def __init__(
        self, tree: Tree, scopes: list[int], properties: list[int], borders: Ints | None
    ) -> None:
        self.tree, self.borders = tree, borders
        self.text_left = MAX_TEXT
        self.items: list[Item] = []
        self.of_scope = {node: _new_item(tree.attributes(node)) for node in scopes}
        self.referenced = self._referenced_regions()
        is_property = set(properties)
        open_scopes: list[int] = []
        for node in sorted(is_property.union(scopes)):
            while open_scopes and node >= tree.end[open_scopes[-1]]:
                open_scopes.pop()
            owner = self.of_scope[open_scopes[-1]] if open_scopes else None
            own = self.of_scope.get(node) if len(open_scopes) < MAX_DEPTH else None
            if node in is_property:
                owner = self._referrer(node) if owner is None and own is None else owner
                self._add_property(node, owner, own)
            if own is not None:
                open_scopes.append(node)
                if owner is None or node not in is_property:
                    self.items.append(own)

    def _add_property(self, node: int, owner: Item | None, own: Item | None) -> None:
        if owner is None:
            return
        attributes = self.tree.attributes(node)
        value = self._plain_value(node, attributes) if own is None else own
        for name in attributes["itemprop"].split()[:MAX_NAMES]:
            held = owner.get(name)
            if held is None:
                owner[name] = value
            elif isinstance(held, list):
                held.append(value)
            else:
                owner[name] = [held, value]

    def _plain_value(self, node: int, attributes: Mapping[str, str]) -> str:
        name = self.tree.name(node)
        # The standard knows `content` on <meta> only; schema.org and the search engines
        # read it on every element.
        for candidate in (
            "content",
            "datetime" if name == "time" else "",
            _VALUE_ATTRIBUTE.get(name, ""),
        ):
            if (value := attributes.get(candidate)) is not None:
                return value.strip()
        inside = slice(node, self.tree.end[node])
        texts = self.tree.text[inside][self.tree.is_text[inside]].tolist()
        runs = [texts]
        if self.borders is not None and len(texts) > 1:
            cuts = (
                np.flatnonzero(np.diff(self.borders[inside][self.tree.is_text[inside]]))
                + 1
            )
            runs = [
                texts[start:stop]
                for start, stop in pairwise([0, *cuts.tolist(), len(texts)])
            ]
        lines = (" ".join("".join(run)[: self.text_left].split()) for run in runs)
        text = "\n".join(filter(None, lines))[: max(self.text_left, 0)]
        self.text_left -= len(text)
        return text

    def _referenced_regions(self) -> list[tuple[int, int, Item]]:
        """The elements that `itemref` makes part of an item elsewhere, as (first node,
        end, item).
        """
        wanted = {
            identity: item
            for node, item in self.of_scope.items()
            for identity in self.tree.attributes(node)
            .get("itemref", "")
            .split()[:MAX_NAMES]
        }
        if not wanted:
            return []
        ids = self.tree.with_attribute("id").items()
        regions = [
            (node, int(self.tree.end[node]), wanted[name])
            for node, name in ids
            if name in wanted
        ]
        return regions[:MAX_REGIONS]

    def _referrer(self, node: int) -> Item | None:
        """The item that refers to a property outside all items. Only plain values
        follow: items could form a circle.
        """
        return next(
            (item for first, end, item in self.referenced if first <= node < end), None
        )


def _new_item(attributes: Mapping[str, str]) -> Item:
    item: Item = {}
    if names := attributes.get("itemtype", "").split():
        item["@type"] = names[0] if len(names) == 1 else names
    if identity := attributes.get("itemid"):
        item["@id"] = identity
    return item
