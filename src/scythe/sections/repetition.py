"""What repeats on a page, read in a few passes over arrays.

`main_section` weighs candidates with a model and takes many times as long as parsing
the page. This reading takes about as long as parsing and knows less: elements with the
same path (and the same class, digits aside) are a group, a group has a weight, and
every text stands in the record of the heaviest group around it. It is meant for every
page of a crawl: the features of blocks are made of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Hashes = NDArray[np.uint64]

MIN_MEMBERS = 3
"""Elements that a group must have: two of a kind are a pair of columns as often as two
records.
"""
LINKED_WEIGHT = 0.1
"""What a group weighs all of whose words are links, such as a menu. On two thirds of
the labelled list pages, one page a set, the heaviest group has 0.807 of the records
and 0.716 of it are records; with 0.3 it is 0.798 and 0.697, with 1 0.781 and 0.676.
"""
BARE_WEIGHT = 0.3
"""What a group weighs whose members hold a single text each, such as the paragraphs of
an article: less than the posts around such paragraphs. On the same pages 0.15 gives
0.789 and 0.710, 0.5 gives 0.799 and 0.692.
"""

LINK = TagSet("a")

_STRIPE = re.compile(r"[\d_-]+|\b(?:odd|even|first|last|alt)\b")
"""What tells members of one group apart in their class names."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
"""The published constants of splitmix64."""


def mix(one: Hashes, other: Hashes) -> Hashes:
    """Return one number for each pair of numbers, by splitmix64."""
    value = one + _STEP + other * _SECOND
    value = (value ^ (value >> np.uint64(30))) * _FIRST
    value = (value ^ (value >> np.uint64(27))) * _SECOND
    return np.asarray(value ^ (value >> np.uint64(31)))


def _running_sums(values: Ints) -> Ints:
    """Return the sums of all beginnings, the empty one first."""
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


@dataclass(frozen=True, eq=False)
class Groups:
    """Elements that repeat. All arrays have an entry for each group."""

    count: Ints
    words: Ints
    link_share: Floats
    parents: Ints
    weight: Floats
    """How much of the page repeats here and how evenly: the share of its words times
    the entropy of their distribution over the members.
    """
    first: Ints
    """The first member."""
    stop: Ints
    """Where the last member ends."""


@dataclass(frozen=True, eq=False)
class Repetition:
    """The repeated elements of a page, seen from its texts.

    A text is what the caller decides about: `nodes` are first text nodes in document
    order, `words` says how long each text is.
    """

    tree: Tree
    nodes: Ints
    words: Ints

    @cached_property
    def word_sums(self) -> Ints:
        """Running sums of the words of the texts."""
        return _running_sums(self.words)

    @cached_property
    def elements(self) -> Ints:
        """The elements that hold texts, in document order; not those that hold them
        all.
        """
        tree = self.tree
        is_filled = (self._high > self._low) & ~tree.is_text
        is_all = (self._low == 0) & (self._high == len(self.nodes))
        return np.flatnonzero(is_filled & ~is_all)

    @cached_property
    def _low(self) -> Ints:
        return np.searchsorted(self.nodes, self.tree.starts)

    @cached_property
    def _high(self) -> Ints:
        return np.searchsorted(self.nodes, self.tree.end)

    @cached_property
    def paths(self) -> Hashes:
        """A number for every node that stands for the tags from the root to it."""
        tree = self.tree
        tags = tree.tag.astype(np.int64).astype(np.uint64)
        paths = np.zeros(len(tree), dtype=np.uint64)
        by_depth = np.argsort(tree.depth, kind="stable")
        depth_counts = np.bincount(tree.depth)
        bounds = _running_sums(depth_counts)
        with np.errstate(over="ignore"):
            for start, stop in pairwise(bounds[1:].tolist()):
                level = by_depth[start:stop]
                above = paths[tree.parent[level]]
                paths[level] = mix(above, tags[level])
        return paths

    @cached_property
    def class_numbers(self) -> Hashes:
        """A number for every element that stands for its class, digits and stripes
        aside; 0 where it has none.
        """
        elements = self.elements
        values = self.tree.attribute_values("class", elements.tolist())
        numbers: dict[str, int] = {"": 0}
        number_of: dict[str | None, int] = {None: 0}
        for value in values:
            if value not in number_of:
                name = " ".join(_STRIPE.sub(" ", value or "").split())
                number_of[value] = numbers.setdefault(name, len(numbers))
        classes = np.zeros(len(self.tree), dtype=np.uint64)
        classes[elements] = [number_of[value] for value in values]
        return classes

    @cached_property
    def _membership(self) -> tuple[Ints, Ints]:
        """The members of all groups and the key of each: elements of one path, and
        those of one path and class.
        """
        elements = self.elements
        paths = self.paths[elements]
        with np.errstate(over="ignore"):
            with_class = mix(paths, self.class_numbers[elements] + np.uint64(1))
        _, path_keys = np.unique(paths, return_inverse=True)
        _, class_keys = np.unique(with_class, return_inverse=True)

        path_counts = np.bincount(path_keys)[path_keys]
        class_counts = np.bincount(class_keys)[class_keys]
        by_path = (path_counts >= MIN_MEMBERS) & (path_counts > class_counts)
        by_class = class_counts >= MIN_MEMBERS
        members = np.concatenate([elements[by_class], elements[by_path]])
        class_count = len(class_keys)
        keys = np.concatenate([class_keys[by_class], path_keys[by_path] + class_count])
        _, keys = np.unique(keys, return_inverse=True)
        return members, keys

    @cached_property
    def groups(self) -> Groups:
        """All groups of the page."""
        members, keys = self._membership
        size = int(keys.max(initial=-1)) + 1
        words = self.member_words(members)
        texts = self._high[members] - self._low[members]
        group_words = np.bincount(
            keys,
            words,
            size,
        )

        member_group_words = group_words[keys]
        share = words / np.maximum(member_group_words, 1)
        surprise = -share * np.log(np.maximum(share, 1e-9))
        entropy = np.bincount(
            keys,
            surprise,
            size,
        )
        count = np.bincount(keys, minlength=size)
        is_rich = texts > 1
        rich_count = np.bincount(
            keys,
            is_rich,
            size,
        )
        rich_share = rich_count / np.maximum(count, 1)
        richness = BARE_WEIGHT + (1 - BARE_WEIGHT) * rich_share
        member_link_words = self._link_words(members)
        link_words = np.bincount(
            keys,
            member_link_words,
            size,
        )
        link_share = link_words / np.maximum(group_words, 1)
        openness = 1 - (1 - LINKED_WEIGHT) * link_share
        all_words = int(self.word_sums[-1])
        page_words = max(all_words, 1)

        first = np.full(size, len(self.tree))
        stop = np.zeros(size, dtype=np.int64)
        np.minimum.at(first, keys, members)
        member_ends = self.tree.end[members].astype(np.int64)
        np.maximum.at(stop, keys, member_ends)
        parents = self.tree.parent[members].astype(np.int64)
        pairs = np.unique(keys * len(self.tree) + parents)
        return Groups(
            count=count,
            words=group_words.astype(np.int64),
            link_share=link_share,
            parents=np.bincount(pairs // len(self.tree), minlength=size),
            weight=group_words / page_words * entropy * richness * openness,
            first=first,
            stop=stop,
        )

    @cached_property
    def is_linked(self) -> NDArray[np.bool_]:
        """Which texts begin in a link."""
        in_link = self.tree.below(self.tree.has_tag(LINK))
        return np.asarray(in_link[self.nodes])

    def _link_words(self, elements: Ints) -> Ints:
        link_words = np.where(
            self.is_linked,
            self.words,
            0,
        )
        sums = _running_sums(link_words)
        before = sums[self._low[elements]]
        through = sums[self._high[elements]]
        return np.asarray(through - before)

    def member_words(self, elements: Ints) -> Ints:
        """Return the words of elements."""
        sums = self.word_sums
        before = sums[self._low[elements]]
        through = sums[self._high[elements]]
        return np.asarray(through - before)

    @cached_property
    def best_group(self) -> Ints:
        """For each node the heaviest group that it is a member of, -1 where it is in
        none.
        """
        members, keys = self._membership
        weights = self.groups.weight[keys]
        order = np.argsort(weights, kind="stable")
        best = np.full(len(self.tree), -1, dtype=np.int64)
        best[members[order]] = keys[order]
        return best

    @cached_property
    def records(self) -> Ints:
        """For each text the record it stands in, that of the heaviest group around it;
        -1 where nothing around it repeats.
        """
        tree = self.tree
        best_group = self.best_group
        weights = np.concatenate([self.groups.weight, [0.0]])
        node_weight = weights[best_group]
        records = np.full(len(self.nodes), -1, dtype=np.int64)
        heaviest = np.zeros(len(self.nodes))
        above = tree.parent[self.nodes].astype(np.int64)
        while (above > 0).any():
            above = np.maximum(above, 0)
            is_heavier = node_weight[above] >= heaviest
            is_member = best_group[above] >= 0
            taken = is_heavier & is_member
            records[taken] = above[taken]
            heaviest[taken] = node_weight[above[taken]]
            above = tree.parent[above].astype(np.int64)
        return records

    @cached_property
    def group_of(self) -> Ints:
        """For each text the group of its record, -1 where it has none."""
        groups = self.best_group[self.records]
        return np.where(
            self.records >= 0,
            groups,
            -1,
        )

    @cached_property
    def main_group(self) -> int:
        """The heaviest group of the page, -1 where nothing repeats."""
        weights = self.groups.weight
        return int(np.argmax(weights)) if len(weights) else -1

    def member_nodes(self, group: int) -> Ints:
        """Return the members of a group in document order."""
        members, keys = self._membership
        return np.sort(members[keys == group])
