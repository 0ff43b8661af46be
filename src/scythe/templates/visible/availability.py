"""Whether a product can be had, in schema.org's words, from what the page says beside
the product: "In stock", "Ausverkauft", the button that buys.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from scythe.templates.visible.page import MIN_REPEATED, VisiblePage
from scythe.templates.visible.words import STOCK_PHRASES, split_words

MAX_STOCK_TEXT = 60
"""Characters of a line that says the state of the stock; longer lines are prose."""
LINES_AFTER_BUY = 12
LINES_AFTER_TITLE = 60
"""Lines after the button that buys, or after the title where there is none, that may
say the state.
"""

LINES_BESIDE_BUTTON = 12
_NOT_TO_BE_HAD = ("OutOfStock", "Discontinued")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return for each state an expression for the phrases that say it."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for state, listed in STOCK_PHRASES.items():
        phrases = map(re.escape, split_words(listed))
        longest_first = sorted(phrases, key=len, reverse=True)
        either = "|".join(longest_first)
        pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W\d_])", re.IGNORECASE)
        patterns.append((state, pattern))
    return tuple(patterns)


@lru_cache(maxsize=1 << 14)
def stated_availability(text: str) -> str | None:
    """Return the state of the stock that a short text says, None where it says none."""
    for state, pattern in _patterns():
        if pattern.search(text):
            return state
    return None


def find_availability(page: VisiblePage) -> tuple[str, str] | None:
    """Return the state of the stock of the page's product and where it is said: a line
    between the title and what follows the button, else the button itself.

    Shops keep the words for all states in the page and hide those that do not apply by
    style sheet. So next to a button that buys, "sold out" is not believed.
    """
    buy = page.buy_line
    last = page.title_line + LINES_AFTER_TITLE
    if buy is not None:
        last = buy + LINES_AFTER_BUY
    stop = min(last + 1, len(page.texts))
    for line in range(page.title_line + 1, stop):
        if not _can_state_stock(page, line):
            continue
        state = stated_availability(page.texts[line])
        if state is None:
            continue
        distance = None if buy is None else abs(line - buy)
        is_beside_button = distance is not None and distance <= LINES_BESIDE_BUTTON
        if state in _NOT_TO_BE_HAD and is_beside_button:
            continue
        return state, "words on the page"
    if buy is not None:
        return "InStock", "a button that buys"
    return None


def _can_state_stock(page: VisiblePage, line: int) -> bool:
    """Return whether a line is short, shown, and of the page's own product."""
    is_long = len(page.texts[line]) > MAX_STOCK_TEXT
    if is_long or not page.is_shown[line]:
        return False
    is_repeated = page.repeats[line] >= MIN_REPEATED
    return not is_repeated and not page.is_aside(line)
