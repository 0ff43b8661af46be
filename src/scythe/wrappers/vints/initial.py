"""Initial wrappers (ViNTs, section 5.4): prefix and separators from the tag paths of
three consecutive candidate records.

Figure 6 of the paper: all records lie in a minimal sub-tree t of the tag tree, each a
sub-forest of t whose roots are children of t; the records stand side by side, and each
ends with the separator, its rightmost sub-trees. In figure 7 some records are indented:
their sub-forest is below a child n of t of its own, and n is a second separator.

The tag paths are not written out. The paths of three records have in common the way to
the lowest node above all of them, the root of the minimal sub-tree t, and the elder
children of t before the first record (PRE). What is left of two paths differs by the
children of t from one record to the next (Diff). So PRE and the Diffs are slices of the
row of children of t.

In the paper a path is a suffix of the next one behind PRE, that is, all records have
the same tags down to their first line. This is not asked for here: the first lines of
today's records are often an optional picture's, label's or date's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scythe.tree.paths import PathNode, TagPath, tag_path
from scythe.tree.tree import Tree
from scythe.wrappers.vints.candidates import CandidateGroup
from scythe.wrappers.vints.forest import MAX_DEPTH, TagForest, ends_with, occurrences
from scythe.wrappers.vints.rule import Bounds, SeparatedRule, Separator, cut_forest

SUB_GROUP_SIZE = 3
"""Records a wrapper is built from, the paper's k."""
MAX_TRIED_CHILDREN = 500_000
"""Children of all roots together that sub-groups of a page may be tried on: a bound on
work, so that long lists without a wrapper end in time.
"""
MAX_RECORD_LENGTH = 100
"""Sibling elements of a record. What is longer is no record, and the time to find its
separator grows with the cube of it.
"""


@dataclass(frozen=True)
class InitialWrapper:
    """An initial wrapper on its page: the children of the forest from `start` on, cut
    by the separators into records.
    """

    forest: TagForest
    start: int
    separators: tuple[Separator, ...]
    records: list[Bounds]

    def rule(self) -> SeparatedRule:
        """Return the wrapper in the form that fits other pages too."""
        return SeparatedRule(self._prefix(), self.separators)

    def _prefix(self) -> TagPath:
        tree = self.forest.tree
        root = self.forest.root
        elder_nodes = self.forest.nodes[: self.start].tolist()
        elder_path = [PathNode(tree.name(node), "S") for node in elder_nodes]
        root_node = PathNode(tree.name(root), "C")
        return (*tag_path(tree, root), root_node, *elder_path)


RecordStarts = tuple[int, ...]
"""With which children of t records begin."""


class InitialWrapperBuilder:
    """Builds the initial wrappers of a page, each once, however many sub-groups lead to
    it.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._forests: dict[int, TagForest] = {}
        self._tried: set[tuple[int, RecordStarts]] = set()
        self._built: dict[int, list[_WrapperRecords]] = {}
        self._children_left = MAX_TRIED_CHILDREN

    def wrappers(self, groups: Sequence[CandidateGroup]) -> Iterator[InitialWrapper]:
        """Yield the wrappers of all sub-groups of consecutive records of the groups.

        A sub-group whose records a wrapper gives back already is not asked for another
        one.
        """
        for group in groups:
            for first in range(len(group) - SUB_GROUP_SIZE + 1):
                sub_group = group[first : first + SUB_GROUP_SIZE]
                forest, starts = self._minimal_subtree(sub_group)
                built = self._built.setdefault(forest.root, [])
                key = (forest.root, starts)
                is_found = any(records.include(starts) for records in built)
                if is_found or key in self._tried:
                    continue
                self._tried.add(key)
                self._children_left -= len(forest)
                if self._children_left < 0:
                    return
                initial = initial_wrapper(forest, starts)
                if initial is not None:
                    built.append(_WrapperRecords(initial.records))
                    yield initial

    def _minimal_subtree(self, nodes: Sequence[int]) -> tuple[TagForest, RecordStarts]:
        """Return the minimal sub-tree t of records, as the forest below its root, and
        with which children they begin.
        """
        root = int(self.tree.parent[nodes[0]])
        while self.tree.end[root] <= nodes[-1]:
            root = int(self.tree.parent[root])
        if root not in self._forests:
            self._forests[root] = TagForest(self.tree, root)
        forest = self._forests[root]
        starts = [forest.child_index(node) for node in nodes]
        return forest, tuple(starts)


class _WrapperRecords:
    """With which children the records of a wrapper begin, in their order."""

    def __init__(self, records: Sequence[Bounds]) -> None:
        self._number_of: dict[int, int] = {}
        for number, (start, _) in enumerate(records):
            self._number_of[start] = number

    def include(self, starts: Sequence[int]) -> bool:
        """Return whether records begin at these children, one right after the other."""
        first = self._number_of.get(starts[0])
        if first is None:
            return False
        for number, start in enumerate(starts, first):
            if self._number_of.get(start) != number:
                return False
        return True


def initial_wrapper(forest: TagForest, starts: Sequence[int]) -> InitialWrapper | None:
    """Return the wrapper that gives back the records that begin at these children, if
    there is one.

    Where tags alone do not tell the end of a record, or do not give the records back,
    the tags are expanded by the structure of their children, one generation after the
    other.
    """
    for start, following in pairwise(starts):
        if not start < following <= start + MAX_RECORD_LENGTH:
            return None

    for depth in range(MAX_DEPTH + 1):
        row = forest.structures(depth)
        bounds = pairwise(starts)
        diffs = [row[start:following] for start, following in bounds]
        separator = common_separator(diffs)
        if separator is None:
            continue
        patterns = [separator]
        if all(diff == diffs[0] for diff in diffs):
            patterns += indented_separators(forest, depth, starts[-1], separator)
            first = remove_separators(forest, depth, starts[0], patterns)
        else:
            first = remove_suffixes(row, starts[0], diffs)
        separators = tuple([Separator(tuple(pattern), depth) for pattern in patterns])
        records = cut_forest(forest, first, separators)
        if _WrapperRecords(records).include(starts):
            return InitialWrapper(forest, first, separators, records)
    return None


def common_separator(diffs: Sequence[list[str]]) -> list[str] | None:
    """Return what ends every record: the Diff itself where all are the same, else the
    shortest common suffix that each has only once.
    """
    first = diffs[0]
    if all(diff == first for diff in diffs):
        return first
    shortest = min(map(len, diffs))
    for size in range(1, shortest + 1):
        suffix = first[-size:]
        if any(diff[-size:] != suffix for diff in diffs):
            return None
        if all(occurrences(diff, suffix) == 1 for diff in diffs):
            return suffix
    return None


def remove_separators(
    forest: TagForest, depth: int, start: int, separators: list[list[str]]
) -> int:
    """Return where the prefix ends when separators are removed from the end of PRE;
    add further separators found on the way.

    Where an indented record E is met, its node is a separator too.
    """
    row = forest.structures(depth)
    diff = separators[0]
    while True:
        start = remove_suffixes(row, start, separators)
        last = start - 1
        if not start or not is_indented_record(forest, depth, last, diff):
            return start
        separators.append([row[last]])


def indented_separators(
    forest: TagForest, depth: int, start: int, diff: list[str]
) -> list[list[str]]:
    """Return the nodes of indented records behind the last record of a sub-group: such
    a record may be the last of the list or next to it, with no three records behind it.
    """
    row = forest.structures(depth)
    found: list[list[str]] = []
    for index in range(start, len(row)):
        node = [row[index]]
        is_known = node == diff or node in found
        if not is_known and is_indented_record(forest, depth, index, diff):
            found.append(node)
    return found


def is_indented_record(
    forest: TagForest, depth: int, index: int, diff: list[str]
) -> bool:
    """Return whether a child is a record itself, an indented one (figure 7): its
    children are what stands right before it, a whole record.
    """
    if not ends_with(forest.structures(depth), index, diff):
        return False
    indented = TagForest(forest.tree, int(forest.nodes[index]))
    return indented.structures(depth) == diff


def remove_suffixes(row: list[str], start: int, patterns: Sequence[list[str]]) -> int:
    """Return where row[:start] ends when all patterns at its end are removed."""
    while True:
        size = 0
        for pattern in patterns:
            if ends_with(row, start, pattern):
                size = len(pattern)
                break
        if not size:
            return start
        start -= size
