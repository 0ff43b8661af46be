"""The price of the page's own product, among all amounts that a page shows: prices of
other products, former prices, savings, instalments, costs of sending.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from scythe.templates.visible.money import Money, currency_code, find_money
from scythe.templates.visible.page import MIN_REPEATED, VisiblePage
from scythe.templates.visible.words import (
    CURRENT_CLASS_WORDS,
    OLD_CLASS_WORDS,
    OLD_PRICE_WORDS,
    OTHER_AMOUNT_WORDS,
    OTHER_CLASS_WORDS,
    PRICE_CLASS_WORDS,
    word_pattern,
)
from scythe.tree.tags import TagSet

MAX_PRICE_LINE = 160
LONG_LINE = 60
"""Characters of a line whose amounts may be the price, and from which on that is less
likely: longer lines are prose.
"""
MAX_PART = 3
"""Characters of a text that may be a part of the amount beside it: "$", "19", "99"."""
CLASS_LEVELS = 4
"""Elements around an amount whose class names speak of it."""
MAX_WORDS_BESIDE = 40
"""Characters before an amount in which a word can say what it is."""
LINES_BEFORE_TITLE = 12
LINES_AFTER_BUY = 6
"""Lines before the title and after the button that buys which may hold the price."""
LINES_TO_REDUCED = 3
MIN_REDUCED = 0.25
MAX_SCORE_BEHIND = 1.0
"""A reduced price stands at most so many lines behind the former one, is at least such a
part of it, and scores at most so much less. Not tuned.
"""
MIN_SCORE = -4.0
"""Score that a price must have: pages without one have amounts all the same."""

_CLASS_WEIGHTS = (
    (PRICE_CLASS_WORDS, 2.0),
    (CURRENT_CLASS_WORDS, 1.0),
    (OLD_CLASS_WORDS, -1.5),
    (OTHER_CLASS_WORDS, -1.5),
)
_DIGIT = re.compile(r"\d")
_STRUCK = TagSet("del s strike")
_LINK = TagSet("a")


@dataclass(frozen=True, slots=True)
class PriceCandidate:
    """An amount that may be the price."""

    money: Money
    line: int
    node: int
    """The text node in which it begins."""
    before: str
    after: str
    """The text of its line from the amount before it, and up to the next."""

    @property
    def is_per_unit(self) -> bool:
        """Whether it is asked for a unit or a month: "€ 3.20/kg"."""
        return self.after.lstrip().startswith("/")

    @property
    def is_bare(self) -> bool:
        """Whether it has no words beside it."""
        words_beside = self.before.strip() or self.after.strip()
        return not words_beside


class Price(NamedTuple):
    """The price of a product."""

    amount: str
    currency: str
    line: int


def find_price(page: VisiblePage) -> Price | None:
    """Return the price of the page's product, None where no amount is likely to be it."""
    candidates = list(price_candidates(page))
    scores = PriceScores(page, candidates)
    likely: list[tuple[float, PriceCandidate]] = []
    for candidate in candidates:
        score = scores.score(candidate)
        if score > MIN_SCORE:
            likely.append((score, candidate))
    if not likely:
        return None

    best_score, best = max(likely, key=itemgetter(0))
    saved = _after_saving(candidates, best)
    best = saved or _reduced(likely, best_score, best)
    code = currency_code(best.money.sign, page.url, page.language)
    return Price(best.money.amount, code, best.line)


def _after_saving(
    candidates: Sequence[PriceCandidate], best: PriceCandidate
) -> PriceCandidate | None:
    """Return the amount that is left of the best candidate after a saving, where the
    page states all three: "$30.00 $24.00 You save $6.00". The words stand beside two of
    them, and the sum tells which they are about.
    """
    near = [
        candidate
        for candidate in candidates
        if 0 <= candidate.line - best.line <= LINES_TO_REDUCED
    ]
    savings: set[int] = set()
    for candidate in near:
        if _is_beside(candidate, OTHER_AMOUNT_WORDS):
            savings.add(_cents(best) - _cents(candidate))
    left = [
        candidate
        for candidate in near
        if _cents(candidate) in savings and _cents(candidate) < _cents(best)
    ]
    # The price and the saving add up either way: the saving is the smaller.
    return max(left, key=_cents, default=None)


def _cents(candidate: PriceCandidate) -> int:
    return round(100 * float(candidate.money.amount))


def _reduced(
    likely: Sequence[tuple[float, PriceCandidate]],
    best_score: float,
    best: PriceCandidate,
) -> PriceCandidate:
    """Return the lower price that follows close on the best candidate and is about as
    likely, else the best: the former price comes first.
    """
    highest = float(best.money.amount)
    for score, candidate in likely:
        is_same_line = candidate.line == best.line
        are_bare = candidate.is_bare and best.is_bare
        if not is_same_line and not are_bare:
            continue
        is_close = 0 <= candidate.line - best.line <= LINES_TO_REDUCED
        amount = float(candidate.money.amount)
        is_lower = MIN_REDUCED * highest <= amount < highest
        is_likely = best_score - score <= MAX_SCORE_BEHIND
        if is_close and is_lower and is_likely:
            return candidate
    return best


def price_candidates(page: VisiblePage) -> Iterator[PriceCandidate]:
    """Yield the amounts of money of a page's short lines, those it hides left out."""
    for line, text in enumerate(page.texts):
        is_short = len(text) <= MAX_PRICE_LINE
        if not is_short or not page.is_shown[line]:
            continue
        if not _DIGIT.search(text):
            continue
        joined, starts, nodes = joined_pieces(page, line)
        found = find_money(joined)
        next_starts = [money.start for money in found[1:]]
        next_starts.append(len(joined))
        last_end = 0
        for money, next_start in zip(found, next_starts, strict=False):
            piece = bisect_right(starts, money.start) - 1
            yield PriceCandidate(
                money,
                line,
                nodes[max(piece, 0)],
                before=joined[last_end : money.start],
                after=joined[money.end : next_start],
            )
            last_end = money.end


def joined_pieces(page: VisiblePage, line: int) -> tuple[str, list[int], list[int]]:
    """Return a line as the eye joins it, with its text nodes and where each begins.

    Cents in an element of their own get their point; texts side by side without white
    space stay apart unless one of them is a sign, a part of a number or a point.
    """
    nodes = page.lines.nodes_of(line)
    joined = ""
    starts: list[int] = []
    for node in nodes:
        text = str(page.tree.text[node])
        piece = " ".join(text.split())
        is_two_digits = len(piece) == 2 and piece.isdigit()
        is_cents = is_two_digits and joined[-1:].isdigit()
        is_long = len(piece) > MAX_PART and piece[0] not in ".,"
        if is_cents:
            joined += "."
        elif text[0].isspace() or is_long:
            joined += " "
        starts.append(len(joined))
        joined += piece
        if text[-1].isspace():
            joined += " "
    return joined, starts, nodes


class PriceScores:
    """How likely each amount of a page is the price.

    Weights were set by hand on two thirds of the pages of wcxb and forms that declare a
    price, with what they declare hidden (`python -m benchmarks.single_pages`).
    """

    def __init__(self, page: VisiblePage, candidates: Sequence[PriceCandidate]) -> None:
        self.page = page
        tree = page.tree
        self._is_struck = tree.below(tree.has_tag(_STRUCK))
        self._is_linked = tree.below(tree.has_tag(_LINK))
        self._times = Counter(candidate.money.amount for candidate in candidates)
        self._struck: set[str] = set()
        for candidate in candidates:
            if self._is_struck[candidate.node]:
                self._struck.add(candidate.money.amount)

    def score(self, candidate: PriceCandidate) -> float:
        """Return a score for a candidate."""
        amount = candidate.money.amount
        score = self._mark_up_score(candidate)
        score += self._position_score(candidate.line)
        times_more = self._times[amount] - 1
        score += 0.5 * min(times_more, 3)
        if _is_beside(candidate, OLD_PRICE_WORDS):
            score -= 3
        if _is_beside(candidate, OTHER_AMOUNT_WORDS) or candidate.is_per_unit:
            score -= 4
        if amount in self._struck:
            score -= 4
        if candidate.is_bare:
            score += 1
        line_text = self.page.texts[candidate.line]
        if len(line_text) > LONG_LINE:
            score -= 1
        if not float(amount):
            score -= 3
        return score

    def _mark_up_score(self, candidate: PriceCandidate) -> float:
        page = self.page
        around = islice(page.tree.ancestors(candidate.node), CLASS_LEVELS)
        words: set[str] = set()
        for element in around:
            words |= page.class_words(element)
        score = 0.0
        for class_words, weight in _CLASS_WEIGHTS:
            if words & class_words:
                score += weight
        if self._is_struck[candidate.node]:
            score -= 4
        if self._is_linked[candidate.node]:
            score -= 3
        return score

    def _position_score(self, line: int) -> float:
        page = self.page
        distance = line - page.title_line
        score = -min(distance, 200) / 40
        if distance < 0:
            score = -0.5 if distance >= -LINES_BEFORE_TITLE else -3.0
        buys_after = (
            page.buy_line is not None and line <= page.buy_line + LINES_AFTER_BUY
        )
        if buys_after and distance >= 0:
            score += 1.5
        if page.is_aside(line):
            score -= 8
        if page.repeats[line] >= MIN_REPEATED:
            score -= 1.5
        return score


def _is_beside(candidate: PriceCandidate, words: str) -> bool:
    """Return whether one of the words stands before an amount or follows on it."""
    pattern = word_pattern(words)
    before = candidate.before[-MAX_WORDS_BESIDE:].strip()
    after = candidate.after.strip()
    return bool(pattern.search(before) or pattern.match(after))
