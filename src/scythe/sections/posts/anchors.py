"""From dates and names to the elements that hold one of them each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log

import numpy as np

from scythe.sections.posts.marked_elements import own_elements
from scythe.sections.posts.thread_page import Ints, ThreadPage
from scythe.sections.runs import sibling_runs
from scythe.sections.span import Span

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
    """Yield the elements that hold one date or name each, by their key; where they hold
    the head of a post only, the runs that begin with them.
    """
    groups: list[list[int]] = []
    for marks in (page.times, list(page.authors)):
        alike = page.by_key(marks).values()
        groups += [nodes for nodes in alike if 2 <= len(nodes) <= MAX_MARKS]
    for own in own_elements(page, groups):
        ends = page.tree.end[own].tolist()
        elements = list(map(Span, own, ends))
        yield _runs(page, elements) or elements


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
