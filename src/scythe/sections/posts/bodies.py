"""Which nodes of a post are its text, and which of those are quoted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.sections.posts.anchors import own_words
from scythe.sections.posts.classes import AttributePattern
from scythe.sections.posts.parts import Owners
from scythe.sections.posts.thread_page import Key, ThreadPage
from scythe.sections.span import Span
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools

BODY_SHARE = 0.6
"""Of the posts, how many must have one element of a kind for it to be the body."""
INNERMOST_SHARE = 0.9
"""Of the words of the largest such element, how many a smaller one must hold to be the
body instead: what it leaves out are buttons and counts.
"""
LEAST_SHARE = 0.4
"""Of the words of a post that are thought to be content, how many the body must hold: a
signature holds fewer.
"""
LONGEST_LABEL = 40
"""Characters of a text that is taken for a label where half of the posts have it."""

NO_BODY = TagSet("button input nav")
QUOTE = TagSet("blockquote")
_QUOTE_CLASS = AttributePattern(
    "class",
    re.compile(
        r"(?:^|[\s_-])(?:block|post|bb)?quoted?(?:$|\s|[_-]?(?:box|content|body|text|block)\b)"
        r"|codeblock--quote|ipsquote|bb_quote",
        re.IGNORECASE,
    ),
    ("quote",),
)
_SIGNATURE_CLASS = AttributePattern(
    "class",
    re.compile(r"signature|(?:^|[\s_-])sig(?:$|[\s_-])", re.IGNORECASE),
    ("sig",),
)


def quote_roots(page: ThreadPage) -> Bools:
    """Return the elements that may hold quoted text."""
    roots = page.tree.has_tag(QUOTE)
    roots[_QUOTE_CLASS.find(page.tree)] = True
    return roots


@dataclass(frozen=True, eq=False)
class Bodies:
    """The texts of the posts of a page; `is_mark` are the nodes of names and dates."""

    page: ThreadPage
    spans: Sequence[Span]
    owner: Owners
    is_mark: Bools

    @cached_property
    def _is_left_out(self) -> Bools:
        """The nodes of posts that are no part of a body: buttons, signatures, names."""
        tree = self.page.tree
        roots = tree.has_tag(NO_BODY)
        roots[_SIGNATURE_CLASS.find(tree)] = True
        in_posts = roots & (self.owner >= 0)
        return tree.below(in_posts) | self.is_mark

    @cached_property
    def _elements(self) -> dict[int, int]:
        """The element that holds the text, by post."""
        page = self.page
        tree = page.tree
        words = self._content_words
        holds_mark = tree.totals(self.is_mark) > 0
        inside = (self.owner >= 0) & page.is_read
        inside &= ~tree.is_text
        inside &= ~holds_mark
        by_key: dict[Key, dict[int, list[int]]] = {}
        with_words = np.flatnonzero(inside & (words > 0))
        columns = (with_words, page.keys[with_words], self.owner[with_words])
        for node, key, post in zip(*map(np.ndarray.tolist, columns), strict=True):
            posts = by_key.setdefault(key, defaultdict(list))
            posts[post].append(node)

        candidates = []
        for posts in by_key.values():
            singles = [nodes for nodes in posts.values() if len(nodes) == 1]
            if len(singles) >= BODY_SHARE * len(self.spans):
                largest = {}
                for post, nodes in posts.items():
                    largest[post] = max(nodes, key=words.__getitem__)
                candidates.append(largest)
        if not candidates:
            return {}
        totals = [int(words[list(bodies.values())].sum()) for bodies in candidates]
        if max(totals) < LEAST_SHARE * sum(self._own_words):
            return {}
        innermost: dict[int, int] = {}
        deepest = -1.0
        for elements, total in zip(candidates, totals, strict=True):
            nodes = list(elements.values())
            depth = float(tree.depth[nodes].mean())
            is_large = total >= INNERMOST_SHARE * max(totals)
            if is_large and depth > deepest:
                innermost = elements
                deepest = depth
        return innermost

    @cached_property
    def _content_words(self) -> NDArray[np.int64]:
        """The words of every node that are thought to be content."""
        sums = self.page.content_sums
        words = sums[self.page.tree.end] - sums[:-1]
        return np.asarray(words)

    @cached_property
    def _own_words(self) -> list[int]:
        """The same of every post, without those of the posts inside it."""
        return own_words(self.page, self.spans)

    @cached_property
    def _labels(self) -> set[str]:
        """Short texts that half of the posts have: words on buttons and labels."""
        tree = self.page.tree
        posts_with: dict[str, set[int]] = defaultdict(set)
        for node in self.page.texts.tolist():
            post = int(self.owner[node])
            text = tree.text[node].strip()
            if post >= 0 and len(text) < LONGEST_LABEL:
                posts_with[text].add(post)
        needed = max(2, len(self.spans) / 2)
        return {text for text, posts in posts_with.items() if len(posts) >= needed}

    def _element(self, index: int) -> int | None:
        """Return the element that holds the text of a post, None where it has none or
        one that holds little of it.
        """
        element = self._elements.get(index)
        if element is None:
            return None
        least = LEAST_SHARE * self._own_words[index]
        is_most = self._content_words[element] >= least
        return element if is_most else None

    def nodes(self, index: int) -> NDArray[np.int64]:
        """Return the nodes of the text of a post, in page order."""
        tree = self.page.tree
        span = self.spans[index]
        body = self._element(index)
        if body is not None:
            span = Span(body, int(tree.end[body]))
        inside = slice(span.start, span.stop)
        is_own = self.owner[inside] == index
        can_be_read = self.page.is_read[inside] & ~self._is_left_out[inside]
        is_chosen = is_own & can_be_read
        content = self.page.content
        if body is None and content is not None and self._own_words[index]:
            is_chosen &= content[inside]
        nodes = np.flatnonzero(is_chosen) + span.start
        if body is not None:
            return nodes
        texts = tree.text[nodes].tolist()
        is_label = [text.strip() in self._labels for text in texts]
        is_text = tree.is_text[nodes]
        is_label_text = np.array(is_label, dtype=bool) & is_text
        return nodes[~is_label_text]

    @cached_property
    def _quotes(self) -> NDArray[np.int64]:
        return np.flatnonzero(quote_roots(self.page))

    def quotes(self, body: NDArray[np.int64]) -> tuple[Span, ...]:
        """Return the quoted parts of a body. What holds all of it is no quote: some
        forum programs put every post into a `<blockquote>`.
        """
        if not len(body):
            return ()
        low, high = np.searchsorted(self._quotes, [body[0], body[-1] + 1]).tolist()
        if low == high:
            return ()
        tree = self.page.tree
        texts = np.intersect1d(body, self.page.texts, assume_unique=True)
        quotes: list[Span] = []
        for node in self._quotes[low:high].tolist():
            span = Span(node, int(tree.end[node]))
            if quotes and span.start < quotes[-1].stop:
                continue
            first, last = np.searchsorted(texts, span)
            if 0 < last - first < len(texts):
                quotes.append(span)
        return tuple(quotes)
