"""Where links stand on an index page: the list that each is in, and what the paths of
links in lists that are built alike have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

MIN_ENTRIES = 3
"""Like elements with links that make a list; two links beside each other may be a title
and its comments.
"""

_POSITION = re.compile(r"\[\d+\]")


@lru_cache(maxsize=100_000)
def path_pattern(path: str) -> str:
    """Return a path without positions: the same for all entries of a list, and for
    lists that are built alike.
    """
    return _POSITION.sub("", path)


class LinkLists:
    """The lists of one page, from the paths of its links."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._entries: dict[tuple[str, str], set[str]] = {}
        for path in paths:
            for parent, step in _steps(path):
                key = (parent, path_pattern(step))
                entries = self._entries.setdefault(key, set())
                entries.add(step)
        self._list_of: dict[str, str] = {}

    def find(self, path: str) -> str:
        """Return the path of the list that a link stands in: the nearest element around
        it with several like ones side by side that have links.
        """
        if path not in self._list_of:
            found = path.rpartition("/")[0]
            for parent, step in _steps(path):
                key = (parent, path_pattern(step))
                entries = self._entries.get(key, ())
                if len(entries) >= MIN_ENTRIES:
                    found = parent
            self._list_of[path] = found
        return self._list_of[path]


def _steps(path: str) -> Iterator[tuple[str, str]]:
    """Yield each step of a path with the path of its parent, from the root on."""
    slash = path.find("/", 1)
    while slash > 0:
        following = path.find("/", slash + 1)
        end = following if following > 0 else len(path)
        step = path[slash + 1 : end]
        yield path[:slash], step
        slash = following
