"""Addresses in a page: absolute where the page says enough, and only those that are
safe to follow.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from scythe.tree.links import base_url
from scythe.tree.tree import Tree
from scythe.urls import resolve, trimmed

_WEB = ("http://", "https://")
_SCHEME = re.compile(r"([^/?#:]*):")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\"<>\\^`{|}\s]")


class Links:
    """Turns the addresses of one page into safe absolute ones; each is worked out once."""

    def __init__(self, tree: Tree, url: str | None) -> None:
        page_url = url if url and url.lower().startswith(_WEB) else None
        self._base = base_url(tree, page_url)
        self._is_absolute = bool(self._base and self._base.lower().startswith(_WEB))
        self._known: dict[str, str | None] = {}

    def page(self, href: str | None) -> str | None:
        """Where a link leads: `http`, `https`, `mailto`, or relative if the page's own
        address is unknown; else None.
        """
        if href is None:
            return None
        if href not in self._known:
            self._known[href] = self._resolve(href)
        return self._known[href]

    def resource(self, source: str | None) -> str | None:
        """Where an image lies; None if that is no address to load from."""
        if not source or source.isspace():
            return None
        resolved = self.page(source)
        return None if resolved is None or resolved.startswith("mailto:") else resolved

    def _resolve(self, href: str) -> str | None:
        href = trimmed(href)
        if scheme := _SCHEME.match(href):
            name = scheme.group(1).lower()
            if name not in ("http", "https", "mailto"):
                return None
            href = name + href[len(name) :]
        elif href.startswith("//") and not self._is_absolute:
            href = "https:" + href
        else:
            resolved = resolve(self._base, href)
            if resolved is None:
                return None
            href = resolved
        return _UNSAFE.sub(lambda found: quote(found.group()), href)
