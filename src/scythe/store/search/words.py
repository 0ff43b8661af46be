"""Words as they are compared, and text queries as a person types them.

Both databases get the same words: texts are split into words here, not by the database,
so that one query has one answer. A word has no case, no accents and no English plural;
characters of languages that write without spaces are words of their own.

    oat soup          both words
    "oat soup"        one after the other
    oat*              words that begin so
    -salt             not this word
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

MAX_TERMS = 32
"""Terms of a query that count: an arbitrary cap against hostile queries."""

_MAX_QUERY_LENGTH = 1_000
"""Characters of a query that count: an arbitrary cap against hostile queries."""

_MAX_WORD_LENGTH = 64
"""Characters that are compared: PostgreSQL refuses words of more than 2,046 bytes."""

_MIN_PREFIX_LENGTH = 2
"""Characters that a prefix needs: one alone would match a large part of all words."""

_ACCENTS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "þ": "th",
    }
)
"""Letters that Unicode does not take apart, as people without these keys type them."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese."""

_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_TERM = re.compile(r'(?P<not>-)?(?:"(?P<phrase>[^"]*)(?:"|$)|(?P<word>[^\s"]+))')


@dataclass(frozen=True)
class Term:
    """Words that must follow each other; of the last one only the beginning, where
    `prefix` says so.
    """

    words: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True)
class TextQuery:
    """What records must have, all of it, and what they must not have, none of it."""

    required: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.required or self.excluded)


def fold(text: str) -> str:
    """Return text without case and accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = _ACCENTS.sub("", decomposed)
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


def search_words(text: str) -> list[str]:
    """Return the words of a text in their order."""
    words = _WORD.findall(fold(text))
    longest = max(map(len, words), default=0)
    if longest > _MAX_WORD_LENGTH:
        words = [word[:_MAX_WORD_LENGTH] for word in words]
    return [_singular(word) if word[-1] == "s" else word for word in words]


@lru_cache(maxsize=16_384)
def _singular(word: str) -> str:
    """Return a word without an English plural ending: who looks for a tomato also means
    tomatoes. After Harman's S stemmer (1991), which merges the fewest words that
    differ; `oes` is added, because of potatoes.
    """
    is_short = len(word) < 4
    if is_short or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if len(word) > 4 else word
    if word.endswith(("oes", "ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1]


def parse_query(text: str) -> TextQuery:
    """Return what a person asks for with a text. Any text may be typed: one without
    words asks for nothing.
    """
    required: list[Term] = []
    excluded: list[Term] = []
    for match in _TERM.finditer(text[:_MAX_QUERY_LENGTH]):
        phrase = match["phrase"]
        term = _parse_term(match["word"] if phrase is None else phrase)
        is_full = len(required) + len(excluded) >= MAX_TERMS
        if is_full or not term.words:
            continue
        if match["not"]:
            excluded.append(term)
        else:
            required.append(term)
    distinct_required = tuple(dict.fromkeys(required))
    distinct_excluded = tuple(dict.fromkeys(excluded))
    return TextQuery(distinct_required, distinct_excluded)


def _parse_term(text: str) -> Term:
    words = tuple(search_words(text))
    if not words or not text.endswith("*"):
        return Term(words)
    is_long = len(words[-1]) >= _MIN_PREFIX_LENGTH
    return Term(words, prefix=is_long)
