"""Paths to a node: tag paths with directions and their compact form (ViNTs, sections 5.1
and 5.7), XPath and CSS.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection
from typing import Literal, NamedTuple

from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree


class PathNode(NamedTuple):
    """A step of a tag path: a tag, and whether the next step is its first child (C) or
    its next sibling (S).
    """

    tag: str
    direction: Literal["C", "S"]

    def __str__(self) -> str:
        return f"<{self.tag}>{self.direction}"


TagPath = tuple[PathNode, ...]
_XPATH_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_CSS_NAME = re.compile(r"[A-Za-z_][\w-]*")
_CSS_SPECIAL = re.compile(r"([^\w-])")


def tag_path(tree: Tree, node: int) -> TagPath:
    """Return the path from the root to a node, every elder sibling element on the way
    being a step of direction S.

    The node itself is not part of its path: as in ViNTs, the path of the first child of
    `<body>` ends in `<body>C`.
    """
    steps: list[PathNode] = []
    while (parent := int(tree.parent[node])) >= 0:
        elder_steps: list[PathNode] = []
        for child in tree.children(parent):
            if child >= node:
                break
            if tree.tag[child] != TEXT:
                elder_steps.append(PathNode(tree.name(child), "S"))
        steps.extend(reversed(elder_steps))
        steps.append(PathNode(tree.name(parent), "C"))
        node = parent
    return tuple(reversed(steps))


def compact_path(path: TagPath, separator_tags: Collection[str] = ()) -> TagPath:
    """Return a tag path without the steps that differ from page to page, by the three
    rules of ViNTs, section 5.7.

    Steps down (C) stay. A step sideways (S) stays if its tag is that of the next step
    down. Behind the last step down, those stay whose tag begins one of the wrapper's
    separators.
    """
    kept: list[PathNode] = []
    staying_tags = separator_tags
    for step in reversed(path):
        if step.direction == "C":
            staying_tags = (step.tag,)
            kept.append(step)
        elif step.tag in staying_tags:
            kept.append(step)
    return tuple(reversed(kept))


def format_path(path: TagPath) -> str:
    """Return a tag path as ViNTs writes it: `<html>C<head>S<body>C`."""
    return "".join(map(str, path))


class SiblingPositions:
    """Where nodes stand among siblings of their tag. The children of a node are gone
    through once, however many of them are asked for.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[int, dict[int, int]] = {}

    def position(self, node: int) -> int | None:
        """Return the position of a node from 1 on, None where it has no like."""
        parent = int(self._tree.parent[node])
        if parent < 0:
            return None
        if parent not in self._known:
            self._known[parent] = self._positions(parent)
        return self._known[parent].get(node)

    def _positions(self, parent: int) -> dict[int, int]:
        by_tag: defaultdict[int, list[int]] = defaultdict(list)
        for child in self._tree.children(parent):
            tag = int(self._tree.tag[child])
            by_tag[tag].append(child)

        positions: dict[int, int] = {}
        for alike in by_tag.values():
            if len(alike) > 1:
                numbered = zip(alike, range(1, len(alike) + 1), strict=True)
                positions.update(numbered)
        return positions


def node_xpath(tree: Tree, node: int, positions: SiblingPositions | None = None) -> str:
    """Return the absolute XPath of a node, by position among siblings of the same tag;
    for many nodes of a page, give the same `positions`.
    """
    positions = positions or SiblingPositions(tree)
    steps = []
    while node >= 0:
        step = _xpath_test(tree.name(node))
        position = positions.position(node)
        if position is not None:
            step += f"[{position}]"
        steps.append(step)
        node = int(tree.parent[node])
    return "/" + "/".join(reversed(steps))


def _xpath_test(name: str) -> str:
    if name == "#text":
        return "text()"
    return name if _XPATH_NAME.fullmatch(name) else f"*[name()={name!r}]"


def css_path(tree: Tree, node: int) -> str:
    """Return a CSS selector that matches this element and no other; it begins at the
    nearest `id` that is unique on the page.
    """
    if tree.tag[node] == TEXT:
        node = int(tree.parent[node])
    ids = tree.with_attribute("id")
    id_counts = Counter(ids.values())
    positions = SiblingPositions(tree)
    steps = []
    while node >= 0:
        identity = ids.get(node) or ""
        if _CSS_NAME.fullmatch(identity) and id_counts[identity] == 1:
            steps.append(f"#{identity}")
            break
        step = _CSS_SPECIAL.sub(r"\\\1", tree.name(node))
        position = positions.position(node)
        if position is not None:
            step += f":nth-of-type({position})"
        steps.append(step)
        node = int(tree.parent[node])
    return " > ".join(reversed(steps))
