"""Numbers as pages write them: 1,234.5 and 1.234,5 and 1 234,5; ½ and 1 1/2; 2 to 3."""

# ruff: noqa: RUF001 - pages have these characters

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_MAX_LENGTH = 24
"""Characters of a number with its separators: longer digits are codes."""

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_PLAIN = r"\d+(?:[.,'’\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?"
_FRACTION = rf"\d+\s*[/⁄]\s*\d+|[{_VULGAR}]"
NUMBER = (
    r"(?:\d+(?:\s+|\s*[-&+]\s*|\s+and\s+)(?:\d+\s*[/⁄]\s*\d+)(?!\d)"
    rf"|\d*\s?[{_VULGAR}]|\d+\s*[/⁄]\s*\d+(?![\d/])|{_PLAIN})"
)
"""A number as a pattern: plain, a fraction, or whole with a fraction (1 1/2, 1-1/2,
1½).
"""

_NUMBER = re.compile(NUMBER)
_TO = r"\s*(?:-|–|—|−|~|〜|to|or|bis|à|a|ou|oder|og|til|до|至|到)\s*"
_RANGE = re.compile(rf"(?P<low>{NUMBER})(?:{_TO}(?P<high>{NUMBER}))?", re.IGNORECASE)
_MIXED = re.compile(rf"(?:(\d+)(?:\s+|\s*[-&+]\s*|\s+and\s+|))?({_FRACTION})")
_SEPARATORS = re.compile(r"[.,'’\u00a0\u202f ]")


class NumberSpan(NamedTuple):
    """A number or a range, and where it stands in its text."""

    low: float
    high: float | None
    start: int
    end: int


def ascii_digits(text: str) -> str:
    """Return the same text with the digits of other scripts as ours; every character
    keeps its position.
    """
    if text.isascii():
        return text
    characters = []
    for character in text:
        if character.isdecimal():
            character = str(unicodedata.decimal(character, character))
        characters.append(character)
    return "".join(characters)


def parse_number(text: str, *, money: bool = False) -> float | None:
    """Return the value of a text that is a number and nothing else.

    One separator with three digits behind it can be either: a comma is taken to part
    thousands, a point to be the decimal one, except in `money`, which has two decimals
    at most.
    """
    text = ascii_digits(text.strip())
    if not text or len(text) > _MAX_LENGTH:
        return None
    mixed = _MIXED.fullmatch(text)
    if mixed:
        fraction = _parse_fraction(mixed[2])
        if fraction is None:
            return None
        whole = int(mixed[1] or 0)
        return whole + fraction
    if not re.fullmatch(_PLAIN, text):
        return None
    return _parse_plain(text, money=money)


def find_range(text: str, start: int = 0) -> NumberSpan | None:
    """Return the first number or range in a text."""
    for match in _RANGE.finditer(ascii_digits(text), start):
        span = _span(match)
        if span is not None:
            return span
    return None


def range_at(text: str, start: int = 0) -> NumberSpan | None:
    """Return the number or range that begins at a position of a text."""
    match = _RANGE.match(ascii_digits(text), start)
    return _span(match) if match else None


def _span(match: re.Match[str]) -> NumberSpan | None:
    low = parse_number(match["low"])
    high = parse_number(match["high"]) if match["high"] else None
    if low is None:
        return None
    if high is None or high <= low:
        return NumberSpan(low, None, match.start(), match.end("low"))
    return NumberSpan(low, high, match.start(), match.end())


def find_number(text: str) -> float | None:
    """Return the first number in a text: "4.5 out of 5 (123)"."""
    for match in _NUMBER.finditer(ascii_digits(text)):
        value = parse_number(match.group())
        if value is not None:
            return value
    return None


def tidy_number(value: float) -> float | int:
    """Return whole numbers without a point, others with at most four decimals: the
    thirds of a cup are not more exact.
    """
    value = round(value, 4)
    return int(value) if value == int(value) else value


def _parse_fraction(text: str) -> float | None:
    if len(text) == 1:
        return unicodedata.numeric(text)
    above, below = (int(part) for part in re.split(r"[/⁄]", text))
    return above / below if below else None


def _parse_plain(text: str, *, money: bool) -> float:
    signs = _SEPARATORS.findall(text)
    if not signs:
        return float(text)
    last = signs[-1]
    decimals = len(text) - text.rindex(last) - 1
    is_decimal = last in ".,"
    if len(signs) > 1:
        is_decimal = is_decimal and signs.count(last) == 1
    elif decimals == 3 and len(text) <= 7 and not text.startswith("0"):
        is_decimal = is_decimal and last == "." and not money

    digits = _SEPARATORS.sub("", text)
    if not is_decimal:
        return float(digits)
    whole = digits[:-decimals]
    return float(f"{whole}.{digits[-decimals:]}")
