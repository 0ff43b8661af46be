"""Train the finder of records and measure it: `python -m training.sections [DATA]
[--keep FOLDER]`.

Two models come of it: one for rendered pages, one for pages of which only the tags are
known. Cross-validation is over five folds of the sites: no page or site is in both
training and test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.common import arguments
from benchmarks.record_finders import FINDERS
from benchmarks.record_pages import Pages
from benchmarks.record_scoring import SAME, PageScore, dice, shares
from benchmarks.record_sets import RecordPage, RecordSet, record_sets
from benchmarks.scoring import word_counts
from numpy.typing import NDArray

from scythe.boosting import sigmoid
from scythe.sections import model as sections
from scythe.sections.candidates import CandidateSection, candidate_sections
from scythe.sections.comparisons import Comparisons
from scythe.sections.page_statistics import PageStatistics
from scythe.sections.span import Span, span_texts
from scythe.tree import Tree, parse
from training.boosting import Ensemble, Size, fit_shares, mean_of
from training.content import write_model
from training.folds import FOLDS, fold_of, sections_file

MEMBERS = Size(trees=120, depth=5, rate=0.1, features=0.5)
GROUPS = Size(trees=200, depth=6, rate=0.1, features=0.4, leaf_steps=10)
SEEDS = 3
"""Ensembles of groups that are averaged: one alone moves the means over sets by a point
with its seed.
"""
NEARLY_RIGHT = 3
"""Groups learn the third power of their F1: one record wrong is then far from right. By
it perfect pages rise by 1.5 points in cross-validation, and the sets' means by one.
"""
WORTH_A_LOOK = 0.4
"""F1 from which the members of a group are learned from: of a group that is no list
there is nothing to learn.
"""


@dataclass(frozen=True, eq=False)
class Case:
    """A page with its groups, and which true record each member of each group is."""

    page_set: RecordSet
    true: int
    facts: PageStatistics
    groups: list[CandidateSection]
    members: list[NDArray[np.float32]]
    matches: list[list[tuple[int, ...]]]

    @property
    def fold(self) -> int:
        """The fold of the page's site."""
        return fold_of(self.page_set.site)

    def score(self, group: int, kept: NDArray[np.bool_]) -> PageScore:
        """Return the score of a group of which some members are kept."""
        matches = [
            found
            for found, keep in zip(self.matches[group], kept.tolist(), strict=True)
            if keep
        ]
        return PageScore(
            self.page_set.name, self.true, len(matches), _in_order(matches, self.true)
        )


def _in_order(matches: Sequence[tuple[int, ...]], true: int) -> int:
    """Return the longest one-to-one matching in page order."""
    longest = [0] * (true + 1)
    for found in matches:
        before = longest[:]
        for index in range(true):
            longest[index + 1] = max(
                before[index + 1], longest[index], before[index] + (index in found)
            )
    return longest[-1]


def _f1(score: PageScore) -> float:
    return 2 * score.correct / max(score.extracted + score.true, 1)


def read_cases(data: Path, keep: Path | None, *, visual: bool) -> list[Case]:
    """Return all pages, rendered or parsed."""
    finder = next(finder for finder in FINDERS.values() if finder.visual)
    with Pages(keep) as pages:

        def tree(page: RecordPage) -> Tree:
            return (
                pages.tree(page.html, page.url, finder) if visual else parse(page.html)
            )

        return [
            _case(page_set, page, tree(page))
            for page_set in record_sets(data)
            for page in page_set.pages
        ]


def _case(page_set: RecordSet, page: RecordPage, tree: Tree) -> Case:
    facts = PageStatistics(tree)
    groups = candidate_sections(facts)
    true = [word_counts(text) for text in page.records]
    sizes = np.array([counts.total() for counts in true])
    known: dict[Span, tuple[int, ...]] = {}

    def matches(group: CandidateSection) -> list[tuple[int, ...]]:
        new = [span for span in group.spans if span not in known]
        for span, text in zip(new, span_texts(tree, new), strict=True):
            counts = word_counts(text)
            near = np.flatnonzero(np.abs(sizes - counts.total()) <= 0.25 * sizes)
            known[span] = tuple(
                [int(index) for index in near if dice(counts, true[index]) >= SAME]
            )
        return [known[span] for span in group.spans]

    return Case(
        page_set,
        len(true),
        facts,
        groups,
        sections.members_features(Comparisons.of(facts, groups)) if groups else [],
        list(map(matches, groups)),
    )


def fit_members(cases: Iterable[Case]) -> Ensemble:
    """Learn which members are records, from groups that are nearly the page's list;
    every page counts the same.
    """
    rows, labels, weights = [], [], []
    for case in cases:
        worth = [
            index for index, group in enumerate(case.groups)
            if _f1(case.score(index, np.ones(len(group.spans), dtype=bool))) >= WORTH_A_LOOK
        ]  # fmt: skip
        for index in worth:
            rows.append(case.members[index].T)
            labels.append(
                np.array([float(bool(found)) for found in case.matches[index]])
            )
            weights.append(
                np.full(len(labels[-1]), 100 / len(worth) / np.sqrt(len(labels[-1])))
            )
    return fit_shares(
        np.concatenate(rows), np.concatenate(labels), np.concatenate(weights), MEMBERS
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """A page whose members were judged by a model that had not seen it."""

    case: Case
    rows: NDArray[np.float32]
    scores: list[PageScore]


def judge_members(case: Case, members: Ensemble) -> Judged:
    """Return groups as the ranking sees them."""
    likely = [sigmoid(members.trees.scores(rows)[0]) for rows in case.members]
    kept = [sections.likely_members(probability) for probability in likely]
    scores = [case.score(index, chosen) for index, chosen in enumerate(kept)]
    comparisons = Comparisons.of(case.facts, case.groups)
    return Judged(case, sections.candidates_features(comparisons, likely), scores)


def fit_groups(judged: Iterable[Judged]) -> Ensemble:
    """Learn how near a group comes to the page's list. A page without records has
    nothing right to learn from.
    """
    chosen = [one for one in judged if one.case.groups]
    rows = np.concatenate([one.rows.T for one in chosen])
    shares_right = np.array(
        [_f1(score) ** NEARLY_RIGHT for one in chosen for score in one.scores]
    )
    return mean_of(
        [
            fit_shares(rows, shares_right, np.ones(len(rows)), GROUPS, seed)
            for seed in range(SEEDS)
        ]
    )


def train(
    cases: Sequence[Case], write: Callable[[int | None, Ensemble, Ensemble], None]
) -> list[tuple[bool, PageScore]]:
    """Train on all pages and on all but each fold; return the scores of the pages of
    each fold by the model without it, and whether the page's set is put aside.
    """
    members = {
        fold: fit_members(case for case in cases if case.fold != fold)
        for fold in range(FOLDS)
    }
    judged = [judge_members(case, members[case.fold]) for case in cases]
    scores = []
    for fold in range(FOLDS):
        groups = fit_groups(one for one in judged if one.case.fold != fold)
        write(fold, members[fold], groups)
        held_out = [one for one in judged if one.case.fold == fold]
        scores += [
            (one.case.page_set.put_aside, _best(one, groups)) for one in held_out
        ]
    write(None, fit_members(cases), fit_groups(judged))
    return scores


def _best(judged: Judged, groups: Ensemble) -> PageScore:
    likely = sigmoid(groups.trees.scores(judged.rows)[0])
    best = int(np.argmax(likely))
    if likely[best] < sections.PLAUSIBLE:
        return PageScore(judged.case.page_set.name, judged.case.true, 0, 0)
    return judged.scores[best]


def _write(
    fold: int | None, members: Ensemble, groups: Ensemble, *, visual: bool
) -> None:
    path = (
        sections.model_file(visual=visual)
        if fold is None
        else sections_file(fold, visual=visual)
    )
    write_model({"members": members, "groups": groups}, path)


def main() -> None:
    parser = arguments("Train the finder of records.")
    parser.add_argument(
        "--keep",
        type=Path,
        help="keep rendered pages in this folder, and take those that are in it already",
    )
    parser.add_argument(
        "--only",
        choices=("tags", "rendered"),
        help="train one of the two models, for trying things",
    )
    options = parser.parse_args()
    for visual in (False, True):
        if options.only == ("tags" if visual else "rendered"):
            continue
        cases = read_cases(options.data, options.keep, visual=visual)
        scores = train(cases, partial(_write, visual=visual))
        by_split = {
            "choices": [score for aside, score in scores if not aside],
            "put aside": [score for aside, score in scores if aside],
        }
        for split, of_split in by_split.items():
            if options.only and split == "put aside":
                continue
            found = shares(of_split)
            print(
                "rendered" if visual else "tags alone",
                split,
                {name: round(value, 3) for name, value in found.items()},
                flush=True,
            )


if __name__ == "__main__":
    main()
