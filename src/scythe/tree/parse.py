"""HTML to `Tree`, through turbohtml: HTML5 tree construction, so that the tree is the
browser's tree.

The only module that knows the parser. turbohtml yields its nodes in document order and
tells how many children each has; preorder and child counts determine a tree, so
parents, ends and depths come from a few NumPy passes instead of a walk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml import CData, Element, Text

from scythe.tree.encoding import PageText, page_text
from scythe.tree.limits import Limits
from scythe.tree.structure import flatten_below, structure
from scythe.tree.tags import CODES, KNOWN, code
from scythe.tree.tree import Bools, Tree

if TYPE_CHECKING:
    from turbohtml import Node

DEFAULT_LIMITS = Limits()
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9-]*")
_HIDDEN_INPUTS = [
    re.compile(rf"""({tag}\s[^<>]*?(?i:type)\s*=\s*)(["'])((?i:hidden))\2""")
    for tag in ("<input", "<INPUT")
]
_MARKS = {'"': "\f", "'": "\f\f"}
_QUOTES = {mark: quote for quote, mark in _MARKS.items()}
_MARKED = re.compile(r"(?<!\f)(\f\f?)(?i:hidden)\1(?!\f)")
_COUNT_SHIFT = 16
_LAST_CODE = 32_000


def parse(
    html: bytes | str, limits: Limits = DEFAULT_LIMITS, charset: str | None = None
) -> Tree:
    """Parse a page. Any input gives a tree: what the limits cut is named in `Tree.cut`.

    `charset` is the one the transport declared (HTTP header); it is not needed for a
    `str`.
    """
    source = page_text(html, limits.max_bytes, charset)
    tree = _tree(source, limits)
    if _inputs_before_tables(tree) and (marked := _marked(source.text)) != source.text:
        tree = _tree(replace(source, text=marked), limits, _unmarked)
    return tree


def _tree(
    source: PageText, limits: Limits, corrected: Callable[[str], str] | None = None
) -> Tree:
    root = turbohtml.parse(
        source.text, positions=False, allow_declarative_shadow_roots=False
    ).root
    assert root is not None  # noqa: S101 - HTML5 tree construction makes <html> of anything
    cut = list(source.cut)
    rows, texts, extra_names = _read(root, limits.max_nodes)
    if len(rows) > limits.max_nodes:
        texts = texts[:-1] if rows[-1] == 0 else texts
        rows = rows[:-1]
        cut.append("nodes")
    end, parent, depth = structure(np.where(rows < 0, -1 - rows, rows >> _COUNT_SHIFT))
    text = np.full(len(rows), "", dtype=object)
    text[rows == 0] = np.fromiter(
        map(corrected, texts) if corrected else texts, dtype=object, count=len(texts)
    )
    kept = rows >= 0
    for fragment in np.flatnonzero(
        rows < -1
    ):  # the content of a <template> is markup for later, not of this page
        kept[fragment : end[fragment]] = False
    place = np.zeros(len(kept) + 1, dtype=np.int32)
    np.cumsum(kept, out=place[1:])
    end, parent, depth = place[end[kept]], place[parent[kept]], depth[kept]
    parent[0] = -1
    if depth.max() > limits.max_depth:
        flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")
    return Tree(
        tag=np.minimum(rows[kept] & 0xFFFF, _LAST_CODE).astype(np.int16),
        parent=parent,
        end=end,
        depth=depth,
        text=text[kept],
        source=ParserAttributes(root, kept),
        extra_names=extra_names,
        encoding=source.encoding,
        cut=tuple(cut),
    )


def _inputs_before_tables(tree: Tree) -> bool:
    """Whether an input stands right before a table, where the parser may have moved it
    from inside.
    """
    tables = np.flatnonzero(tree.tag == code("table"))
    return bool((tree.tag[tables - 1] == code("input")).any())


def _marked(html: str) -> str:
    """The page as turbohtml 1.15 must get it to leave hidden inputs where browsers do.

    In a page with characters beyond Latin-1 it does not recognise `type="hidden"`
    unless it has no quotes, and moves such an input of a table before the table. Form
    feeds are white space in a tag, and a text that has them gets its quotes back.
    """
    for inputs in () if html.isascii() else _HIDDEN_INPUTS:
        html = inputs.sub(
            lambda tag: f"{tag[1]}{_MARKS[tag[2]]}{tag[3]}{_MARKS[tag[2]]}", html
        )
    return html


def _unmarked(text: str) -> str:
    return (
        _MARKED.sub(lambda found: found[0].replace(found[1], _QUOTES[found[1]]), text)
        if "\f" in text
        else text
    )


def _read(
    root: Element, max_nodes: int
) -> tuple[NDArray[np.int64], list[str], tuple[str, ...]]:
    """All that the tree needs of the parser's nodes, in one pass that keeps none of
    them.

    A row is one number: for an element its tag code and its number of children, 0 for
    text (whose strings are a list of their own), and below 0 for what the tree leaves
    out. One comprehension costs half of what separate passes do, and it is most of the
    cost of a tree.
    """
    texts: list[str] = []
    keep, known = texts.append, CODES.get
    extra: dict[str, int] = {}
    nodes: Iterator[Any] = islice(
        chain((root,), root.descendants), max_nodes + 1
    )  # of the kinds told apart
    rows = [
        (known(node.tag) or extra.setdefault(node.tag, len(KNOWN) + len(extra)))
        | len(node) << _COUNT_SHIFT
        if (kind := type(node)) is Element
        else keep(node.data) or 0
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

    @cached_property
    def nodes(self) -> list[Node]:
        """The parser's nodes, as many as the tree has."""
        return list(
            compress(chain((self.root,), self.root.descendants), self.kept.tolist())
        )

    def attributes(self, node: int) -> Mapping[str, str]:
        """All attributes of an element, valueless ones as the empty string."""
        element = self.nodes[node]
        return ElementAttributes(element) if isinstance(element, Element) else {}

    @cached_property
    def _place(self) -> dict[Element, int]:
        is_element = [type(node) is Element for node in self.nodes]
        elements: Iterator[Any] = compress(self.nodes, is_element)
        return dict(
            zip(elements, compress(range(len(is_element)), is_element), strict=True)
        )

    def with_attribute(self, name: str) -> dict[int, str]:
        """The nodes that have an attribute, in document order, with its value.

        The parser's own search skips the thousands of nodes without it ten times faster
        than asking each.
        """
        if not _PLAIN_NAME.fullmatch(name):
            return {
                place: value
                for node, place in self._place.items()
                if (value := ElementAttributes(node).get(name)) is not None
            }
        found = [self.root, *self.root.select(f"[{name}]")]
        return {
            place: value
            for element in found
            if (value := element.attr(name)) is not None
            and (place := self._place.get(element)) is not None
        }

    def attribute_values(self, name: str, elements: Sequence[int]) -> list[str | None]:
        """One attribute of each of the elements, None where it is absent."""
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
        """As of any mapping, without the cost of an exception for each attribute that
        is absent.
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
