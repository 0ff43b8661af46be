"""The words in the classes and ids of elements."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_MAX_NAME = 300
"""Characters read of a class or id; a bound on work."""


def name_words(value: str) -> list[str]:
    """Return the words of a class or id in lower case: `site-navBar2` has three."""
    return [word.lower() for word in _WORD.findall(value[:_MAX_NAME])]
