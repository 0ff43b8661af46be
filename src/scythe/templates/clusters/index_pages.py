"""Whether a page lists others (index, category, search result) or is about one thing,
with the reason.

Index pages have many like links: elements of one tag and class side by side, each with
a link, hold most of the text, and there is little running text outside of them. One
page alone is often in doubt (a category with a single entry); the pages of a cluster
together are less so, and clusters take the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scythe.align.forest import class_key
from scythe.tree.compiled.element_names import element_names
from scythe.tree.tags import TagSet
from scythe.tree.tree import Ints, Tree
from scythe.tree.visibility import text_sizes, visible

MIN_ITEMS = 4
"""Elements that make a list: menus of three are everywhere."""
RUNNING_TEXT = 60
"""Characters from which on a text outside links is running text. Not tuned."""
LINKED = 3.6
LISTED = 2.6
ITEMS = 0.43
RUNNING = -0.38
BIAS = -1.5
"""Weights of the log odds, from a logistic regression on 2,678 pages: lists of 156
sites and wcxb's listings and collections against wcxb's articles and products, recipes
and swde. In 5 folds by site it is right on 81 of 100 pages, sets weighted alike.
"""
_MAX_ODDS = 30.0
"""Bound of the log odds, so that the exponential does not overflow."""

_LINK = TagSet("a")


@dataclass(frozen=True, slots=True)
class IndexEvidence:
    """What speaks for a page, or for the mean of several, being an index page."""

    linked: float
    """Share of the visible text that is in links."""
    listed: float
    """Share of the visible text that the largest run of like elements with links holds."""
    items: float
    """How many elements that run has."""
    running: float
    """Characters of running text outside of lists."""
    odds: float = 0.0
    """Log odds of being an index page: above 0 that is likelier than not. The mean of
    odds, not the odds of the mean.
    """

    NAMES: ClassVar[tuple[str, ...]] = ("linked", "listed", "items", "running", "odds")

    @classmethod
    def of_page(
        cls, linked: float, listed: float, items: float, running: float
    ) -> IndexEvidence:
        """Return the evidence of one page."""
        odds = (
            LINKED * linked
            + LISTED * listed
            + ITEMS * math.log1p(items)
            + RUNNING * math.log1p(running)
            + BIAS
        )
        return cls(linked, listed, items, running, odds)

    @classmethod
    def mean(cls, sums: Iterable[Sequence[float]], pages: int) -> IndexEvidence:
        """Return the mean, from sums of `values` over so many pages."""
        columns = zip(*sums, strict=True)
        means = [sum(column) / pages for column in columns]
        return cls(*means)

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers in the order of NAMES."""
        return (self.linked, self.listed, self.items, self.running, self.odds)

    @property
    def is_index(self) -> bool:
        """Whether an index page is likelier than not."""
        return self.odds > 0

    @property
    def score(self) -> float:
        """The probability of being an index page."""
        bounded = max(-_MAX_ODDS, min(_MAX_ODDS, self.odds))
        return 1 / (1 + math.exp(-bounded))

    @property
    def reason(self) -> str:
        """What speaks for it and against it, for a person."""
        return (
            f"{self.items:.0f} like elements with links hold {self.listed:.0%} of the "
            f"text, links {self.linked:.0%}; "
            f"{self.running:.0f} characters of running text"
        )


def index_evidence(tree: Tree, seen_sizes: Ints | None = None) -> IndexEvidence:
    """Return the evidence of a page; `seen_sizes` is how much text of every node a
    reader sees, where that is known.
    """
    chars = seen_sizes
    if chars is None:
        chars = text_sizes(tree, visible(tree))
    sizes = tree.totals(chars)
    has_text = sizes > 0
    links = tree.has_tag(_LINK)
    links_with_text = links & has_text
    has_link = tree.totals(links_with_text) > 0
    is_below_root = tree.parent > 0
    is_filled = has_text & has_link
    is_item = is_filled & is_below_root & ~tree.is_text
    items = np.flatnonzero(is_item)
    if not len(items):
        running = chars[chars >= RUNNING_TEXT].sum()
        return IndexEvidence.of_page(0.0, 0.0, 0, int(running))

    runs = _runs_of_like_siblings(tree, items)
    counts = np.bincount(runs)
    list_sizes = _list_sizes(runs, sizes[items])
    best = int(list_sizes.argmax())

    in_link = tree.below(links)
    in_list = np.zeros(len(tree), dtype=bool)
    is_in_list = list_sizes[runs] > 0
    in_list[items[is_in_list]] = True
    is_outside = ~in_link & ~tree.below(in_list)
    outside = chars[is_outside]
    running = outside[outside >= RUNNING_TEXT]
    linked = float(chars[in_link].sum())
    listed = float(list_sizes[best])
    total = max(int(chars.sum()), 1)
    return IndexEvidence.of_page(
        linked=linked / total,
        listed=listed / total,
        items=int(counts[best]) if listed else 0,
        running=int(running.sum()),
    )


def _list_sizes(
    runs: NDArray[np.int64], item_sizes: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return how much text each run has, 0 where it is no list."""
    counts = np.bincount(runs)
    run_sizes = np.bincount(runs, item_sizes)
    largest_items = np.zeros(len(counts))
    np.maximum.at(largest_items, runs, item_sizes)
    has_items = counts >= MIN_ITEMS
    is_even = 2 * largest_items <= run_sizes  # no item holds most of its run
    return np.where(has_items & is_even, run_sizes, 0)


def _runs_of_like_siblings(tree: Tree, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each element the number of its run (siblings of one tag and class), in
    the order of the page.
    """
    names = element_names(tree)
    kinds: dict[tuple[str, str], int] = {}
    kind_of = []
    for tag, _, classes in names.names:
        kind = (tag, class_key(classes))
        kind_of.append(kinds.setdefault(kind, len(kinds)))

    item_kinds = np.array(kind_of)[names.numbers[items]]
    keys = tree.parent[items].astype(np.int64) * len(kinds) + item_kinds
    _, first_items, numbers = np.unique(keys, return_index=True, return_inverse=True)
    in_page_order = first_items.argsort().argsort()
    return in_page_order[numbers]
