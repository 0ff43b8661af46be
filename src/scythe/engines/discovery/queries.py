"""Sample queries: words that an engine will find something for, and one that it cannot.

Words of the site itself come first: what stands in its links, headings and title it is
likely to find. Where the page with the form has none, a small list of frequent words of
its language begins. As soon as results come back, their words are the best there are:
each is known to find at least the record it was taken from.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from hashlib import sha256

from scythe.engines.discovery.stopwords import EMPTY_WORDS, FREQUENT
from scythe.tree.tags import TagSet
from scythe.tree.text import visible_text
from scythe.tree.tree import Tree

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{2,}"
)
"""Scripts without spaces between words, and Korean, whose words also come in two
syllables.
"""
SHORTEST, LONGEST = 4, 14
MARKED = TagSet("a h1 h2 h3 h4 title strong b em dt th")
MARKED_WEIGHT = 3
"""How much more a word in a link, a heading or the title counts than one in running
text.
"""
SITE_WORDS = 40
"""Words of the page with the form that become queries at most."""
SEVERAL = 5
"""Records that have a word which is neither rare nor everywhere."""


def impossible_query(site: str) -> str:
    """A word that nobody wrote: no vowels, the same for the same site."""
    letters = "bcdfghjkmpqrtvwxz"
    return "".join(
        letters[byte % len(letters)]
        for byte in sha256(site.encode("utf-8", "replace")).digest()[:13]
    )


def query_words(text: str) -> Iterator[str]:
    """The words of a text that could be queries, in order."""
    for found in _WORD.finditer(text):
        word = found[0]
        if unspaced := _UNSPACED.search(word):
            yield unspaced[0][:2]
        elif (
            SHORTEST <= len(word) <= LONGEST
            and (small := word.lower()) not in EMPTY_WORDS
        ):
            yield small


def site_words(tree: Tree) -> list[str]:
    """The words of a page, those it marks and repeats first."""
    marked = tree.below(tree.has_tag(MARKED))
    counts = Counter(query_words(visible_text(tree)))
    for word in query_words(" ".join(tree.text[marked & tree.is_text].tolist())):
        counts[word] += MARKED_WEIGHT
    return sorted(counts, key=lambda word: (-counts[word], word))


def language_of(tree: Tree) -> str:
    """The language that a page says it is in: two letters, or nothing."""
    return (
        tree.attributes(0)
        .get("lang", tree.attributes(0).get("xml:lang", ""))
        .strip()
        .lower()[:2]
    )


class Queries:
    """Gives one query after the other, none twice, and learns from what they bring.

    `found` tells how a query went. Once records are known, their words are asked: those
    that most of them have while too little comes back (wider), those that a few have
    otherwise; every third query then is of two words of one record (narrower), which
    shows how the engine lists few results.
    """

    def __init__(self, page: Tree) -> None:
        self._given: set[str] = set()
        own, frequent = (
            site_words(page),
            FREQUENT.get(language_of(page), ()) + FREQUENT["en"],
        )
        self._first = list(_alternating(own[:SITE_WORDS], frequent))
        self._counts: Counter[str] = Counter()
        self._pairs: list[str] = []
        self._poor = True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        for queries in self._sources():
            for query in queries:
                if query not in self._given:
                    self._given.add(query)
                    return query
        raise StopIteration

    def _sources(self) -> list[list[str]]:
        counts = self._counts
        common = sorted(counts, key=lambda word: (-counts[word], word))
        several = sorted(
            (word for word in counts if 1 < counts[word] <= SEVERAL),
            key=lambda word: (-len(word), word),
        )
        if self._poor:
            return [common[: len(common) // 2], self._first, common]
        if len(self._given) % 3 == 2:
            return [self._pairs, several, common, self._first]
        return [several, common, self._first]

    def found(self, records: Iterable[str], *, enough: bool) -> None:
        """What a query brought: the texts of its records, and whether they were enough
        to learn from.

        Where they were not, the page may be another one than that of results, so its
        words count only if none are known.
        """
        self._poor = not enough
        if enough or not self._counts:
            texts = [list(dict.fromkeys(query_words(text))) for text in records]
            self._counts.update(word for words in texts for word in words)
            self._pairs += [
                " ".join(words[:2]) for words in texts[::3] if len(words) > 1
            ]


def _alternating(one: Iterable[str], other: Iterable[str]) -> Iterator[str]:
    """Two words of the first to one of the second, as long as there are any."""
    first, second = deque(one), deque(other)
    while first or second:
        for queue in (first, first, second):
            if queue:
                yield queue.popleft()
