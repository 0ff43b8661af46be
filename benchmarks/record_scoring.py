"""The measures of record extraction, after the ViNTs paper: which records are right,
and their shares over pages and sets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.scoring import word_counts

SAME = 0.9
"""Dice overlap of words from which an extracted record is the true one: cut in two,
glued or shifted it is not.
"""


@dataclass(frozen=True, slots=True)
class PageScore:
    """The numbers of records of one page."""

    page_set: str
    true: int
    extracted: int
    correct: int

    @property
    def perfect(self) -> bool:
        """Every record right and none besides."""
        return self.true == self.extracted == self.correct


def page_score(
    page_set: str, extracted: Sequence[str], truth: Sequence[str]
) -> PageScore:
    """Return the score of the texts of a page's records against the true ones."""
    return PageScore(
        page_set, len(truth), len(extracted), correct_records(extracted, truth)
    )


def correct_records(extracted: Sequence[str], truth: Sequence[str]) -> int:
    """Return how many extracted records match a true one, one to one and in the order
    of the page: the longest such matching.
    """
    true = [word_counts(text) for text in truth]
    longest = [0] * (len(true) + 1)
    for text in extracted:
        record, before = word_counts(text), longest[:]
        for index, other in enumerate(true):
            matched = before[index] + (dice(record, other) >= SAME)
            longest[index + 1] = max(before[index + 1], longest[index], matched)
    return longest[-1]


def dice(ours: Counter[str], theirs: Counter[str]) -> float:
    """Return the overlap of two multisets of words: 1 where they are equal."""
    size = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / size if size else 1.0


def shares(pages: Sequence[PageScore]) -> dict[str, float]:
    """Return precision and recall over all records (micro) and as the mean over sets
    (macro), and the share of perfect pages.
    """
    by_set = defaultdict(list)
    for page in pages:
        by_set[page.page_set].append(page)
    precision, recall = _precision_recall(pages)
    of_sets = [_precision_recall(of_set) for of_set in by_set.values()]
    return {
        "sets": len(by_set),
        "pages": len(pages),
        "records": sum(page.true for page in pages),
        "micro precision": precision,
        "micro recall": recall,
        "macro precision": fmean(share for share, _ in of_sets),
        "macro recall": fmean(share for _, share in of_sets),
        "perfect": fmean(page.perfect for page in pages),
    }


def _precision_recall(pages: Sequence[PageScore]) -> tuple[float, float]:
    correct = sum(page.correct for page in pages)
    return correct / max(sum(page.extracted for page in pages), 1), correct / max(
        sum(page.true for page in pages), 1
    )
