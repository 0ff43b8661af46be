"""What a recipe makes: "Serves 4-6", "12 Muffins", "Für 4 Personen"."""

from __future__ import annotations

import re
from typing import NamedTuple

from scythe.collect.records.standardize.numbers import find_range, tidy
from scythe.collect.records.standardize.texts import clean_text

_SERVINGS = re.compile(
    r"serv|portion|person|people|porci|porzion|persone|raciones|ração|porç|personas|pessoas|commensales|couverts|порци|人分|人份|인분|porsjon|annos",
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
    rf"\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_UNIT = re.compile(r"\s*(?P<unit>[^\W\d_][^\d(,;.]{0,38}?)(?:\s*[(,;.]|\s+\d|$)")


class Yield(NamedTuple):
    """How much a recipe makes, and of what; of a range the lower end and the upper."""

    amount: float | int | None = None
    to: float | int | None = None
    unit: str = ""


def read_yield(text: str) -> Yield:
    """What a text says that a recipe makes, as far as it says it."""
    text = clean_text(text)[:200]
    span = find_range(text)
    if span:
        amount, high, end = (
            tidy(span.low),
            None if span.high is None else tidy(span.high),
            span.end,
        )
    elif word := _WORD.search(text):
        amount, high, end = _WORDS[word.group().lower()], None, word.end()
    else:
        return Yield()
    if _SERVINGS.search(text):
        return Yield(amount, high, "servings")
    found = _UNIT.match(text, end)
    return Yield(amount, high, found["unit"].strip().casefold() if found else "")
