"""Where links stand on an index page: the list each is in, and what links at like
places have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

LEAST_IN_LIST = 3
"""Like elements with links that make a list; two links beside each other may be a title
and its comments.
"""

_NUMBER = re.compile(r"\[\d+\]")


@lru_cache(maxsize=100_000)
def form(path: str) -> str:
    """A path without positions: the same for all entries of a list, and for lists that
    are built alike.
    """
    return _NUMBER.sub("", path)


class Lists:
    """The lists of one page, from the paths of its links."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._entries: dict[tuple[str, str], set[str]] = {}
        for path in paths:
            for parent, step in _steps(path):
                self._entries.setdefault((parent, form(step)), set()).add(step)
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        """The list that a link stands in: the nearest element around it with several
        like ones side by side that have links.
        """
        if path not in self._known:
            found = [
                parent
                for parent, step in _steps(path)
                if len(self._entries.get((parent, form(step)), ())) >= LEAST_IN_LIST
            ]
            self._known[path] = found[-1] if found else path.rpartition("/")[0]
        return self._known[path]


def _steps(path: str) -> Iterable[tuple[str, str]]:
    place = path.find("/", 1)
    while place > 0:
        after = path.find("/", place + 1)
        yield path[:place], path[place + 1 : after if after > 0 else len(path)]
        place = after
