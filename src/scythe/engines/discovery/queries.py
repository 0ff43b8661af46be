"""Sample queries: words that an engine will find something for, and one that it cannot.

Words of the site itself come first: what stands in its links, headings and title it is
likely to find. Where the page with the form has none, a small list of frequent words of
its language begins. As soon as results come back, their words are the best there are:
each is known to find at least the record it was taken from.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from scythe.engines.discovery.stopwords import FREQUENT_WORDS, STOPWORDS
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
SHORTEST_WORD = 4
LONGEST_WORD = 14
"""Letters of a word that may be a query; not tuned."""
MARKED = TagSet("a h1 h2 h3 h4 title strong b em dt th")
MARKED_WEIGHT = 3
"""How much more a word in a link, a heading or the title counts than one in running
text. Not tuned.
"""
SITE_WORDS = 40
"""Words of the page with the form that become queries at most: a bound, not tuned."""
SEVERAL_RECORDS = 5
"""Records that have a word which is neither rare nor everywhere. Not tuned."""
CONSONANTS = "bcdfghjkmpqrtvwxz"
IMPOSSIBLE_LETTERS = 13
"""Letters of a word that nobody wrote: long enough that none is a word by chance."""


def impossible_query(seed: str) -> str:
    """Return a word that nobody wrote: no vowels, the same for the same seed."""
    digest = sha256(seed.encode("utf-8", "replace")).digest()
    word = ""
    for byte in digest[:IMPOSSIBLE_LETTERS]:
        index = byte % len(CONSONANTS)
        word += CONSONANTS[index]
    return word


def query_words(text: str) -> Iterator[str]:
    """Yield the words of a text that could be queries, in order."""
    for match in _WORD.finditer(text):
        word = match[0]
        unspaced = _UNSPACED.search(word)
        if unspaced:
            yield unspaced[0][:2]
        elif SHORTEST_WORD <= len(word) <= LONGEST_WORD:
            lower = word.lower()
            if lower not in STOPWORDS:
                yield lower


def site_words(tree: Tree) -> list[str]:
    """Return the words of a page, those it marks and repeats first."""
    in_marked = tree.below(tree.has_tag(MARKED))
    marked_texts = tree.text[in_marked & tree.is_text]
    marked_text = " ".join(marked_texts.tolist())
    counts = Counter(query_words(visible_text(tree)))
    for word in query_words(marked_text):
        counts[word] += MARKED_WEIGHT
    return _by_count(counts)


def _own_words_first(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the words of two pages of a site; what both have is its furniture, and
    comes last.
    """
    on_both = set(one) & set(other)
    words = dict.fromkeys([*one, *other])
    return sorted(words, key=on_both.__contains__)


def _by_count(counts: Counter[str]) -> list[str]:
    """Return words, the most frequent first."""
    return sorted(counts, key=lambda word: (-counts[word], word))


def page_language(tree: Tree) -> str:
    """Return the language that a page declares: two letters, or nothing."""
    attributes = tree.attributes(0)
    language = attributes.get("lang", attributes.get("xml:lang", ""))
    return language.strip().lower()[:2]


class SampleQueries:
    """Gives one query after the other, none twice, and learns from their results.

    `add_results` reports the results of a query. Once records are known, their words
    are queries: those that most of them have while too little comes back (wider), those
    that a few have otherwise; every third query then is of two words of one record
    (narrower), which shows how the engine lists few results. `known` are queries that
    found something before, `linked_from` is the page that led to the one with the form.
    """

    def __init__(
        self, page: Tree, known: Sequence[str] = (), linked_from: Tree | None = None
    ) -> None:
        language = page_language(page)
        frequent = FREQUENT_WORDS.get(language, ()) + FREQUENT_WORDS["en"]
        own = site_words(page)
        if linked_from is not None:
            own = _own_words_first(site_words(linked_from), own)
        own = own[:SITE_WORDS]
        self._first = [*known, *_alternate(own, frequent)]
        self._given: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._pairs: list[str] = []
        self._too_little = True

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
        common = _by_count(counts)
        if self._too_little:
            return [common[: len(common) // 2], self._first, common]

        several = [word for word in counts if 1 < counts[word] <= SEVERAL_RECORDS]
        several.sort(key=lambda word: (-len(word), word))
        if len(self._given) % 3 == 2:
            return [self._pairs, several, common, self._first]
        return [several, common, self._first]

    def add_results(self, records: Iterable[str], *, enough: bool) -> None:
        """Add the texts of a query's records, and whether they were enough to learn from.

        Where they were not, the page may be another one than that of results, so its
        words count only if none are known.
        """
        self._too_little = not enough
        if self._counts and not enough:
            return
        for index, text in enumerate(records):
            words = list(dict.fromkeys(query_words(text)))
            self._counts.update(words)
            if index % 3 == 0 and len(words) > 1:
                self._pairs.append(" ".join(words[:2]))


def _alternate(first: Iterable[str], second: Iterable[str]) -> Iterator[str]:
    """Yield two words of the first to one of the second, as long as there are any."""
    first_words, second_words = deque(first), deque(second)
    while first_words or second_words:
        for words in (first_words, first_words, second_words):
            if words:
                yield words.popleft()
