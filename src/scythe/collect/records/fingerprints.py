"""Which record is which, under another address and in another design.

Pairs are sought by name (title, or the last part of the address) first, and confirmed
by content; what has the same content to the greatest part is a pair whatever it is
called. Of a page in a new design nobody has named a slot yet: there the values of the
old record are sought among all texts of the page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scythe.collect.links.addresses import bare_slugs
from scythe.tree.text import letters_and_digits

MIN_SAME_TITLE_AND_SLUG, MIN_SAME_NAME, MIN_SAME_CONTENT = 0.3, 0.5, 0.8
"""Likeness (see `Likeness`) of two records that are the same: where title and last part
of the address agree, where one of them does, and where none does. Recipes of one site
that are not the same share 0.1 to 0.3 of their words; edited ones keep 0.7 and more,
and of 249 that moved at once one was rewritten (0.47).
"""
MIN_HELD = 0.6
"""The share of a record's words that a page must have to be that of the same record, a
word counting the more the fewer records have it: what rewritten pages keep, and twice
what two records share. Not tuned.
"""
MIN_WORDS = 10
"""Different words that a record must have for its values to be sought among the texts
of a page: fewer are found on many pages. Not tuned.
"""
NEARLY = 0.1
"""By how much less alike a page may be than the best to say nearly the same. Not tuned.
"""
MAX_COMPARED = 300
"""Records without a partner of the same name that are compared with all others: a bound
on work, not tuned.
"""
MAX_NAME = 100
"""Characters of a text that may be a title. Not tuned."""

_WORD = re.compile(r"\w+")

_Pair = tuple[float, int, int]
"""How alike a vanished and a new record are, and the index of each."""


@dataclass(frozen=True)
class RecordFingerprint:
    """A record as far as it can be recognised under another address."""

    key: str
    url: str
    title: str
    words: frozenset[str]
    page_words: frozenset[str] = frozenset()
    """The words of all texts of its page, where its page was just read."""
    page_names: frozenset[str] = frozenset()
    """Short texts of its page, any of which may be its title."""

    @classmethod
    def from_fields(
        cls, key: str, url: str, fields: Mapping[str, Any], fallback_title: str = ""
    ) -> RecordFingerprint:
        """Return the fingerprint of a record with its fields."""
        title = str(fields.get("title") or fallback_title)
        words = frozenset(_words(fields))
        return cls(key, url, letters_and_digits(title), words)

    @classmethod
    def from_page(
        cls,
        key: str,
        url: str,
        fields: Mapping[str, Any],
        texts: Mapping[str, Sequence[str]],
        fallback_title: str = "",
    ) -> RecordFingerprint:
        """Return the fingerprint of a new page: with its fields, as far as its slots
        have names, and with all its texts.
        """
        known = cls.from_fields(key, url, fields, fallback_title)
        single = [values[0] for values in texts.values() if len(values) == 1]
        short = [text for text in single if len(text) <= MAX_NAME]
        names = set(map(letters_and_digits, short))
        names.discard("")
        page_words = frozenset(_words(texts))
        page_names = frozenset(names)
        return cls(key, url, known.title, known.words, page_words, page_names)


def _words(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of all texts, also of those in lists and parts."""
    waiting: list[Any] = list(values.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            for word in _WORD.findall(value):
                yield word.casefold()
        elif isinstance(value, Mapping):
            waiting.extend(value.values())
        elif isinstance(value, Sequence):
            waiting.extend(value)


@dataclass(frozen=True)
class Likeness:
    """How alike records are: the Jaccard index of their words, or the share of the old
    one's words that the new page has, a word counting the more the fewer new pages
    have it.
    """

    pages: int = 0
    pages_with: Counter[str] = field(default_factory=Counter)

    @classmethod
    def among(cls, new: Sequence[RecordFingerprint]) -> Likeness:
        """Return the likeness to new pages."""
        pages_with: Counter[str] = Counter()
        for record in new:
            pages_with.update(record.page_words)
        return cls(len(new), pages_with)

    def __call__(self, old: RecordFingerprint, new: RecordFingerprint) -> float:
        """Return how alike two records are."""
        common = len(old.words & new.words)
        union = len(old.words | new.words)
        jaccard = common / union if union else 0.0
        if not new.page_words or len(old.words) < MIN_WORDS:
            return jaccard
        on_page = old.words & new.page_words
        total = sum(map(self._weight, old.words))
        found = sum(map(self._weight, on_page))
        share = found / total if total else 0.0
        return max(jaccard, share)

    def _weight(self, word: str) -> float:
        pages_with = self.pages_with[word] + 0.5
        return math.log((self.pages + 1) / pages_with)


class RecordWords:
    """The words of known records, to find out whether a page is that of one of them."""

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._records: list[frozenset[str]] = []
        self._records_with: Counter[str] = Counter()
        for fields in records:
            words = frozenset(_words(fields))
            if len(words) >= MIN_WORDS:
                self._records.append(words)
                self._records_with.update(words)

    def __bool__(self) -> bool:
        return bool(self._records)

    def are_in(self, text: str) -> bool:
        """Return whether a text has most words of one of the records."""
        on_page = frozenset(_words({"page": text}))
        for words in self._records:
            total = sum(map(self._weight, words))
            held = sum(map(self._weight, words & on_page))
            if held >= MIN_HELD * total:
                return True
        return False

    def _weight(self, word: str) -> float:
        records_with = self._records_with[word] + 0.5
        return math.log((len(self._records) + 1) / records_with)


def match_moved(
    vanished: Sequence[RecordFingerprint], new: Sequence[RecordFingerprint]
) -> list[tuple[RecordFingerprint, RecordFingerprint]]:
    """Return which vanished record is which new one; each is in one pair at most, the
    most similar first.
    """
    likeness = Likeness.among(new)
    pairs = _pairs_by_name(vanished, new, likeness)
    unmatched_old = set(range(len(vanished)))
    unmatched_new = set(range(len(new)))
    for _, old, index in pairs:
        unmatched_old.discard(old)
        unmatched_new.discard(index)

    is_small = len(unmatched_old) <= MAX_COMPARED
    if is_small and len(unmatched_new) <= 10 * MAX_COMPARED:
        for old in unmatched_old:
            for index in unmatched_new:
                alike = likeness(vanished[old], new[index])
                if alike >= MIN_SAME_CONTENT:
                    pair = (alike, old, index)
                    pairs.append(pair)

    matches = []
    for old, index in _best_pairs(pairs):
        match = (vanished[old], new[index])
        matches.append(match)
    return matches


def _pairs_by_name(
    vanished: Sequence[RecordFingerprint],
    new: Sequence[RecordFingerprint],
    likeness: Likeness,
) -> list[_Pair]:
    """Return the pairs of records that share a name and enough of their words."""
    old_slugs = bare_slugs([record.url for record in vanished])
    new_slugs = bare_slugs([record.url for record in new])
    by_name: dict[str, list[int]] = {}
    for index, record in enumerate(new):
        names = set(record.page_names)
        names.add(record.title)
        names.add(new_slugs[index])
        names.discard("")
        for name in names:
            by_name.setdefault(name, []).append(index)

    pairs: list[_Pair] = []
    for old, record in enumerate(vanished):
        candidates: set[int] = set()
        for name in (record.title, old_slugs[old]):
            candidates.update(by_name.get(name, ()))
        for index in candidates:
            other = new[index]
            alike = MIN_SAME_NAME
            if record.words and (other.words or other.page_words):
                alike = likeness(record, other)
            same_slug = old_slugs[old] == new_slugs[index]
            same_both = record.title == other.title and same_slug
            required = MIN_SAME_TITLE_AND_SLUG if same_both else MIN_SAME_NAME
            if alike >= required:
                pairs.append((alike + 1, old, index))
    return pairs


def match_split(
    left: Sequence[RecordFingerprint], new: Sequence[RecordFingerprint]
) -> list[tuple[RecordFingerprint, RecordFingerprint]]:
    """Return which record that its page no longer has is which new one below its
    address: the first, where several say nearly the same.
    """
    likeness = Likeness.among(new)
    matches = []
    used: set[str] = set()
    for record in left:
        alike: dict[str, float] = {}
        below: list[RecordFingerprint] = []
        for other in new:
            if is_below(other.key, record.key) and other.key not in used:
                alike[other.key] = likeness(record, other)
                below.append(other)
        best = max(alike.values(), default=0.0)
        if best < MIN_SAME_NAME:
            continue
        nearly = [other for other in below if alike[other.key] >= best - NEARLY]
        first = nearly[0]
        matches.append((record, first))
        used.add(first.key)
    return matches


def is_below(key: str, folder: str) -> bool:
    """Return whether an address is below another one."""
    inside = folder.rstrip("/") + "/"
    return key != folder and key.startswith(inside)


def _best_pairs(pairs: Iterable[_Pair]) -> list[tuple[int, int]]:
    """Return pairs of which no two share a record, chosen from the most similar on."""
    used_old: set[int] = set()
    used_new: set[int] = set()
    chosen: list[tuple[int, int]] = []

    def rank(pair: _Pair) -> _Pair:
        alike, old, index = pair
        return -alike, old, index

    for _, old, index in sorted(pairs, key=rank):
        if old not in used_old and index not in used_new:
            used_old.add(old)
            used_new.add(index)
            chosen.append((old, index))
    return sorted(chosen)
