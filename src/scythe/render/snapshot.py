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
from scythe.render.styles import STYLES, Styles, visible
from scythe.tree.layout import Layout, Lines
from scythe.tree.limits import Limits
from scythe.tree.structure import flatten_below, structure
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


def tree_of(
    snapshot: Mapping[str, Any],
    limits: Limits,
    encoding: str | None,
    cut: Sequence[str] = (),
) -> Tree:
    """The main document of a snapshot as a `Tree` with boxes and layout."""
    strings: list[str] = snapshot["strings"]
    document = snapshot["documents"][0]
    nodes = _Nodes.of(document["nodes"], strings)
    cuts = list(cut)
    if len(nodes.kept) > limits.max_nodes:
        nodes = nodes.first(limits.max_nodes)
        cuts.append("nodes")
    end, parent, depth = structure(
        np.bincount(nodes.parent[1:], minlength=len(nodes.kept))
    )
    parent[0] = -1
    if depth.max() > limits.max_depth:
        flatten_below(limits.max_depth, parent, end, depth)
        cuts.append("depth")
    tag, extra_names = nodes.tags(strings)
    tree = Tree(
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        text=nodes.text,
        source=SnapshotAttributes(strings, document["nodes"]["attributes"], nodes.kept),
        extra_names=extra_names,
        encoding=encoding,
        cut=tuple(cuts),
    )
    return _with_layout(tree, nodes, document, strings)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """The nodes of a snapshot that a tree has, by their numbers there."""

    kept: Ints
    """The number in the snapshot of every node of the tree."""
    place: Ints
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
    def of(cls, nodes: Mapping[str, Any], strings: list[str]) -> _Nodes:
        kind = np.array(nodes["nodeType"], dtype=np.int16)
        parent = np.array(nodes["parentIndex"], dtype=np.int32)
        is_text = (kind == _TEXT) | (kind == _CDATA)
        wanted = is_text | (kind == _ELEMENT)
        wanted[_sparse(nodes["pseudoType"])] = False
        elements = np.flatnonzero(wanted & (kind == _ELEMENT))
        if not len(elements):
            raise RenderError(
                "The page's scripts left nothing of it. Render it without scripts, or parse it."
            )
        root = int(elements[0])
        wanted[:root] = False
        holder = np.arange(len(kind), dtype=np.int32)
        for node in (
            np.flatnonzero(~wanted[root:]) + root
        ):  # whatever hangs on what is left out hangs on its parent
            holder[node] = holder[parent[node]]
        parent = holder[parent]
        wanted &= (parent >= root) | (np.arange(len(kind)) == root)
        texts, shift = _joined_texts(
            is_text, parent, wanted, nodes["nodeValue"], strings
        )
        kept = np.flatnonzero(wanted).astype(np.int32)
        place = np.cumsum(wanted, dtype=np.int32) - 1
        place[~wanted & ~((shift > 0) & is_text)] = -1
        text = np.full(len(kept), "", dtype=object)
        text[is_text[kept]] = np.fromiter(texts, dtype=object, count=len(texts))
        names = np.where(is_text[kept], -1, np.array(nodes["nodeName"])[kept])
        return cls(kept, place, shift, place[parent[kept]], names, text)

    def first(self, count: int) -> _Nodes:
        """Only so many of the nodes."""
        place = np.where(self.place < count, self.place, -1)
        return _Nodes(
            self.kept[:count],
            place,
            self.shift,
            self.parent[:count],
            self.names[:count],
            self.text[:count],
        )

    def tags(self, strings: list[str]) -> tuple[NDArray[np.int16], tuple[str, ...]]:
        """Tag codes, and the names beyond the known ones in the order in which they
        appear.
        """
        extra: dict[str, int] = {}
        found, first, inverse = np.unique(
            self.names, return_index=True, return_inverse=True
        )
        codes = np.zeros(len(found), dtype=np.int64)
        for unique in np.argsort(first):
            if found[unique] < 0:
                codes[unique] = TEXT
                continue
            name = _tag_name(strings[found[unique]])
            codes[unique] = CODES.get(name) or extra.setdefault(
                name, len(KNOWN) + len(extra)
            )
        return np.minimum(codes[inverse], _LAST_CODE).astype(np.int16), tuple(extra)


def _sparse(rare: Mapping[str, Any] | None) -> list[int]:
    return list(rare["index"]) if rare else []


def _tag_name(node_name: str) -> str:
    """HTML elements are named in capitals, those of SVG and MathML as they are written."""
    return (
        node_name
        if any("a" <= letter <= "z" for letter in node_name)
        else node_name.translate(_LOWER)
    )


_LOWER = {ord("A") + index: ord("a") + index for index in range(26)}


def _joined_texts(
    is_text: Bools,
    parent: Ints,
    wanted: Bools,
    values: Sequence[int],
    strings: list[str],
) -> tuple[list[str], Ints]:
    """The texts of the tree; pieces that follow one another, as Chromium cuts text at
    65,536 characters, are one text.

    Clears `wanted` for the pieces after the first and for empty texts, and tells how
    far each piece stands into its text.
    """
    shift = np.zeros(len(is_text), dtype=np.int32)
    numbers = np.flatnonzero(is_text & wanted)
    texts = [
        strings[values[node]] if values[node] >= 0 else "" for node in numbers.tolist()
    ]
    joins = np.zeros(len(numbers), dtype=bool)
    joins[1:] = (np.diff(numbers) == 1) & (np.diff(parent[numbers]) == 0)
    whole: list[str] = []
    for node, text, joined in zip(numbers.tolist(), texts, joins.tolist(), strict=True):
        if joined and wanted[node - 1] | (shift[node - 1] > 0):
            shift[node] = _utf16_length(whole[-1])
            whole[-1] += text
            wanted[node] = False
        elif text:
            whole.append(text)
        else:
            wanted[node] = False
    return whole, shift


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _with_layout(
    tree: Tree, nodes: _Nodes, document: Mapping[str, Any], strings: list[str]
) -> Tree:
    layout = document["layout"]
    row_node = nodes.place[np.array(layout["nodeIndex"], dtype=np.int64)]
    rows = np.flatnonzero(row_node >= 0)
    bounds = np.array(
        [layout["bounds"][row] for row in rows], dtype=np.float32
    ).reshape(-1, 4)
    owner = row_node[rows]
    box = _united(bounds, owner, len(tree))
    lines = _lines(
        tree,
        nodes,
        document["textBoxes"],
        np.array(layout["nodeIndex"], dtype=np.int64),
    )
    without_line = tree.is_text.copy()
    without_line[lines.node] = False
    box[without_line] = np.nan
    styles = Styles.of(
        len(tree), owner, [layout["styles"][row] for row in rows], strings
    )
    look = Layout(
        lines,
        styles.font_size,
        styles.font_weight,
        styles.color,
        visible(tree, box, lines, styles),
    )
    return replace(tree, box=box, layout=look)


def _united(
    bounds: NDArray[np.float32], owner: Ints, count: int
) -> NDArray[np.float32]:
    """The box of every node: the union of its layout objects, of which a text held in
    several pieces has several.
    """
    box = np.full((count, 4), np.nan, dtype=np.float32)
    box[owner] = bounds
    repeated = np.flatnonzero(np.bincount(owner, minlength=count) > 1)
    for node in repeated:
        mine = bounds[owner == node]
        left, top = mine[:, 0].min(), mine[:, 1].min()
        box[node] = (
            left,
            top,
            (mine[:, 0] + mine[:, 2]).max() - left,
            (mine[:, 1] + mine[:, 3]).max() - top,
        )
    return box


def _lines(
    tree: Tree, nodes: _Nodes, boxes: Mapping[str, Any], layout_node: NDArray[np.int64]
) -> Lines:
    """The browser's text boxes, joined where collapsed white space or script runs cut a
    line into several.
    """
    source = layout_node[np.array(boxes["layoutIndex"], dtype=np.int64)]
    node = nodes.place[source]
    mine = (node >= 0) & tree.is_text[node]
    node, source = node[mine], source[mine]
    start = np.array(boxes["start"], dtype=np.int64)[mine] + nodes.shift[source]
    stop = start + np.array(boxes["length"], dtype=np.int64)[mine]
    x, y, width, height = (
        np.array(boxes["bounds"], dtype=np.float32).reshape(-1, 4)[mine].T
    )
    right = x + width
    order = np.lexsort((start, node))
    node, start, stop, x, y, right, height = (
        column[order] for column in (node, start, stop, x, y, right, height)
    )
    begins = np.ones(len(node), dtype=bool)
    near = (x[1:] - right[:-1] <= height[1:]) & (x[:-1] - right[1:] <= height[1:])
    begins[1:] = (
        (node[1:] != node[:-1]) | (np.abs(y[1:] - y[:-1]) > height[1:] / 2) | ~near
    )
    first = np.flatnonzero(begins)
    if not len(first):
        empty, nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        return Lines(empty, empty, empty, nothing, nothing, nothing, nothing)
    left, top = np.minimum.reduceat(x, first), np.minimum.reduceat(y, first)
    start, stop = np.minimum.reduceat(start, first), np.maximum.reduceat(stop, first)
    _to_characters(tree, node[first], start, stop)
    stop = np.minimum(
        stop, [len(text) for text in tree.text[node[first]]]
    )  # letters of formulas are drawn as longer ones
    return Lines(
        node=node[first].astype(np.int32),
        start=start.astype(np.int32),
        length=(stop - start).astype(np.int32),
        x=left,
        y=top,
        width=np.maximum.reduceat(right, first) - left,
        height=np.maximum.reduceat(y + height, first) - top,
    )


def _to_characters(
    tree: Tree, node: Ints, start: NDArray[np.int64], stop: NDArray[np.int64]
) -> None:
    """UTF-16 offsets to offsets of characters, in place, for the few texts in which
    they differ.
    """
    for number in np.unique(node):
        text = tree.text[number]
        if text.isascii() or max(text) <= "\uffff":
            continue
        units = np.cumsum([0, *(1 + (letter > "\uffff") for letter in text)])
        mine = node == number
        start[mine] = np.searchsorted(units, start[mine], side="right") - 1
        stop[mine] = np.searchsorted(units, stop[mine], side="left")


@dataclass(frozen=True, eq=False)
class SnapshotAttributes:
    """Attributes read from the snapshot's numbers of strings when they are asked for."""

    strings: list[str]
    pairs: Sequence[Sequence[int]]
    """Names and values by turns, for every node of the snapshot."""
    kept: Ints

    def attributes(self, node: int) -> Mapping[str, str]:
        """All attributes of an element, valueless ones as the empty string."""
        pairs = self.pairs[self.kept[node]]
        return {
            self._string(name): self._string(value)
            for name, value in zip(pairs[::2], pairs[1::2], strict=True)
        }

    @cached_property
    def _by_name(self) -> dict[str, dict[int, str]]:
        columns: dict[str, dict[int, str]] = {}
        for node, number in enumerate(self.kept.tolist()):
            pairs = self.pairs[number]
            for name, value in zip(pairs[::2], pairs[1::2], strict=True):
                columns.setdefault(self._string(name), {})[node] = self._string(value)
        return columns

    def with_attribute(self, name: str) -> Mapping[int, str]:
        """The nodes that have an attribute, in document order, with its value."""
        return self._by_name.get(name, {})

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """One attribute of each of the elements, None where it is absent."""
        column = self.with_attribute(name)
        return [column.get(element) for element in elements]

    def _string(self, number: int) -> str:
        return self.strings[number] if number >= 0 else ""
