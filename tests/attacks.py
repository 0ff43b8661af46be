"""Texts made to keep a regular expression busy, from the expression itself.

For every repeat of a pattern there are texts that reach it, that go on with what it
repeats for long, and that then end in something it does not want: a pattern that can
take such a text in many ways tries them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, AnyStr

ALPHABET = " a0\n.,-/<>\"'=:;()[]{}&#_é1xZ\t|*+?!%@$€½\u3000中"
"""Letters to choose from, those that classes share most often first."""
ENDINGS = ("\x00", "", "\n\x00!", "<")
MANY = 20
"""Repeats that go so far, or further, are attacked."""
CHOICES = 4
"""Letters and alternatives that are tried of each repeat."""

_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
}
_OPPOSITES = {
    codes.CATEGORY_NOT_DIGIT: codes.CATEGORY_DIGIT,
    codes.CATEGORY_NOT_SPACE: codes.CATEGORY_SPACE,
    codes.CATEGORY_NOT_WORD: codes.CATEGORY_WORD,
}
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)

Item = tuple[Any, Any]


def attacks(pattern: re.Pattern[AnyStr], length: int) -> Iterator[AnyStr]:
    """Yield texts of about a length against all repeats of a pattern."""
    seen = set()
    for text in _texts(pattern, length):
        if text not in seen:
            seen.add(text)
            yield text if isinstance(pattern.pattern, str) else _as_bytes(text)


def _as_bytes(text: str) -> Any:
    return text.encode("latin-1", "ignore")


def _texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    parsed = parser.parse(pattern.pattern, pattern.flags)
    for before, body in _repeats(list(parsed), ""):
        for choice in range(CHOICES):
            repeated = _sample(body, choice)
            if not repeated:
                continue
            many = repeated * (length // len(repeated))
            for ending in ENDINGS:
                yield before + many + ending
            beginning = before + repeated
            yield beginning * (length // len(beginning))
            if before:
                yield before * (length // len(before))


def _repeats(
    items: Sequence[Item], before: str
) -> Iterator[tuple[str, Sequence[Item]]]:
    """Yield what each long repeat repeats, with a text that leads to it."""
    for code, value in items:
        for inner in _inner(code, value):
            yield from _repeats(inner, before)
        if code in _REPEATS and value[1] >= MANY:
            yield before, list(value[2])
        before += _sample([(code, value)], 0)


def _inner(code: Any, value: Any) -> list[Sequence[Item]]:
    """Return the sequences that an item is made of."""
    if code in _REPEATS:
        return [list(value[2])]
    if code is codes.SUBPATTERN:
        return [list(value[3])]
    if code is codes.BRANCH:
        return [list(branch) for branch in value[1]]
    if code is codes.ATOMIC_GROUP:
        return [list(value)]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [list(value[1])]
    return []


def _sample(items: Sequence[Item], choice: int) -> str:
    """Return a text that fits items, by one choice of letters and alternatives."""
    return "".join(_sample_of(code, value, choice) for code, value in items)


def _sample_of(code: Any, value: Any, choice: int) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.ANY:
        return ALPHABET[choice]
    if code in (codes.IN, codes.NOT_LITERAL):
        tests = (
            value
            if code is codes.IN
            else [(codes.NEGATE, None), (codes.LITERAL, value)]
        )
        letters = _letters(tests)
        return letters[choice % len(letters)] if letters else ""
    if code is codes.BRANCH:
        branches = value[1]
        return _sample(list(branches[choice % len(branches)]), choice)
    if code in _REPEATS:
        return _sample(list(value[2]), choice) * value[0]
    if code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        return _sample(_inner(code, value)[0], choice)
    return ""  # borders, what stands around, and groups again


def _letters(tests: Sequence[Item]) -> str:
    """Return the letters that are in a class."""
    is_negative = bool(tests) and tests[0][0] is codes.NEGATE
    named = [chr(value) for code, value in tests if code is codes.LITERAL]
    ranges = [value for code, value in tests if code is codes.RANGE]
    candidates = ALPHABET + "".join(named) + "".join(chr(low) for low, _ in ranges)
    return "".join(
        letter
        for letter in dict.fromkeys(candidates)
        if any(_is_in(letter, *test) for test in tests) != is_negative
    )


def _is_in(letter: str, code: Any, value: Any) -> bool:
    if code is codes.LITERAL:
        return ord(letter) == value
    if code is codes.RANGE:
        return value[0] <= ord(letter) <= value[1]
    if code is codes.CATEGORY:
        if value in _OPPOSITES:
            return not _CATEGORIES[_OPPOSITES[value]](letter)
        return _CATEGORIES[value](letter)
    return False
