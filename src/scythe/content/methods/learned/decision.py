"""From the probability of every block to a set of blocks, and what is known of that
decision: the type of the page and the facts that its confidence is read from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.boosting import TreeEnsemble, sigmoid
from scythe.content.methods.learned.features import (
    ENDING_ROW,
    FIRST_ALIKE_ROW,
    FROM_TITLE_ROW,
    HEADING_ROW,
    LINKED_ROW,
    PAGE_NAMES,
    Features,
)
from scythe.content.methods.learned.features import NAMES as BLOCK_NAMES
from scythe.content.methods.learned.text_features import COLON, Floats
from scythe.core.learned import Decided
from scythe.core.learned import decide as compiled_decision
from scythe.core.library import at_work
from scythe.tree.tree import Bools, prefix_sums

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

TYPE_BETAS = {"product": 0.6}
"""How many times as much recall counts as precision on pages of a type.

Product pages have as much text about returns, questions and other products as about
their own, and the truth has more or less of it: with equal weights recall is 0.95 and
precision 0.55. By small models that saw none of the domains, pages that are taken for
products gain 0.020 on the two folds it was chosen on and 0.013 on the three put aside
(swept over 0.3 to 1.3). No other type gains on both. With units judged so as well, a
product lost all tables of its properties.
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

UNIT_REACH = 20
"""Words that may stand between a unit of an article and the content it belongs to, the
words of headings left out: the buttons and labels of a recipe card, "Jump to", "Share".

On the recipe pages of two thirds of the sites, none of them trained on, the share of the
ingredients that are in the selection rises from 0.65 to 0.78 by headings that do not
count and to 0.86 with 20 words. By small models, F1 stays within 0.0005 on wcxb, zh,
news-eras and the seven other sets on the fold it was chosen on, and on wcxb on the one
put aside, where cleaneval loses 0.0013. On other page types forums and listings lose
0.002 to 0.003.
"""
UNIT_LINKS = 0.3
"""Share of a unit's words that are links, above which it must touch the content: lists
of links at a distance lead to other pages. Documentation loses 0.07 without this.
"""

DECLARED = 0.9
"""The probability of what a page declares as its content. Not tuned: above that of most
paragraphs.
"""

HEADING_OVER_TEXT, HEADING_OVER_UNIT = 0.2, 0.02
"""The probability above which a heading is content with what it stands over: with a
paragraph, or with a list or table, which says little without its heading. A section
without its heading is harder to read than one with a heading too many.

By the same models, of the headings in the truth over selected text 98.5 % are selected
instead of 95.8 %, and 98.7 % instead of 92.5 % on the fold put aside; F1 stays within
0.0006 (harvest -0.002). Tried: 0 to 0.3; the second is for the headings "Ingredients" of
recipe cards, and was not swept.
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

_PROSE_SHARES = np.array([PROSE_SHARES.get(name, 0.0) for name in PAGE_TYPES])
_IS_RECORD_TYPE = np.array([name in RECORD_TYPES for name in PAGE_TYPES])
"""Both by page type, in the order of `PAGE_TYPES`."""
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


_SETTINGS = (
    *(HEADING_ROW, ENDING_ROW, FROM_TITLE_ROW, LINKED_ROW, FIRST_ALIKE_ROW),
    COLON,
    MIN_COLUMN,
    _NEGLIGIBLE_SHARE,
    DECLARED,
    _BLOCK_WEIGHT,
    UNIT_LINKS,
    UNIT_REACH,
    UNIT_BETWEEN,
    UNIT_BESIDE,
    UNIT_SHARE,
    UNIT_ALIKE,
    HEADING_OVER_TEXT,
    HEADING_OVER_UNIT,
)
"""What the compiled core must know, in the order of core/src/learned/decision.rs; the
two betas come behind it.
"""


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
    prose_share = float(types @ _PROSE_SHARES)
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


def decide(
    features: Features,
    probability: NDArray[np.float64],
    types: NDArray[np.float64],
    beta: float = 1.0,
) -> Decided:
    """Return the decision about all blocks, given the probability of each by itself; by
    the compiled core where it is at work.
    """
    decided = None
    if at_work():
        settings = np.array([*_SETTINGS, beta, _type_beta(types)])
        blocks = (features.words, features.unit_of, features.is_declared)
        page = (_list_share(types), _is_article(types))
        decided = compiled_decision(settings, features.rows, blocks, page, probability)
    if decided is None:
        return reference_decision(features, probability, types, beta)
    return decided


def reference_decision(
    features: Features,
    probability: NDArray[np.float64],
    types: NDArray[np.float64],
    beta: float = 1.0,
) -> Decided:
    """Return the decision without the compiled core, which gives the same."""
    probability = pool_columns(features, probability, types)
    probability = with_declared(features, probability)
    chosen = choose_blocks(features, probability, types, beta)
    completed = complete_units(features, probability, chosen, types)
    completed = with_section_headings(features, probability, completed)
    selected = without_headline(features, types, completed)
    return Decided(probability, chosen, selected)


def _list_share(types: NDArray[np.float64]) -> float:
    """Return how likely the page lays out records."""
    return float(types @ _IS_RECORD_TYPE)


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
    list_share = _list_share(types)
    if list_share < _NEGLIGIBLE_SHARE:
        return probability
    column = features.column_of
    size = np.bincount(column)
    mean = np.bincount(column, probability) / np.maximum(size, 1)
    pooled = list_share * mean[column] + (1 - list_share) * probability
    column_size = size[column]
    in_column = column_size >= MIN_COLUMN
    pooled = np.where(in_column, pooled, probability)

    name = features.is_heading & in_column
    name_below = np.append(name[1:], True)
    above_text = name & ~name_below
    text_below = np.append(pooled[1:], 0.0)
    with_text = list_share * text_below + (1 - list_share) * pooled
    raised = np.maximum(pooled, with_text)
    return np.where(above_text, raised, pooled)


def with_declared(
    features: Features, probability: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the probability of each block, raised for what the page declares."""
    raised = np.maximum(probability, DECLARED)
    return np.where(features.is_declared, raised, probability)


def choose_blocks(
    features: Features,
    probability: NDArray[np.float64],
    types: NDArray[np.float64],
    beta: float = 1.0,
) -> Bools:
    """Return the blocks to begin with, before units are completed: those that
    `select_blocks` has, as strictly as the page's type asks for. Tables, lists and other
    units are judged alike on pages of every type.
    """
    type_beta = _type_beta(types)
    chosen = select_blocks(probability, features.words, beta * type_beta)
    if type_beta != 1.0:
        in_unit = features.unit_of >= 0
        chosen |= in_unit & select_blocks(probability, features.words, beta)
    return chosen


def _type_beta(types: NDArray[np.float64]) -> float:
    page_type = PAGE_TYPES[int(np.argmax(types))]
    return TYPE_BETAS.get(page_type, 1.0)


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
    possible = selected + weight * right[-1] + 1e-9
    return np.asarray((1 + weight) * right / possible)


def complete_units(
    features: Features,
    probability: NDArray[np.float64],
    selected: Bools,
    types: NDArray[np.float64],
) -> Bools:
    """Return a selection in which every table, list and other unit is whole or left
    out.
    """
    units = _Units.of(features)
    if not len(units.members):
        return selected
    first, after = units.first, units.after
    bounded = np.concatenate([selected, [False, False]])
    follows = bounded[first - 1]
    precedes = bounded[after]
    if _is_article(types):
        is_text = units.mean(features.linked) <= UNIT_LINKS
        before, behind = _distances(features, selected, units)
        is_near_before = before <= UNIT_REACH
        is_near_behind = behind <= UNIT_REACH
        follows |= is_text & is_near_before
        precedes |= is_text & is_near_behind
    ends_with_colon = np.concatenate([features.ends_with_colon, [False]])
    is_announced = ends_with_colon[first - 1]

    is_between = follows & (precedes | is_announced)
    is_beside = follows | precedes
    least = np.where(is_between, UNIT_BETWEEN, UNIT_BESIDE)
    mean_probability = units.mean(probability)
    is_expected = is_beside & (mean_probability > least)
    is_partly_selected = units.mean(selected) > UNIT_SHARE
    is_content = is_expected | is_partly_selected
    layout = features.column_of[first]
    is_content |= _is_like_content(layout, units.total, mean_probability, is_content)
    completed = selected.copy()
    completed[units.members] = is_content[units.number]
    return completed


@dataclass(frozen=True, eq=False, slots=True)
class _Units:
    """The units of a page, in document order."""

    members: NDArray[np.int64]
    """The blocks that stand in a unit."""
    number: NDArray[np.int64]
    """The number of the unit that each member stands in."""
    weight: NDArray[np.float64]
    """What each member counts: its words."""
    total: NDArray[np.float64]
    """The weight of each unit."""
    first: NDArray[np.int64]
    """The first block of each unit."""
    after: NDArray[np.int64]
    """The block behind each unit."""

    @classmethod
    def of(cls, features: Features) -> _Units:
        """Return the units that the blocks of a page stand in."""
        members = np.flatnonzero(features.unit_of >= 0)
        number = features.unit_of[members]
        weight = features.words[members].astype(np.float64) + _BLOCK_WEIGHT
        begins = np.diff(number, prepend=-1) != 0
        first = members[begins]
        size = np.bincount(number)
        return cls(
            members=members,
            number=number,
            weight=weight,
            total=np.bincount(number, weight).astype(np.float64),
            first=first,
            after=first + size,
        )

    def mean(self, values: NDArray[np.number] | Bools) -> NDArray[np.float64]:
        """Return the mean over each unit of a value of every block."""
        of_members = values[self.members].astype(np.float64)
        weighted = self.weight * of_members
        sums = np.bincount(self.number, weighted)
        return np.asarray(sums / self.total)


def _is_article(types: NDArray[np.float64]) -> bool:
    return PAGE_TYPES[int(np.argmax(types))] == "article"


def _distances(
    features: Features, selected: Bools, units: _Units
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how many words that are no headings stand between each unit and the
    selected block before and behind it.
    """
    first, after = units.first, units.after
    words = np.where(features.is_heading, 0, features.words)
    words_before = prefix_sums(words)
    chosen = np.flatnonzero(selected)
    end = len(selected)
    bounds = np.concatenate([[-1], chosen, [end]])

    previous = bounds[np.searchsorted(chosen, first)]
    before = words_before[first] - words_before[previous + 1]
    has_content_before = previous >= 0

    position = np.searchsorted(chosen, after)
    following = bounds[position + 1]
    behind = words_before[following] - words_before[after]
    has_content_behind = following < end
    return (
        np.where(has_content_before, before, np.inf),
        np.where(has_content_behind, behind, np.inf),
    )


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


def with_section_headings(
    features: Features, probability: NDArray[np.float64], selected: Bools
) -> Bools:
    """Return a selection in which headings go with the text that they stand over. What
    stands over all of the content is a title.
    """
    completed = selected.copy()
    has_begun = np.maximum.accumulate(selected)
    in_unit = features.unit_of >= 0
    is_over_unit = np.append(in_unit[1:], False)
    is_heading = features.is_heading
    headings = np.flatnonzero(is_heading[:-1])
    # From the last one, so that a heading over a heading goes with its text as well.
    for block in reversed(headings.tolist()):
        below = block + 1
        if is_heading[below]:
            is_over_unit[block] = is_over_unit[below]
        least = HEADING_OVER_TEXT
        if is_over_unit[block]:
            least = HEADING_OVER_UNIT
        is_likely = probability[block] > least
        if is_likely and has_begun[block]:
            completed[block] |= completed[below]
    return completed


def without_headline(
    features: Features, types: NDArray[np.float64], selected: Bools
) -> Bools:
    """Return a selection without the headline of an article, which is its title and not
    its text: the formats that show titles put it on top. Sets differ in this; by that
    of wcxb, fundus and most readers, the text begins after it.
    """
    if not _is_article(types):
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
