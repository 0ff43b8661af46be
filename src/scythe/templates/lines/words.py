"""Small word lists of our own: what recipe pages call their parts, in the languages
that pages come in.

They tell headings ("Zutaten", "作り方"), units of ingredients and the verbs of
instructions. A list that lacks a language is made up for by the shape of the lines;
none of them decides alone.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_suffix(".txt")


@cache
def alternatives() -> dict[str, list[str]]:
    """The entries of the word list by name, in the order of the file."""
    found: dict[str, list[str]] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        name, colon, entries = line.partition(": ")
        if colon and not line.startswith("#"):
            found.setdefault(name, []).extend(
                entry.strip() for entry in entries.split(" | ")
            )
    return found


def pattern(name: str, before: str = "") -> re.Pattern[str]:
    """An expression for any entry of a list, with what must stand before it."""
    return re.compile(f"{before}(?:{'|'.join(alternatives()[name])})", re.IGNORECASE)


_BORDER = r"(?<![^\W\d_])"
_HEADINGS = (
    pattern("heading.ingredients"),
    pattern("heading.instructions"),
    pattern("heading.other", _BORDER),
)
_UNIT_WORDS = frozenset(alternatives()["unit.words"])
_UNIT_SIGN = pattern("unit.signs")
_VERB = pattern("verbs", _BORDER)
_FACTS = "prep_time cook_time total_time yield author published category cuisine keywords calories difficulty".split()
_FACT = re.compile(
    rf"[^\w]{{0,4}}(?:{'|'.join(entry for name in _FACTS for entry in alternatives()[f'label.{name}'])})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]\.)?")
_NUMBER_FIRST = re.compile(
    r"\W{0,3}(?:\d|[¼-¾⅐-⅞]|(?:an?|one|two|three|half|ein|eine|einen|une?|una?|uno|een|en|ett|egy|jeden|bir)\b)",
    re.IGNORECASE,
)
MAX_HEADING = 60
"""Characters of the longest heading that names a part; a sentence may have the same
words by chance.
"""

NONE, IS_INGREDIENTS, IS_INSTRUCTIONS, IS_OTHER = range(4)


def part_named(text: str) -> int:
    """Which part of a recipe a short text names."""
    if len(text) > MAX_HEADING:
        return NONE
    found = [heading.search(text) for heading in _HEADINGS]
    places = [
        (match.start(), number + 1) for number, match in enumerate(found) if match
    ]
    return min(places)[1] if places else NONE


def begins_with_fact(text: str) -> bool:
    """Whether a line begins with the label of a fact about the recipe: a time, how many
    it serves, who wrote it.
    """
    return _FACT.match(text) is not None


def begins_with_number(text: str) -> bool:
    """Whether a line begins with a quantity, in digits or in one of the commonest
    words.
    """
    return _NUMBER_FIRST.match(text) is not None


def units_in(text: str) -> int:
    """How many units of measure stand in the beginning of a line."""
    start = text[:60]
    words = _WORD.findall(unicodedata.normalize("NFKC", start).lower())[:6]
    return sum(word in _UNIT_WORDS for word in words) + len(_UNIT_SIGN.findall(start))


def verbs_in(text: str) -> int:
    """How many beginnings of sentences and clauses look like the verbs of instructions;
    bounded.
    """
    return len(_VERB.findall(text[:400]))


def begins_with_verb(text: str) -> bool:
    """Whether a line begins like an instruction."""
    return _VERB.match(text.lstrip(" \t0123456789.)-:•*")) is not None
