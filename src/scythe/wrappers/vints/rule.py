"""The wrapper of the paper, expression (1): prefix (X (separator1|separator2|...))
[min, max].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from scythe.errors import UsageError
from scythe.sections.span import Span
from scythe.tree.paths import PathNode, TagPath, compact_path, format_path
from scythe.tree.tree import Tree
from scythe.wrappers.vints.forest import (
    MAX_DEPTH,
    OUTSIDE_FOREST,
    TagForest,
    ends_with,
)

_PATH_NODE = re.compile(r"<([^<>]*)>([CS])")

Bounds = tuple[int, int]
"""A record as the indices of its first child of t and of the child behind its last."""


class Separator(NamedTuple):
    """The tag forest that ends every record: sibling elements, all written with their
    structure down to `depth`.
    """

    forest: tuple[str, ...]
    depth: int = 0

    def __str__(self) -> str:
        return "".join(f"<{tag}>S" for tag in self.forest)


@dataclass(frozen=True)
class SeparatedRule:
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
        """Return the records of a page, none where the prefix leads nowhere."""
        target = follow_prefix(tree, self.prefix)
        if target is None:
            return []
        root, start = target
        forest = TagForest(tree, root)
        records = cut_forest(forest, start, self.separators)
        first = max(self.min - 1, 0)
        taken = records[first : self.max]
        return [forest.span(start, stop) for start, stop in taken]

    def compact(self) -> Self:
        """Return the rule with its prefix in the compact form, which fits more pages."""
        first_tags = set()
        for separator in self.separators:
            first_child = separator.forest[0]
            tag, _, _ = first_child.partition("(")
            first_tags.add(tag)
        prefix = compact_path(self.prefix, first_tags)
        return replace(self, prefix=prefix)

    def __str__(self) -> str:
        separators = "|".join(map(str, self.separators))
        most = "∞" if self.max is None else self.max
        prefix = format_path(self.prefix)
        return f"{prefix}(X({separators}))[{self.min},{most}]"

    def as_json(self) -> dict[str, Any]:
        """Return the rule as plain values, for a file a person can read."""
        separators = []
        for separator in self.separators:
            forest = list(separator.forest)
            separators.append({"forest": forest, "depth": separator.depth})
        return {
            "prefix": format_path(self.prefix),
            "separators": separators,
            "min": self.min,
            "max": self.max,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return the rule that `as_json` wrote."""
        try:
            prefix = _parsed_path(values["prefix"])
            separators = tuple(map(_parsed_separator, values["separators"]))
            least = int(values["min"])
            most = values["max"]
            if most is not None:
                most = int(most)
            rule = cls(prefix, separators, least, most)
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"This is no rule of separators ({error!r}); learn the wrapper again."
            ) from error
        is_whole_path = format_path(prefix) == values["prefix"]
        has_forests = all(separator.forest for separator in separators)
        if not is_whole_path or not has_forests:
            raise UsageError("This is no rule of separators; learn the wrapper again.")
        return rule


def _parsed_path(text: str) -> TagPath:
    path = []
    for tag, direction in _PATH_NODE.findall(text):
        path.append(PathNode(tag, "C" if direction == "C" else "S"))
    return tuple(path)


def _parsed_separator(values: Mapping[str, Any]) -> Separator:
    forest = tuple(map(str, values["forest"]))
    depth = int(values["depth"])
    return Separator(forest, min(depth, MAX_DEPTH))


def follow_prefix(tree: Tree, prefix: TagPath) -> tuple[int, int] | None:
    """Return where a prefix leads: the node whose children are cut, and how many of
    them stand before the first record.

    Each step goes on to the next sibling of its tag, then down (C) or past it (S). So a
    whole path and its compact form lead to the same node, and siblings of other tags
    that come and go between pages do no harm.
    """
    root = PathNode(tree.name(0), "C")
    if not prefix or prefix[0] != root:
        return None
    tags = tree.tag
    ends = tree.end
    is_outside = tree.has_tag(OUTSIDE_FOREST)
    parent = 0
    child = 1
    passed = 0
    for step in prefix[1:]:
        tag = tree.code(step.tag)
        stop = int(ends[parent])
        while child < stop and tags[child] != tag:
            passed += not is_outside[child]
            child = int(ends[child])
        if child >= stop:
            return None
        if step.direction == "C":
            parent = child
            child = child + 1
            passed = 0
        else:
            passed += not is_outside[child]
            child = int(ends[child])
    return parent, passed


def cut_forest(
    forest: TagForest, start: int, separators: Sequence[Separator]
) -> list[Bounds]:
    """Return the records among the children from `start` on: each is X and the first
    separator after it.

    A piece without characters is none: pages put empty elements between records, or
    where an advertisement was to be. What is left behind the last separator is a record
    if it begins as the others do: many pages separate, but do not end, records.
    """
    rows = []
    for separator in separators:
        row = forest.structures(separator.depth)
        pattern = list(separator.forest)
        rows.append((row, pattern))

    pieces = []
    for stop in range(start + 1, len(forest) + 1):
        for row, pattern in rows:
            if ends_with(row, stop, pattern, start):
                pieces.append((start, stop))
                start = stop
                break

    tags = forest.structures(0)
    if pieces and start < len(forest):
        last_start, _ = pieces[-1]
        if tags[start] == tags[last_start]:
            pieces.append((start, len(forest)))
    pieces = _without_heading(tags, pieces)
    return [piece for piece in pieces if forest.has_text(*piece)]


def _without_heading(tags: Sequence[str], pieces: list[Bounds]) -> list[Bounds]:
    """Return the pieces, the first one without what stands before the list: a compact
    prefix does not say where the list begins.

    If it begins with another tag than the second, it is taken from where that tag
    comes, not longer than the longest other.
    """
    if len(pieces) < 2:
        return pieces
    (start, stop), *others = pieces
    second_start, _ = others[0]
    first_tag = tags[second_start]
    if tags[start] == first_tag:
        return pieces
    lengths = [end - begin for begin, end in others]
    earliest = max(start, stop - max(lengths))
    for index in range(earliest, stop):
        if tags[index] == first_tag:
            start = index
            break
    return [(start, stop), *others]
