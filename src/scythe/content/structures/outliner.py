"""From a tree and a selection to the outline that the renderers read, in one walk over
the chosen nodes.

Only nodes that hold something chosen, and whose tag means something, are visited;
elements without a meaning of their own (`<span>`, and `<div>` but for the line break it
makes) leave no trace. Two chosen texts are kept apart exactly where `plain_text` keeps
them apart, so that all renderings have the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from scythe.content.structures.code import declared_language
from scythe.content.structures.images import read_image
from scythe.content.structures.links import Links
from scythe.content.structures.outline import (
    MAX_NESTING,
    Container,
    ContainerKind,
    Leaf,
    LeafKind,
    Mark,
    Marks,
)
from scythe.content.structures.tables import Census, read_table
from scythe.tree.tags import BLOCK, HEADING, KNOWN, TEXT, TagSet, code
from scythe.tree.text import line_breaks
from scythe.tree.tree import Bools, Tree

_MARKS = {
    "a": "a", "b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del",
    "code": "code", "tt": "code", "kbd": "kbd", "samp": "samp", "sub": "sub", "sup": "sup", "u": "u", "ins": "ins",
    "mark": "mark", "small": "small", "abbr": "abbr", "acronym": "abbr", "cite": "cite", "dfn": "dfn", "var": "var", "q": "q",
    "time": "time", "bdi": "bdi", "bdo": "bdo", "ruby": "ruby", "rt": "rt", "rp": "rp",
}  # fmt: skip
_CODE = frozenset({"code", "kbd", "samp"})
_MARK_ATTRIBUTES = {
    "a": ("title",), "abbr": ("title",), "dfn": ("title",), "time": ("datetime",), "del": ("datetime",), "ins": ("datetime",),
    "bdo": ("dir",),
}  # fmt: skip
_BR, _LI, _OL = map(code, ("br", "li", "ol"))
_IMPLIED = 0
"""The start of a list that the page does not have: items stand there without one."""

_ALONE = TagSet("img hr")
_ACTIVE = BLOCK | TagSet(" ".join(_MARKS))
_LIST_ITEM, _DEFINITIONS = TagSet("li"), TagSet("dt dd")


def outline(tree: Tree, nodes: Bools, base_url: str | None = None) -> Container:
    """The outline of the chosen nodes: text nodes, images and rules. Other marked
    elements mean nothing by themselves.
    """
    texts = np.flatnonzero(nodes & tree.is_text)
    blank = np.zeros(len(tree), dtype=bool)
    blank[texts] = list(map(str.isspace, tree.text[texts].tolist()))
    solid = nodes & (tree.is_text | tree.has_tag(_ALONE)) & ~blank
    begins_line = np.zeros(len(tree), dtype=bool)
    begins_line[texts] = line_breaks(tree, texts)
    builder = _Builder(tree, Census(tree, solid), Links(tree, base_url))
    visited = (builder.census.kept & _ACTIVE.mask(tree.tag)) | solid | blank
    found = np.flatnonzero(visited)
    if len(found):
        visited[found[0] : found[-1]] |= tree.tag[found[0] : found[-1]] == _BR
        builder.walk(np.flatnonzero(visited), blank, begins_line)
    return builder.root


class _State(NamedTuple):
    """What an element changes for its content, put back where the element ends."""

    end: int
    block: bool
    container: Container
    levels: int
    marks: Marks
    kind: LeafKind
    flat: Leaf | None


class _Builder:
    """The walk: where the next text goes, and with which formatting."""

    def __init__(self, tree: Tree, census: Census, links: Links) -> None:
        self.tree = tree
        self.census = census
        self.links = links
        self.root = Container("root")
        self.container = self.root
        self.levels = 0
        self.marks: Marks = ()
        self.kind: LeafKind = "p"
        self.flat: Leaf | None = None
        """A block in which nested blocks are no more than line breaks: a heading, a
        cell, preformatted text.
        """
        self.leaf: Leaf | None = None
        """The paragraph that is being written."""
        self.stack: list[_State] = []
        self.cells: dict[int, Leaf] = {}
        self.images: set[str] = set()

    @cached_property
    def in_noscript(self) -> Bools:
        """Nodes for readers without script."""
        return self.tree.below(self.tree.tag == code("noscript"))

    @cached_property
    def list_items(self) -> NDArray[np.int64]:
        """Prefix sums of kept list items."""
        return self.census.counted(_LIST_ITEM)

    @cached_property
    def definitions(self) -> NDArray[np.int64]:
        """Prefix sums of kept terms and definitions."""
        return self.census.counted(_DEFINITIONS)

    def walk(self, nodes: NDArray[np.int64], blank: Bools, begins_line: Bools) -> None:
        """Visit the nodes in document order."""
        tree, stack = self.tree, self.stack
        columns = (
            nodes,
            tree.tag[nodes],
            tree.end[nodes],
            tree.text[nodes],
            blank[nodes],
            begins_line[nodes],
        )
        for node, tag, end, text, is_blank, begins in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            while stack and stack[-1].end <= node:
                self.close(stack.pop())
            if tag != TEXT:
                _HANDLERS[tag](self, node, end)
                continue
            if begins:
                self.keep_apart()
            leaf = self.flat or self.leaf
            if is_blank and (
                leaf is None
                or (leaf.kind != "pre" and leaf.content and leaf.content[-1][1] is None)
            ):
                continue
            (leaf or self.open_leaf()).content.append((self.marks, text))

    def keep_apart(self) -> None:
        """Begin a line, if nothing visited has begun one: a block that holds nothing
        chosen stands between two texts.
        """
        leaf = self.flat or self.leaf
        if leaf is not None and leaf.content and not _ends_line(leaf):
            self.boundary()

    def boundary(self) -> None:
        """The edge of a block."""
        if self.flat is None:
            self.leaf = None
        elif self.flat.content and self.flat.content[-1][1] is not None:
            self.flat.content.append(((), None))

    def open_leaf(self) -> Leaf:
        """Begin a paragraph, or a heading in an element that is one."""
        self.leaf = Leaf(self.kind)
        self.place().children.append(self.leaf)
        return self.leaf

    def place(self) -> Container:
        """The container that takes a block here: in a list that is an item, the last
        one if there is any.
        """
        container = self.container
        if container.kind not in ("ul", "ol", "dl"):
            return container
        wanted: ContainerKind = "dd" if container.kind == "dl" else "li"
        last = container.children[-1] if container.children else None
        if isinstance(last, Container) and last.kind == wanted:
            return last
        item = Container(wanted)
        container.children.append(item)
        return item

    def push(self, end: int, *, block: bool) -> None:
        """Remember how things stand, for the end of an element."""
        if block:
            self.boundary()
        self.stack.append(
            _State(
                end,
                block,
                self.container,
                self.levels,
                self.marks,
                self.kind,
                self.flat,
            )
        )
        if block:
            self.kind = "p"

    def close(self, state: _State) -> None:
        """Leave an element."""
        _, block, self.container, self.levels, self.marks, self.kind, self.flat = state
        if block:
            self.boundary()

    def enter(self, container: Container, parent: Container, levels: int = 1) -> None:
        """Write into a container from here on."""
        parent.children.append(container)
        self.container = container
        self.levels += levels

    def may_nest(self) -> bool:
        """Whether a further container may begin here."""
        return self.flat is None and self.levels < MAX_NESTING

    def flatten(self, leaf: Leaf) -> None:
        """Write into one leaf from here on, whatever blocks come."""
        self.flat = leaf

    def block(self, node: int, end: int) -> None:
        """An element that only stands on lines of its own."""
        self.push(end, block=True)

    def mark(self, node: int, end: int) -> None:
        """An element that formats its text."""
        tag = _MARKS[KNOWN[self.tree.tag[node]]]
        tags = [mark.tag for mark in self.marks]
        in_code = bool(tags) and tags[-1] in _CODE
        if tag != "a" and (in_code or tag in tags):
            return
        if self.flat is not None and (
            self.flat.kind == "pre" or (tag == "strong" and self.flat.kind in HEADING)
        ):
            return
        mark = self.read_mark(node, tag)
        if mark is None:
            return
        self.push(end, block=False)
        marks = (
            tuple(other for other in self.marks if other.tag != "a")
            if tag == "a"
            else self.marks
        )
        self.marks = (*marks[:-1], mark, marks[-1]) if in_code else (*marks, mark)

    def read_mark(self, node: int, tag: str) -> Mark | None:
        """The mark of an element with what its attributes add; None for a link that
        leads nowhere.
        """
        wanted = _MARK_ATTRIBUTES.get(tag)
        if wanted is None:
            return Mark(tag)
        attributes = self.tree.attributes(node)
        found = [(name, value) for name in wanted if (value := attributes.get(name))]
        if tag == "a":
            href = self.links.page(attributes.get("href"))
            if not href:
                return None
            found.insert(0, ("href", href))
        return Mark(tag, tuple(found))

    def line(self, node: int, end: int) -> None:
        """`<br>`: a line break; two of them end the paragraph."""
        leaf = self.flat or self.leaf
        if leaf is None or not leaf.content:
            return
        if leaf.kind == "pre":
            leaf.content.append(((), "\n"))
        elif leaf.content[-1][1] is not None:
            leaf.content.append(((), None))
        elif self.flat is None:
            leaf.content.pop()
            self.leaf = None

    def rule(self, node: int, end: int) -> None:
        """`<hr>`: a rule between blocks."""
        self.boundary()
        if self.flat is None:
            self.place().children.append(Leaf("hr"))

    def image(self, node: int, end: int) -> None:
        """An image in the text. One that `<noscript>` repeats is left out."""
        image = read_image(self.tree, node, self.links)
        if image is None or (image.source in self.images and self.in_noscript[node]):
            return
        self.images.add(image.source)
        if self.flat is not None and self.flat.kind == "pre":
            self.place().children.append(Leaf("p", [((), image)]))
        else:
            (self.flat or self.leaf or self.open_leaf()).content.append(
                (self.marks, image)
            )

    def heading(self, node: int, end: int) -> None:
        """A heading. One that was never closed runs on over the blocks of the page:
        only its own text is heading then.
        """
        self.push(end, block=True)
        if self.flat is not None:
            return
        self.marks = tuple(mark for mark in self.marks if mark.tag != "strong")
        kind = cast(LeafKind, KNOWN[self.tree.tag[node]])
        if self.is_one_line(node):
            self.flatten(Leaf(kind))
            self.place().children.append(cast(Leaf, self.flat))
        else:
            self.kind = kind

    def is_one_line(self, node: int) -> bool:
        """Whether an element holds no more than a line should: no block of its own, and
        one paragraph at most.
        """
        census = self.census
        own = census.under(census.own_blocks, node) + census.under(
            census.headings, node
        )
        return own == 0 and census.under(census.flow, node) <= 1

    def quote(self, node: int, end: int) -> None:
        """`<blockquote>`, `<figure>`, `<figcaption>`: a container as it stands in the
        page.
        """
        self.push(end, block=True)
        if self.may_nest():
            self.enter(
                Container(cast(ContainerKind, KNOWN[self.tree.tag[node]])), self.place()
            )

    def list_(self, node: int, end: int) -> None:
        """A list. One without items is an indented block, as editors of old made them."""
        self.push(end, block=True)
        if self.may_nest() and self.census.under(self.list_items, node):
            ordered = self.tree.tag[node] == _OL
            self.enter(
                Container("ol", start=self.first_number(node))
                if ordered
                else Container("ul"),
                self.place(),
            )

    def first_number(self, node: int) -> int:
        """The number of the first kept item of an `<ol>`: leaving items out does not
        renumber the others.
        """
        number = _integer(self.tree.attributes(node).get("start"), 1)
        for child in self.tree.children(node):
            if self.tree.tag[child] == _LI:
                number = _integer(self.tree.attributes(child).get("value"), number)
                if self.census.kept[child]:
                    break
                number += 1
        return number

    def item(self, node: int, end: int) -> None:
        """`<li>`, outside a list too."""
        self.push(end, block=True)
        if self.flat is not None:
            return
        if self.container.kind in ("ul", "ol"):
            self.enter(Container("li"), self.container, levels=0)
        elif self.may_nest():
            self.enter(Container("li"), self.implied_list())

    def implied_list(self) -> Container:
        place = self.place()
        last = place.children[-1] if place.children else None
        if isinstance(last, Container) and last.kind == "ul" and last.start == _IMPLIED:
            return last
        place.children.append(Container("ul", start=_IMPLIED))
        return cast(Container, place.children[-1])

    def definition_list(self, node: int, end: int) -> None:
        """`<dl>`, if it has terms or definitions."""
        self.push(end, block=True)
        if self.may_nest() and self.census.under(self.definitions, node):
            self.enter(Container("dl"), self.place())

    def term(self, node: int, end: int) -> None:
        """`<dt>`."""
        self.push(end, block=True)
        if self.flat is None and self.container.kind == "dl" and self.is_one_line(node):
            self.flatten(Leaf("dt"))
            self.container.children.append(cast(Leaf, self.flat))

    def definition(self, node: int, end: int) -> None:
        """`<dd>`."""
        self.push(end, block=True)
        if self.flat is None and self.container.kind == "dl":
            self.enter(Container("dd"), self.container, levels=0)

    def preformatted(self, node: int, end: int) -> None:
        """`<pre>`: code, line by line; in a cell or heading, code on one line."""
        self.push(end, block=True)
        if self.flat is None:
            self.marks = ()
            self.flatten(Leaf("pre", language=declared_language(self.tree, node)))
            self.place().children.append(cast(Leaf, self.flat))
        elif self.flat.kind != "pre" and not any(
            mark.tag in _CODE for mark in self.marks
        ):
            self.marks = (*self.marks, Mark("code"))

    def table(self, node: int, end: int) -> None:
        """`<table>`: rows and columns of data, or else a block like any other."""
        self.push(end, block=True)
        if self.flat is None and (found := read_table(self.census, node)):
            table, leaves = found
            self.cells.update(leaves)
            self.place().children.append(table)

    def cell(self, node: int, end: int) -> None:
        """A cell or the caption of a table."""
        if self.flat is not None and self.flat.kind == "pre":
            if self.flat.content and not _ends_line(self.flat):
                self.flat.content.append(((), "\t"))
            return
        self.push(end, block=True)
        if node in self.cells:
            self.flatten(self.cells.pop(node))


def _ends_line(leaf: Leaf) -> bool:
    last = leaf.content[-1][1]
    return last is None or (
        leaf.kind == "pre" and isinstance(last, str) and last[-1:].isspace()
    )


def _integer(value: str | None, default: int) -> int:
    value = (value or "").strip()
    return int(value) if re.fullmatch(r"-?[0-9]{1,9}", value) else default


_Handler = Callable[[_Builder, int, int], None]


def _handlers() -> list[_Handler]:
    named: dict[str, _Handler] = dict.fromkeys(BLOCK.names, _Builder.block)
    named |= dict.fromkeys(_MARKS, _Builder.mark)
    named |= dict.fromkeys(HEADING.names, _Builder.heading)
    named |= dict.fromkeys(("ul", "ol", "dir", "menu"), _Builder.list_)
    named |= dict.fromkeys(("blockquote", "figure", "figcaption"), _Builder.quote)
    named |= dict.fromkeys(
        ("pre", "listing", "xmp", "plaintext"), _Builder.preformatted
    )
    named |= dict.fromkeys(("td", "th", "caption"), _Builder.cell)
    named |= {
        "li": _Builder.item,
        "dl": _Builder.definition_list,
        "dt": _Builder.term,
        "dd": _Builder.definition,
    }
    named |= {
        "table": _Builder.table,
        "br": _Builder.line,
        "hr": _Builder.rule,
        "img": _Builder.image,
    }
    return [named.get(name, _Builder.block) for name in KNOWN]


_HANDLERS = _handlers()
