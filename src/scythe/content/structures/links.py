"""Addresses in a page, of links and of images: absolute where the page's own is known,
and only those that are safe to follow.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from scythe.content.structures.outline import Image
from scythe.tree.images import picture_sources
from scythe.tree.links import page_base_url
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.urls import resolve, trimmed

_WEB = ("http://", "https://")
_SCHEME = re.compile(r"([^/?#:]*):")
_SAFE_SCHEMES = ("http", "https", "mailto")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\"<>\\^`{|}\s]")
_MAX_NOSCRIPT_NODES = 64
"""Nodes of a `<noscript>` behind an image that are searched: more than any real one has,
and a bound for hostile ones.
"""

_IMG, _NOSCRIPT = code("img"), code("noscript")


class Links:
    """Turns the addresses of one page into safe absolute ones; each is resolved once."""

    def __init__(self, tree: Tree, url: str | None) -> None:
        page_url = url if _is_web(url) else None
        self._base = page_base_url(tree, page_url)
        self._is_absolute = _is_web(self._base)
        self._resolved: dict[str, str | None] = {}

    def page(self, href: str | None) -> str | None:
        """Return where a link leads: `http`, `https`, `mailto`, or relative if the
        page's own address is unknown; else None.
        """
        if href is None:
            return None
        if href not in self._resolved:
            self._resolved[href] = self._resolve(href)
        return self._resolved[href]

    def resource(self, source: str | None) -> str | None:
        """Return where an image lies; None if that is no address to load from."""
        if not source or source.isspace():
            return None
        resolved = self.page(source)
        if resolved is None or resolved.startswith("mailto:"):
            return None
        return resolved

    def _resolve(self, href: str) -> str | None:
        href = trimmed(href)
        scheme = _SCHEME.match(href)
        if scheme:
            name = scheme.group(1).lower()
            if name not in _SAFE_SCHEMES:
                return None
            href = name + href[len(name) :]
        elif href.startswith("//") and not self._is_absolute:
            href = f"https:{href}"
        else:
            resolved = resolve(self._base, href)
            if resolved is None:
                return None
            href = resolved
        return _UNSAFE.sub(_quote_match, href)


def _is_web(address: str | None) -> bool:
    return address is not None and address.lower().startswith(_WEB)


def _quote_match(match: re.Match[str]) -> str:
    return quote(match.group())


def read_image(tree: Tree, node: int, links: Links) -> Image | None:
    """Return the picture of an `<img>` as its attributes, its `<picture>` or its
    `<noscript>` twin name it.

    None if all it names is a placeholder inside the page itself (`data:`).
    """
    source = _first_source(tree, node, links)
    if source is None:
        twin = _noscript_twin(tree, node)
        if twin is not None:
            source = _first_source(tree, twin, links)
    if source is None:
        return None
    alternative = tree.attributes(node).get("alt") or ""
    return Image(source, " ".join(alternative.split()))


def _first_source(tree: Tree, node: int, links: Links) -> str | None:
    for source in picture_sources(tree, node):
        resolved = links.resource(source)
        if resolved is not None:
            return resolved
    return None


def _noscript_twin(tree: Tree, node: int) -> int | None:
    """Return the `<img>` for readers without script that stands behind a lazy one."""
    noscript = int(tree.end[node])
    size = len(tree)
    if noscript < size and tree.is_text[noscript]:
        is_blank = tree.text[noscript].isspace()
        noscript += int(is_blank)
    if noscript >= size or tree.tag[noscript] != _NOSCRIPT:
        return None
    if tree.parent[noscript] != tree.parent[node]:
        return None

    end = int(tree.end[noscript])
    stop = min(noscript + _MAX_NOSCRIPT_NODES, end)
    is_image = tree.tag[noscript:stop] == _IMG
    images = is_image.nonzero()[0]
    return noscript + int(images[0]) if len(images) else None
