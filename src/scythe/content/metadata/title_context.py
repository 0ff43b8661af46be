"""Where the title stands on the page and the lines around it: there pages name their
author and date.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.content.metadata.signals import Signals
from scythe.content.metadata.values import clean_text, match_key
from scythe.tree.tags import TagSet
from scythe.tree.text import line_breaks

_TEXTS_BEFORE, _TEXTS_AFTER = 12, 40
"""Text nodes read before and after the beginning of the title. Plain bounds, not
tuned.
"""
_BLANK_ALLOWANCE = 6
"""How many times as many are fetched, since many are blank."""
_MAX_LINE = 200
"""Characters of a line that are read; a bound on work."""
_MIN_TITLE = 10
"""Characters of a title that can be searched in running text; a shorter one may stand
anywhere.
"""
_CONTENT_REGIONS = TagSet("main article")
_NOT_RUNNING_TEXT = TagSet(
    "script style template title noscript select option textarea button svg nav head"
)


class ContextLine(NamedTuple):
    """A line of the page near the title, with its first text node."""

    node: int
    text: str


@dataclass(frozen=True)
class TitleContext:
    """The surroundings of a title on its page, found when first asked for."""

    signals: Signals
    title: str

    @cached_property
    def node(self) -> int:
        """Where the content begins: the heading that has the title, else the text that
        has it, else the first heading or content region.
        """
        title_key = match_key(self.title)
        if title_key:
            for node, text in self._headings():
                if title_key in match_key(text):
                    return node

        tree = self.signals.tree
        if len(self.title) >= _MIN_TITLE:
            nodes = tree.nodes_with_text(self.title, self._running_text)
            if len(nodes):
                return int(nodes[0])

        if self.signals.top_headings:
            return self.signals.top_headings[0][0]
        regions = np.flatnonzero(tree.has_tag(_CONTENT_REGIONS))
        if len(regions):
            return int(regions[0])
        return tree.first_element("body") or 0

    def _headings(self) -> Iterator[tuple[int, str]]:
        """Yield the top headings, then the lesser ones, as (node, text)."""
        yield from self.signals.top_headings
        yield from self.signals.lesser_headings

    @cached_property
    def lines(self) -> list[ContextLine]:
        """The lines after the title in order, then those before it, the nearest first."""
        nodes, texts = self._texts_around_title()
        if not len(nodes):
            return []

        before: list[ContextLine] = []
        after: list[ContextLine] = []
        starts = np.flatnonzero(line_breaks(self.signals.tree, nodes)).tolist()
        for start, stop in pairwise([*starts, len(nodes)]):
            text = clean_text(" ".join(texts[start:stop]), _MAX_LINE)
            if not text:
                continue
            line = ContextLine(int(nodes[start]), text)
            if line.node >= self.node:
                after.append(line)
            else:
                before.append(line)
        return after + before[::-1]

    def _texts_around_title(self) -> tuple[NDArray[np.int64], list[str]]:
        """Return the text nodes just before and after the beginning of the title that
        are not blank, with their texts.
        """
        nodes = self._running_text
        position = int(np.searchsorted(nodes, self.node))
        first = max(position - _BLANK_ALLOWANCE * _TEXTS_BEFORE, 0)
        nodes = nodes[first : position + _BLANK_ALLOWANCE * _TEXTS_AFTER]
        texts = self.signals.tree.texts(nodes)

        has_text = [index for index, text in enumerate(texts) if not text.isspace()]
        title_at = bisect_left(has_text, position - first)
        before = max(title_at - _TEXTS_BEFORE, 0)
        nearest = has_text[before : title_at + _TEXTS_AFTER]
        return nodes[nearest], [texts[index] for index in nearest]

    @cached_property
    def _running_text(self) -> NDArray[np.int64]:
        """The text nodes that are not in menus, controls or scripts."""
        tree = self.signals.tree
        excluded = tree.below(tree.has_tag(_NOT_RUNNING_TEXT))
        return np.flatnonzero(tree.is_text & ~excluded)
