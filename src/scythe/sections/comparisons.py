"""How the members of candidates compare with each other, and candidates with what is
around them. The compiled core does the same where it is at work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.core.records import CandidateMembers, compare_members
from scythe.sections.candidates import CandidateKind, CandidateSection
from scythe.sections.members import Members
from scythe.sections.page_statistics import MAX_CLASSES, ClassNames, PageStatistics
from scythe.sections.shapes import mean
from scythe.tree.tree import Tree

Floats = NDArray[np.float64]
Nodes = NDArray[np.int64]

COMPARED_RECORDS = 60
"""Records of a candidate that are compared with each other: as many tell what it is
like. A bound on work, not tuned.
"""
COUNTED_RECORDS = 12
"""Records of a candidate whose children are counted: a bound on work, not tuned."""
COMPARED_SIBLINGS = 30
"""Siblings of an element that it is compared with: a bound on work, not tuned."""
MAX_TWIN_NODES = 400
"""Nodes of a member whose text is compared with that of the others: a bound on work,
not tuned.
"""
UNLIKE = 0.3
"""Below, a member is unlike the usual one; not tuned."""


class MemberComparisons(NamedTuple):
    """A value for each member."""

    like_usual: Floats
    """How like it is to what most of its candidate have."""
    has_usual: Floats
    """The share of what most have that it has."""
    tags_like_middle: Floats
    """How like its tags are to those of the one in the middle."""
    classes_like_usual: Floats
    """The share of class names that it has in common with most."""
    usual_parent: Floats
    usual_tag: Floats
    twin: Floats
    """Whether another has the very same text: a carousel's copy, or a label rather than
    a record.
    """


class CandidateComparisons(NamedTuple):
    """A value for each candidate."""

    like_next: Floats
    """How alike neighbours are."""
    like_next_least: Floats
    tags_like_next: Floats
    tags_like_next_least: Floats
    like_usual: Floats
    unlike_usual: Floats
    home: Floats
    """The lowest element that has all records below it."""
    homes: Floats
    """How many filled siblings of the same tag the home has."""
    homes_alike: Floats
    """How like the home is to them: it may itself be one of several records, or one of
    several lists.
    """
    left_out: Floats
    """What the records' parents have besides them, for each record: a candidate that
    leaves out its like is not whole.
    """
    left_out_inside: Floats
    left_out_alike: Floats
    children: Floats
    """The filled children of the first records, in the mean."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The members of some candidates, compared."""

    members: Members
    of_members: MemberComparisons
    of_candidates: CandidateComparisons

    @classmethod
    def of(
        cls, statistics: PageStatistics, candidates: Sequence[CandidateSection]
    ) -> Comparisons:
        """Return how the members of candidates compare."""
        members = Members(statistics, candidates)
        return _compiled(members) or _compared(members)


@cache
def _bounds() -> tuple[Nodes, Floats]:
    """The bounds, in the order of core/src/records/comparisons.rs."""
    numbers = (
        COMPARED_RECORDS,
        COUNTED_RECORDS,
        COMPARED_SIBLINGS,
        MAX_TWIN_NODES,
        MAX_CLASSES,
    )
    return np.array(numbers), np.array([UNLIKE])


def _compiled(members: Members) -> Comparisons | None:
    page = members.statistics.filled_page
    if page is None:
        return None
    are_runs = [
        candidate.kind is CandidateKind.RUNS for candidate in members.candidates
    ]
    compared = CandidateMembers(
        members.sizes, members.starts, members.stops, np.array(are_runs)
    )
    found = compare_members(page, compared, _bounds())
    if found is None:
        return None
    of_members, of_candidates = found
    return Comparisons(
        members, MemberComparisons(*of_members), CandidateComparisons(*of_candidates)
    )


def _compared(members: Members) -> Comparisons:
    statistics = members.statistics
    parts = []
    rows = []
    for candidate in members.candidates:
        parts.append(_member_comparisons(statistics, candidate))
        rows.append(_candidate_comparisons(statistics, candidate))
    member_columns = map(np.concatenate, zip(*parts, strict=True))
    columns = np.array(rows, dtype=np.float64).T
    return Comparisons(
        members, MemberComparisons(*member_columns), CandidateComparisons(*columns)
    )


def _member_comparisons(
    statistics: PageStatistics, candidate: CandidateSection
) -> MemberComparisons:
    """Return how the members of one candidate compare."""
    tree = statistics.tree
    starts, stops = candidate.starts, candidate.stops
    usual = statistics.shapes.compare(starts, stops).usual()
    tags = statistics.tag_shapes.compare(starts, stops)
    return MemberComparisons(
        like_usual=usual.likeness,
        has_usual=usual.share,
        tags_like_middle=tags.like(len(starts) // 2),
        classes_like_usual=_class_likeness(statistics, candidate),
        usual_parent=_are_usual(tree.parent[starts]),
        usual_tag=_are_usual(tree.tag[starts]),
        twin=_have_twins(statistics, candidate),
    )


def _class_likeness(statistics: PageStatistics, candidate: CandidateSection) -> Floats:
    names_of_members: list[ClassNames] = []
    for start in candidate.starts.tolist():
        names = statistics.classes.get(start, ())
        names_of_members.append(names)
    different = Counter(names_of_members)
    counts: Counter[str] = Counter()
    for names, times in different.items():
        for name in names:
            counts[name] += times
    half = len(names_of_members) / 2
    usual = {name for name, count in counts.items() if count >= half}
    shares = {}
    for names in different:
        shares[names] = _common_share(names, usual)
    return np.array([shares[names] for names in names_of_members])


def _common_share(names: ClassNames, usual: set[str]) -> float:
    common = len(usual.intersection(names))
    either = len(usual.union(names))
    return common / either if either else 1.0


def _are_usual(values: NDArray[np.integer]) -> Floats:
    """Return which members have the value that most have; the least of several."""
    own = values.tolist()
    counts = Counter(own)
    most = max(counts.values())
    usual = min([value for value, count in counts.items() if count == most])
    return (values == usual).astype(np.float64)


def _have_twins(statistics: PageStatistics, candidate: CandidateSection) -> Floats:
    """Return which members have the very same text as another."""
    last_nodes = np.minimum(candidate.stops, candidate.starts + MAX_TWIN_NODES)
    begins = statistics.text_begins[candidate.starts].tolist()
    ends = statistics.text_begins[last_nodes].tolist()
    texts = [
        statistics.text[begin:end] for begin, end in zip(begins, ends, strict=True)
    ]
    counts = Counter(texts)
    return np.array([float(counts[text] > 1) for text in texts])


def _candidate_comparisons(
    statistics: PageStatistics, candidate: CandidateSection
) -> list[float]:
    """Return how one candidate compares, in the order of `CandidateComparisons`."""
    home = common_ancestor(statistics.tree, candidate)
    siblings = _like_siblings(statistics, home)
    columns = {
        **_likeness(statistics, candidate),
        "home": home,
        "homes": len(siblings),
        "homes_alike": _mean_likeness(statistics, home, siblings),
        **_left_out(statistics, candidate),
        "children": _mean_children(statistics, candidate),
    }
    return [columns[name] for name in CandidateComparisons._fields]


def _likeness(
    statistics: PageStatistics, candidate: CandidateSection
) -> dict[str, float]:
    """Return how alike neighbours are, and all of them to what most have."""
    starts = candidate.starts[:COMPARED_RECORDS]
    stops = candidate.stops[:COMPARED_RECORDS]
    spans = statistics.shapes.compare(starts, stops)
    like_next = spans.like_next()
    tags_like_next = statistics.tag_shapes.compare(starts, stops).like_next()
    like_usual = spans.usual().likeness
    is_unusual = like_usual < UNLIKE
    return {
        "like_next": mean(like_next),
        "like_next_least": float(like_next.min()),
        "tags_like_next": mean(tags_like_next),
        "tags_like_next_least": float(tags_like_next.min()),
        "like_usual": mean(like_usual),
        "unlike_usual": np.count_nonzero(is_unusual) / len(is_unusual),
    }


def common_ancestor(tree: Tree, candidate: CandidateSection) -> int:
    """Return the candidate's home: the lowest element that has all its records below
    it.
    """
    first = int(candidate.starts[0])
    last = int(candidate.starts[-1])
    ancestor = int(tree.parent[first])
    while last >= tree.end[ancestor]:
        ancestor = int(tree.parent[ancestor])
    return ancestor


def _like_siblings(statistics: PageStatistics, node: int) -> list[int]:
    """Return the filled siblings of the same tag."""
    tree = statistics.tree
    parent = int(tree.parent[node])
    if parent < 0:
        return []
    tag = tree.tag[node]
    return [
        sibling
        for sibling in statistics.filled_children(parent)
        if sibling != node and tree.tag[sibling] == tag
    ]


def _mean_likeness(
    statistics: PageStatistics, node: int, others: Sequence[int]
) -> float:
    """Return how alike an element is to others; 0 where there are none."""
    if not others:
        return 0.0
    compared = others[:COMPARED_SIBLINGS]
    nodes = np.array([node, *compared])
    ends = statistics.tree.end[nodes].astype(np.int64)
    likeness = statistics.tag_shapes.compare(nodes, ends).like(0)
    return mean(likeness[1:])


def _left_out(
    statistics: PageStatistics, candidate: CandidateSection
) -> dict[str, float]:
    """Return what the records' parents have besides them."""
    tree = statistics.tree
    starts = candidate.starts
    taken = set(starts.tolist())
    others: list[int] = []
    if candidate.kind is not CandidateKind.RUNS:
        parents = tree.parent[starts[:COMPARED_RECORDS]]
        for parent in sorted(set(parents.tolist())):
            filled = statistics.filled_children(parent)
            others += [child for child in filled if child not in taken]

    number = len(candidate.spans)
    first = int(starts[0])
    last = int(candidate.stops[-1])
    others_inside = [other for other in others if first < other < last]
    inside = len(others_inside)
    middle = int(starts[number // 2])
    return {
        "left_out": len(others) / number,
        "left_out_inside": inside / number,
        "left_out_alike": _mean_likeness(statistics, middle, others),
    }


def _mean_children(statistics: PageStatistics, candidate: CandidateSection) -> float:
    counted = candidate.starts[:COUNTED_RECORDS].tolist()
    child_counts = [len(statistics.filled_children(start)) for start in counted]
    return sum(child_counts) / len(child_counts)
