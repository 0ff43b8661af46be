"""Which machines a crawl may ask.

A page of the public web may link to `http://192.168.0.1/` or to a name that leads
there. Such links are not followed, unless the collection itself is of that machine, or
its settings allow it.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

from scythe.urls import is_private


class AllowedHosts:
    """The machines that a collection may ask: all of the public web; of private ones
    its own host, and all where that is allowed.
    """

    def __init__(self, home: str, *, private: bool = False) -> None:
        self._home = urlsplit(home)
        self._allows_all = private
        self._is_private = private or is_private(self._home.hostname or "")

    def allows(self, url: str) -> bool:
        """Return whether an address may be asked for, as far as its name tells."""
        if self._allows_all:
            return True
        parts = urlsplit(url)
        return not is_private(parts.hostname or "") or self._is_home(parts)

    def _is_home(self, parts: SplitResult) -> bool:
        if parts.hostname != self._home.hostname:
            return False
        return parts.port == self._home.port

    @property
    def include_private(self) -> bool:
        """Whether private machines are allowed at all: then names are not looked up."""
        return self._is_private
