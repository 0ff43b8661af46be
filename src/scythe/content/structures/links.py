"""Addresses in a page: absolute where the page says enough, and only those that are
safe to follow.
"""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin

from scythe.tree.tags import code
from scythe.tree.tree import Tree

_WEB = ("http://", "https://")
_SCHEME = re.compile(r"([^/?#:]*):")
_IGNORED = re.compile(r"[\t\n\r]")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\"<>\\^`{|}\s]")
_EDGES = "".join(map(chr, range(0x21)))
"""Browsers ignore control characters and spaces around an address, and tabs and line
ends inside it.
"""


class Links:
    """Turns the addresses of one page into safe absolute ones; each is worked out once."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self._base = (
            base_url if base_url and base_url.lower().startswith(_WEB) else None
        )
        self._known: dict[str, str | None] = {}
        for node in (tree.tag == code("base")).nonzero()[0].tolist():
            if (href := tree.attributes(node).get("href")) is not None:
                resolved = self.page(href)
                if resolved and resolved.lower().startswith(_WEB):
                    self._base = resolved
                self._known.clear()
                break

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
        href = _IGNORED.sub("", href.strip(_EDGES))
        if scheme := _SCHEME.match(href):
            name = scheme.group(1).lower()
            if name not in ("http", "https", "mailto"):
                return None
            href = name + href[len(name) :]
        elif self._base is not None:
            try:
                href = urljoin(self._base, href)
            except ValueError:  # a bracket where an IPv6 address would stand
                return None
        elif href.startswith("//"):
            href = "https:" + href
        return _UNSAFE.sub(lambda found: quote(found.group()), href)
