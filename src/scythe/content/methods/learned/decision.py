"""From the probability of every block to a set of blocks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import sigmoid
from scythe.content.methods.learned.page_type import PAGE_TYPES
from scythe.tree.tree import Bools

FACTS = (
    "expected F1", "precision", "margin", "doubt", "chosen share", "words", "chosen words", "blocks",
    *(f"type {name}" for name in PAGE_TYPES), "type certainty",
)  # fmt: skip
"""What the confidence of a page is read from."""


ARTICLE_SLOPE, ARTICLE_SHIFT = 0.4, -0.6
"""What a page that is an article for certain adds to the slope of the scores and to the
scores themselves.

Content and noise are told apart more sharply on articles than on other pages, so a
middling score means less there. Swept over slopes 0.7 to 3 and shifts -2 to 0.6 for
each page type on two folds of wcxb: articles gain 0.004, news-eras 0.02, and no other
type gains on the fold that was held out.
"""


def calibrated(
    scores: NDArray[np.float64], types: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probability of each block, from its score and the probabilities of the page
    types.
    """
    article = float(types[PAGE_TYPES.index("article")])
    return sigmoid(scores * (1 + ARTICLE_SLOPE * article) + ARTICLE_SHIFT * article)


def choose(probability: NDArray[np.float64], words: NDArray[np.int64]) -> Bools:
    """The set of blocks with the greatest expected F1.

    For a set of a given number of words the expected F1 is greatest with the most
    probable blocks, so the best set is a beginning of the list in the order of
    probability. One threshold for all pages loses 0.09 on collections.
    """
    order = np.argsort(-probability, kind="stable")
    chosen = np.zeros(len(probability), dtype=bool)
    chosen[order[: int(np.argmax(_expected(probability[order], words[order]))) + 1]] = (
        True
    )
    return chosen


def _expected(
    probability: NDArray[np.float64], words: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The expected F1 of each beginning of the list."""
    right = np.cumsum(words * probability)
    return np.asarray(2 * right / (np.cumsum(words) + right[-1] + 1e-9))


def page_facts(
    probability: NDArray[np.float64],
    words: NDArray[np.int64],
    chosen: Bools,
    types: NDArray[np.float64],
) -> NDArray[np.float32]:
    """One column with what is known of the decision as a whole, a row for each of
    `FACTS`.
    """
    total = max(float(words.sum()), 1.0)
    picked = float(words[chosen].sum())
    right, main = (
        float((words * probability)[chosen].sum()),
        float((words * probability).sum()),
    )
    near = np.abs(probability - 0.5) < 0.3
    doubt = float((words * np.minimum(probability, 1 - probability)).sum())
    values = [
        2 * right / (picked + main + 1e-9), right / max(picked, 1.0), float(words[near].sum()) / max(picked, 1.0),
        doubt / max(picked, 1.0), picked / total, np.log1p(total), np.log1p(picked), np.log1p(len(words)), *types, types.max(),
    ]  # fmt: skip
    return np.array(values, dtype=np.float32)[:, None]
