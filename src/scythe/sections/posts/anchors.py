"""From dates and names to the elements that hold one of them each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log

import numpy as np

from scythe.sections.posts.thread_page import Ints, Key, ThreadPage
from scythe.sections.runs import sibling_runs
from scythe.sections.span import Span

MIN_SHARE = 0.45
"""Of the dates or names of a kind, how many must have an element of their own. Posts
with a second date of the same markup (edited, last reply) are common; two thirds of
dates with an element of their own are not chance.
"""
_ROUNDING = 1.001
MAX_MARKS = 3_000
"""Dates or names of one kind that are looked at; a bound on work, not tuned."""
RUN_GAIN = 1.5
"""How many times the words of the elements the runs of siblings must hold to be posts
instead: a row with name and date, followed by a row with the text.
"""


def thread_spans(page: ThreadPage) -> list[Span]:
    """Return the posts of a page in page order, also posts inside posts; none where
    nothing repeats around dates or names.
    """
    best: list[Span] = []
    best_weight = 0.0
    seen: set[tuple[Span, ...]] = set()
    for spans in _candidates(page):
        key = tuple(spans)
        if key in seen:
            continue
        seen.add(key)
        weight = _weight(page, spans, best_weight)
        if weight > best_weight:
            best = spans
            best_weight = weight
    return best


def _candidates(page: ThreadPage) -> Iterator[list[Span]]:
    seen: set[tuple[int, ...]] = set()
    for marks in (page.times, list(page.authors)):
        for alike in page.by_key(marks).values():
            if 2 <= len(alike) <= MAX_MARKS:
                yield from _elements_of_their_own(page, alike, seen)


def _elements_of_their_own(
    page: ThreadPage, marks: Sequence[int], seen: set[tuple[int, ...]]
) -> Iterator[list[Span]]:
    """Yield the elements that hold one of the marks each, by their key; where they hold
    the head of a post only, the runs that begin with them. Those of other marks that
    were `seen` are left out.
    """
    end = page.tree.end
    marked = _MarkedElements(page, marks)
    for nodes in marked.by_key.values():
        if len(nodes) < 2:
            continue
        own, held = marked.nearest(nodes)
        is_own = len(own) >= MIN_SHARE * held
        are_few = len(own) < 2 or held < MIN_SHARE * len(marks)
        if are_few or not is_own:
            continue
        key = tuple(own)
        if key in seen:
            continue
        seen.add(key)
        ends = end[own].tolist()
        elements = list(map(Span, own, ends))
        yield _runs(page, elements) or elements


class _MarkedElements:
    """The elements that hold marks, each met once however many it holds."""

    def __init__(self, page: ThreadPage, marks: Sequence[int]) -> None:
        self._end = page.tree.end
        self.by_key: dict[Key, list[int]] = {}
        """Elements by their key, the first met first on the way up from each mark."""
        self._held: dict[int, int] = {-1: 0}
        """How many marks each element holds."""
        keys = page.keys
        parents = page.parents
        held = self._held
        by_key = self.by_key
        for mark in marks:
            node = mark
            while node not in held:
                held[node] = 0
                by_key.setdefault(keys[node], []).append(node)
                node = parents[node]
            held[mark] += 1
        for node in sorted(held, reverse=True)[:-1]:
            held[parents[node]] += held[node]

    def nearest(self, nodes: Sequence[int]) -> tuple[list[int], int]:
        """Return those of some elements of one key that are the nearest one above any
        mark, in page order, and how many marks stand in any.
        """
        inner = dict.fromkeys(nodes, 0)
        around: list[tuple[int, int]] = []
        total = 0
        in_order = sorted(nodes)
        ends = self._end[in_order].tolist()
        for node, end in zip(in_order, ends, strict=True):
            while around and around[-1][1] <= node:
                around.pop()
            if around:
                innermost, _ = around[-1]
                inner[innermost] += self._held[node]
            else:
                total += self._held[node]
            around.append((node, end))
        own = [node for node in in_order if self._held[node] > inner[node]]
        return own, total


def _runs(page: ThreadPage, elements: list[Span]) -> list[Span]:
    """Return the runs of siblings that begin with elements, where those hold much more
    than the elements themselves.
    """
    tree = page.tree
    heads = [span.start for span in elements]
    parents = set(tree.parent[heads].tolist())
    if len(parents) > 1 or _is_nested(elements):
        return []
    runs = list(sibling_runs(tree, heads))
    own_words = sum(page.words_of(elements))
    # The last run may go on to the end of the page: it does not count.
    run_words = sum(page.words_of(runs[:-1]))
    return runs if run_words > RUN_GAIN * own_words else []


def own_words(page: ThreadPage, spans: Sequence[Span]) -> list[int]:
    """Return the words of each post without those of the posts inside it."""
    words = page.words_of(spans)
    if not _is_nested(spans):
        return words
    for index, parent in enumerate(parents_of(spans)):
        if parent >= 0:
            words[parent] -= page.words(spans[index])
    return words


def _is_nested(spans: Sequence[Span]) -> bool:
    """Return whether a span stands in another; they are in page order."""
    return any(one.stop > other.start for one, other in pairwise(spans))


def parents_of(spans: Sequence[Span]) -> list[int]:
    """Return for each post the index of the nearest post around it, -1 where there is
    none.
    """
    parents = []
    around: list[int] = []
    for index, span in enumerate(spans):
        while around:
            if spans[around[-1]].stop > span.start:
                break
            around.pop()
        parents.append(around[-1] if around else -1)
        around.append(index)
    return parents


def _weight(page: ThreadPage, spans: Sequence[Span], least: float) -> float:
    """Return how much stands in posts, and how evenly; 0 where that cannot be more than
    `least`.
    """
    words = [max(count, 0) for count in own_words(page, spans)]
    total = sum(words)
    # No entropy is greater, and no share of marks is.
    if total * log(len(spans)) * 2 * _ROUNDING <= least:
        return 0.0
    most = max(total, 1)
    entropy = 0.0
    for count in words:
        if count:
            share = count / most
            entropy -= share * log(share)
    with_time = _with_mark(page.time_nodes, spans)
    with_author = _with_mark(page.author_nodes, spans)
    return total * entropy * (with_time + with_author)


def _with_mark(nodes: Ints, spans: Sequence[Span]) -> float:
    """Return the share of posts that hold one of the marks."""
    starts = [span.start for span in spans]
    stops = [span.stop for span in spans]
    before = np.searchsorted(nodes, starts)
    through = np.searchsorted(nodes, stops)
    has_mark = before < through
    return float(has_mark.mean())
