"""Candidates: every set of spans on a page that look like the records of one section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from itertools import islice
from math import log

import numpy as np
from numpy.typing import NDArray

from scythe.core.records import CandidateBounds, find_candidates
from scythe.sections.page_statistics import MAX_CLASSES, PageStatistics
from scythe.sections.runs import SiblingTags, sibling_runs
from scythe.sections.shapes import mean
from scythe.sections.span import Span
from scythe.tree.tags import CODES, HEADING, TEXT, TagSet, tag_bits

_PREFORMATTED = TagSet("pre")

MAX_CANDIDATES = 60
"""Candidates that are scored, those with the most words times the logarithm of their
number of records first. On all 330 labelled pages the best candidate is among them.
"""

ONE_KIND = 0.8
"""How alike the siblings of runs are that are records themselves. Of the labelled lists
of runs, none is above 0.57.
"""
MAX_RUN_SIBLINGS = 20_000_000
"""Siblings that are gone through for runs, over all sets of heads of a page: a bound on
work, a second. Pages of the record sets need some hundred thousand.
"""
MAX_APART = 300_000
"""Elements under different parents that are put into candidates, over all of a page: a
bound on work, a second. Each of them has one for its path and two for every class.
"""
MOSTLY = 0.8
"""The share of runs that end with a heading if they are cut in the wrong place; not
tuned: of the labelled lists of runs, none does at all.
"""
COMPARED_RUNS = 12
"""Runs of a candidate whose siblings are compared: a bound on work, not tuned."""

_LOGARITHMS = 1 << 14
"""Candidates with more records are left to Python where the core is at work."""

MIN_RECORDS = 2
"""Records that a candidate must have."""
MIN_RECORDS_APART = 3
"""The same where they do not stand side by side."""


Spans = tuple[Span, ...]

NodesByKey = dict[tuple[int, str], list[int]]
"""Elements by tag and class name."""


class CandidateKind(StrEnum):
    """What the records of a candidate have in common; also names of features."""

    SIBLINGS = "siblings"
    PATH = "path"
    CLASS = "class"
    RUNS = "runs"


NodesByKindAndKey = dict[tuple[bool, int, str], list[int]]
"""Elements by path (true) or tag, and class name: a kind itself is slow as a key."""


@dataclass(frozen=True)
class CandidateSection:
    """Spans that have something in common: the candidate records of a section."""

    spans: Spans
    kind: CandidateKind
    by_class: bool
    """Whether they share a class name, besides tags."""
    left_out: Spans = ()
    """Members that were judged to be no records."""

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the records begin."""
        starts = [span.start for span in self.spans]
        return np.array(starts)

    @cached_property
    def stops(self) -> NDArray[np.int64]:
        """Where the records end."""
        stops = [span.stop for span in self.spans]
        return np.array(stops)

    def first(self, number: int) -> CandidateSection:
        """Return the candidate with so many of its records, or itself if it has no
        more.
        """
        if len(self.spans) <= number:
            return self
        return CandidateSection(self.spans[:number], self.kind, self.by_class)

    def only(self, chosen: NDArray[np.bool_]) -> CandidateSection:
        """Return the candidate with some of its records; those behind the ones that were
        chosen from stay.
        """
        pairs = list(zip(self.spans, chosen.tolist(), strict=False))
        spans = tuple([span for span, is_chosen in pairs if is_chosen])
        left_out = tuple([span for span, is_chosen in pairs if not is_chosen])
        spans += self.spans[len(chosen) :]
        return CandidateSection(spans, self.kind, self.by_class, left_out)


def candidate_sections(statistics: PageStatistics) -> list[CandidateSection]:
    """Return the candidates of a page in page order, each set of spans once."""
    compiled = _compiled_candidates(statistics)
    return _find_candidates(statistics) if compiled is None else compiled


def _compiled_candidates(statistics: PageStatistics) -> list[CandidateSection] | None:
    """Return the candidates by the compiled core; None where it is not at work."""
    page = statistics.filled_page
    if page is None:
        return None
    found = find_candidates(page, statistics.sums["words"], _bounds())
    if found is None:
        return None
    kinds = list(CandidateKind)
    spans = map(Span, found.starts.tolist(), found.stops.tolist())
    rows = zip(
        found.sizes.tolist(),
        found.kinds.tolist(),
        found.by_class.tolist(),
        strict=True,
    )
    return [
        CandidateSection(tuple(islice(spans, size)), kinds[kind], by_class)
        for size, kind, by_class in rows
    ]


@cache
def _bounds() -> CandidateBounds:
    """The bounds, in the order of core/src/records/candidates.rs."""
    numbers = (
        MAX_CANDIDATES,
        MAX_RUN_SIBLINGS,
        MAX_APART,
        COMPARED_RUNS,
        MIN_RECORDS,
        MIN_RECORDS_APART,
        MAX_CLASSES,
        CODES["pre"],
    )
    logarithms = [0.0, *map(log, range(1, _LOGARITHMS))]
    return CandidateBounds(
        np.array(numbers),
        np.array([ONE_KIND, MOSTLY]),
        np.array(logarithms),
        tag_bits(HEADING),
    )


def _find_candidates(statistics: PageStatistics) -> list[CandidateSection]:
    candidates: dict[Spans, CandidateSection] = {}
    for candidate in _all_candidates(statistics):
        candidates.setdefault(candidate.spans, candidate)
    words = statistics.sums["words"].tolist()

    def weight(candidate: CandidateSection) -> float:
        record_words = sum(
            [words[stop] - words[start] for start, stop in candidate.spans]
        )
        return float(record_words) * log(len(candidate.spans))

    heaviest = sorted(candidates.values(), key=weight, reverse=True)
    kept = []
    for candidate in heaviest[:MAX_CANDIDATES]:
        if candidate.kind is CandidateKind.RUNS:
            if _runs_hold_records(statistics, candidate):
                continue
            if _runs_end_with_headings(statistics, candidate):
                continue
        kept.append(candidate)
    return sorted(kept, key=_page_order)


def _page_order(candidate: CandidateSection) -> tuple[Span, int]:
    return candidate.spans[0], len(candidate.spans)


def _runs_hold_records(statistics: PageStatistics, candidate: CandidateSection) -> bool:
    """Return whether runs are made of like siblings: rows striped `even` and `odd` are
    a record each.
    """
    tree = statistics.tree
    likeness = []
    for start, stop in candidate.spans[:COMPARED_RUNS]:
        parents = tree.parent[start:stop]
        is_sibling = parents == parents[0]
        is_filled = statistics.filled[start:stop]
        is_record = is_sibling & is_filled
        siblings = np.flatnonzero(is_record) + start
        if len(siblings) < 2:
            likeness.append(0.0)
            continue
        ends = tree.end[siblings].astype(np.int64)
        like_next = statistics.tag_shapes.compare(siblings, ends).like_next()
        likeness.append(mean(like_next))
    return sum(likeness) > ONE_KIND * len(likeness)


def _runs_end_with_headings(
    statistics: PageStatistics, candidate: CandidateSection
) -> bool:
    """Return whether most runs end with a heading: it belongs to what follows, so that
    the runs are cut in the wrong place.
    """
    compared = candidate.spans[:COMPARED_RUNS]
    ending = [span for span in compared if _ends_with_heading(statistics, span)]
    return len(ending) > MOSTLY * len(compared)


def _ends_with_heading(statistics: PageStatistics, span: Span) -> bool:
    """Return whether the last of several siblings is a heading, or holds little else."""
    tree = statistics.tree
    last = node = span.start
    while node < span.stop:
        if statistics.filled[node]:
            last = node
        node = int(tree.end[node])
    if last == span.start:
        return False

    words = statistics.sums["words"]
    words_of_last = words[tree.end[last]] - words[last]
    while tree.tag[last] not in HEADING.codes:
        inside = statistics.filled_children(last)
        if not inside:
            return False
        last = inside[0]
    words_of_heading = words[tree.end[last]] - words[last]
    return bool(2 * words_of_heading >= words_of_last)


def _all_candidates(statistics: PageStatistics) -> Iterator[CandidateSection]:
    yield from _side_by_side(statistics)
    yield from _apart(statistics)


def _side_by_side(statistics: PageStatistics) -> Iterator[CandidateSection]:
    """Yield like children of one parent, as records themselves and as heads of runs."""
    tree = statistics.tree
    filled = statistics.filled
    tags = tree.tag.tolist()
    ends = tree.end.tolist()
    has_parent = tree.parent >= 0
    parents = tree.parent[filled & has_parent]
    child_counts = np.bincount(parents, minlength=len(tree))

    def whole(nodes: Sequence[int], *, by_class: bool) -> CandidateSection:
        spans = tuple([Span(node, ends[node]) for node in nodes])
        return CandidateSection(spans, CandidateKind.SIBLINGS, by_class)

    siblings = SiblingTags(tree)
    siblings_left = MAX_RUN_SIBLINGS
    preformatted_lists = _preformatted_lists(statistics)
    for parent in np.flatnonzero(child_counts >= MIN_RECORDS).tolist():
        children = statistics.filled_children(parent)
        yield whole(children, by_class=False)

        alike: NodesByKey = defaultdict(list)
        for child in children:
            tag = tags[child]
            alike[tag, ""].append(child)
            for name in statistics.classes.get(child, ()):
                alike[tag, name].append(child)
        for (_, name), heads in alike.items():
            if len(heads) < MIN_RECORDS:
                continue
            yield whole(heads, by_class=bool(name))
            has_more = len(heads) < len(children) or parent in preformatted_lists
            if has_more and siblings_left > 0:
                siblings_left -= len(children)
                runs = tuple(sibling_runs(tree, heads, siblings))
                yield CandidateSection(runs, CandidateKind.RUNS, bool(name))


def _preformatted_lists(statistics: PageStatistics) -> set[int]:
    """Return the preformatted elements with words of their own: where every child is a
    head, what belongs to it stands beside it as text.

    Elsewhere such words are commas and bars between links: with runs of those as well,
    two of 51 wrappers took the wrong section.
    """
    tree = statistics.tree
    is_filled = np.diff(statistics.sums["words"]) > 0
    parents = tree.parent[is_filled & tree.is_text]
    is_preformatted = tree.has_tag(_PREFORMATTED)
    return set(parents[is_preformatted[parents]].tolist())


def _apart(statistics: PageStatistics) -> Iterator[CandidateSection]:
    """Yield elements under different parents that have their path or their class in
    common: grids, columns, wrapped items.
    """
    tree = statistics.tree
    ends = tree.end.tolist()
    tags = tree.tag.tolist()
    paths = statistics.path.tolist()
    alike: NodesByKindAndKey = defaultdict(list)
    is_element = statistics.filled & (tree.tag != TEXT)
    for node in np.flatnonzero(is_element).tolist():
        path = paths[node]
        tag = tags[node]
        alike[True, path, ""].append(node)
        for name in statistics.classes.get(node, ()):
            alike[True, path, name].append(node)
            alike[False, tag, name].append(node)

    elements_left = MAX_APART
    for (is_path, _, name), nodes in alike.items():
        if len(nodes) < MIN_RECORDS_APART or elements_left <= 0:
            continue
        elements_left -= len(nodes)
        outermost = []
        stop = 0
        for node in nodes:
            if node >= stop:
                stop = ends[node]
                outermost.append(Span(node, stop))
        if len(outermost) >= MIN_RECORDS_APART:
            kind = CandidateKind.PATH if is_path else CandidateKind.CLASS
            yield CandidateSection(tuple(outermost), kind, bool(name))
