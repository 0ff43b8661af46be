"""The state of writing an outline: which block the next text goes into, and with which
formatting.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scythe.content.structures.outline import (
    MAX_NESTING,
    Container,
    ContainerKind,
    Leaf,
    LeafKind,
    Marks,
)
from scythe.tree.tags import code
from scythe.tree.tree import Bools, Tree

_INTEGER = re.compile(r"-?[0-9]{1,9}")
_LI = code("li")


class _SavedState(NamedTuple):
    """What an element changes for its content, restored where the element ends."""

    end: int
    is_block: bool
    container: Container
    nesting: int
    marks: Marks
    leaf_kind: LeafKind
    flat: Leaf | None


class OutlineWriter:
    """Writes blocks and text into an outline, in document order."""

    def __init__(self) -> None:
        self.root = Container("root")
        self.container = self.root
        self.nesting = 0
        self.marks: Marks = ()
        self.leaf_kind: LeafKind = "p"
        self.flat: Leaf | None = None
        """A block in which nested blocks are no more than line breaks: a heading, a
        cell, preformatted text.
        """
        self.leaf: Leaf | None = None
        """The paragraph that is being written."""
        self.stack: list[_SavedState] = []

    def open_element(self, end: int, *, is_block: bool) -> None:
        """Save the state for the end of an element; a block begins a line."""
        if is_block:
            self.end_line()
        self.stack.append(
            _SavedState(
                end=end,
                is_block=is_block,
                container=self.container,
                nesting=self.nesting,
                marks=self.marks,
                leaf_kind=self.leaf_kind,
                flat=self.flat,
            )
        )
        if is_block:
            self.leaf_kind = "p"

    def close_element(self) -> None:
        """Restore the state from before the innermost open element."""
        state = self.stack.pop()
        self.container = state.container
        self.nesting = state.nesting
        self.marks = state.marks
        self.leaf_kind = state.leaf_kind
        self.flat = state.flat
        if state.is_block:
            self.end_line()

    def end_line(self) -> None:
        """End the paragraph, or the line of a flat block, at the edge of a block."""
        if self.flat is None:
            self.leaf = None
            return
        content = self.flat.content
        if content and content[-1][1] is not None:
            content.append(((), None))

    def separate(self) -> None:
        """Begin a line, unless an element has begun one: a block that holds nothing
        selected stands between two texts.
        """
        leaf = self.flat or self.leaf
        if leaf is not None and leaf.content and not ends_line(leaf):
            self.end_line()

    def open_leaf(self) -> Leaf:
        """Return a new paragraph, or heading in an element that is one, added here."""
        self.leaf = Leaf(self.leaf_kind)
        self.add_leaf(self.leaf)
        return self.leaf

    def add_leaf(self, leaf: Leaf) -> None:
        """Add a leaf to the container that takes blocks here."""
        self.block_container().children.append(leaf)

    def block_container(self) -> Container:
        """Return the container that takes a block here: in a list that is an item, the
        last one if there is any.
        """
        container = self.container
        if container.kind not in ("ul", "ol", "dl"):
            return container
        item_kind: ContainerKind = "dd" if container.kind == "dl" else "li"
        if container.children:
            last = container.children[-1]
            if isinstance(last, Container) and last.kind == item_kind:
                return last
        item = Container(item_kind)
        container.children.append(item)
        return item

    def enter(self, container: Container, parent: Container, levels: int = 1) -> None:
        """Write into a container from here on."""
        parent.children.append(container)
        self.container = container
        self.nesting += levels

    def contain(self, kind: ContainerKind, end: int) -> None:
        """Open an element that is a block of blocks, unless it would be too deep."""
        self.open_element(end, is_block=True)
        if self.can_nest():
            self.enter(Container(kind), self.block_container())

    def enter_flat(self, leaf: Leaf) -> None:
        """Write into one leaf from here on, whatever blocks come."""
        self.flat = leaf

    def can_nest(self) -> bool:
        """Return whether a further container may begin here."""
        return self.flat is None and self.nesting < MAX_NESTING


def ends_line(leaf: Leaf) -> bool:
    """Return whether the last piece of a leaf ends a line."""
    last = leaf.content[-1][1]
    if last is None:
        return True
    if leaf.kind != "pre" or not isinstance(last, str):
        return False
    return last[-1:].isspace()


def first_number(tree: Tree, node: int, holds_content: Bools) -> int:
    """Return the number of the first item of an `<ol>` that holds content: leaving items
    out does not renumber the others.
    """
    number = _integer(tree.attributes(node).get("start"), 1)
    for child in tree.children(node):
        if tree.tag[child] != _LI:
            continue
        number = _integer(tree.attributes(child).get("value"), number)
        if holds_content[child]:
            break
        number += 1
    return number


def _integer(value: str | None, default: int) -> int:
    text = (value or "").strip()
    return int(text) if _INTEGER.fullmatch(text) else default
