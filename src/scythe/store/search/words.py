"""Words as they are compared, and what a person may ask for with them.

Both databases get the same words: texts are cut into words here, not by the database,
so that one question has one answer. A word has no case, no accents and no English
plural; characters of languages that write without spaces are words of their own.

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

MOST_TERMS = 32
"""Terms of a question: what is beyond is not looked at."""
_LONGEST_QUESTION = 1_000
_LONGEST_WORD = 64
"""Characters that are compared: PostgreSQL refuses words of more than 2,046 bytes."""
_SHORTEST_PREFIX = 2

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
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_TERM = re.compile(r'(?P<no>-)?(?:"(?P<phrase>[^"]*)(?:"|$)|(?P<word>[^\s"]+))')


@dataclass(frozen=True)
class Term:
    """Words that must follow each other; of the last one only the beginning, where
    `prefix` says so.
    """

    words: tuple[str, ...]
    prefix: bool = False


@dataclass(frozen=True)
class Question:
    """What records must have, all of it, and what they must not have, none of it."""

    wanted: tuple[Term, ...] = ()
    unwanted: tuple[Term, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.wanted or self.unwanted)


def folded(text: str) -> str:
    """Text without case and accents."""
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", plain).translate(_LETTERS)


def search_words(text: str) -> list[str]:
    """The words of a text in their order."""
    words = _WORD.findall(folded(text))
    if max(map(len, words), default=0) > _LONGEST_WORD:
        words = [word[:_LONGEST_WORD] for word in words]
    return [_singular(word) if word[-1] == "s" else word for word in words]


@lru_cache(maxsize=16_384)
def _singular(word: str) -> str:
    """A word without an English plural ending: who looks for a tomato also means
    tomatoes. After Harman's S stemmer (1991), which merges the fewest words that
    differ; `oes` is added, because of potatoes.
    """
    if len(word) < 4 or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word
    return (
        word[:-2]
        if word.endswith(("oes", "ches", "shes", "sses", "xes"))
        else word[:-1]
    )


def asked(text: str) -> Question:
    """What a person typed. Anything may be typed: what has no words in it asks for
    nothing.
    """
    wanted: list[Term] = []
    unwanted: list[Term] = []
    for found in _TERM.finditer(text[:_LONGEST_QUESTION]):
        term = (
            _term(found["phrase"])
            if found["phrase"] is not None
            else _term(found["word"])
        )
        if term.words and len(wanted) + len(unwanted) < MOST_TERMS:
            (unwanted if found["no"] else wanted).append(term)
    return Question(tuple(dict.fromkeys(wanted)), tuple(dict.fromkeys(unwanted)))


def _term(text: str) -> Term:
    words = tuple(search_words(text))
    return Term(
        words, text.endswith("*") and bool(words) and len(words[-1]) >= _SHORTEST_PREFIX
    )
