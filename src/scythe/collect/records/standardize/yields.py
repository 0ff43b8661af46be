"""What a recipe makes: "Serves 4-6", "12 Muffins", "Für 4 Personen"."""

from __future__ import annotations

import re
from typing import NamedTuple

from scythe.collect.records.standardize.numbers import find_range, tidy_number
from scythe.collect.records.standardize.texts import normalize_text

_SERVINGS = re.compile(
    r"serv|portion|person|people|porci|porzion|persone|raciones|ração|porç|personas"
    r"|pessoas|commensales|couverts|порци|人分|人份|인분|porsjon|annos",
    re.IGNORECASE,
)
_WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "six": 6,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
    "a dozen": 12,
    "a": 1,
    "an": 1,
}
_WORD = re.compile(
    rf"\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s*(?P<unit>[^\W\d_][^\d(,;.]{0,38}?)(?:\s*[(,;.]|\s+\d|$)")


_MAX_LENGTH = 200
"""Characters of a text that are read: an arbitrary cap against hostile pages."""


class Yield(NamedTuple):
    """How much a recipe makes, and of what; of a range the lower end and the upper."""

    amount: float | int | None = None
    to: float | int | None = None
    unit: str = ""


def parse_yield(text: str) -> Yield:
    """Return what a text says that a recipe makes, as far as it says it."""
    text = normalize_text(text)[:_MAX_LENGTH]
    span = find_range(text)
    amount: float | int
    high: float | int | None = None
    if span:
        amount = tidy_number(span.low)
        end = span.end
        if span.high is not None:
            high = tidy_number(span.high)
    else:
        word = _WORD.search(text)
        if word is None:
            return Yield()
        amount = _WORDS[word.group().lower()]
        end = word.end()

    if _SERVINGS.search(text):
        return Yield(amount, high, "servings")
    unit = _UNIT.match(text, end)
    if unit is None:
        return Yield(amount, high, "")
    name = unit["unit"].strip()
    return Yield(amount, high, name.casefold())
