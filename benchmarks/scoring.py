"""The measures of content: word F1, and Correctly / Wrongly / Missed as in the ECON
paper.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
COMPLETE = 0.95
"""Precision and recall from which a page counts as wholly right; a share of 1 would
count every odd character as a miss.
"""


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 of the multisets of words of one page."""

    precision: float
    recall: float
    f1: float

    @property
    def correctly(self) -> bool:
        """The content and nothing else."""
        return self.precision >= COMPLETE and self.recall >= COMPLETE

    @property
    def wrongly(self) -> bool:
        """All of the content, with noise."""
        return self.precision < COMPLETE and self.recall >= COMPLETE


def word_counts(text: str) -> Counter[str]:
    """Return the multiset of lower-cased words of a text; a CJK character is a word."""
    return Counter(_WORD.findall(text.lower()))


def word_score(extracted: str, truth: str) -> Score:
    """Compare two texts as multisets of words."""
    ours, theirs = word_counts(extracted), word_counts(truth)
    if not theirs:
        return Score(1.0, 1.0, 1.0) if not ours else Score(0.0, 0.0, 0.0)
    common = (ours & theirs).total()
    if not common:
        return Score(0.0, 0.0, 0.0)
    precision, recall = common / ours.total(), common / theirs.total()
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def snippet_rates(
    text: str, included: Sequence[str], excluded: Sequence[str]
) -> tuple[float, float]:
    """Return the shares of snippets found: of those that belong to the content, and of
    those that do not.
    """
    squeezed = "".join(text.split()).lower()
    shares = [
        sum("".join(snippet.split()).lower() in squeezed for snippet in snippets)
        / len(snippets)
        if snippets
        else float("nan")
        for snippets in (included, excluded)
    ]
    return shares[0], shares[1]
