"""Initial wrappers (ViNTs, section 5.4): prefix and separators from the tag paths of
three consecutive candidate records.

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
from scythe.wrappers.vints.candidates import Group
from scythe.wrappers.vints.forest import DEEPEST, Forest, ends_with, occurs
from scythe.wrappers.vints.rule import Separated, Separator, cut_forest

SUB_GROUP = 3
"""Records a wrapper is built from, the paper's k."""
MOST_TRIED = 500_000
"""Children of all roots together that sub-groups of a page may be tried on, so that
long lists without a wrapper end in time.
"""
LONGEST_RECORD = 100
"""Sibling elements of a record. What is longer is no record, and the time to find its
separator grows with the cube of it.
"""


@dataclass(frozen=True)
class Initial:
    """An initial wrapper on its page: the children of the forest from `start` on, cut
    by the separators into pieces.
    """

    forest: Forest
    start: int
    separators: tuple[Separator, ...]
    pieces: list[tuple[int, int]]

    def rule(self) -> Separated:
        """The wrapper in the form that fits other pages too."""
        return Separated(self._prefix(), self.separators)

    def _prefix(self) -> TagPath:
        tree, root = self.forest.tree, self.forest.root
        elder = [
            PathNode(tree.name(int(node)), "S")
            for node in self.forest.nodes[: self.start]
        ]
        return (*tag_path(tree, root), PathNode(tree.name(root), "C"), *elder)


class Builder:
    """Builds the initial wrappers of a page, each once, however many sub-groups lead to
    it.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._forests: dict[int, Forest] = {}
        self._tried: set[tuple[int, tuple[int, ...]]] = set()
        self._made: dict[int, list[_Records]] = {}
        self._children_left = MOST_TRIED

    def wrappers(self, groups: Sequence[Group]) -> Iterator[Initial]:
        """The wrappers of all sub-groups of consecutive records of the groups.

        A sub-group whose records a wrapper gives back already is not asked for another
        one.
        """
        for group in groups:
            for first in range(len(group) - SUB_GROUP + 1):
                forest, places = self._places(group[first : first + SUB_GROUP])
                made = self._made.setdefault(forest.root, [])
                if (forest.root, places) in self._tried or any(
                    records.has(places) for records in made
                ):
                    continue
                self._tried.add((forest.root, places))
                self._children_left -= len(forest)
                if self._children_left < 0:
                    return
                initial = initial_wrapper(forest, places)
                if initial is not None:
                    made.append(_Records(initial.pieces))
                    yield initial

    def _places(self, nodes: Sequence[int]) -> tuple[Forest, tuple[int, ...]]:
        """The minimal sub-tree t of records, as the forest below its root, and with
        which children they begin.
        """
        root = int(self.tree.parent[nodes[0]])
        while self.tree.end[root] <= nodes[-1]:
            root = int(self.tree.parent[root])
        if root not in self._forests:
            self._forests[root] = Forest(self.tree, root)
        forest = self._forests[root]
        return forest, tuple([forest.place(node) for node in nodes])


class _Records:
    """With which children the records of a wrapper begin, in their order."""

    def __init__(self, pieces: Sequence[tuple[int, int]]) -> None:
        self._number = {start: number for number, (start, _) in enumerate(pieces)}

    def has(self, places: Sequence[int]) -> bool:
        """Whether records begin at these places, one right after the other."""
        numbers = [self._number.get(place) for place in places]
        first = numbers[0]
        return first is not None and numbers == list(range(first, first + len(numbers)))


def initial_wrapper(forest: Forest, places: Sequence[int]) -> Initial | None:
    """The wrapper that gives back the records that begin at these children, if there is
    one.

    Where tags alone do not tell the end of a record, or do not give the records back,
    the tags are expanded by the structure of their children, one generation after the
    other.
    """
    if not all(
        place < after <= place + LONGEST_RECORD for place, after in pairwise(places)
    ):
        return None
    for depth in range(DEEPEST + 1):
        row = forest.structures(depth)
        diffs = [row[place:after] for place, after in pairwise(places)]
        separator = common_separator(diffs)
        if separator is None:
            continue
        separators = [separator]
        if all(diff == diffs[0] for diff in diffs):
            start = without_separators(forest, depth, places[0], separators)
        else:
            start = without_suffixes(row, places[0], diffs)
        found = tuple([Separator(tuple(pattern), depth) for pattern in separators])
        pieces = cut_forest(forest, start, found)
        if _Records(pieces).has(places):
            return Initial(forest, start, found, pieces)
    return None


def common_separator(diffs: Sequence[list[str]]) -> list[str] | None:
    """What ends every record: the Diff itself where all are the same, else the shortest
    end that each has only once.
    """
    if all(diff == diffs[0] for diff in diffs):
        return diffs[0]
    for size in range(1, min(map(len, diffs)) + 1):
        suffix = diffs[0][-size:]
        if any(diff[-size:] != suffix for diff in diffs):
            return None
        if all(occurs(diff, suffix) == 1 for diff in diffs):
            return suffix
    return None


def without_separators(
    forest: Forest, depth: int, start: int, separators: list[list[str]]
) -> int:
    """Where the prefix ends when separators are taken from the end of PRE; finds
    further separators on the way.

    A node E is a record itself, an indented one, if its children are what stands right
    before it, a whole record. Then E is a separator too, and is added to the list.
    """
    row, diff = forest.structures(depth), separators[0]
    while True:
        start = without_suffixes(row, start, separators)
        if not start or not ends_with(row, start - 1, diff):
            return start
        indented = Forest(forest.tree, int(forest.nodes[start - 1]))
        if indented.structures(depth) != diff:
            return start
        separators.append([row[start - 1]])


def without_suffixes(row: list[str], start: int, patterns: Sequence[list[str]]) -> int:
    """Where a row ends when all patterns at its end are taken away."""
    while True:
        size = next(
            (len(pattern) for pattern in patterns if ends_with(row, start, pattern)), 0
        )
        if not size:
            return start
        start -= size
