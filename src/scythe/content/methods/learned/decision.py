"""From the probability of every block to a set of blocks, and what is known of that
decision: the type of the page and the facts that its confidence is read from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import sigmoid
from scythe.content.methods.learned.features import NAMES as BLOCK_NAMES
from scythe.content.methods.learned.features import PAGE_NAMES, Features
from scythe.content.methods.learned.text_features import Floats
from scythe.tree.tree import Bools

PAGE_TYPES = (
    "article",
    "documentation",
    "service",
    "forum",
    "collection",
    "listing",
    "product",
)
"""The page types of WCXB."""

TYPE_NAMES = (*PAGE_NAMES, *(f"mean {name}" for name in BLOCK_NAMES))
"""The features that the page type is read from."""

FACTS = (
    "expected F1",
    "precision",
    "margin",
    "doubt",
    "chosen share",
    "words",
    "chosen words",
    "blocks",
    *(f"type {name}" for name in PAGE_TYPES),
    "type certainty",
)
"""What the confidence of a page is read from."""

ARTICLE_SLOPE, ARTICLE_SHIFT = 0.4, -0.6
"""What a page that is an article for certain adds to the slope of the scores and to the
scores themselves.

Content and noise are separated more sharply on articles than on other pages, so a
middling score means less there. Swept over slopes 0.7 to 3 and shifts -2 to 0.6 for
each page type on two folds of wcxb: articles gain 0.004, news-eras 0.02, and no other
type gains on the fold that was held out.
"""

_BLOCK_WEIGHT = 0.3
"""What a block weighs beside its words, so that a page of blocks without any has a mean.
The model was trained with this.
"""
_UNDECIDED = 0.3
"""How near to one half a probability is undecided. The model was trained with this."""


def type_rows(features: Features) -> Floats:
    """Return one column for the page, a row for each of `TYPE_NAMES`: its own features,
    and those of its blocks weighted by words.
    """
    weight = (features.words + _BLOCK_WEIGHT).astype(np.float32)
    block_means = features.rows @ (weight / weight.sum())
    column = np.concatenate([features.page, block_means])
    return column[:, None]


def calibrate(
    scores: NDArray[np.float64], types: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each block, from its score and the probabilities of the
    page types.
    """
    article = float(types[PAGE_TYPES.index("article")])
    slope = 1 + ARTICLE_SLOPE * article
    shift = ARTICLE_SHIFT * article
    return sigmoid(scores * slope + shift)


def select_blocks(
    probability: NDArray[np.float64], words: NDArray[np.int64], beta: float = 1.0
) -> Bools:
    """Return the set of blocks with the greatest expected F-beta: recall counts `beta`
    times as much as precision.

    For a set of a given number of words the expected F-beta is greatest with the most
    probable blocks, so the best set is a beginning of the list in the order of
    probability. One threshold for all pages loses 0.09 on collections.
    """
    order = np.argsort(-probability, kind="stable")
    expected = _expected_f_beta(probability[order], words[order], beta)
    best_size = int(np.argmax(expected)) + 1
    selected = np.zeros(len(probability), dtype=bool)
    selected[order[:best_size]] = True
    return selected


def _expected_f_beta(
    probability: NDArray[np.float64], words: NDArray[np.int64], beta: float
) -> NDArray[np.float64]:
    """Return the expected F-beta of each beginning of a list of blocks."""
    right = np.cumsum(words * probability)
    selected = np.cumsum(words)
    weight = beta * beta
    return np.asarray((1 + weight) * right / (selected + weight * right[-1] + 1e-9))


def page_facts(
    probability: NDArray[np.float64],
    words: NDArray[np.int64],
    selected: Bools,
    types: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return one column with what is known of the decision as a whole, a row for each
    of `FACTS`.
    """
    content_words = words * probability
    content_total = float(content_words.sum())
    selected_content = float(content_words[selected].sum())
    total = max(float(words.sum()), 1.0)
    selected_words = float(words[selected].sum())
    at_least_one = max(selected_words, 1.0)

    is_undecided = np.abs(probability - 0.5) < _UNDECIDED
    undecided_words = float(words[is_undecided].sum())
    doubt = np.minimum(probability, 1 - probability)
    doubtful_words = float((words * doubt).sum())
    values = [
        2 * selected_content / (selected_words + content_total + 1e-9),
        selected_content / at_least_one,
        undecided_words / at_least_one,
        doubtful_words / at_least_one,
        selected_words / total,
        np.log1p(total),
        np.log1p(selected_words),
        np.log1p(len(words)),
        *types,
        types.max(),
    ]
    return np.array(values, dtype=np.float32)[:, None]
