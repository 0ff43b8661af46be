"""From a tree and a selection to the outline that the renderers read, in one walk over
the selected nodes.

Only nodes that hold selected content, and whose tag has a meaning, are visited;
elements without a meaning of their own (`<span>`, and `<div>` but for the line break it
makes) leave no trace. Two selected texts are kept apart exactly where `plain_text`
keeps them apart, so that all renderings have the same words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from scythe.content.structures.code import declared_language
from scythe.content.structures.figures import find_figures
from scythe.content.structures.links import Links, read_image
from scythe.content.structures.marks import CODE_MARKS, MARK_TAGS, read_mark
from scythe.content.structures.outline import (
    Container,
    Leaf,
    LeafKind,
    Mark,
    Marks,
)
from scythe.content.structures.tables import SubtreeCounts, read_table
from scythe.content.structures.writer import OutlineWriter, ends_line, first_number
from scythe.tree.tags import BLOCK, HEADING, KNOWN, TEXT, TagSet, code
from scythe.tree.text import line_breaks
from scythe.tree.tree import Bools, Tree

_BR, _FIGURE, _OL = map(code, ("br", "figure", "ol"))
_NO_LIST_IN_PAGE = 0
"""The start of a list that the page does not have: items stand there without one."""

_CONTENT_ELEMENTS = TagSet("img hr")
_ACTIVE = BLOCK | TagSet(" ".join(MARK_TAGS))
_LIST_ITEM, _DEFINITIONS = TagSet("li"), TagSet("dt dd")


def build_outline(tree: Tree, nodes: Bools, url: str | None = None) -> Container:
    """Return the outline of the selected nodes: text nodes, images and rules. Other
    selected elements mean nothing by themselves.
    """
    n = len(tree)
    text_nodes = np.flatnonzero(nodes & tree.is_text)
    texts = tree.text[text_nodes].tolist()
    is_blank = np.zeros(n, dtype=bool)
    is_blank[text_nodes] = list(map(str.isspace, texts))
    begins_line = np.zeros(n, dtype=bool)
    begins_line[text_nodes] = line_breaks(tree, text_nodes)
    can_be_content = tree.is_text | tree.has_tag(_CONTENT_ELEMENTS)
    is_content = nodes & can_be_content & ~is_blank

    builder = _OutlineBuilder(tree, is_content, url)
    is_active = _ACTIVE.mask(tree.tag)
    is_active[list(builder.figures.by_node)] = True
    is_active[list(builder.captions)] = True
    has_active_content = builder.counts.holds_content & is_active
    is_visited = has_active_content | is_content | is_blank
    visited = np.flatnonzero(is_visited)
    if len(visited):
        inside = slice(visited[0], visited[-1])
        is_visited[inside] |= tree.tag[inside] == _BR
        builder.walk(np.flatnonzero(is_visited), is_blank, begins_line)
    return builder.root


class _OutlineBuilder(OutlineWriter):
    """The walk: what each element of the page makes of the outline."""

    def __init__(self, tree: Tree, is_content: Bools, url: str | None) -> None:
        super().__init__()
        self.tree = tree
        self.counts = SubtreeCounts(tree, is_content)
        self.links = Links(tree, url)
        self.figures = find_figures(tree)
        self.captions = frozenset(self.figures.caption_elements())
        self.cell_leaves: dict[int, Leaf] = {}
        self.image_sources: set[str] = set()

    @cached_property
    def in_noscript(self) -> Bools:
        """Nodes for readers without script."""
        is_noscript = self.tree.tag == code("noscript")
        return self.tree.below(is_noscript)

    @cached_property
    def list_items(self) -> NDArray[np.int64]:
        """Prefix sums of list items that hold content."""
        return self.counts.sums_of(_LIST_ITEM)

    @cached_property
    def definitions(self) -> NDArray[np.int64]:
        """Prefix sums of terms and definitions that hold content."""
        return self.counts.sums_of(_DEFINITIONS)

    def walk(
        self, nodes: NDArray[np.int64], is_blank: Bools, begins_line: Bools
    ) -> None:
        """Visit the nodes in document order."""
        tree, stack = self.tree, self.stack
        columns = zip(
            nodes.tolist(),
            tree.tag[nodes].tolist(),
            tree.end[nodes].tolist(),
            tree.text[nodes].tolist(),
            is_blank[nodes].tolist(),
            begins_line[nodes].tolist(),
            strict=True,
        )
        for node, tag, end, text, blank, begins in columns:
            while stack and stack[-1].end <= node:
                self.close_element()
            if tag != TEXT:
                if node in self.figures.by_node:
                    self.figure(node, end)
                elif node in self.captions:
                    self.caption(node, end)
                else:
                    _HANDLERS[tag](self, node, end)
                continue
            if begins:
                self.separate()
            leaf = self.flat or self.leaf
            if blank and (leaf is None or _is_after_break(leaf)):
                continue
            if leaf is None:
                leaf = self.open_leaf()
            leaf.content.append((self._marks_in(leaf), text))

    def _marks_in(self, leaf: Leaf) -> Marks:
        """Return the marks for text of a leaf: a heading is bold by itself."""
        if leaf.kind not in HEADING:
            return self.marks
        return tuple(mark for mark in self.marks if mark.tag != "strong")

    def block(self, node: int, end: int) -> None:
        """Read an element that only stands on lines of its own."""
        self.open_element(end, is_block=True)

    def mark(self, node: int, end: int) -> None:
        """Read an element that formats its text."""
        tag_name = KNOWN[self.tree.tag[node]]
        tag = MARK_TAGS[tag_name]
        tags = [mark.tag for mark in self.marks]
        in_code = bool(tags) and tags[-1] in CODE_MARKS
        is_repeated = in_code or tag in tags
        if is_repeated and tag != "a":
            return
        if self.flat is not None:
            if self.flat.kind == "pre":
                return
            if tag == "strong" and self.flat.kind in HEADING:
                return
        mark = read_mark(self.tree, node, self.links)
        if mark is None:
            return

        self.open_element(end, is_block=False)
        marks = self.marks
        if tag == "a":
            marks = tuple(other for other in marks if other.tag != "a")
        if in_code:
            self.marks = (*marks[:-1], mark, marks[-1])
        else:
            self.marks = (*marks, mark)

    def line_break(self, node: int, end: int) -> None:
        """Read a `<br>`: a line break; two of them end the paragraph."""
        leaf = self.flat or self.leaf
        if leaf is None or not leaf.content:
            return
        if leaf.kind == "pre":
            leaf.content.append(((), "\n"))
            return
        _, last = leaf.content[-1]
        if last is not None:
            leaf.content.append(((), None))
        elif self.flat is None:
            leaf.content.pop()
            self.leaf = None

    def rule(self, node: int, end: int) -> None:
        """Read an `<hr>`: a rule between blocks."""
        self.end_line()
        if self.flat is None:
            self.add_leaf(Leaf("hr"))

    def image(self, node: int, end: int) -> None:
        """Read an image in the text. One that `<noscript>` repeats is left out."""
        image = read_image(self.tree, node, self.links)
        if image is None:
            return
        is_repeated = image.source in self.image_sources
        if is_repeated and self.in_noscript[node]:
            return
        self.image_sources.add(image.source)
        in_preformatted = self.flat is not None and self.flat.kind == "pre"
        if in_preformatted:
            self.add_leaf(Leaf("p", [((), image)]))
            return
        leaf = self.flat or self.leaf or self.open_leaf()
        leaf.content.append((self._marks_in(leaf), image))

    def heading(self, node: int, end: int) -> None:
        """Read a heading. One that was never closed runs on over the blocks of the
        page: only its own text is heading then.
        """
        self.open_element(end, is_block=True)
        if self.flat is not None:
            return
        self.marks = tuple(mark for mark in self.marks if mark.tag != "strong")
        tag_name = KNOWN[self.tree.tag[node]]
        kind = cast(LeafKind, tag_name)
        if self._is_one_line(node):
            leaf = Leaf(kind)
            self.enter_flat(leaf)
            self.add_leaf(leaf)
        else:
            self.leaf_kind = kind

    def _is_one_line(self, node: int) -> bool:
        """Return whether an element holds no more than a line should: no block of its
        own, and one paragraph at most.
        """
        counts = self.counts
        if counts.below(counts.own_blocks, node):
            return False
        if counts.below(counts.headings, node):
            return False
        return counts.below(counts.flow, node) <= 1

    def quote(self, node: int, end: int) -> None:
        """Read a `<blockquote>`."""
        self.contain("blockquote", end)

    def figure(self, node: int, end: int) -> None:
        """Read a `<figure>`, or another element that holds a picture and its caption."""
        self.contain("figure", end)

    def caption(self, node: int, end: int) -> None:
        """Read the caption of a figure. In the card of another page, and outside of
        figures, a `<figcaption>` is a block like any other.
        """
        if node in self.captions or self._is_in_figure_of_text(node):
            self.contain("figcaption", end)
        else:
            self.block(node, end)

    def _is_in_figure_of_text(self, node: int) -> bool:
        """Return whether the figure around a node shows a table, code or a quotation
        instead of a picture.
        """
        for ancestor in self.tree.ancestors(node):
            if ancestor in self.figures.by_node:
                return False
            if self.tree.tag[ancestor] == _FIGURE:
                return True
        return False

    def list_(self, node: int, end: int) -> None:
        """Read a list. One without items is an indented block, as editors of old made
        them.
        """
        self.open_element(end, is_block=True)
        if not self.can_nest():
            return
        if not self.counts.below(self.list_items, node):
            return
        if self.tree.tag[node] == _OL:
            start = first_number(self.tree, node, self.counts.holds_content)
            container = Container("ol", start=start)
        else:
            container = Container("ul")
        self.enter(container, self.block_container())

    def item(self, node: int, end: int) -> None:
        """Read an `<li>`, outside a list too."""
        self.open_element(end, is_block=True)
        if self.flat is not None:
            return
        if self.container.kind in ("ul", "ol"):
            self.enter(Container("li"), self.container, levels=0)
        elif self.can_nest():
            self.enter(Container("li"), self._implied_list())

    def _implied_list(self) -> Container:
        """Return the list for items that stand without one."""
        parent = self.block_container()
        children = parent.children
        last = children[-1] if children else None
        if isinstance(last, Container) and _is_implied_list(last):
            return last
        implied = Container("ul", start=_NO_LIST_IN_PAGE)
        children.append(implied)
        return implied

    def definition_list(self, node: int, end: int) -> None:
        """Read a `<dl>`, if it has terms or definitions."""
        self.open_element(end, is_block=True)
        if self.can_nest() and self.counts.below(self.definitions, node):
            self.enter(Container("dl"), self.block_container())

    def term(self, node: int, end: int) -> None:
        """Read a `<dt>`."""
        self.open_element(end, is_block=True)
        if self.flat is not None or self.container.kind != "dl":
            return
        if self._is_one_line(node):
            leaf = Leaf("dt")
            self.enter_flat(leaf)
            self.container.children.append(leaf)

    def definition(self, node: int, end: int) -> None:
        """Read a `<dd>`."""
        self.open_element(end, is_block=True)
        if self.flat is None and self.container.kind == "dl":
            self.enter(Container("dd"), self.container, levels=0)

    def preformatted(self, node: int, end: int) -> None:
        """Read a `<pre>`: code, line by line; in a cell or heading, code on one line."""
        self.open_element(end, is_block=True)
        if self.flat is None:
            self.marks = ()
            language = declared_language(self.tree, node)
            leaf = Leaf("pre", language=language)
            self.enter_flat(leaf)
            self.add_leaf(leaf)
            return
        in_code = any(mark.tag in CODE_MARKS for mark in self.marks)
        if self.flat.kind != "pre" and not in_code:
            self.marks = (*self.marks, Mark("code"))

    def table(self, node: int, end: int) -> None:
        """Read a `<table>`: rows and columns of data, or else a block like any other."""
        self.open_element(end, is_block=True)
        if self.flat is not None:
            return
        result = read_table(self.counts, node)
        if result is not None:
            table, leaves = result
            self.cell_leaves.update(leaves)
            self.block_container().children.append(table)

    def cell(self, node: int, end: int) -> None:
        """Read a cell or the caption of a table."""
        if self.flat is not None and self.flat.kind == "pre":
            if self.flat.content and not ends_line(self.flat):
                self.flat.content.append(((), "\t"))
            return
        self.open_element(end, is_block=True)
        if node in self.cell_leaves:
            leaf = self.cell_leaves.pop(node)
            self.enter_flat(leaf)


def _is_implied_list(container: Container) -> bool:
    return container.kind == "ul" and container.start == _NO_LIST_IN_PAGE


def _is_after_break(leaf: Leaf) -> bool:
    """Return whether white space is meaningless at the end of a leaf: a line break
    stands there.
    """
    if leaf.kind == "pre" or not leaf.content:
        return False
    _, last = leaf.content[-1]
    return last is None


_Handler = Callable[[_OutlineBuilder, int, int], None]


def _handlers() -> list[_Handler]:
    """Return what reads the elements of each known tag."""
    builder = _OutlineBuilder
    handlers: dict[str, _Handler] = dict.fromkeys(MARK_TAGS, builder.mark)
    handlers |= dict.fromkeys(HEADING.names, builder.heading)
    lists = ("ul", "ol", "dir", "menu")
    preformatted = ("pre", "listing", "xmp", "plaintext")
    cells = ("td", "th", "caption")
    handlers |= dict.fromkeys(lists, builder.list_)
    handlers |= dict.fromkeys(preformatted, builder.preformatted)
    handlers |= dict.fromkeys(cells, builder.cell)
    handlers |= {
        "li": builder.item,
        "dl": builder.definition_list,
        "dt": builder.term,
        "dd": builder.definition,
        "blockquote": builder.quote,
        "figure": builder.figure,
        "figcaption": builder.caption,
        "table": builder.table,
        "br": builder.line_break,
        "hr": builder.rule,
        "img": builder.image,
    }
    return [handlers.get(name, builder.block) for name in KNOWN]


_HANDLERS = _handlers()
