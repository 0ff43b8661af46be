"""HTML to `Tree`, through turbohtml: HTML5 tree construction, so that the tree is the browser's tree.

The only module that knows the parser. turbohtml yields its nodes in document order and tells how many children each has;
preorder and child counts determine a tree, so parents, ends and depths come from a few NumPy passes instead of a walk.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
import turbohtml
from numpy.typing import NDArray
from turbohtml import Element

from scythe.tree.encoding import decode
from scythe.tree.limits import Limits
from scythe.tree.tags import CODES, KNOWN, TEXT
from scythe.tree.tree import Bools, Ints, Tree

if TYPE_CHECKING:
    from turbohtml import Node

DEFAULT_LIMITS = Limits()
_OTHER, _ELEMENT, _STRING, _FRAGMENT = range(4)
_KIND = defaultdict(
    int, {Element: _ELEMENT, turbohtml.Text: _STRING, turbohtml.CData: _STRING, turbohtml.DocumentFragment: _FRAGMENT}
)
_tag_name, _data = attrgetter("tag"), attrgetter("data")


def parse(html: bytes | str, limits: Limits = DEFAULT_LIMITS, charset: str | None = None) -> Tree:
    """Parse a page. Any input gives a tree: what the limits cut is named in `Tree.cut`.

    `charset` is the one the transport declared (HTTP header); it is not needed for a `str`.
    """
    cut = []
    if len(html) > limits.max_bytes:
        html = html[: limits.max_bytes]
        cut.append("bytes")
    encoding = None
    if isinstance(html, bytes):
        decoded = decode(html, charset)
        html, encoding = decoded.text, decoded.encoding
    document = turbohtml.parse(html.replace("\x00", ""), positions=False, allow_declarative_shadow_roots=False)
    nodes = list(islice(document.descendants, limits.max_nodes + 1))
    if len(nodes) > limits.max_nodes:
        nodes.pop()
        cut.append("nodes")
    kind = np.frombuffer(bytes(map(_KIND.__getitem__, map(type, nodes))), dtype=np.uint8)
    string = kind == _STRING
    counts = np.zeros(len(nodes), dtype=np.int32)
    counts[~string] = np.fromiter(map(len, compress(nodes, (~string).tolist())), dtype=np.int32)
    end, parent, depth = _structure(counts)
    kept = string | (kind == _ELEMENT)
    for fragment in np.flatnonzero(kind == _FRAGMENT):  # the content of a <template> is markup for later, not of this page
        kept[fragment : end[fragment]] = False
    place = np.zeros(len(kept) + 1, dtype=np.int32)
    np.cumsum(kept, out=place[1:])
    nodes = list(compress(nodes, kept.tolist()))
    end, parent, depth, string = place[end[kept]], place[parent[kept]], depth[kept], string[kept]
    parent[0] = -1
    if depth.max() > limits.max_depth:
        _flatten_below(limits.max_depth, parent, end, depth)
        cut.append("depth")
    tag, extra_names = _tag_codes(nodes, ~string)
    return Tree(
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        text=_texts(nodes, string),
        source=ParserAttributes(nodes),
        extra_names=extra_names,
        encoding=encoding,
        cut=tuple(cut),
    )


def _structure(counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Subtree ends, parents and depths from the child counts of nodes in preorder.

    The running sum of (children - 1) falls one below its value before node i exactly where the subtree of i is
    complete, and it only ever falls by one; so the subtree ends at the next place where the sum has that value. A node
    is as deep as there are nodes that have begun and not ended. Sorted by depth, the nodes of one level stand in the
    order of their parents on the level above.
    """
    n = len(counts)
    level = np.cumsum(counts - 1, dtype=np.int64)
    order = np.argsort(level.astype(np.int16) if n < 32_000 else level, kind="stable")
    keys = np.append(level[order] * (n + 1) + order, np.iinfo(np.int64).max)
    inner = np.flatnonzero(counts)
    wanted = (level[inner] - counts[inner]) * (n + 1)
    found = keys[np.searchsorted(keys, wanted + inner)] - wanted
    end = np.arange(1, n + 1, dtype=np.int32)
    end[inner] = np.minimum(found + 1, n)  # a subtree that the node limit cut never completes: it ends with the page
    depth = (np.arange(n) - np.cumsum(np.bincount(end, minlength=n + 1)[:n])).astype(np.int32)
    for node in inner[found > n]:
        counts[node] = np.count_nonzero(depth[node + 1 :] == depth[node] + 1)
    by_level = np.argsort(depth.astype(np.int16), kind="stable")
    parent = np.zeros(n, dtype=np.int32)
    parent[by_level[np.count_nonzero(depth == 0) :]] = np.repeat(by_level, counts[by_level])
    return end, parent, depth


def _flatten_below(max_depth: int, parent: Ints, end: Ints, depth: Ints) -> None:
    """Hang every deeper node, as a leaf, where its ancestor on the last allowed level hangs (in place)."""
    deepest = np.where(depth == max_depth, np.arange(len(depth)), 0)
    ancestor = np.maximum.accumulate(deepest)
    deeper = depth > max_depth
    parent[deeper] = parent[ancestor[deeper]]
    depth[deeper] = max_depth
    at_limit = np.flatnonzero(depth == max_depth)
    end[at_limit] = at_limit + 1


def _tag_codes(nodes: Sequence[Node], element: Bools) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    names = list(map(_tag_name, compress(nodes, element.tolist())))
    tag = np.full(len(nodes), TEXT, dtype=np.int16)
    if unknown := set(names).difference(CODES):
        extra = tuple(sorted(unknown)[: 32_000 - len(KNOWN)])
        codes = defaultdict(lambda: len(KNOWN), CODES)
        codes.update((name, len(KNOWN) + index) for index, name in enumerate(extra))
        tag[element] = np.fromiter(map(codes.__getitem__, names), dtype=np.int16, count=len(names))
        return tag, extra
    tag[element] = np.frombuffer(bytes(map(CODES.__getitem__, names)), dtype=np.uint8)
    return tag, ()


def _texts(nodes: Sequence[Node], string: Bools) -> NDArray[np.object_]:
    text = np.full(len(nodes), "", dtype=object)
    text[string] = np.fromiter(map(_data, compress(nodes, string.tolist())), dtype=object, count=np.count_nonzero(string))
    return text


@dataclass(frozen=True, slots=True)
class ParserAttributes:
    """Attributes read from the parser's nodes when they are asked for, which for most nodes is never."""

    nodes: Sequence[Node]

    def mapping(self, node: int) -> Mapping[str, str]:
        """All attributes of an element, valueless ones as the empty string."""
        element = self.nodes[node]
        return ElementAttributes(element) if isinstance(element, Element) else {}

    def column(self, name: str) -> list[str | None]:
        """One attribute of every node; None for text."""
        return [node.attr(name) if isinstance(node, Element) else None for node in self.nodes]


class ElementAttributes(Mapping[str, str]):
    """The attributes of one element, each looked up when it is asked for: a page may put 50,000 of them on one tag."""

    __slots__ = ("_element",)

    def __init__(self, element: Element) -> None:
        self._element = element

    def __getitem__(self, name: str) -> str:
        value = self._element.attr(name)
        if value is None:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._element.attr(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._element.attrs)

    def __len__(self) -> int:
        return len(self._element.attrs)

    def __repr__(self) -> str:
        return repr(dict(self))
