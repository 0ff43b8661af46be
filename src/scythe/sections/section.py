"""The sections of a page that hold records, the main one first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scythe.sections.candidates import Spans, candidate_sections
from scythe.sections.model import (
    CERTAIN,
    LIKELY_RIGHT,
    PLAUSIBLE,
    SectionModel,
    default_section_model,
)
from scythe.sections.page_statistics import PageStatistics
from scythe.sections.span import Span
from scythe.tree.tree import Tree

NEARLY_AS_LIKELY = 0.5
"""The share of its confidence that a section must have to hold another in one of its
records: the pictures in one result of a search. Chosen on two thirds of the record sets,
where 0.3 loses more lists than it gains.
"""


@dataclass(frozen=True)
class Section:
    """Records that belong together, and how likely they are what the page is about."""

    spans: Spans
    confidence: float
    left_out: Spans = ()
    """What stands among the records as they do, and was judged to be none."""

    @property
    def is_plausible(self) -> bool:
        """Whether this can be the list that the page is about."""
        return self.confidence >= PLAUSIBLE

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should look at it before using it."""
        return self.confidence < LIKELY_RIGHT

    @property
    def is_certain(self) -> bool:
        """Whether this is a list of records beyond doubt."""
        return self.confidence >= CERTAIN


def find_sections(tree: Tree, model: SectionModel | None = None) -> list[Section]:
    """Return all sections of a page that do not overlap, the most likely main list
    first. Boxes are used if the page has them.
    """
    sections: list[Section] = []
    for candidate in rank_sections(tree, model):
        spans = candidate.spans
        if not any(_overlap(spans, section.spans) for section in sections):
            sections.append(candidate)
    return sections


def main_section(tree: Tree, model: SectionModel | None = None) -> Section | None:
    """Return the most likely main list of a page, the first of its sections."""
    return next(iter(rank_sections(tree, model)), None)


def rank_sections(tree: Tree, model: SectionModel | None = None) -> list[Section]:
    """Return all ways to see sections on a page, the most likely first: also the same
    one cut in other ways.
    """
    statistics = PageStatistics(tree)
    candidates = candidate_sections(statistics)
    if not candidates:
        return []
    model = model or default_section_model(visual=tree.box is not None)
    scored = model.score(statistics, candidates)
    scored.sort(key=lambda pair: -pair[1])

    sections: dict[Spans, Section] = {}
    for candidate, confidence in scored:
        section = Section(candidate.spans, confidence, candidate.left_out)
        sections.setdefault(candidate.spans, section)
    return _holders_first(list(sections.values()))


def _holders_first(sections: Sequence[Section]) -> list[Section]:
    """Return the sections by confidence, those that lie in one record of another behind
    it if that is nearly as likely.
    """
    ranked = []
    for section in sections:
        if section.is_plausible:
            for holder in sections:
                if holder.confidence < NEARLY_AS_LIKELY * section.confidence:
                    break
                if _has_record_around(holder, section):
                    confidence = NEARLY_AS_LIKELY * section.confidence
                    section = replace(section, confidence=confidence)
                    break
        ranked.append(section)
    ranked.sort(key=lambda section: -section.confidence)
    return ranked


def _has_record_around(holder: Section, section: Section) -> bool:
    """Return whether one record of a section holds all records of another, and more."""
    first = section.spans[0].start
    last = section.spans[-1].stop
    index = bisect_right(holder.spans, first, key=lambda span: span.start) - 1
    if index < 0:
        return False
    start, stop = holder.spans[index]
    return last <= stop and (start, stop) != (first, last)


def _overlap(one: Sequence[Span], other: Sequence[Span]) -> bool:
    """Return whether any record of one lies in, around or across a record of the other."""
    starts = np.array([span.start for span in other])
    stops = np.array([span.stop for span in other])
    first_nodes = [span.start for span in one]
    last_nodes = [span.stop for span in one]
    begun = np.searchsorted(starts, last_nodes)
    ended = np.searchsorted(stops, first_nodes, side="right")
    return bool((begun > ended).any())
