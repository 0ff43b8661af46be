"""Where the title stands on the page and what is written around it: there pages name
their author and date.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scythe.content.metadata.signals import Signals, clean, key
from scythe.tree.tags import TagSet
from scythe.tree.text import line_breaks

_BEFORE, _AFTER = 12, 40
"""Text nodes looked at before and after the beginning of the title."""
_WIDER = 6
"""How many times as many are fetched, since many are blank."""
_MAX_LINE = 200
_MAX_HEADINGS = 20
_MIN_TITLE = 10
"""Characters of a title that can be looked up in running text; a shorter one may stand
anywhere.
"""
_LESSER_HEADINGS, _BIG_PARTS = TagSet("h2 h3"), TagSet("main article")
_UNSEEN = TagSet(
    "script style template title noscript select option textarea button svg nav head"
)


class Line(NamedTuple):
    """A line of the page near the title, with its first text node."""

    node: int
    text: str


@dataclass(frozen=True)
class Nearby:
    """The surroundings of a title on its page, found when first asked for."""

    signals: Signals
    title: str

    @cached_property
    def node(self) -> int:
        """Where the content begins: the heading that has the title, else the text that
        has it, else the first big part.
        """
        signals, title = self.signals, key(self.title)
        lesser: list[int] = np.flatnonzero(signals.tree.has_tag(_LESSER_HEADINGS))[
            :_MAX_HEADINGS
        ].tolist()
        for node, text in (
            *signals.top_headings,
            *((node, signals.text(node)) for node in lesser),
        ):
            if title and title in key(text):
                return node
        if len(self.title) >= _MIN_TITLE:
            nodes: list[int] = self._seen.tolist()
            for node in nodes:
                if self.title in signals.tree.text[node]:
                    return node
        if signals.top_headings:
            return signals.top_headings[0][0]
        parts = np.flatnonzero(signals.tree.has_tag(_BIG_PARTS))
        return int(parts[0]) if len(parts) else signals.tree.first_element("body") or 0

    @cached_property
    def lines(self) -> list[Line]:
        """The lines after the title in order, then those before it, the nearest first."""
        tree, seen = self.signals.tree, self._seen
        place = int(np.searchsorted(seen, self.node))
        nodes = np.concatenate(
            (
                self._filled(seen[max(place - _WIDER * _BEFORE, 0) : place])[-_BEFORE:],
                self._filled(seen[place:])[:_AFTER],
            )
        )
        if not len(nodes):
            return []
        starts = np.flatnonzero(line_breaks(tree, nodes)).tolist()
        before: list[Line] = []
        after: list[Line] = []
        for first, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
            text = clean(" ".join(tree.text[nodes[first:end]].tolist()), _MAX_LINE)
            if text:
                (after if nodes[first] >= self.node else before).append(
                    Line(int(nodes[first]), text)
                )
        return after + before[::-1]

    def _filled(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of a number of text nodes that are not blank."""
        nodes = nodes[: _WIDER * _AFTER]
        blank = np.fromiter(
            map(str.isspace, self.signals.tree.text[nodes].tolist()),
            dtype=bool,
            count=len(nodes),
        )
        filled: NDArray[np.int64] = nodes[~blank]
        return filled

    @cached_property
    def _seen(self) -> NDArray[np.int64]:
        """The text nodes that are not in menus, controls or scripts."""
        tree = self.signals.tree
        return np.flatnonzero(tree.is_text & ~tree.below(tree.has_tag(_UNSEEN)))
