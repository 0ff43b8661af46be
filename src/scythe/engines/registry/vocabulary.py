"""Which word to search for next, so that a harvest finds what it does not have.

The hidden records are taken to be like those that have come back, and one that came
back once says more of them than one that every query brings. So each word counts the
records it stands in, each divided by how often it came back, and the word that counts
most is the next query: the greedy choice of Ntoulas, Zerfos and Cho (JCDL 2005) with the
overlap estimated record by record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from scythe.engines.discovery.queries import query_words

FEW_RECORDS = 20
MAX_SHARE = 0.5
"""Once there are more than a few records, a word in more than this share of them is left
out: engines ignore it, or list all they have in one order of their own. Not tuned.
"""


class Vocabulary:
    """The words of all records so far."""

    def __init__(self, used: Iterable[str] = ()) -> None:
        self._used = set(used)
        self._words: dict[str, frozenset[str]] = {}
        self._times: Counter[str] = Counter()
        self._weight: dict[str, float] = {}
        self._record_count: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, key: str) -> bool:
        return key in self._words

    def add(self, key: str, record: Mapping[str, Any], times: int = 1) -> None:
        """Add a record that came back, for the first time or again."""
        words = self._words.get(key)
        if words is None:
            words = frozenset(query_words(_content_text(record)))
            self._words[key] = words
            self._record_count.update(words)

        earlier_times = self._times[key]
        self._times[key] += times
        gain = 1 / self._times[key]
        if earlier_times:
            gain -= 1 / earlier_times
        for word in words:
            weight = self._weight.get(word, 0.0)
            self._weight[word] = weight + gain

    def mark_used(self, query: str) -> None:
        """Add a query to those that are never chosen again."""
        self._used.add(query)

    def best_word(self) -> str | None:
        """Return the word that promises most, None where there is none left."""
        most_records: float = len(self._words)
        if most_records >= FEW_RECORDS:
            most_records *= MAX_SHARE
        candidates = []
        for word in self._weight:
            is_everywhere = self._record_count[word] > most_records
            if word not in self._used and not is_everywhere:
                candidates.append(word)
        return min(candidates, key=self._order, default=None)

    def _order(self, word: str) -> tuple[float, str]:
        return -round(self._weight[word], 6), word


def _content_text(record: Mapping[str, Any]) -> str:
    """Return a record's title and snippet rather than what its template repeats."""
    fields = record.get("fields") or {}
    texts = []
    for name in ("title", "snippet"):
        value = fields.get(name) or ""
        text = value if isinstance(value, str) else " ".join(value)
        if text:
            texts.append(text)
    content = " ".join(texts)
    return content or str(record.get("text", ""))
