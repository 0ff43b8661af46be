"""Small word lists of our own: what recipe pages call their parts, in the languages
that pages come in.

They tell headings ("Zutaten", "作り方"), units of ingredients and the verbs of
instructions. A list that lacks a language is made up for by the shape of the lines;
none of them decides alone.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt")


@cache
def alternatives() -> dict[str, list[str]]:
    """Return the entries of the word list by name, in the order of the file."""
    entries: dict[str, list[str]] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        name, colon, listed = line.partition(": ")
        if colon and not line.startswith("#"):
            words = map(str.strip, listed.split(" | "))
            entries.setdefault(name, []).extend(words)
    return entries


def pattern(name: str, before: str = "") -> re.Pattern[str]:
    """Return an expression for any entry of a list, with what must stand before it."""
    entries = "|".join(alternatives()[name])
    return re.compile(f"{before}(?:{entries})", re.IGNORECASE)


def _fact_pattern() -> re.Pattern[str]:
    entries: list[str] = []
    for name in _FACTS:
        entries.extend(alternatives()[f"label.{name}"])
    either = "|".join(entries)
    return re.compile(rf"[^\w]{{0,4}}(?:{either})", re.IGNORECASE)


_WORD_START = r"(?<![^\W\d_])"
_HEADINGS = (
    pattern("heading.ingredients"),
    pattern("heading.instructions"),
    pattern("heading.other", _WORD_START),
)
_UNIT_WORDS = frozenset(alternatives()["unit.words"])
_UNIT_SIGN = pattern("unit.signs")
_VERB = pattern("verbs", _WORD_START)
_FACTS = (
    "prep_time cook_time total_time yield author published category cuisine keywords "
    "calories difficulty"
).split()
_FACT = _fact_pattern()
_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]\.)?")
_NUMBER_WORDS = (
    r"an?|one|two|three|half|ein|eine|einen|une?|una?|uno|een|en|ett|egy|jeden|bir"
)
_NUMBER_FIRST = re.compile(
    rf"\W{{0,3}}(?:\d|[¼-¾⅐-⅞]|(?:{_NUMBER_WORDS})\b)", re.IGNORECASE
)
_BEFORE_INSTRUCTION = " \t0123456789.)-:•*"
"""Numbers and marks of lists that stand before a step."""

MAX_HEADING = 60
"""Characters of the longest heading that names a part; a sentence may have the same
words by chance.
"""
_UNIT_CHARS = 60
_UNIT_WORDS_READ = 6
_VERB_CHARS = 400
"""Characters and words of a line in which units stand, and characters in which verbs are
counted. Bounds on work, and what the model was trained with.
"""


class RecipePart(IntEnum):
    """What a heading of a recipe page is above; the numbers are features of the model."""

    NONE = 0
    INGREDIENTS = 1
    INSTRUCTIONS = 2
    OTHER = 3


def part_of_heading(text: str) -> RecipePart:
    """Return which part of a recipe a short text names: that which it names first."""
    if len(text) > MAX_HEADING:
        return RecipePart.NONE
    named: list[tuple[int, int]] = []
    for number, heading in enumerate(_HEADINGS, 1):
        match = heading.search(text)
        if match:
            named.append((match.start(), number))
    if not named:
        return RecipePart.NONE
    _, first = min(named)
    return RecipePart(first)


def begins_with_fact(text: str) -> bool:
    """Return whether a line begins with the label of a fact about the recipe: a time,
    how many it serves, who wrote it.
    """
    return _FACT.match(text) is not None


def begins_with_number(text: str) -> bool:
    """Return whether a line begins with a quantity, in digits or in one of the
    commonest words.
    """
    return _NUMBER_FIRST.match(text) is not None


def count_units(text: str) -> int:
    """Return how many units of measure stand in the beginning of a line."""
    start = text[:_UNIT_CHARS]
    normalized = unicodedata.normalize("NFKC", start).lower()
    words = _WORD.findall(normalized)[:_UNIT_WORDS_READ]
    unit_words = sum(word in _UNIT_WORDS for word in words)
    unit_signs = _UNIT_SIGN.findall(start)
    return unit_words + len(unit_signs)


def count_verbs(text: str) -> int:
    """Return how many beginnings of sentences and clauses look like the verbs of
    instructions; bounded.
    """
    start = text[:_VERB_CHARS]
    return len(_VERB.findall(start))


def begins_with_verb(text: str) -> bool:
    """Return whether a line begins like an instruction."""
    first_words = text.lstrip(_BEFORE_INSTRUCTION)
    return _VERB.match(first_words) is not None
