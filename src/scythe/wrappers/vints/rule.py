"""The wrapper of the paper, expression (1): prefix (X (separator1|separator2|...))
[min, max].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from scythe.errors import UsageError
from scythe.tree.paths import PathNode, TagPath, compact_path, format_path
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree
from scythe.wrappers.span import Span
from scythe.wrappers.vints.forest import DEEPEST, Forest, ends_with

_STEP = re.compile(r"<([^>]*)>([CS])")


class Separator(NamedTuple):
    """The tag forest that ends every record: sibling elements, all written with their
    structure down to `depth`.
    """

    forest: tuple[str, ...]
    depth: int = 0

    def __str__(self) -> str:
        return "".join(f"<{tag}>S" for tag in self.forest)


@dataclass(frozen=True)
class Separated:
    """A rule that cuts the children of one node into records, each ending with a
    separator.

    `prefix` leads to the first child of the first record. Records are numbered from 1;
    those from `min` to `max` are taken.
    """

    KIND: ClassVar[str] = "separated"

    prefix: TagPath
    separators: tuple[Separator, ...]
    min: int = 0
    max: int | None = None

    def cut(self, tree: Tree) -> list[Span]:
        """The records of a page, none where the prefix leads nowhere."""
        place = follow(tree, self.prefix)
        if place is None:
            return []
        forest = Forest(tree, place[0])
        pieces = cut_forest(forest, place[1], self.separators)
        return [
            forest.span(start, stop)
            for start, stop in pieces[max(self.min - 1, 0) : self.max]
        ]

    def compact(self) -> Self:
        """The rule with its prefix in the compact form, which fits more pages."""
        tags = {separator.forest[0].partition("(")[0] for separator in self.separators}
        return replace(self, prefix=compact_path(self.prefix, tags))

    def __str__(self) -> str:
        separators = "|".join(map(str, self.separators))
        return f"{format_path(self.prefix)}(X({separators}))[{self.min},{'∞' if self.max is None else self.max}]"

    def as_json(self) -> dict[str, Any]:
        """The rule as plain values, for a file a person can read."""
        return {
            "prefix": format_path(self.prefix),
            "separators": [
                {"forest": list(separator.forest), "depth": separator.depth}
                for separator in self.separators
            ],
            "min": self.min,
            "max": self.max,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The rule that `as_json` wrote."""
        try:
            prefix = tuple(
                [
                    PathNode(tag, "C" if way == "C" else "S")
                    for tag, way in _STEP.findall(values["prefix"])
                ]
            )
            separators = tuple(
                [
                    Separator(
                        tuple(map(str, item["forest"])),
                        min(int(item["depth"]), DEEPEST),
                    )
                    for item in values["separators"]
                ]
            )
            most = None if values["max"] is None else int(values["max"])
            rule = cls(prefix, separators, int(values["min"]), most)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This is no rule of separators ({error!r}); learn the wrapper again."
            ) from error
        if format_path(prefix) != values["prefix"] or not all(
            separator.forest for separator in separators
        ):
            raise UsageError("This is no rule of separators; learn the wrapper again.")
        return rule


def follow(tree: Tree, prefix: TagPath) -> tuple[int, int] | None:
    """Where a prefix leads: the node whose children are cut, and how many of them stand
    before the first record.

    Each step goes on to the next sibling of its tag, then down (C) or past it (S). So a
    whole path and its compact form lead to the same node, and siblings of other tags
    that come and go between pages do no harm.
    """
    if not prefix or prefix[0] != PathNode(tree.name(0), "C"):
        return None
    tags, ends = tree.tag, tree.end
    parent, child, passed = 0, 1, 0
    for step in prefix[1:]:
        wanted, stop = tree.code(step.tag), int(ends[parent])
        while child < stop and tags[child] != wanted:
            passed += tags[child] != TEXT
            child = int(ends[child])
        if child >= stop:
            return None
        if step.direction == "C":
            parent, child, passed = child, child + 1, 0
        else:
            child, passed = int(ends[child]), passed + 1
    return parent, int(passed)


def cut_forest(
    forest: Forest, start: int, separators: Sequence[Separator]
) -> list[tuple[int, int]]:
    """The records among the children from `start` on, as bounds: each is X and the
    first separator after it.

    A piece without characters is none: pages put empty elements between records, or
    where an advertisement was to be. What is left behind the last separator is a record
    if it begins as the others do: many pages separate, but do not end, records.
    """
    rows = [
        (forest.structures(separator.depth), list(separator.forest))
        for separator in separators
    ]
    pieces = []
    for stop in range(start + 1, len(forest) + 1):
        for row, pattern in rows:
            if ends_with(row, stop, pattern, start):
                pieces.append((start, stop))
                start = stop
                break
    tags = forest.structures(0)
    if pieces and start < len(forest) and tags[start] == tags[pieces[-1][0]]:
        pieces.append((start, len(forest)))
    return [
        piece for piece in _without_heading(tags, pieces) if forest.has_text(*piece)
    ]


def _without_heading(
    tags: Sequence[str], pieces: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pieces, the first one without what stands before the list: a compact prefix
    does not say where the list begins.

    If it begins with another tag than the second, it is taken from where that tag
    comes, not longer than the longest other.
    """
    if len(pieces) < 2 or tags[pieces[0][0]] == tags[pieces[1][0]]:
        return pieces
    (start, stop), wanted = pieces[0], tags[pieces[1][0]]
    longest = max(stop - start for start, stop in pieces[1:])
    starts = [
        place
        for place in range(max(start, stop - longest), stop)
        if tags[place] == wanted
    ]
    return [(starts[0] if starts else start, stop), *pieces[1:]]
