"""The words of a search in the texts that were found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

MAX_WORDS = 20
"""Words of a search that are marked: a bound on work."""
_TERM = re.compile(r'-?"[^"]*"|\S+')
_WORD = re.compile(r"\w+")
_PLURAL = "(?:e?s)?"
_FIRST_IDEOGRAPH = "\u2e80"
"""From this letter on words have no space between them."""


class Piece(NamedTuple):
    """A part of a text."""

    text: str
    is_hit: bool = False


def highlighted(text: str, words: str) -> Sequence[Piece]:
    """Return a text in pieces, those that a search has words for marked. Case, accents
    and English plurals make no difference, as in the search itself.
    """
    pattern = _pattern(words)
    if pattern is None or not text:
        return (Piece(text),)
    plain = _without_accents(text)
    if len(plain) != len(text):
        return (Piece(text),)

    pieces: list[Piece] = []
    end = 0
    for match in pattern.finditer(plain):
        start, stop = match.span()
        if start > end:
            pieces.append(Piece(text[end:start]))
        pieces.append(Piece(text[start:stop], is_hit=True))
        end = stop
    if end < len(text):
        pieces.append(Piece(text[end:]))
    return pieces


def snippet(text: str, words: str, length: int) -> Sequence[Piece]:
    """Return a part of a text with the words of a search: from shortly before the first
    of them on, where the beginning has none.
    """
    pattern = _pattern(words)
    found = pattern.search(_without_accents(text)) if pattern else None
    if found is not None and found.end() > length:
        start = max(found.start() - length // 3, 0)
        text = "…" + text[start:].partition(" ")[2]
    return highlighted(shortened(text, length), words)


def shortened(text: str, length: int) -> str:
    """Return a text that ends with a whole word where it is too long."""
    if len(text) <= length:
        return text
    words = text[:length].rsplit(" ", 1)
    return words[0] + "…"


@lru_cache(maxsize=64)
def _pattern(words: str) -> re.Pattern[str] | None:
    """Return what matches the words of a search; None where it has none to find."""
    parts: dict[str, None] = {}
    for term in _TERM.findall(words):
        if term.startswith("-"):
            continue
        ending = r"\w*" if term.endswith("*") else _PLURAL
        for word in _WORD.findall(_without_accents(term)):
            if max(word) >= _FIRST_IDEOGRAPH:
                parts[re.escape(word)] = None
                continue
            is_plural = word.endswith("s") and len(word) > 3
            stem = word[:-1] if is_plural else word
            parts[rf"\b{re.escape(stem)}{ending}\b"] = None
    if not parts:
        return None
    either = "|".join(list(parts)[:MAX_WORDS])
    return re.compile(either, re.IGNORECASE)


def _without_accents(text: str) -> str:
    """Return a text with each letter without its accents, as long as the text itself
    where that can be.
    """
    letters = []
    for letter in text:
        base = unicodedata.normalize("NFD", letter)
        letters.append(base[0] if base else letter)
    return "".join(letters)
