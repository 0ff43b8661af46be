"""Ways to a node: tag paths with directions and their compact form (ViNTs, sections 5.1
and 5.7), XPath and CSS.
"""

from __future__ import annotations

import re
from collections import Counter
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


def tag_path(tree: Tree, node: int) -> TagPath:
    """The path from the root to a node, every elder sibling element on the way being a
    step of direction S.

    The node itself is not part of its path: as in the paper, the path of the first
    child of `<body>` ends in `<body>C`.
    """
    steps: list[PathNode] = []
    while (parent := int(tree.parent[node])) >= 0:
        elder = [
            child
            for child in tree.children(parent)
            if child < node and tree.tag[child] != TEXT
        ]
        steps.extend(PathNode(tree.name(child), "S") for child in reversed(elder))
        steps.append(PathNode(tree.name(parent), "C"))
        node = parent
    return tuple(reversed(steps))


def compact_path(path: TagPath, separator_tags: Collection[str] = ()) -> TagPath:
    """A tag path without the steps that differ from page to page, by the three rules of
    section 5.7.

    Steps down (C) stay. A step sideways (S) stays if its tag is that of the next step
    down. Behind the last step down, those stay whose tag begins one of the wrapper's
    separators.
    """
    kept: list[PathNode] = []
    next_down: str | None = None
    for step in reversed(path):
        if step.direction == "C":
            next_down = step.tag
            kept.append(step)
        elif step.tag in separator_tags if next_down is None else step.tag == next_down:
            kept.append(step)
    return tuple(reversed(kept))


def format_path(path: TagPath) -> str:
    """A tag path as the paper writes it: `<html>C<head>S<body>C`."""
    return "".join(map(str, path))


def xpath(tree: Tree, node: int) -> str:
    """The absolute XPath of a node, by position among siblings of the same tag."""
    steps = []
    while node >= 0:
        name = tree.name(node)
        step = (
            "text()"
            if name == "#text"
            else name
            if re.fullmatch(r"[A-Za-z_][\w.-]*", name)
            else f"*[name()={name!r}]"
        )
        parent = int(tree.parent[node])
        alike = (
            [node]
            if parent < 0
            else [
                child
                for child in tree.children(parent)
                if tree.tag[child] == tree.tag[node]
            ]
        )
        steps.append(step if len(alike) == 1 else f"{step}[{alike.index(node) + 1}]")
        node = parent
    return "/" + "/".join(reversed(steps))


def css_path(tree: Tree, node: int) -> str:
    """A CSS selector that matches this element and no other; it begins at the nearest
    `id` that is unique on the page.
    """
    if tree.tag[node] == TEXT:
        node = int(tree.parent[node])
    ids = tree.with_attribute("id")
    alike_ids = Counter(ids.values())
    steps = []
    while node >= 0:
        identity = ids.get(node)
        if (
            identity
            and re.fullmatch(r"[A-Za-z_][\w-]*", identity)
            and alike_ids[identity] == 1
        ):
            steps.append(f"#{identity}")
            break
        name, parent = tree.name(node), int(tree.parent[node])
        tag = re.sub(r"([^\w-])", r"\\\1", name)
        if parent < 0:
            steps.append(tag)
            break
        alike = [
            child
            for child in tree.children(parent)
            if tree.tag[child] == tree.tag[node]
        ]
        steps.append(
            tag if len(alike) == 1 else f"{tag}:nth-of-type({alike.index(node) + 1})"
        )
        node = parent
    return " > ".join(reversed(steps))
