"""HTML to `Tree` through turbohtml: the reference of the compiled core.

The only module that knows that parser: it yields its nodes in document order and counts
the children of each; preorder and child counts determine a tree, so parents, ends and
depths come from a few NumPy passes instead of a walk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml import CData, Element, Text

from scythe.tree.construction.structure import flatten_below, tree_structure
from scythe.tree.encoding import PageText
from scythe.tree.limits import Limits
from scythe.tree.tags import CODES, KNOWN, PLAIN_NAME, code
from scythe.tree.tree import Bools, Tree

if TYPE_CHECKING:
    from turbohtml import Node

_COUNT_SHIFT = 32
"""Bits of a row that hold the tag code; the others hold the number of children."""
_LAST_CODE = 32_000
"""The largest tag code that fits; names beyond it share it."""

_HIDDEN_INPUTS = [
    re.compile(rf"""({tag}\s[^<>]*?(?i:type)\s*=\s*)(["'])((?i:hidden))\2""")
    for tag in ("<input", "<INPUT")
]
_MARK_OF_QUOTE = {'"': "\f", "'": "\f\f"}
_QUOTE_OF_MARK = {mark: quote for quote, mark in _MARK_OF_QUOTE.items()}
_MARKED = re.compile(r"(?<!\f)(\f\f?)(?i:hidden)\1(?!\f)")


def reference_tree(page: PageText, limits: Limits) -> Tree:
    """Return the tree of a page without the compiled core, which gives the same."""
    tree = _parse_text(page, limits)
    if not _has_input_before_table(tree):
        return tree
    marked, marks = _mark_hidden_inputs(page.text)
    if not marks:
        return tree
    marked_page = replace(page, text=marked, as_utf8=None)
    corrected = _parse_text(marked_page, limits, _unmark_hidden_inputs)
    # Where more was marked than there are such inputs, markup in the value of an
    # attribute may have been, which changes the page.
    has_other_marks = marks > _hidden_input_count(tree)
    if has_other_marks and _elements(tree) != _elements(corrected):
        return tree
    return corrected


def _hidden_input_count(tree: Tree) -> int:
    is_input = tree.tag == code("input")
    inputs = np.flatnonzero(is_input).tolist()
    count = 0
    for kind in tree.attribute_values("type", inputs):
        if kind is not None and kind.lower() == "hidden":
            count += 1
    return count


def _elements(tree: Tree) -> Counter[tuple[str, frozenset[tuple[str, str]]]]:
    """Return how often a page has which element with which attributes."""
    is_element = ~tree.is_text
    elements = np.flatnonzero(is_element).tolist()
    return Counter(
        [
            (tree.name(node), frozenset(tree.attributes(node).items()))
            for node in elements
        ]
    )


def _parse_text(
    page: PageText, limits: Limits, correct: Callable[[str], str] | None = None
) -> Tree:
    """Return the tree of a page's text; `correct` is applied to every text of it."""
    root = turbohtml.parse(
        page.text, positions=False, allow_declarative_shadow_roots=False
    ).root
    assert root is not None  # noqa: S101 - HTML5 tree construction makes <html> of anything
    cut = list(page.cut)
    rows, texts, extra_names = _read_rows(root, limits.max_nodes)
    if len(rows) > limits.max_nodes:
        texts = texts[:-1] if rows[-1] == 0 else texts
        rows = rows[:-1]
        cut.append("nodes")

    kept = rows >= 0
    child_counts = np.where(kept, rows >> _COUNT_SHIFT, -1 - rows)
    end, parent, depth = tree_structure(child_counts)

    # The content of a <template> is markup for later, not of this page.
    for fragment in np.flatnonzero(rows < -1):
        kept[fragment : end[fragment]] = False
    node_of_row = np.zeros(len(kept) + 1, dtype=np.int32)
    np.cumsum(kept, out=node_of_row[1:])
    end = node_of_row[end[kept]]
    parent = node_of_row[parent[kept]]
    parent[0] = -1
    depth = depth[kept]
    if depth.max() > limits.max_depth:
        flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")

    if correct is not None:
        texts = [correct(text) for text in texts]
    return Tree(
        tag=_tag_codes(rows[kept]),
        parent=parent,
        end=end,
        depth=depth,
        text=_text_column(rows, texts)[kept],
        source=ParserAttributes(root, kept),
        extra_names=extra_names,
        encoding=page.encoding,
        cut=tuple(cut),
    )


def _tag_codes(rows: NDArray[np.int64]) -> NDArray[np.int16]:
    codes = rows & ((1 << _COUNT_SHIFT) - 1)
    return np.minimum(codes, _LAST_CODE).astype(np.int16)


def _text_column(rows: NDArray[np.int64], texts: list[str]) -> NDArray[np.object_]:
    """Return the text of every row, empty for what is no text."""
    column = np.full(len(rows), "", dtype=object)
    is_first = rows == 0
    column[is_first] = np.fromiter(texts, dtype=object, count=len(texts))
    return column


def _has_input_before_table(tree: Tree) -> bool:
    """Return whether an input stands right before a table, where the parser may have
    moved it from inside.
    """
    tables = np.flatnonzero(tree.tag == code("table"))
    before_tables = tree.tag[tables - 1]
    is_input = before_tables == code("input")
    return bool(is_input.any())


def _mark_hidden_inputs(html: str) -> tuple[str, int]:
    """Return the page as turbohtml 1.15 must get it to leave hidden inputs where
    browsers do, and how many are marked.

    In a page with characters beyond Latin-1 it does not recognise `type="hidden"`
    unless it has no quotes, and moves such an input of a table before the table. Form
    feeds are white space in a tag, and a text that has them gets its quotes back.
    """
    if html.isascii():
        return html, 0
    marks = 0
    for inputs in _HIDDEN_INPUTS:
        html, count = inputs.subn(_with_marks, html)
        marks += count
    return html, marks


def _with_marks(tag: re.Match[str]) -> str:
    mark = _MARK_OF_QUOTE[tag[2]]
    return f"{tag[1]}{mark}{tag[3]}{mark}"


def _unmark_hidden_inputs(text: str) -> str:
    return _MARKED.sub(_with_quotes, text) if "\f" in text else text


def _with_quotes(marked: re.Match[str]) -> str:
    return marked[0].replace(marked[1], _QUOTE_OF_MARK[marked[1]])


def _read_rows(
    root: Element, max_nodes: int
) -> tuple[NDArray[np.int64], list[str], tuple[str, ...]]:
    """Return all that the tree needs of the parser's nodes, in one pass that keeps none
    of them: rows, texts, and tag names beyond the known ones.

    A row is one number: for an element its tag code and its number of children, 0 for
    text (whose strings are a list of their own), and below 0 for what the tree leaves
    out. This is most of the cost of a tree, hence one comprehension, which costs half
    of what separate passes do.
    """
    texts: list[str] = []
    add_text, known_code = texts.append, CODES.get
    extra: dict[str, int] = {}
    descendants = chain((root,), root.descendants)
    nodes: Iterator[Any] = islice(descendants, max_nodes + 1)  # of the kinds told apart
    rows = [
        (known_code(node.tag) or extra.setdefault(node.tag, len(KNOWN) + len(extra)))
        | len(node) << _COUNT_SHIFT
        if (kind := type(node)) is Element
        else add_text(node.data) or 0
        if kind is Text or kind is CData
        else -1 - len(node)
        for node in nodes
    ]
    return np.array(rows, dtype=np.int64), texts, tuple(extra)


@dataclass(frozen=True, eq=False)
class ParserAttributes:
    """Attributes read from the parser's nodes when they are asked for, which for many
    pages is never.
    """

    root: Element
    kept: Bools
    """Which of the parser's nodes the tree has."""

    @cached_property
    def nodes(self) -> list[Node]:
        """The parser's nodes, as many as the tree has."""
        descendants = chain((self.root,), self.root.descendants)
        return list(compress(descendants, self.kept.tolist()))

    def attributes(self, node: int) -> Mapping[str, str]:
        """Return all attributes of an element, valueless ones as the empty string."""
        element = self.nodes[node]
        return ElementAttributes(element) if isinstance(element, Element) else {}

    @cached_property
    def _node_of_element(self) -> dict[Element, int]:
        is_element = [type(node) is Element for node in self.nodes]
        elements: Iterator[Any] = compress(self.nodes, is_element)
        numbers = compress(range(len(is_element)), is_element)
        return dict(zip(elements, numbers, strict=True))

    def with_attribute(self, name: str) -> dict[int, str]:
        """Return the nodes that have an attribute, in document order, with its value.

        The parser's own search skips the thousands of nodes without it ten times faster
        than asking each.
        """
        elements = self._elements_with(name)
        values = map(Element.attr, elements, repeat(name))
        nodes = map(self._node_of_element.get, elements)
        return {
            node: value
            for node, value in zip(nodes, values, strict=True)
            if value is not None and node is not None
        }

    def all_values(self, name: str) -> list[str]:
        """Return the values of an attribute; also of elements in a `<template>`."""
        values = map(Element.attr, self._elements_with(name), repeat(name))
        return [value for value in values if value is not None]

    def _elements_with(self, name: str) -> Sequence[Element]:
        """Return the elements that have an attribute, and some others."""
        if PLAIN_NAME.fullmatch(name):
            return [self.root, *self.root.select(f"[{name}]")]
        return list(self._node_of_element)

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """Return one attribute of each of the elements, None where it is absent."""
        chosen: Iterator[Any] = map(self.nodes.__getitem__, elements)
        return list(map(Element.attr, chosen, repeat(name)))


class ElementAttributes(Mapping[str, str]):
    """The attributes of one element, each looked up when it is asked for: a page may
    put 50,000 of them on one tag.
    """

    __slots__ = ("_element",)

    def __init__(self, element: Element) -> None:
        self._element = element

    def __getitem__(self, name: str) -> str:
        value = self._element.attr(name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str, default: Any = None, /) -> Any:
        """Return what any mapping does, without the cost of an exception for each
        attribute that is absent.
        """
        value = self._element.attr(name)
        return default if value is None else value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._element.attr(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._element.attrs)

    def __len__(self) -> int:
        return len(self._element.attrs)

    def __repr__(self) -> str:
        return repr(dict(self))
