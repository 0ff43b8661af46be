"""Candidates: every set of places on a page that look like the records of one section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import log

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TEXT
from scythe.wrappers.located import runs
from scythe.wrappers.sections.facts import Facts
from scythe.wrappers.sections.likeness import jaccard, shapes_of
from scythe.wrappers.span import Span

KEPT = 60
"""Groups that are looked at closely, those with the most words times the logarithm of
their number of records first. On all 330 labelled pages the best group is among them.
"""

ONE_KIND = 0.8
"""How alike the siblings of runs are that are records themselves. Of the labelled lists
of runs, none is above 0.57.
"""
LOOKED_AT = 12

LEAST = 2
LEAST_APART = 3
"""Records that a group must have: more where they do not stand side by side."""


@dataclass(frozen=True)
class Group:
    """Places that have something in common: the candidate records of a section."""

    spans: tuple[Span, ...]
    kind: str
    """What they have in common: `siblings`, `path`, `class` or `runs`."""
    by_class: bool
    """Whether they share a class name, besides tags."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the records begin."""
        return np.array([span.start for span in self.spans])

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """Where the records end."""
        return np.array([span.stop for span in self.spans])

    def only(self, chosen: NDArray[np.bool_]) -> Group:
        """The group with some of its records."""
        return Group(
            tuple(
                [
                    span
                    for span, kept in zip(self.spans, chosen.tolist(), strict=True)
                    if kept
                ]
            ),
            self.kind,
            self.by_class,
        )


def groups_of(facts: Facts) -> list[Group]:
    """The candidate groups of a page in page order, each set of places once."""
    found: dict[tuple[Span, ...], Group] = {}
    for group in _candidates(facts):
        found.setdefault(group.spans, group)
    words = facts.sums["words"]

    def weight(group: Group) -> float:
        return float((words[group.stops] - words[group.starts]).sum()) * log(
            len(group.spans)
        )

    heaviest = sorted(found.values(), key=weight, reverse=True)[:KEPT]
    whole = [
        group
        for group in heaviest
        if group.kind != "runs" or not _several_in_each(facts, group)
    ]
    return sorted(whole, key=lambda group: (group.spans[0], len(group.spans)))


def _several_in_each(facts: Facts, group: Group) -> bool:
    """Whether runs are made of like siblings: rows striped `even` and `odd` are a
    record each.
    """
    tree, alike = facts.tree, []
    for start, stop in group.spans[:LOOKED_AT]:
        siblings = (
            np.flatnonzero(
                (tree.parent[start:stop] == tree.parent[start])
                & facts.filled[start:stop]
            )
            + start
        )
        shapes = shapes_of(
            facts.tag_shape, siblings, tree.end[siblings].astype(np.int64)
        )
        alike.append(
            float(jaccard(shapes[:-1], shapes[1:]).mean()) if len(siblings) > 1 else 0.0
        )
    return sum(alike) > ONE_KIND * len(alike)


def _candidates(facts: Facts) -> Iterator[Group]:
    yield from _beside_each_other(facts)
    yield from _apart(facts)


def _beside_each_other(facts: Facts) -> Iterator[Group]:
    """Like children of one parent, as records themselves and as heads of runs."""
    tree, tags, ends = facts.tree, facts.tree.tag.tolist(), facts.tree.end.tolist()
    filled = facts.filled
    parents = tree.parent[filled & (tree.parent >= 0)]
    many = np.flatnonzero(np.bincount(parents, minlength=len(tree)) >= LEAST)
    for parent in many.tolist():
        children = [child for child in tree.children(parent) if filled[child]]
        yield Group(
            tuple([Span(child, ends[child]) for child in children]),
            "siblings",
            by_class=False,
        )
        alike: dict[tuple[int, str], list[int]] = defaultdict(list)
        for child in children:
            for name in ("", *facts.classes.get(child, ())):
                alike[tags[child], name].append(child)
        for (_, name), heads in alike.items():
            if len(heads) < LEAST:
                continue
            yield Group(
                tuple([Span(head, ends[head]) for head in heads]),
                "siblings",
                bool(name),
            )
            if len(heads) < len(children):
                yield Group(tuple(runs(tree, heads)), "runs", bool(name))


def _apart(facts: Facts) -> Iterator[Group]:
    """Elements under different parents that have their path or their class in common:
    grids, columns, wrapped items.
    """
    tree, ends = facts.tree, facts.tree.end.tolist()
    tags, paths = tree.tag.tolist(), facts.path.tolist()
    alike: dict[tuple[str, int, str], list[int]] = defaultdict(list)
    for node in np.flatnonzero(facts.filled & (tree.tag != TEXT)).tolist():
        alike["path", paths[node], ""].append(node)
        for name in facts.classes.get(node, ()):
            alike["path", paths[node], name].append(node)
            alike["class", tags[node], name].append(node)
    for (kind, _, name), nodes in alike.items():
        outer, stop = [], 0
        for node in nodes:
            if node >= stop:
                outer.append(Span(node, ends[node]))
                stop = ends[node]
        if len(outer) >= LEAST_APART:
            yield Group(tuple(outer), kind, bool(name))
