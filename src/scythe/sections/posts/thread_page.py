"""A page as threads see it: names, dates, words, and which elements are alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scythe.sections.posts.authors import author_marks
from scythe.sections.posts.texts import ThreadTexts, class_numbers, thread_texts
from scythe.sections.posts.times import time_marks
from scythe.sections.span import Span
from scythe.tree.tags import TagSet
from scythe.tree.tree import Bools, Tree

Ints = NDArray[np.int64]
Key = int
"""What like elements have in common, as one number: tag and first class; where an
element has no class, its tag and that of its parent.
"""

_CLASS_BITS, _TAG_BITS = 24, 15
_OF_PARENT = 1 << 60
"""Parts of a key: a tree has fewer classes and tags than these."""

NO_POST_TEXT = TagSet(
    "script style template head title noembed noframes iframe object svg math select "
    "option textarea datalist nav"
)
"""Elements whose text is no part of a post. `<noscript>` is: forum programs that build
their pages by script put the posts there.
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
    def _texts(self) -> ThreadTexts:
        return thread_texts(self.tree, self.is_read)

    @property
    def texts(self) -> NDArray[np.int32]:
        """The text nodes that are not blank."""
        return self._texts.nodes

    @cached_property
    def word_sums(self) -> Ints:
        """Running sums of words over the nodes."""
        counts = np.zeros(len(self.tree) + 1, dtype=np.int64)
        counts[self._texts.nodes + 1] = self._texts.words
        return np.cumsum(counts)

    @cached_property
    def content_sums(self) -> Ints:
        """The same of the words that are thought to be content."""
        if self.content is None:
            return self.word_sums
        words = np.diff(self.word_sums)
        sums = np.zeros(len(self.tree) + 1, dtype=np.int64)
        content_words = np.where(self.content, words, 0)
        np.cumsum(content_words, out=sums[1:])
        return sums

    def words(self, span: Span) -> int:
        """Return the words of a span that are thought to be content."""
        sums = self._sum_list
        return sums[span.stop] - sums[span.start]

    def words_of(self, spans: Sequence[Span]) -> list[int]:
        """Return the same of each of some spans."""
        sums = self._sum_list
        return [sums[stop] - sums[start] for start, stop in spans]

    @cached_property
    def _sum_list(self) -> list[int]:
        sums: list[int] = self.content_sums.tolist()
        return sums

    @cached_property
    def keys(self) -> Ints:
        """The key of every node. The first class counts, digits at its end aside."""
        tree = self.tree
        class_of = class_numbers(tree)
        tag = tree.tag.astype(np.int64)
        named = tag << _CLASS_BITS
        named |= class_of
        of_parent = named[tree.parent]
        of_parent <<= _TAG_BITS
        of_parent |= tag
        of_parent |= _OF_PARENT
        has_no_class = (class_of == 0) & (tree.parent >= 0)
        return np.where(has_no_class, of_parent, named)

    def key(self, node: int) -> Key:
        """Return what an element has in common with like ones."""
        return int(self.keys[node])

    @cached_property
    def times(self) -> list[int]:
        """The elements that say when something was written."""
        return time_marks(self.tree, self.is_read, self._texts)

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

    def by_key(self, nodes: Sequence[int]) -> dict[Key, list[int]]:
        """Return elements by what they have in common."""
        groups: dict[Key, list[int]] = defaultdict(list)
        if nodes:
            for node, key in zip(nodes, self.keys[nodes].tolist(), strict=True):
                groups[key].append(node)
        return groups
