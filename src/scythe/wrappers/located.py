"""A rule that says where records stand and what they look like: `ul#results /
li.result`, not the next `li.ad`.

ViNTs' separators are tags alone, and on pages of its time tags told records apart.
Today's pages are `div` in `div`; what tells a result from an advertisement is a class.
This rule is close to what a person would write by hand, and it is as readable: it is
one XPath (see `wrappers.export`), except that a record may also be a run of siblings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from scythe.errors import UsageError
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree
from scythe.wrappers.span import Span

Nodes = NDArray[np.int64]
ANY = "*"


@dataclass(frozen=True)
class Step:
    """An element by its tag (`*` for any), and by the identity and the classes that it
    must have and must not have.
    """

    tag: str
    identity: str | None = None
    classes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def fits(self, tree: Tree, nodes: Nodes) -> Nodes:
        """Those of the elements that are such a step; the tag is taken to be right
        already.
        """
        if self.identity is not None:
            found = tree.attribute_values("id", nodes.tolist())
            nodes = nodes[[value == self.identity for value in found]]
        if self.classes or self.without:
            wanted, unwanted = set(self.classes), set(self.without)
            named = [
                set((value or "").split())
                for value in tree.attribute_values("class", nodes.tolist())
            ]
            nodes = nodes[[wanted <= names and not unwanted & names for names in named]]
        return nodes

    def __str__(self) -> str:
        identity = "" if self.identity is None else f"#{self.identity}"
        return (
            self.tag
            + identity
            + "".join(f".{name}" for name in self.classes)
            + "".join(f":not(.{x})" for x in self.without)
        )


@dataclass(frozen=True)
class Located:
    """Records are `record` elements reached from the `container` over the tags of
    `path`.

    Where `path` is None they stand anywhere below the container, though never one in
    another. A record that `contains` names a step must have such an element below it.
    If records are `runs`, each goes on over its younger siblings up to the next record.
    """

    KIND: ClassVar[str] = "located"

    container: Step
    path: tuple[str, ...] | None
    record: Step
    contains: Step | None = None
    runs: bool = False

    def cut(self, tree: Tree) -> list[Span]:
        """The records of a page in page order."""
        heads = self.record.fits(tree, self._reached(tree))
        if self.contains is not None:
            heads = heads[_holding(tree, heads, self.contains)]
        if self.runs:
            return list(runs(tree, heads))
        return [Span(head, int(tree.end[head])) for head in _outermost(tree, heads)]

    def _reached(self, tree: Tree) -> Nodes:
        """The elements of the record's tag at the right place, whatever their classes."""
        nodes = _elements(tree, self.record.tag)
        everywhere = self.container == Step("html")
        if self.path is None:
            if everywhere:
                return nodes
            roots = np.zeros(len(tree), dtype=bool)
            roots[self.container.fits(tree, _elements(tree, self.container.tag))] = True
            return nodes[tree.below(roots)[nodes]]
        above = tree.parent[nodes].astype(np.int64)
        right = above >= 0
        for tag in reversed(self.path):
            right &= tree.tag[above] == tree.code(tag)
            above = tree.parent[above].astype(np.int64)
            right &= above >= 0
        right &= tree.tag[above] == tree.code(self.container.tag)
        nodes, above = nodes[right], above[right]
        if everywhere:
            return nodes[above == 0]
        return nodes[np.isin(above, self.container.fits(tree, np.unique(above)))]

    def __str__(self) -> str:
        path = (
            " "
            if self.path is None
            else "".join(f" > {tag}" for tag in self.path) + " > "
        )
        contains = "" if self.contains is None else f":has({self.contains})"
        return f"{self.container}{path}{self.record}{contains}{' ...' if self.runs else ''}"

    def as_json(self) -> dict[str, Any]:
        """The rule as plain values, for a file a person can read."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The rule that `as_json` wrote."""
        try:
            path, contains = values["path"], values["contains"]
            return cls(
                _step(values["container"]),
                None if path is None else tuple(map(str, path)),
                _step(values["record"]),
                None if contains is None else _step(contains),
                bool(values["runs"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This is no rule of places ({error!r}); learn the wrapper again."
            ) from error


def _step(values: Mapping[str, Any]) -> Step:
    identity = values["identity"]
    classes, without = (
        tuple(map(str, values[name])) for name in ("classes", "without")
    )
    return Step(
        str(values["tag"]),
        None if identity is None else str(identity),
        classes,
        without,
    )


def _elements(tree: Tree, tag: str) -> Nodes:
    """All elements of a tag, in document order."""
    return np.flatnonzero(~tree.is_text if tag == ANY else tree.tag == tree.code(tag))


def _holding(tree: Tree, heads: Nodes, inner: Step) -> NDArray[np.bool_]:
    """Which of the elements have an inner element of this kind below them."""
    if not len(heads):
        return np.zeros(0, dtype=bool)
    found = _elements(tree, inner.tag)
    found = found[(found > heads[0]) & (found < int(tree.end[heads].max()))]
    found = inner.fits(tree, found)
    return np.searchsorted(found, heads + 1) < np.searchsorted(found, tree.end[heads])


def _outermost(tree: Tree, heads: Nodes) -> Iterator[int]:
    """Records hold no records: of one in another, the outer one."""
    stop = 0
    for head in heads.tolist():
        if head >= stop:
            yield head
            stop = int(tree.end[head])


def runs(tree: Tree, heads: Sequence[int] | Nodes) -> Iterator[Span]:
    """Every head with its younger siblings up to the next head.

    The last run of a parent has no next head: it ends before the first sibling of a tag
    that no earlier run has.
    """
    heads = [int(head) for head in heads]
    for place, head in enumerate(heads):
        parent = int(tree.parent[head])
        following = heads[place + 1] if place + 1 < len(heads) else -1
        if following >= 0 and tree.parent[following] == parent:
            yield Span(head, following)
            continue
        first = place
        while first and tree.parent[heads[first - 1]] == parent:
            first -= 1
        known = {
            int(tree.tag[node])
            for node in tree.children(parent)
            if heads[first] <= node < head
        }
        stop = int(tree.end[parent])
        if known:
            others = (
                x
                for x in tree.children(parent)
                if x > head and tree.tag[x] != TEXT and int(tree.tag[x]) not in known
            )
            stop = next(others, stop)
        yield Span(head, stop)
