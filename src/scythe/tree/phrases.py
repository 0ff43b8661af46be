"""Phrases that short texts are searched for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property


class Phrases:
    """Regular expressions for phrases in any case, and stems of which every phrase of
    ASCII has one: a text without them, as most are, is searched a hundred times faster.
    """

    def __init__(self, stems: Iterable[str], *phrases: str) -> None:
        self.phrases = phrases
        self._stems = tuple(stems)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Compiled for the first text that needs it, which most processes never meet."""
        return re.compile("|".join(self.phrases), re.IGNORECASE)

    def are_in(self, text: str) -> bool:
        """Return whether a text has one of the phrases."""
        if text.isascii() and not self._has_stem(text.lower()):
            return False
        return self._pattern.search(text) is not None

    def are_in_any(self, texts: Iterable[str]) -> bool:
        """Return whether one of some texts has one of the phrases."""
        return any(map(self.are_in, texts))

    def _has_stem(self, lower: str) -> bool:
        return any(stem in lower for stem in self._stems)
