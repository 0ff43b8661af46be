"""Whole units: every table, list and other unit is content or left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.content.methods.learned.decision.page_types import is_article
from scythe.content.methods.learned.features import Features
from scythe.content.methods.learned.structure_features import BLOCK_WEIGHT
from scythe.tree.tree import Bools, prefix_sums

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

UNIT_ALIKE = 0.15
"""The mean probability above which units laid out alike (the tables of all tested
products, the lists of advantages under each) are content when one of them is.

By the models of the folds, on every second page of wcxb, units of content that come out
whole rise from 0.923 to 0.937 on three folds and from 0.916 to 0.918 on the two put
aside; F1 +0.0005 and 0. Swept over 0.05 to 0.3: within 0.006 and 0.0004.
"""


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
    if is_article(types):
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
        weight = features.words[members].astype(np.float64) + BLOCK_WEIGHT
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
