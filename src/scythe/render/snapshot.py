"""From the browser's snapshot of a page to a `Tree`.

`DOMSnapshot.captureSnapshot` gives all nodes in document order as parallel arrays, and
the layout as others beside them. What HTML parsing would not make of the same page is
left out or undone here: pseudo-elements, comments, and text that the browser holds in
several pieces. Shadow trees stand where a person sees them; HTML that is given and runs
no script has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scythe.errors import RenderError
from scythe.render.styles import STYLES, Styles, visible_in_layout
from scythe.tree.construction.structure import flatten_below, tree_structure
from scythe.tree.layout import Layout, LayoutLines
from scythe.tree.limits import Limits
from scythe.tree.tags import CODES, KNOWN, TEXT
from scythe.tree.tree import Bools, Ints, Tree

REQUEST = {
    "computedStyles": list(STYLES),
    "includePaintOrder": False,
    "includeDOMRects": False,
}
"""The parameters of `DOMSnapshot.captureSnapshot` that this module reads the answer of."""

_ELEMENT, _TEXT, _CDATA = 1, 3, 4
_LAST_CODE = 32_000
"""The largest tag code that fits; names beyond it share it."""


def snapshot_tree(
    snapshot: Mapping[str, Any],
    limits: Limits,
    encoding: str | None,
    cut: Sequence[str] = (),
) -> Tree:
    """Return the main document of a snapshot as a `Tree` with boxes and layout."""
    strings: list[str] = snapshot["strings"]
    document = snapshot["documents"][0]
    nodes = _SnapshotNodes.from_document(document["nodes"], strings)
    cuts = list(cut)
    if len(nodes.kept) > limits.max_nodes:
        nodes = nodes.first(limits.max_nodes)
        cuts.append("nodes")

    node_count = len(nodes.kept)
    child_counts = np.bincount(nodes.parent[1:], minlength=node_count)
    end, parent, depth = tree_structure(child_counts)
    parent[0] = -1
    if depth.max() > limits.max_depth:
        flatten_below(limits.max_depth, parent, end, depth)
        cuts.append("depth")

    tag, extra_names = nodes.tags(strings)
    pairs = document["nodes"]["attributes"]
    attributes = SnapshotAttributes(strings, pairs, nodes.kept)
    tree = Tree(
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        text=nodes.text,
        source=attributes,
        extra_names=extra_names,
        encoding=encoding,
        cut=tuple(cuts),
    )
    return _with_layout(tree, nodes, document, strings)


@dataclass(frozen=True, eq=False)
class _SnapshotNodes:
    """The nodes of a snapshot that a tree has, by their numbers there."""

    kept: Ints
    """The number in the snapshot of every node of the tree."""
    tree_node: Ints
    """The node of the tree that a node of the snapshot became or was joined to; -1
    where it is left out.
    """
    shift: Ints
    """How many UTF-16 units of the joined text stand before that of a text node of the
    snapshot.
    """
    parent: Ints
    names: NDArray[np.int64]
    text: NDArray[np.object_]

    @classmethod
    def from_document(
        cls, nodes: Mapping[str, Any], strings: list[str]
    ) -> _SnapshotNodes:
        kind = np.array(nodes["nodeType"], dtype=np.int16)
        is_element = kind == _ELEMENT
        is_text = (kind == _TEXT) | (kind == _CDATA)
        is_kept = is_element | is_text
        pseudo_elements = _rare_nodes(nodes["pseudoType"])
        is_kept[pseudo_elements] = False

        elements = np.flatnonzero(is_element & is_kept)
        if not len(elements):
            raise RenderError(
                "The page's scripts left nothing of it. "
                "Render it without scripts, or parse it."
            )
        root = int(elements[0])
        is_kept[:root] = False

        parent = np.array(nodes["parentIndex"], dtype=np.int32)
        parent = _kept_parents(parent, is_kept, root)
        is_below_root = parent >= root
        is_below_root[root] = True
        is_kept &= is_below_root

        pieces = nodes["nodeValue"]
        texts, shift = _join_texts(is_text, parent, is_kept, pieces, strings)
        is_joined = is_text & (shift > 0)
        is_left_out = ~is_kept & ~is_joined
        tree_node = np.cumsum(is_kept, dtype=np.int32) - 1
        tree_node[is_left_out] = -1

        kept = np.flatnonzero(is_kept).astype(np.int32)
        is_kept_text = is_text[kept]
        text = np.full(len(kept), "", dtype=object)
        text[is_kept_text] = np.fromiter(texts, dtype=object, count=len(texts))
        names = np.array(nodes["nodeName"])[kept]
        names[is_kept_text] = -1
        kept_parent = tree_node[parent[kept]]
        return cls(kept, tree_node, shift, kept_parent, names, text)

    def first(self, count: int) -> _SnapshotNodes:
        """Return only so many of the nodes."""
        is_first = self.tree_node < count
        return _SnapshotNodes(
            kept=self.kept[:count],
            tree_node=np.where(is_first, self.tree_node, -1),
            shift=self.shift,
            parent=self.parent[:count],
            names=self.names[:count],
            text=self.text[:count],
        )

    def tags(self, strings: list[str]) -> tuple[NDArray[np.int16], tuple[str, ...]]:
        """Return tag codes, and the names beyond the known ones in the order in which
        they appear.
        """
        extra: dict[str, int] = {}
        distinct, first_at, inverse = np.unique(
            self.names, return_index=True, return_inverse=True
        )
        codes = np.zeros(len(distinct), dtype=np.int64)
        for index in np.argsort(first_at):
            string = distinct[index]
            if string < 0:
                codes[index] = TEXT
                continue
            name = _tag_name(strings[string])
            known_code = CODES.get(name)
            if known_code:
                codes[index] = known_code
            else:
                next_code = len(KNOWN) + len(extra)
                codes[index] = extra.setdefault(name, next_code)
        tags = np.minimum(codes[inverse], _LAST_CODE)
        return tags.astype(np.int16), tuple(extra)


def _rare_nodes(column: Mapping[str, Any] | None) -> list[int]:
    """Return the nodes that a column names which few nodes have a value in."""
    if not column:
        return []
    return list(column["index"])


def _kept_parents(parent: Ints, is_kept: Bools, root: int) -> Ints:
    """Return for every node the nearest kept node above it: whatever hangs on what is
    left out hangs on its parent.
    """
    holder = np.arange(len(parent), dtype=np.int32)
    behind_root = np.flatnonzero(~is_kept[root:])
    left_out = root + behind_root
    for node in left_out:
        holder[node] = holder[parent[node]]
    return holder[parent]


_LOWER = {ord("A") + index: ord("a") + index for index in range(26)}


def _tag_name(node_name: str) -> str:
    """Return the tag: HTML elements are named in capitals, those of SVG and MathML as
    they are written.
    """
    if any("a" <= letter <= "z" for letter in node_name):
        return node_name
    return node_name.translate(_LOWER)


def _join_texts(
    is_text: Bools,
    parent: Ints,
    is_kept: Bools,
    values: Sequence[int],
    strings: list[str],
) -> tuple[list[str], Ints]:
    """Return the texts of the tree, and how far each piece stands into its text; pieces
    that follow one another, as Chromium cuts text at 65,536 characters, are one text.

    Clears `is_kept` for the pieces after the first and for empty texts.
    """
    shift = np.zeros(len(is_text), dtype=np.int32)
    numbers = np.flatnonzero(is_text & is_kept)
    continues = np.zeros(len(numbers), dtype=bool)
    is_next = np.diff(numbers) == 1
    is_sibling = np.diff(parent[numbers]) == 0
    continues[1:] = is_next & is_sibling

    texts: list[str] = []
    for node, continued in zip(numbers.tolist(), continues.tolist(), strict=True):
        value = values[node]
        piece = strings[value] if value >= 0 else ""
        previous = node - 1
        if continued and (is_kept[previous] or shift[previous] > 0):
            shift[node] = _utf16_length(texts[-1])
            texts[-1] += piece
            is_kept[node] = False
        elif piece:
            texts.append(piece)
        else:
            is_kept[node] = False
    return texts, shift


def _utf16_length(text: str) -> int:
    encoded = text.encode("utf-16-le", "surrogatepass")
    return len(encoded) // 2


def _with_layout(
    tree: Tree, nodes: _SnapshotNodes, document: Mapping[str, Any], strings: list[str]
) -> Tree:
    layout = document["layout"]
    layout_node = np.array(layout["nodeIndex"], dtype=np.int64)
    row_node = nodes.tree_node[layout_node]
    rows = np.flatnonzero(row_node >= 0)
    owner = row_node[rows]

    all_bounds = layout["bounds"]
    row_bounds = [all_bounds[row] for row in rows]
    bounds = np.array(row_bounds, dtype=np.float32).reshape(-1, 4)
    box = _united_boxes(bounds, owner, len(tree))
    lines = _lines(tree, nodes, document["textBoxes"], layout_node)
    without_line = tree.is_text.copy()
    without_line[lines.node] = False
    box[without_line] = np.nan

    all_styles = layout["styles"]
    row_styles = [all_styles[row] for row in rows]
    styles = Styles.from_layout(len(tree), owner, row_styles, strings)
    is_visible = visible_in_layout(tree, box, lines, styles)
    tree_layout = Layout(
        lines,
        styles.font_size,
        styles.font_weight,
        styles.color,
        is_visible,
    )
    return replace(tree, box=box, layout=tree_layout)


def _united_boxes(
    bounds: NDArray[np.float32], owner: Ints, count: int
) -> NDArray[np.float32]:
    """Return the box of every node: the union of its layout objects, of which a text
    held in several pieces has several.
    """
    box = np.full((count, 4), np.nan, dtype=np.float32)
    box[owner] = bounds
    object_counts = np.bincount(owner, minlength=count)
    repeated = np.flatnonzero(object_counts > 1)
    for node in repeated:
        x, y, width, height = bounds[owner == node].T
        right = x + width
        bottom = y + height
        left_most = x.min()
        top_most = y.min()
        united_width = right.max() - left_most
        united_height = bottom.max() - top_most
        box[node] = (left_most, top_most, united_width, united_height)
    return box


def _lines(
    tree: Tree,
    nodes: _SnapshotNodes,
    boxes: Mapping[str, Any],
    layout_node: NDArray[np.int64],
) -> LayoutLines:
    """Return the browser's text boxes, joined where collapsed white space or script runs
    cut a line into several.
    """
    row = np.array(boxes["layoutIndex"], dtype=np.int64)
    row_start = np.array(boxes["start"], dtype=np.int64)
    row_length = np.array(boxes["length"], dtype=np.int64)
    row_bounds = np.array(boxes["bounds"], dtype=np.float32).reshape(-1, 4)

    source = layout_node[row]
    node = nodes.tree_node[source]
    is_own = (node >= 0) & tree.is_text[node]
    node = node[is_own]
    own_source = source[is_own]
    start = row_start[is_own] + nodes.shift[own_source]
    stop = start + row_length[is_own]
    bounds = row_bounds[is_own]

    order = np.lexsort((start, node))
    return _joined_lines(
        tree,
        node[order],
        start[order],
        stop[order],
        bounds[order],
    )


def _joined_lines(
    tree: Tree,
    node: Ints,
    start: NDArray[np.int64],
    stop: NDArray[np.int64],
    bounds: NDArray[np.float32],
) -> LayoutLines:
    """Return the lines of text boxes in the order of nodes and of the text."""
    first = np.flatnonzero(_begins_line(node, bounds))
    if not len(first):
        return _no_lines()

    node = node[first]
    start = np.minimum.reduceat(start, first)
    stop = np.maximum.reduceat(stop, first)
    _to_characters(tree, node, start, stop)
    # The letters of formulas are drawn as longer ones.
    text_lengths = [len(text) for text in tree.text[node]]
    length = np.minimum(stop, text_lengths) - start

    x, y, width, height = bounds.T
    left = np.minimum.reduceat(x, first)
    top = np.minimum.reduceat(y, first)
    right = np.maximum.reduceat(x + width, first)
    bottom = np.maximum.reduceat(y + height, first)
    return LayoutLines(
        node=node.astype(np.int32),
        start=start.astype(np.int32),
        length=length.astype(np.int32),
        x=left,
        y=top,
        width=right - left,
        height=bottom - top,
    )


def _no_lines() -> LayoutLines:
    no_ints = np.zeros(0, dtype=np.int32)
    no_floats = np.zeros(0, dtype=np.float32)
    return LayoutLines(
        node=no_ints,
        start=no_ints,
        length=no_ints,
        x=no_floats,
        y=no_floats,
        width=no_floats,
        height=no_floats,
    )


def _begins_line(node: Ints, bounds: NDArray[np.float32]) -> Bools:
    """Return which of the text boxes, in the order of nodes and of the text, begin a
    line: those of another node, below or above the one before, or far from it.
    """
    x, y, width, height = bounds.T
    right = x + width
    line_height = height[1:]
    down = y[1:] - y[:-1]
    gap_after = x[1:] - right[:-1]
    gap_before = x[:-1] - right[1:]

    is_other_node = node[1:] != node[:-1]
    is_other_line = np.abs(down) > line_height / 2
    is_near = (gap_after <= line_height) & (gap_before <= line_height)

    begins = np.ones(len(node), dtype=bool)
    begins[1:] = is_other_node | is_other_line | ~is_near
    return begins


def _to_characters(
    tree: Tree, node: Ints, start: NDArray[np.int64], stop: NDArray[np.int64]
) -> None:
    """Change UTF-16 offsets to offsets of characters, in place, for the few texts in
    which they differ.
    """
    for number in np.unique(node):
        text = tree.text[number]
        if text.isascii() or max(text) <= "\uffff":
            continue
        unit_counts = [1 + (letter > "\uffff") for letter in text]
        units = np.cumsum([0, *unit_counts])
        is_own = node == number
        starts_behind = np.searchsorted(units, start[is_own], side="right")
        start[is_own] = starts_behind - 1
        own_stops = stop[is_own]
        stop[is_own] = np.searchsorted(units, own_stops, side="left")


@dataclass(frozen=True, eq=False)
class SnapshotAttributes:
    """Attributes read from the snapshot's numbers of strings when they are asked for."""

    strings: list[str]
    pairs: Sequence[Sequence[int]]
    """Names and values by turns, for every node of the snapshot."""
    kept: Ints

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element, valueless ones as the empty string."""
        pairs = self.pairs[self.kept[node]]
        names = pairs[::2]
        values = pairs[1::2]
        attributes: dict[str, str] = {}
        for name, value in zip(names, values, strict=True):
            attributes[self._string(name)] = self._string(value)
        return attributes

    @cached_property
    def _by_name(self) -> dict[str, dict[int, str]]:
        columns: dict[str, dict[int, str]] = {}
        for node, number in enumerate(self.kept.tolist()):
            pairs = self.pairs[number]
            names = pairs[::2]
            values = pairs[1::2]
            for name, value in zip(names, values, strict=True):
                column = columns.setdefault(self._string(name), {})
                column[node] = self._string(value)
        return columns

    def with_attribute(self, name: str) -> Mapping[int, str]:
        """Return the nodes that have an attribute, in document order, with its value."""
        return self._by_name.get(name, {})

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        column = self.with_attribute(name)
        return [column.get(element) for element in elements]

    def all_values(self, name: str) -> list[str]:
        """Return the values of an attribute."""
        return list(self.with_attribute(name).values())

    def _string(self, number: int) -> str:
        if number < 0:
            return ""
        return self.strings[number]
