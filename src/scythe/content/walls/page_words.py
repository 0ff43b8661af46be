"""What a page says of itself: its title, its headings, its text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Tree

SHORT_TEXT = 1_500
"""Characters of visible or selected text below which a page is looked at: walls have a
sentence or two beside the furniture of their site. A bound, not tuned.
"""
_MAX_HEADINGS = 6
_MAX_HEADING = 120
_MAX_TITLE = 300
"""Headings that are read, and characters of one and of the title: walls say what they are
at once. Bounds, not tuned.
"""
_PLAIN = {"\u2019": "'", "\u2013": "-", "\u2014": "-"}
"""Apostrophes and dashes as the phrases that are looked for have them."""
_TITLE_SEPARATOR = re.compile(r"\s+(?:[-/:>~·]|::)\s+|\s*[|»•]\s*")

_HEADINGS = TagSet("h1 h2 legend")
_TOP_HEADING = code("h1")


@dataclass(frozen=True, slots=True)
class PageWords:
    """What a page says to a reader: by itself, and at its top."""

    title: str
    headings: tuple[str, ...]
    top_headings: tuple[str, ...]
    visible_text: str

    @classmethod
    def of(cls, tree: Tree, visible_text: str) -> PageWords:
        """Return the words of a page, whose visible text is known."""
        title = tree.first_element("title")
        headings = []
        top_headings = []
        nodes = np.flatnonzero(tree.has_tag(_HEADINGS))
        for node in nodes[:_MAX_HEADINGS].tolist():
            text = _text(tree, node)
            if not 0 < len(text) <= _MAX_HEADING:
                continue
            headings.append(text)
            if tree.tag[node] == _TOP_HEADING:
                top_headings.append(text)

        title_text = ""
        if title is not None:
            title_text = _text(tree, title)[:_MAX_TITLE]
        words = _plain(visible_text)
        return cls(title_text, tuple(headings), tuple(top_headings), words)

    @property
    def top(self) -> tuple[str, ...]:
        """Title and headings; of a page that is a line or two, the whole of it."""
        own = (self.title, *self.headings)
        if len(self.visible_text) <= 2 * _MAX_HEADING:
            own += (self.visible_text,)
        return tuple(text for text in own if text)

    @property
    def own_names(self) -> tuple[str, ...]:
        """What the page calls itself: the parts of its title, and its top headings."""
        parts = [part.strip() for part in _TITLE_SEPARATOR.split(self.title)]
        names = [*parts, *self.top_headings]
        return tuple(name for name in names if name)

    @property
    def is_short(self) -> bool:
        """Whether the page shows little beside its furniture."""
        return len(self.visible_text) < SHORT_TEXT


def _text(tree: Tree, node: int) -> str:
    return _plain(" ".join(tree.text_below(node).split()))


def _plain(text: str) -> str:
    """Return a text with plain apostrophes and dashes."""
    if not text.isascii():
        for sign, plain in _PLAIN.items():
            text = text.replace(sign, plain)
    return text
