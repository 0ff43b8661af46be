"""Ingredient lines: how much of what. "1 1/2 cups flour, sifted" is 1.5 cup of flour,
and the note is that it is sifted.
"""

from __future__ import annotations

import re
from typing import Any

from scythe.collect.records.standardize.numbers import range_at, tidy
from scythe.collect.records.standardize.texts import clean_line
from scythe.collect.records.standardize.units import unit_at

_WORDS = {
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
_WORD = re.compile(
    rf"(?P<word>{'|'.join(_WORDS)})\s+(?=\w)(?:(?P<dozen>dozen)\s+)?(?:an?\s+|of\s+)?",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:about|approx\.?|approximately|ca\.?|circa|etwa|environ|roughly|~|≈)\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\(([^()]*)\)")
_OF = re.compile(r"(?:of|de|d'|d’|di)\s+|(?:d'|d’)(?=\w)", re.IGNORECASE)  # noqa: RUF001
_JOINED = re.compile(r"\s*[-–]\s*(?=[^\W\d_])")  # noqa: RUF001
_LONGEST = 500


def read_ingredient(line: str) -> dict[str, Any]:
    """The parts of an ingredient line: `quantity`, `to` (of a range), `unit`, `item`,
    `note`; what is not said is left out.
    """
    text = clean_line(line)[:_LONGEST]
    parts: dict[str, Any] = {}
    rest = _amount(text, parts)
    rest, notes = _without_notes(rest)
    item, comma, after = rest.partition(", ")
    if comma and item:
        notes.append(after.strip())
    else:
        item = rest
    parts["item"] = item.strip(" ,;:.-–*") or text  # noqa: RUF001
    if note := "; ".join(filter(None, notes)):
        parts["note"] = note
    return parts


def _without_notes(text: str) -> tuple[str, list[str]]:
    """A line without what stands in parentheses, also in parentheses within others, and
    that in its order.
    """
    notes: list[tuple[int, str]] = []
    while found := _NOTE.search(text):
        notes.append((found.start(), found[1].strip(" ,;")))
        text = text[: found.start()] + " " * len(found.group()) + text[found.end() :]
    return " ".join(text.split()), [
        " ".join(note.split()) for _, note in sorted(notes) if note
    ]


def _amount(text: str, parts: dict[str, Any]) -> str:
    """Read how much there is at the beginning of a line; gives the rest of the line."""
    about = _BEFORE.match(text)
    start = about.end() if about else 0
    if span := range_at(text, start):
        end = span.end
        low, high = span.low, span.high
    elif word := _WORD.match(text, start):
        low, high, end = (
            _WORDS[word["word"].lower()] * (12 if word["dozen"] else 1),
            None,
            word.end(),
        )
        if (
            not word["dozen"]
            and word["word"].lower() in ("a", "an")
            and not unit_at(text, end)
        ):
            return text
    else:
        return text
    parts["quantity"] = tidy(low)
    if high is not None:
        parts["to"] = tidy(high)
    rest = text[end:].lstrip()
    if (size := _NOTE.match(rest)) and unit_at(rest[size.end() :].lstrip()):
        rest = f"{rest[size.end() :].lstrip()} {size.group()}"
    hyphen = _JOINED.match(rest)
    found = unit_at(rest, hyphen.end() if hyphen else 0)
    if found and (hyphen is None or found[0].size):
        unit, after = found
        left = rest[after:].lstrip()
        if left or unit.size:
            parts["unit"] = unit.name
            rest = left
    of = _OF.match(rest)
    return rest[of.end() :] if of else rest
