"""Which type of page it is, and what that means for the scores of its blocks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble
from scythe.content.methods.learned.elementary import exponentials, ordered_sum
from scythe.content.methods.learned.features import NAMES as BLOCK_NAMES
from scythe.content.methods.learned.features import PAGE_NAMES, Features
from scythe.content.methods.learned.structure_features import BLOCK_WEIGHT
from scythe.content.methods.learned.text_features import Floats

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

PROSE_SHARES = {"article": 1.0, "forum": 0.5}
"""The page types that other sets than wcxb have labelled, and how much of the score
their blocks have from the ensemble of all sets. On the other types, which wcxb alone
has, it costs 0.01 to 0.05 (three folds).
"""

TYPE_NAMES = (*PAGE_NAMES, *(f"mean {name}" for name in BLOCK_NAMES))
"""The features that the page type is read from."""

ARTICLE_SLOPE, ARTICLE_SHIFT = 0.4, -0.6
"""What a page that is an article for certain adds to the slope of the scores and to the
scores themselves.

Content and noise are separated more sharply on articles than on other pages, so a
middling score means less there. Swept over slopes 0.7 to 3 and shifts -2 to 0.6 for
each page type on two folds of wcxb: articles gain 0.004, news-eras 0.02, and no other
type gains on the fold that was held out.
"""

TYPE_BETAS = {"product": 0.6}
"""How many times as much recall counts as precision on pages of a type.

Product pages have as much text about returns, questions and other products as about
their own, and the truth has more or less of it: with equal weights recall is 0.95 and
precision 0.55. By small models that saw none of the domains, pages that are taken for
products gain 0.020 on the two folds it was chosen on and 0.013 on the three put aside
(swept over 0.3 to 1.3). No other type gains on both. With units judged so as well, a
product lost all tables of its properties.
"""

RECORD_TYPES = ("collection", "listing", "service")
"""The page types that lay out records: there a block is decided about with its column.

Of the fields that collections and listings of wcxb repeat, 15 of 100 are in for some
records and out for others, instead of 42. Word F1 stays: by small models that saw none
of the domains, collections +0.010, listings +0.005 and services +0.001 on two thirds of
the domains, -0.008, +0.006 and +0.001 on the third put aside. Products and threads lose.
"""
NEGLIGIBLE_SHARE = 0.1
"""The share below which an ensemble is not evaluated, which saves its time. A
plain bound, not tuned.
"""
FARTHEST = 40.0
"""Beyond this, the exponential of a score no longer matters."""

SHARES_OF_PROSE = np.array([PROSE_SHARES.get(name, 0.0) for name in PAGE_TYPES])
ARE_RECORD_TYPES = np.array([name in RECORD_TYPES for name in PAGE_TYPES], dtype=float)
BETAS_OF_TYPES = np.array([TYPE_BETAS.get(name, 1.0) for name in PAGE_TYPES])
"""All by page type, in the order of `PAGE_TYPES`."""
_ARTICLE = PAGE_TYPES.index("article")


def type_rows(features: Features, asked: NDArray[np.int32] | None = None) -> Floats:
    """Return one column for the page, a row for each of `TYPE_NAMES`: its own features,
    and the means of those of its blocks, weighted by words. Of these only the asked ones
    are computed, where they are given.
    """
    of_page = len(features.page)
    rows = np.arange(len(TYPE_NAMES)) if asked is None else asked
    rows = rows[rows >= of_page]
    words = features.words
    total = words.sum() + BLOCK_WEIGHT * len(words)
    weights = ((words + BLOCK_WEIGHT) / total).astype(np.float32)
    weighted = features.rows[rows - of_page] * weights

    column = np.zeros((len(TYPE_NAMES), 1), dtype=np.float32)
    column[:of_page, 0] = features.page
    column[rows, 0] = np.cumsum(weighted, axis=1)[:, -1]
    return column


def type_probabilities(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely the page is of each type, given the scores of the types."""
    powers = exponentials(scores - scores.max())
    return np.asarray(powers / ordered_sum(powers))


def is_article(types: NDArray[np.float64]) -> bool:
    """Return whether a page is most likely an article."""
    return int(np.argmax(types)) == _ARTICLE


def list_share(types: NDArray[np.float64]) -> float:
    """Return how likely the page lays out records."""
    return ordered_sum(types * ARE_RECORD_TYPES)


def type_beta(types: NDArray[np.float64]) -> float:
    """Return by what beta is multiplied on a page of the likeliest type."""
    return float(BETAS_OF_TYPES[np.argmax(types)])


def score_blocks(
    prose: TreeEnsemble,
    mixed: TreeEnsemble,
    features: Features,
    types: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the score of each block: by the ensemble for articles and threads, as far
    as the page is one, else by that for pages of every type. Where the share of one is
    negligible, it is not evaluated.
    """
    prose_share = ordered_sum(types * SHARES_OF_PROSE)
    if prose_share > 1 - NEGLIGIBLE_SHARE:
        return prose.scores(features.rows)[0]
    if prose_share < NEGLIGIBLE_SHARE:
        return mixed.scores(features.rows)[0]
    prose_scores = prose.scores(features.rows)[0]
    mixed_scores = mixed.scores(features.rows)[0]
    return prose_share * prose_scores + (1 - prose_share) * mixed_scores


def calibrate(
    scores: NDArray[np.float64], types: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each block, from its score and the probabilities of the
    page types.
    """
    article = float(types[_ARTICLE])
    slope = 1 + ARTICLE_SLOPE * article
    shift = ARTICLE_SHIFT * article
    calibrated = np.clip(scores * slope + shift, -FARTHEST, FARTHEST)
    return np.asarray(1.0 / (1.0 + exponentials(-calibrated)))
