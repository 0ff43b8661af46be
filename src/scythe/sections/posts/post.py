"""The posts of a page, each with author, time and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scythe.sections.posts.anchors import thread_spans
from scythe.sections.posts.authors import author_name
from scythe.sections.posts.bodies import Bodies, quote_roots
from scythe.sections.posts.parts import Owners, author_nodes, time_nodes
from scythe.sections.posts.thread_page import ThreadPage
from scythe.sections.posts.times import written_time
from scythe.sections.span import Span
from scythe.tree.tree import Bools, Tree

MIN_LEAD_WORDS = 5
"""Words of an opening post that has another markup than the answers; a bound."""


@dataclass(frozen=True, eq=False)
class Post:
    """One post of a thread."""

    span: Span
    level: int
    """How many posts it stands inside of: 1 for an answer to an answer."""
    author: str | None
    time: str | None
    """When it was written, as exactly as the page states it."""
    author_node: int | None
    time_node: int | None
    body: NDArray[np.int64]
    """The nodes of its text, in page order."""
    quotes: tuple[Span, ...]
    """The parts of the body that are quoted from elsewhere."""


def find_posts(tree: Tree, content: Bools | None = None) -> tuple[Post, ...]:
    """Return the posts of a thread in page order; none where a page has no thread.

    `content` are the nodes that are thought to be content, where somebody thought about
    it: a page has other lists with names and dates.
    """
    page = ThreadPage(tree, content)
    spans = thread_spans(page)
    if not spans:
        return ()
    lead = _opening_post(page, spans)
    if lead is not None:
        spans = [lead, *spans]
    return _posts(page, spans)


def _posts(page: ThreadPage, spans: Sequence[Span]) -> tuple[Post, ...]:
    """Return posts with their parts."""
    tree = page.tree
    owner = _owners(tree, spans)
    # A quote names its own author and date. What holds a whole post is no quote.
    is_quote = quote_roots(page) & (owner >= 0)
    quoted = tree.below(is_quote & ~_holds_marks(page))
    times = time_nodes(page, owner, quoted)
    authors = author_nodes(page, owner, times, quoted)
    is_mark = np.zeros(len(tree), dtype=bool)
    for node in (*authors.values(), *times.values()):
        is_mark[node : tree.end[node]] = True
    bodies = Bodies(page, spans, owner, is_mark)

    posts = []
    for index, level in enumerate(_levels(tree, spans)):
        author = authors.get(index)
        time = times.get(index)
        body = bodies.nodes(index)
        posts.append(
            Post(
                span=spans[index],
                level=level,
                author=None if author is None else author_name(tree, author),
                time=None if time is None else written_time(tree, time),
                author_node=author,
                time_node=time,
                body=body,
                quotes=bodies.quotes(body),
            )
        )
    return tuple(posts)


def _levels(tree: Tree, spans: Sequence[Span]) -> list[int]:
    """Return how deep each post stands in the thread: the answers to a post are deeper
    in the page and inside the element that holds that post.
    """
    levels = []
    open_posts: list[int] = []
    for span in spans:
        node = span.start
        while open_posts:
            last = open_posts[-1]
            is_deeper = tree.depth[last] < tree.depth[node]
            around = tree.parent[last]
            if is_deeper and node < tree.end[around]:
                break
            open_posts.pop()
        levels.append(len(open_posts))
        open_posts.append(node)
    return levels


def _owners(tree: Tree, spans: Sequence[Span]) -> Owners:
    """Return for each node the innermost post it stands in, -1 outside of all."""
    owner = np.full(len(tree), -1, dtype=np.int64)
    for index, span in enumerate(spans):
        owner[span.start : span.stop] = index
    return owner


def _holds_marks(page: ThreadPage) -> Bools:
    """Return which elements hold both a name and a date of strong evidence: posts."""
    tree = page.tree
    is_author = np.zeros(len(tree), dtype=bool)
    is_author[list(page.authors)] = True
    is_time = np.zeros(len(tree), dtype=bool)
    is_time[page.times] = True
    has_author = tree.totals(is_author) > 0
    return has_author & (tree.totals(is_time) > 0)


def _opening_post(page: ThreadPage, spans: Sequence[Span]) -> Span | None:
    """Return the post that the others answer, where it stands before them in another
    markup: the largest element around a name and a date that holds no other post.
    """
    tree = page.tree
    first = spans[0].start
    authors = np.array(list(page.authors))
    best: Span | None = None
    most_words = MIN_LEAD_WORDS - 1
    for time in page.times:
        if time >= first:
            break
        element = time
        for node in tree.ancestors(time):
            if tree.end[node] > first:
                break
            element = node
        span = Span(element, int(tree.end[element]))
        low, high = np.searchsorted(authors, span)
        words = page.words(span)
        if high > low and words > most_words:
            best = span
            most_words = words
    return best
