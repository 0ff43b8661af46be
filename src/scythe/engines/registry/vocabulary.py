"""Which word to ask next, so that a harvest finds what it does not have.

The hidden records are taken to be like those that have come back, and one that came
back once tells more of them than one that every query brings. So each word counts the
records it stands in, each divided by how often it came back, and the word that counts
most is asked: the greedy choice of Ntoulas, Zerfos and Cho (JCDL 2005) with the overlap
estimated record by record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from scythe.engines.discovery.queries import query_words

FEW = 20
EVERYWHERE = 0.5
"""Once there are a few records, a word in more than this share of them is left out:
engines ignore it, or list all they have in one order of their own.
"""


class Vocabulary:
    """The words of all records so far."""

    def __init__(self, asked: Iterable[str] = ()) -> None:
        self._asked = set(asked)
        self._words: dict[str, frozenset[str]] = {}
        self._times: Counter[str] = Counter()
        self._weight: dict[str, float] = {}
        self._count: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, key: str) -> bool:
        return key in self._words

    def add(self, key: str, record: Mapping[str, Any], times: int = 1) -> None:
        """A record came back, for the first time or again."""
        words = self._words.get(key)
        if words is None:
            words = self._words[key] = frozenset(query_words(_telling(record)))
            self._count.update(words)
        before = self._times[key]
        self._times[key] += times
        gained = 1 / self._times[key] - (1 / before if before else 0.0)
        for word in words:
            self._weight[word] = self._weight.get(word, 0.0) + gained

    def ask(self, query: str) -> None:
        """A query is taken, and never chosen again."""
        self._asked.add(query)

    def choose(self) -> str | None:
        """The word that promises most, None where there is none left."""
        most = (
            len(self._words) * EVERYWHERE
            if len(self._words) >= FEW
            else len(self._words)
        )
        left = (
            word
            for word in self._weight
            if word not in self._asked and self._count[word] <= most
        )
        return min(
            left, key=lambda word: (-round(self._weight[word], 6), word), default=None
        )


def _telling(record: Mapping[str, Any]) -> str:
    """What a record says about itself, rather than what its template says."""
    fields = record.get("fields") or {}
    texts = [
        value if isinstance(value, str) else " ".join(value)
        for value in (fields.get("title"), fields.get("snippet"))
        if value
    ]
    return " ".join(texts) or str(record.get("text", ""))
