"""Rules cut a page into records; a located rule says where records stand and what they
look like: `ul#results / li.result`, not the next `li.ad`.

ViNTs' separators are tags alone, and on pages of its time tags told records apart.
Today's pages are `div` in `div`; what tells a result from an advertisement is a class.
A located rule is close to what a person would write by hand, and it is as readable: it
is one XPath (see `wrappers.export`), except that a record may also be a run of siblings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from scythe.errors import UsageError
from scythe.sections.runs import sibling_runs
from scythe.sections.span import Span
from scythe.tree.tree import Tree, once_per_tree

Nodes = NDArray[np.int64]
ANY_TAG = "*"
MANY_ELEMENTS = 2_000
"""Elements from which on their classes are looked up in a table of the page, which takes
as long to make as asking some thousands of them. Not tuned.
"""


class Rule(Protocol):
    """Finds the records of any page of one kind, from its tags and attributes alone."""

    KIND: ClassVar[str]
    """The name by which a wrapper's file says which rule it holds."""

    def cut(self, tree: Tree) -> list[Span]:
        """Return the records of a page in page order, none where the rule does not fit."""

    def as_json(self) -> dict[str, Any]:
        """Return the rule as plain values, for a file a person can read."""

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the rule that `as_json` wrote; a `UsageError` where it is damaged."""


class ClassTable(NamedTuple):
    """The class attributes of a page."""

    values: list[str]
    """Each that there is, once."""
    of_nodes: Nodes
    """Which of them each node has."""


@once_per_tree
def class_table(tree: Tree) -> ClassTable:
    """Return the class attributes of a page: rules that are tried one after the other
    look each of them up once, however many elements have it.
    """
    elements = np.flatnonzero(~tree.is_text)
    numbers: dict[str, int] = {"": 0}
    index = np.zeros(len(tree), dtype=np.int64)
    values = tree.attribute_values("class", elements.tolist())
    index[elements] = [
        numbers.setdefault(value or "", len(numbers)) for value in values
    ]
    return ClassTable(list(numbers), index)


@dataclass(frozen=True)
class ElementSelector:
    """An element by its tag (`*` for any), its `id`, and the classes that it must have
    and must not have.
    """

    tag: str
    identity: str | None = None
    classes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def select(self, tree: Tree, nodes: Nodes) -> Nodes:
        """Return those of the elements that fit; their tag is taken to be right."""
        if self.identity is not None:
            identities = tree.attribute_values("id", nodes.tolist())
            has_identity = [value == self.identity for value in identities]
            nodes = nodes[has_identity]
        if not self.classes and not self.without:
            return nodes
        if len(nodes) > MANY_ELEMENTS:
            table = class_table(tree)
            fits = [self._fits_classes(value) for value in table.values]
            fits_value = np.array(fits)
            numbers = table.of_nodes[nodes]
            return nodes[fits_value[numbers]]
        values = tree.attribute_values("class", nodes.tolist())
        fits = [self._fits_classes(value or "") for value in values]
        return nodes[fits]

    def _fits_classes(self, value: str) -> bool:
        names = set(value.split())
        has_all = names.issuperset(self.classes)
        return has_all and names.isdisjoint(self.without)

    def __str__(self) -> str:
        text = self.tag
        if self.identity is not None:
            text += f"#{self.identity}"
        for name in self.classes:
            text += f".{name}"
        for name in self.without:
            text += f":not(.{name})"
        return text

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the selector that stands in a rule's JSON."""
        identity = values["identity"]
        if identity is not None:
            identity = str(identity)
        return cls(
            tag=str(values["tag"]),
            identity=identity,
            classes=tuple(map(str, values["classes"])),
            without=tuple(map(str, values["without"])),
        )


ANYWHERE = ElementSelector("html")
"""The container that every page has."""


@dataclass(frozen=True)
class LocatedRule:
    """Records are `record` elements reached from the `container` over the tags of
    `path`.

    Where `path` is None they stand anywhere below the container, though never one in
    another. A record must have an element that `contains` selects below it. If records
    are `runs`, each goes on over its younger siblings up to the next record.
    """

    KIND: ClassVar[str] = "located"

    container: ElementSelector
    path: tuple[str, ...] | None
    record: ElementSelector
    contains: ElementSelector | None = None
    runs: bool = False

    def cut(self, tree: Tree) -> list[Span]:
        """Return the records of a page in page order."""
        reached = self._reached(tree)
        heads = self.record.select(tree, reached)
        if self.contains is not None:
            has_content = _have_inside(tree, heads, self.contains)
            heads = heads[has_content]
        if self.runs:
            return list(sibling_runs(tree, heads))
        return list(_outermost(tree, heads))

    def _reached(self, tree: Tree) -> Nodes:
        """Return the elements of the record's tag that container and path lead to,
        whatever their classes.
        """
        nodes = _elements(tree, self.record.tag)
        if self.path is not None:
            return self._reached_by_path(tree, nodes, self.path)
        if self.container == ANYWHERE:
            return nodes
        containers = _elements(tree, self.container.tag)
        is_container = np.zeros(len(tree), dtype=bool)
        is_container[self.container.select(tree, containers)] = True
        is_inside = tree.below(is_container)
        return nodes[is_inside[nodes]]

    def _reached_by_path(
        self, tree: Tree, nodes: Nodes, path: tuple[str, ...]
    ) -> Nodes:
        above = tree.parent[nodes].astype(np.int64)
        fits = above >= 0
        for tag in reversed(path):
            tag_code = tree.code(tag)
            fits &= tree.tag[above] == tag_code
            above = tree.parent[above].astype(np.int64)
            fits &= above >= 0
        container_tag = tree.code(self.container.tag)
        fits &= tree.tag[above] == container_tag
        nodes = nodes[fits]
        above = above[fits]
        if self.container == ANYWHERE:
            return nodes[above == 0]
        candidates = np.unique(above)
        containers = self.container.select(tree, candidates)
        return nodes[np.isin(above, containers)]

    def __str__(self) -> str:
        path = " "
        if self.path is not None:
            path = " > ".join(["", *self.path, ""])
        contains = ""
        if self.contains is not None:
            contains = f":has({self.contains})"
        runs = " ..." if self.runs else ""
        return f"{self.container}{path}{self.record}{contains}{runs}"

    def as_json(self) -> dict[str, Any]:
        """Return the rule as plain values, for a file a person can read."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the rule that `as_json` wrote."""
        try:
            path = values["path"]
            if path is not None:
                path = tuple(map(str, path))
            contains = values["contains"]
            if contains is not None:
                contains = ElementSelector.from_json(contains)
            return cls(
                container=ElementSelector.from_json(values["container"]),
                path=path,
                record=ElementSelector.from_json(values["record"]),
                contains=contains,
                runs=bool(values["runs"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This is no located rule ({error!r}); learn the wrapper again."
            ) from error


def _elements(tree: Tree, tag: str) -> Nodes:
    """Return all elements of a tag, in document order."""
    if tag == ANY_TAG:
        return np.flatnonzero(~tree.is_text)
    tag_code = tree.code(tag)
    return np.flatnonzero(tree.tag == tag_code)


def _have_inside(
    tree: Tree, heads: Nodes, selector: ElementSelector
) -> NDArray[np.bool_]:
    """Return which of the elements have a selected element below them."""
    if not len(heads):
        return np.zeros(0, dtype=bool)
    inner = _elements(tree, selector.tag)
    ends = tree.end[heads]
    is_within = (inner > heads[0]) & (inner < ends.max())
    inner = selector.select(tree, inner[is_within])
    first_inside = np.searchsorted(inner, heads + 1)
    first_behind = np.searchsorted(inner, ends)
    return first_inside < first_behind


def _outermost(tree: Tree, heads: Nodes) -> Iterator[Span]:
    """Yield the outer one of records in one another: records hold no records."""
    ends = tree.end[heads].tolist()
    stop = 0
    for head, end in zip(heads.tolist(), ends, strict=True):
        if head >= stop:
            stop = end
            yield Span(head, stop)
