"""From dates and names to the elements that hold one of them each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from scythe.sections.posts.authors import author_marks
from scythe.sections.posts.times import time_marks
from scythe.sections.runs import sibling_runs
from scythe.sections.span import Span
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

Ints = NDArray[np.int64]
Key = tuple[int, str, int, str]
"""Tag and first class of an element; of its parent too where it has no class."""

NO_POST_TEXT = TagSet(
    "script style template head title noembed noframes iframe object svg math select "
    "option textarea datalist nav"
)
"""Elements whose text is no part of a post. `<noscript>` is: forum programs that build
their pages by script put the posts there.
"""

MIN_SHARE = 0.45
"""Of the dates or names of a kind, how many must have an element of their own. Posts
with a second date of the same markup (edited, last reply) are common; two thirds of
dates with an element of their own are not chance.
"""
MAX_MARKS = 3_000
"""Dates or names of one kind that are looked at; a bound on work, not tuned."""
RUN_GAIN = 1.5
"""How many times the words of the elements the runs of siblings must hold to be posts
instead: a row with name and date, followed by a row with the text.
"""


@dataclass(frozen=True, eq=False)
class ThreadPage:
    """A page as threads see it: names, dates, words."""

    tree: Tree
    content: Bools | None = None
    """The nodes that are thought to be content: posts hold most of them."""

    @cached_property
    def is_read(self) -> Bools:
        """Which nodes can be part of a post."""
        return ~self.tree.below(self.tree.has_tag(NO_POST_TEXT))

    @cached_property
    def texts(self) -> Ints:
        """The text nodes that are not blank."""
        nodes = np.flatnonzero(self.tree.is_text & self.is_read)
        texts = self.tree.text[nodes].tolist()
        has_text = [not text.isspace() for text in texts]
        return nodes[has_text]

    @cached_property
    def word_sums(self) -> Ints:
        """Running sums of words over the nodes."""
        texts = self.tree.text[self.texts].tolist()
        counts = np.zeros(len(self.tree) + 1, dtype=np.int64)
        counts[self.texts + 1] = [_word_count(text) for text in texts]
        return np.cumsum(counts)

    @cached_property
    def content_sums(self) -> Ints:
        """The same of the words that are thought to be content."""
        if self.content is None:
            return self.word_sums
        words = np.diff(self.word_sums)
        sums = np.zeros(len(self.tree) + 1, dtype=np.int64)
        np.cumsum(np.where(self.content, words, 0), out=sums[1:])
        return sums

    def words(self, span: Span) -> int:
        """Return the words of a span that are thought to be content."""
        return int(self.content_sums[span.stop] - self.content_sums[span.start])

    @cached_property
    def first_classes(self) -> dict[int, str]:
        """The first class of the elements that have any, digits aside."""
        names: dict[str, str] = {}
        classes: dict[int, str] = {}
        for node, value in self.tree.with_attribute("class").items():
            if value not in names:
                first = next(iter(value.split()), "")
                names[value] = first.rstrip("0123456789-_")
            if names[value]:
                classes[node] = names[value]
        return classes

    def key(self, node: int) -> Key:
        """Return what like elements have in common."""
        keys = self._keys
        if node not in keys:
            keys[node] = self._key(node)
        return keys[node]

    @cached_property
    def _keys(self) -> dict[int, Key]:
        return {}

    def _key(self, node: int) -> Key:
        tag = int(self.tree.tag[node])
        name = self.first_classes.get(node, "")
        parent = int(self.tree.parent[node])
        if name or parent < 0:
            return tag, name, 0, ""
        return tag, "", int(self.tree.tag[parent]), self.first_classes.get(parent, "")

    @cached_property
    def times(self) -> list[int]:
        """The elements that say when something was written."""
        return time_marks(self.tree, self.is_read)

    @cached_property
    def authors(self) -> dict[int, int]:
        """The elements that may name an author, with the strength of the evidence."""
        return author_marks(self.tree, self.is_read)

    @cached_property
    def time_nodes(self) -> Ints:
        """`times` as an array."""
        return np.array(self.times)

    @cached_property
    def author_nodes(self) -> Ints:
        """The nodes of `authors` as an array."""
        return np.array(list(self.authors))

    def by_key(self, nodes: Iterable[int]) -> dict[Key, list[int]]:
        """Return elements by what they have in common."""
        groups: dict[Key, list[int]] = defaultdict(list)
        for node in nodes:
            groups[self.key(node)].append(node)
        return groups


def _word_count(text: str) -> int:
    """Return the words of a text; languages without spaces have a word in two
    characters or so.
    """
    words = len(text.split())
    return words if text.isascii() else max(words, sum(map(_is_wide, text)) // 2)


def _is_wide(character: str) -> bool:
    return "\u2e80" <= character <= "\uffef"


def thread_spans(page: ThreadPage) -> list[Span]:
    """Return the posts of a page in page order, also posts inside posts; none where
    nothing repeats around dates or names.
    """
    best: list[Span] = []
    best_weight = 0.0
    seen: set[tuple[Span, ...]] = set()
    for spans in _candidates(page):
        if tuple(spans) in seen:
            continue
        seen.add(tuple(spans))
        weight = _weight(page, spans)
        if weight > best_weight:
            best = spans
            best_weight = weight
    return best


def _candidates(page: ThreadPage) -> Iterator[list[Span]]:
    for marks in (page.times, list(page.authors)):
        for alike in page.by_key(marks).values():
            if 2 <= len(alike) <= MAX_MARKS:
                yield from _elements_of_their_own(page, alike)


def _elements_of_their_own(
    page: ThreadPage, marks: Sequence[int]
) -> Iterator[list[Span]]:
    """Yield the elements that hold one of the marks each, by their key; where they hold
    the head of a post only, the runs that begin with them.
    """
    tree = page.tree
    nearest: dict[Key, list[int]] = defaultdict(list)
    for mark in marks:
        known: set[Key] = set()
        for node in (mark, *tree.ancestors(mark)):
            key = page.key(node)
            if key not in known:
                known.add(key)
                nearest[key].append(node)

    for nodes in nearest.values():
        own = sorted(set(nodes))
        is_own = len(own) >= MIN_SHARE * len(nodes)
        if len(own) < 2 or len(nodes) < MIN_SHARE * len(marks) or not is_own:
            continue
        elements = [Span(node, int(tree.end[node])) for node in own]
        runs = _runs(page, elements)
        yield runs or elements


def _runs(page: ThreadPage, elements: list[Span]) -> list[Span]:
    """Return the runs of siblings that begin with elements, where those hold much more
    than the elements themselves.
    """
    tree = page.tree
    heads = [span.start for span in elements]
    parents = set(tree.parent[heads].tolist())
    is_nested = any(one.stop > other.start for one, other in pairwise(elements))
    if len(parents) > 1 or is_nested:
        return []
    runs = list(sibling_runs(tree, heads))
    own_words = sum(page.words(span) for span in elements)
    # The last run may go on to the end of the page: it does not count.
    run_words = sum(page.words(span) for span in runs[:-1])
    return runs if run_words > RUN_GAIN * own_words else []


def own_words(page: ThreadPage, spans: Sequence[Span]) -> list[int]:
    """Return the words of each post without those of the posts inside it."""
    words = [page.words(span) for span in spans]
    for index, parent in enumerate(parents_of(spans)):
        if parent >= 0:
            words[parent] -= page.words(spans[index])
    return words


def parents_of(spans: Sequence[Span]) -> list[int]:
    """Return for each post the index of the nearest post around it, -1 where there is
    none.
    """
    parents = []
    around: list[int] = []
    for index, span in enumerate(spans):
        while around and spans[around[-1]].stop <= span.start:
            around.pop()
        parents.append(around[-1] if around else -1)
        around.append(index)
    return parents


def _weight(page: ThreadPage, spans: Sequence[Span]) -> float:
    """Return how much stands in posts, and how evenly."""
    words = [max(count, 0) for count in own_words(page, spans)]
    total = sum(words)
    shares = [count / max(total, 1) for count in words if count]
    entropy = -sum(share * log(share) for share in shares)
    return (
        total
        * entropy
        * (_with_mark(page.time_nodes, spans) + _with_mark(page.author_nodes, spans))
    )


def _with_mark(nodes: Ints, spans: Sequence[Span]) -> float:
    """Return the share of posts that hold one of the marks."""
    starts = [span.start for span in spans]
    stops = [span.stop for span in spans]
    has_mark = np.searchsorted(nodes, starts) < np.searchsorted(nodes, stops)
    return float(has_mark.mean())
