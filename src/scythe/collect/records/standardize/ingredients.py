"""Ingredient lines: how much of what. "1 1/2 cups flour, sifted" is 1.5 cup of flour,
and the note is that it is sifted.
"""

from __future__ import annotations

import re
from typing import Any

from scythe.collect.records.standardize.numbers import range_at, tidy_number
from scythe.collect.records.standardize.texts import clean_line
from scythe.collect.records.standardize.units import unit_at

_NUMBER_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "half": 0.5,
    "dozen": 12,
}
_NUMBER_WORD = re.compile(
    rf"(?P<word>{'|'.join(_NUMBER_WORDS)})\s+(?=\w)(?:(?P<dozen>dozen)\s+)?(?:an?\s+|of\s+)?",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:about|approx\.?|approximately|ca\.?|circa|etwa|environ|roughly|~|≈)\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\(([^()]*)\)")
_OF = re.compile(r"(?:of|de|d'|d’|di)\s+|(?:d'|d’)(?=\w)", re.IGNORECASE)  # noqa: RUF001
_HYPHEN = re.compile(r"\s*[-–]\s*(?=[^\W\d_])")  # noqa: RUF001
_MAX_LENGTH = 500
"""Characters of a line that are read: an arbitrary cap against hostile pages."""


def parse_ingredient(line: str) -> dict[str, Any]:
    """Return the parts of an ingredient line: `quantity`, `to` (of a range), `unit`,
    `item`, `note`; what is not said is left out.
    """
    text = clean_line(line)[:_MAX_LENGTH]
    parts: dict[str, Any] = {}
    rest = _add_amount(text, parts)
    rest, notes = _without_notes(rest)
    item, comma, after = rest.partition(", ")
    if comma and item:
        notes.append(after.strip())
    else:
        item = rest
    parts["item"] = item.strip(" ,;:.-–*") or text  # noqa: RUF001
    note = "; ".join(note for note in notes if note)
    if note:
        parts["note"] = note
    return parts


def _without_notes(text: str) -> tuple[str, list[str]]:
    """Return a line without what stands in parentheses, also in parentheses within
    others, and that in its order.
    """
    notes: list[tuple[int, str]] = []
    while found := _NOTE.search(text):
        note = found[1].strip(" ,;")
        notes.append((found.start(), note))
        before = text[: found.start()]
        after = text[found.end() :]
        blank = " " * len(found.group())
        text = before + blank + after
    in_order = []
    for _, note in sorted(notes):
        if note:
            in_order.append(" ".join(note.split()))
    return " ".join(text.split()), in_order


def _add_amount(text: str, parts: dict[str, Any]) -> str:
    """Add how much there is at the beginning of a line to its parts; return the rest of
    the line.
    """
    about = _ABOUT.match(text)
    start = about.end() if about else 0
    span = range_at(text, start)
    if span:
        low = span.low
        high = span.high
        end = span.end
    else:
        word = _NUMBER_WORD.match(text, start)
        if word is None:
            return text
        number_word = word["word"].lower()
        is_article = number_word in ("a", "an") and not word["dozen"]
        if is_article and not unit_at(text, word.end()):
            return text
        low = _NUMBER_WORDS[number_word] * (12 if word["dozen"] else 1)
        high = None
        end = word.end()

    parts["quantity"] = tidy_number(low)
    if high is not None:
        parts["to"] = tidy_number(high)
    rest = _add_unit(text[end:].lstrip(), parts)
    of = _OF.match(rest)
    return rest[of.end() :] if of else rest


def _add_unit(rest: str, parts: dict[str, Any]) -> str:
    """Add the unit that follows an amount to the parts of a line; return the rest of
    the line.
    """
    size = _NOTE.match(rest)
    if size:
        behind = rest[size.end() :].lstrip()
        if unit_at(behind):
            rest = f"{behind} {size.group()}"
    hyphen = _HYPHEN.match(rest)
    found = unit_at(rest, hyphen.end() if hyphen else 0)
    if found is None:
        return rest
    unit, end = found
    if hyphen is not None and not unit.size:
        return rest
    after = rest[end:].lstrip()
    if not after and not unit.size:
        return rest
    parts["unit"] = unit.name
    return after
