"""From the probability of every block to a set of blocks, and what is known of that
decision: the type of the page and the facts that its confidence is read from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, sigmoid
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

PROSE_SHARES = {"article": 1.0, "forum": 0.5}
"""The page types that other sets than wcxb have labelled, and how much of the score
their blocks have from the ensemble of all sets. On the other types, which wcxb alone
has, it costs 0.01 to 0.05 (three folds).
"""

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
    "words added in units",
    "words removed in units",
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

UNIT_SHARE = 0.1
UNIT_BESIDE = 0.1
UNIT_BETWEEN = 0.03
"""When a table, a list or another unit is content as a whole: when more than this share
of it was selected, or when its mean probability is above this beside a selected block,
or between two of them (or behind one that ends with a colon).

Swept on two folds of wcxb and of content-more: from none to these, lists and tables
that come out whole rise from 75 % to 93 %, and F1 stays within 0.001 on every set.
"""

UNIT_ALIKE = 0.15
"""The mean probability above which units laid out alike (the tables of all tested
products, the lists of advantages under each) are content when one of them is.

By the models of the folds, on every second page of wcxb, units of content that come out
whole rise from 0.923 to 0.937 on three folds and from 0.916 to 0.918 on the two put
aside; F1 +0.0005 and 0. Swept over 0.05 to 0.3: within 0.006 and 0.0004.
"""

RECORD_TYPES = ("collection", "listing", "service")
"""The page types that lay out records: there a block is decided about with its column.

Of the fields that collections and listings of wcxb repeat, 15 of 100 are in for some
records and out for others, instead of 42. Word F1 stays: by small models that saw none
of the domains, collections +0.010, listings +0.005 and services +0.001 on two thirds of
the domains, -0.008, +0.006 and +0.001 on the third put aside. Products and threads lose.
"""
MIN_COLUMN = 5
"""Blocks that make a column. 3 to 8 measure within 0.001 (the same two thirds)."""

_BLOCK_WEIGHT = 0.3
"""What a block weighs beside its words, so that a page of blocks without any has a mean.
The model was trained with this.
"""
_NEGLIGIBLE_SHARE = 0.1
"""The share below which an ensemble is not evaluated, which saves its time. A
plain bound, not tuned.
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
    shares = [PROSE_SHARES.get(name, 0.0) for name in PAGE_TYPES]
    prose_share = float(types @ np.array(shares))
    if prose_share > 1 - _NEGLIGIBLE_SHARE:
        return prose.scores(features.rows)[0]
    if prose_share < _NEGLIGIBLE_SHARE:
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
    article = float(types[PAGE_TYPES.index("article")])
    slope = 1 + ARTICLE_SLOPE * article
    shift = ARTICLE_SHIFT * article
    return sigmoid(scores * slope + shift)


def pool_columns(
    features: Features, probability: NDArray[np.float64], types: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each block; as far as the page lays out records, that
    of its column: the prices of all cards are content, or none is. The heading of a
    record goes with the text under it.

    On 129 collections, listings and services of wcxb, by the shipped model, the means
    of F1 are 0.769, 0.810, 0.897 without columns, 0.788, 0.810, 0.898 with them, and
    0.789, 0.810, 0.899 with headings that go with their text.
    """
    list_share = float(types @ np.isin(PAGE_TYPES, RECORD_TYPES))
    if list_share < _NEGLIGIBLE_SHARE:
        return probability
    column = features.column_of
    size = np.bincount(column)
    mean = np.bincount(column, probability) / np.maximum(size, 1)
    pooled = list_share * mean[column] + (1 - list_share) * probability
    in_column = size[column] >= MIN_COLUMN
    pooled = np.where(in_column, pooled, probability)

    name = features.is_heading & in_column
    above_text = name & ~np.append(name[1:], True)
    text_below = np.append(pooled[1:], 0.0)
    with_text = list_share * text_below + (1 - list_share) * pooled
    return np.where(above_text, np.maximum(pooled, with_text), pooled)


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


def complete_units(
    features: Features, probability: NDArray[np.float64], selected: Bools
) -> Bools:
    """Return a selection in which every table, list and other unit is whole or left
    out.
    """
    members = np.flatnonzero(features.unit_of >= 0)
    if not len(members):
        return selected
    unit = features.unit_of[members]
    weight = features.words[members] + _BLOCK_WEIGHT
    total = np.bincount(unit, weight)
    selected_share = np.bincount(unit, weight * selected[members]) / total
    mean_probability = np.bincount(unit, weight * probability[members]) / total

    first = members[np.flatnonzero(np.diff(unit, prepend=-1))]
    after = first + np.bincount(unit)
    bounded = np.concatenate([selected, [False, False]])
    follows, precedes = bounded[first - 1], bounded[after]
    ends_with_colon = np.concatenate([features.ends_with_colon, [False]])
    is_announced = ends_with_colon[first - 1]

    is_between = follows & (precedes | is_announced)
    is_beside = follows | precedes
    least = np.where(is_between, UNIT_BETWEEN, UNIT_BESIDE)
    is_expected = is_beside & (mean_probability > least)
    is_content = is_expected | (selected_share > UNIT_SHARE)
    layout = features.column_of[first]
    is_content |= _is_like_content(layout, total, mean_probability, is_content)
    completed = selected.copy()
    completed[members] = is_content[unit]
    return completed


def _is_like_content(
    layout: NDArray[np.int64],
    words: NDArray[np.number],
    probability: NDArray[np.float64],
    is_content: Bools,
) -> Bools:
    """Return which units are laid out like one that is content, and are content as far
    as all of that layout are.
    """
    total = np.bincount(layout, words)
    content = np.bincount(layout, words * is_content)
    expected = np.bincount(layout, words * probability)
    is_mixed = (content > 0) & (expected > UNIT_ALIKE * total)
    return is_mixed[layout]


def without_headline(
    features: Features, types: NDArray[np.float64], selected: Bools
) -> Bools:
    """Return a selection without the headline of an article, which is its title and not
    its text: the formats that show titles put it on top. Sets differ in this; by that
    of wcxb, fundus and most readers, the text begins after it.
    """
    if PAGE_TYPES[int(np.argmax(types))] != "article":
        return selected
    body = selected & ~features.is_headline
    return body if body.any() else selected


def page_facts(
    features: Features,
    probability: NDArray[np.float64],
    chosen: Bools,
    selected: Bools,
    types: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Return one column with what is known of the decision as a whole, a row for each
    of `FACTS`. `chosen` are the blocks before units were completed.
    """
    words = features.words
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
        float(words[selected & ~chosen].sum()) / at_least_one,
        float(words[chosen & ~selected].sum()) / at_least_one,
    ]
    return np.array(values, dtype=np.float32)[:, None]
