"""The trained model: which members of a candidate are records, and which candidate is
the page's main list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, load_arrays, sigmoid
from scythe.sections.candidates import CandidateSection
from scythe.sections.comparisons import Comparisons
from scythe.sections.features import FeatureColumns, section_features
from scythe.sections.member_features import member_feature_rows
from scythe.sections.members import Members
from scythe.sections.page_statistics import PageStatistics
from scythe.sections.visual_features import (
    visual_features,
    visual_member_feature_rows,
)

FeatureRows = NDArray[np.float32]
"""A row for each feature, a column for each candidate or member."""
Probabilities = NDArray[np.float64]

LIKELY = 0.5
"""The probability from which a member is a record: the more likely of the two."""
PLAUSIBLE = 0.02
"""From here on a candidate is taken for the list of the page; a page without such a
candidate has none. Confidence is of the third power of F1, so most candidates are near
0. In cross-validation 0.02 loses no list and 0.05 loses some.
"""
LIKELY_RIGHT = 0.3
"""From here on the list of a page is right on 97 of 100 labelled pages, below on half
of them (cross-validated).
"""
CERTAIN = 0.5
"""From here on a candidate is a list of records beyond doubt; not tuned."""
MAX_JUDGED = 2_000
"""Members of a candidate that are judged; the others are taken as they are. A bound on
work: the longest labelled list has some hundred records.
"""
MIN_LIKELY = 2
"""Where fewer members are likely records, the candidate is left as it is: its members
are unlike anything known.
"""


def members_features(comparisons: Comparisons) -> list[FeatureRows]:
    """Return the features of the members of all candidates; of rendered pages with
    boxes.
    """
    members = comparisons.members
    rows = member_feature_rows(comparisons)
    features = np.split(rows, members.ends[:-1], axis=1)
    tree = members.statistics.tree
    if tree.box is None:
        return features
    with_boxes = []
    for own, candidate in zip(features, members.candidates, strict=True):
        boxes = visual_member_feature_rows(tree, candidate)
        with_boxes.append(np.concatenate([own, boxes]))
    return with_boxes


def candidates_features(
    comparisons: Comparisons, probabilities: Sequence[Probabilities]
) -> FeatureRows:
    """Return the features of candidates, with what is thought of their members."""
    members = comparisons.members
    tree = members.statistics.tree
    columns = section_features(comparisons)
    columns |= _likely_features(members, np.concatenate(probabilities))
    if tree.box is not None:
        boxes = [visual_features(tree, candidate) for candidate in members.candidates]
        _add_columns(columns, boxes, "box_")
    rows = [columns[name] for name in sorted(columns)]
    return np.array(rows, dtype=np.float32)


def _add_columns(
    columns: FeatureColumns, rows: Sequence[Mapping[str, float]], prefix: str
) -> None:
    for name in rows[0]:
        values = [row[name] for row in rows]
        column = np.array(values, dtype=np.float64)
        columns[f"{prefix}{name}"] = column


def _likely_features(members: Members, likely: Probabilities) -> FeatureColumns:
    """Return what is thought of the members of each candidate."""
    ordered = members.ordered(likely)
    return {
        "likely": members.means(likely),
        "likely_least": ordered[members.begins],
        "likely_share": members.means(likely >= LIKELY),
        "likely_lower": members.lower_quartiles(ordered),
        "sure": members.means(np.abs(likely - LIKELY)),
    }


def likely_members(probabilities: Probabilities) -> NDArray[np.bool_]:
    """Return which members of a candidate are records."""
    is_likely = probabilities >= LIKELY
    if np.count_nonzero(is_likely) >= MIN_LIKELY:
        return is_likely
    return np.ones(len(probabilities), dtype=bool)


@dataclass(frozen=True, eq=False)
class SectionModel:
    """One model for pages with boxes or one for pages without."""

    members: TreeEnsemble
    groups: TreeEnsemble

    @classmethod
    def load(cls, path: Path) -> SectionModel:
        """Return the model of a file."""
        return cls.from_arrays(load_arrays(path))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> SectionModel:
        """Return the model in the arrays of a model file."""
        return cls(
            TreeEnsemble.from_arrays(arrays, "members"),
            TreeEnsemble.from_arrays(arrays, "groups"),
        )

    def member_probabilities(
        self, members: Sequence[FeatureRows]
    ) -> list[Probabilities]:
        """Return how likely each member of each candidate is a record."""
        features = np.concatenate(members, axis=1)
        probabilities = sigmoid(self.members.scores(features)[0])
        counts = [rows.shape[1] for rows in members]
        ends = np.cumsum(counts)
        return np.split(probabilities, ends[:-1])

    def score(
        self, statistics: PageStatistics, candidates: Sequence[CandidateSection]
    ) -> list[tuple[CandidateSection, float]]:
        """Return the candidates without their false members, and how likely each is the
        page's list.
        """
        judged = [candidate.first(MAX_JUDGED) for candidate in candidates]
        comparisons = Comparisons.of(statistics, judged)
        members = members_features(comparisons)
        probabilities = self.member_probabilities(members)
        features = candidates_features(comparisons, probabilities)
        raw_scores = self.groups.scores(features)[0]
        scores = sigmoid(raw_scores).tolist()
        scored = []
        for candidate, likely, score in zip(
            candidates, probabilities, scores, strict=True
        ):
            members_only = candidate.only(likely_members(likely))
            scored.append((members_only, score))
        return scored


def model_file(*, visual: bool) -> Path:
    """Return the path of the model that comes with the package."""
    name = "visual.npz" if visual else "tags.npz"
    return Path(__file__).with_name(name)


@cache
def default_section_model(*, visual: bool) -> SectionModel:
    """Return the model that comes with the package, read once."""
    return SectionModel.load(model_file(visual=visual))
