"""Everything on a page that may speak about it, each part read once and only if a field
asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import numpy as np

from scythe.content.metadata.jsonld import Item, read_jsonld, types
from scythe.content.metadata.meta_tags import read_meta_tags
from scythe.content.metadata.microdata import read_microdata
from scythe.tree.links import base_url
from scythe.tree.tags import code
from scythe.tree.tree import Tree

MAX_VALUE = 1_000
"""Characters of a field's value; longer ones are cut, as a few descriptions on wcxb are
(up to 15,000 characters).
"""
_MAX_HEADINGS = 8
_MAX_ADDRESS = 4_000
_MAX_LINKS = 500
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\u200b\ufeff]")
_NOT_WORD = re.compile(r"[\W_]+")

_WORK = re.compile(
    r"(?:.*Article|.*Posting|Report|Recipe|HowTo|Question|Book|Review|CreativeWork|Chapter|PodcastEpisode|Event)\Z"
)
_PAGE = re.compile(
    r"(?:.*Page|VideoObject|Product|Course|SoftwareApplication|Movie|Dataset)\Z"
)
_TO_THE_MAIN_THING = (
    "mainEntity",
    "mainEntityOfPage",
    "mainContentOfPage",
    "blogPost",
    "blogPosts",
)


class Found(NamedTuple):
    """A value and where on the page it was found."""

    value: str
    source: str


class Thing(NamedTuple):
    """An item of structured data and the syntax it came in."""

    item: Item
    syntax: str


def clean(text: object, limit: int = MAX_VALUE) -> str:
    """One line of plain text: entities decoded (structured data often has them twice),
    tags and control characters gone.
    """
    if not isinstance(text, str):
        return ""
    text = unescape(text[: 4 * limit]) if "&" in text else text[: 4 * limit]
    if "<" in text:
        text = re.sub(r"<[a-zA-Z/][^<>]*+>", " ", text)
    if not text.isprintable():
        text = _SURROGATE.sub("\ufffd", _CONTROL.sub("", text))
    return " ".join(text.split())[:limit].rstrip()


def key(text: str) -> str:
    """Letters and digits only, in lower case: what two spellings of the same title have
    in common.
    """
    return _NOT_WORD.sub("", text.lower())


def values(value: object) -> list[Any]:
    """A property as a list, whether it has none, one or several values."""
    return value if isinstance(value, list) else [] if value is None else [value]


@dataclass(frozen=True)
class Signals:
    """The parts of a page that carry metadata."""

    tree: Tree
    url: str | None

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """The meta tags by name."""
        return read_meta_tags(self.tree)

    @cached_property
    def jsonld(self) -> list[Item]:
        """The JSON-LD items."""
        return read_jsonld(self.tree)

    @cached_property
    def microdata(self) -> list[Item]:
        """The microdata items."""
        return read_microdata(self.tree)

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The JSON-LD items that others can refer to."""
        named = ((item.get("@id"), item) for item in self.jsonld)
        return {
            name: item
            for name, item in named
            if isinstance(name, str) and len(item) > 1
        }

    @cached_property
    def jsonld_things(self) -> list[Thing]:
        """What the JSON-LD says the page is about, the most telling first."""
        return [Thing(item, "json-ld") for item in self._main_things(self.jsonld)]

    @cached_property
    def microdata_things(self) -> list[Thing]:
        """What the microdata says the page is about, the most telling first."""
        return [Thing(item, "microdata") for item in self._main_things(self.microdata)]

    def first_meta(self, names: tuple[str, ...]) -> Iterator[Found]:
        """The values of the named meta tags, name by name."""
        for name in names:
            for content in self.meta.get(name, ()):
                yield Found(content, f"meta {name}" if ":" not in name else name)

    @cached_property
    def title_text(self) -> str:
        """The text of `<title>`; titles inside SVG are not it."""
        for node in np.flatnonzero(self.tree.tag == code("title")).tolist():
            if self.tree.name(int(self.tree.parent[node])) in ("head", "body", "html"):
                return self.text(node)
        return ""

    @cached_property
    def top_headings(self) -> list[tuple[int, str]]:
        """The `<h1>` a reader sees, as (node, text), each text once."""
        found: dict[str, int] = {}
        for node in np.flatnonzero(self.tree.tag == code("h1"))[
            :_MAX_HEADINGS
        ].tolist():
            text = self.text(node)
            if text and text not in found and not self.is_hidden(node):
                found[text] = node
        return [(node, text) for text, node in found.items()]

    @cached_property
    def links(self) -> list[Mapping[str, str]]:
        """The attributes of the `<link>` elements."""
        return [
            self.tree.attributes(node)
            for node in np.flatnonzero(self.tree.tag == code("link"))[
                :_MAX_LINKS
            ].tolist()
        ]

    @cached_property
    def declared_titles(self) -> list[str]:
        """The titles that the head of the page declares, site names still in them."""
        found = [
            self.title_text,
            *(found.value for found in self.first_meta(("og:title", "twitter:title"))),
        ]
        return [title for title in map(clean, found) if title]

    @cached_property
    def base(self) -> str:
        """What relative addresses start from: the page's own, or what its `<base>`
        says.
        """
        return base_url(self.tree, self.url) or ""

    @cached_property
    def canonical(self) -> Found | None:
        """The address that the page wants to be known by."""
        linked = [
            link.get("href", "")
            for link in self.links
            if "canonical" in link.get("rel", "").lower().split()
        ]
        declared = [Found(address, "link rel=canonical") for address in linked]
        for found in (*declared, *self.first_meta(("og:url", "twitter:url"))):
            if address := self.absolute(found.value):
                return Found(address, found.source)
        return None

    @cached_property
    def address(self) -> str:
        """The page's own address, else the one that it declares."""
        return self.url or (self.canonical.value if self.canonical else "")

    def text(self, node: int, limit: int = MAX_VALUE) -> str:
        """All text under a node on one line."""
        return clean(
            "".join(
                self.tree.text[
                    node : min(int(self.tree.end[node]), node + limit)
                ].tolist()
            ),
            limit,
        )

    def is_hidden(self, node: int) -> bool:
        """Whether the node or one above it is hidden by attribute or inline style. For
        few nodes; `visible` is for all.
        """
        for above in (node, *self.tree.ancestors(node)):
            name = self.tree.name(above)
            attributes = self.tree.attributes(above)
            if name not in ("body", "html") and (
                "hidden" in attributes or _HIDING.search(attributes.get("style", ""))
            ):
                return True
            if name in ("noscript", "template", "dialog"):
                return True
        return False

    def absolute(self, address: str) -> str | None:
        """An http(s) address in full, None for anything else; relative ones need the
        page's own address.
        """
        return _joined(self.base, address)

    def _main_things(self, items: list[Item]) -> list[Item]:
        """Works before pages; of several works the one that has the page's title.

        A page with several works none of which has its title is a list of them: none
        speaks for the page.
        """
        works: list[Item] = []
        pages: list[Item] = []
        waiting = list(items)
        for depth in range(4):
            for item in waiting:
                names = types(item)
                if any(map(_WORK.match, names)):
                    works.append(item)
                elif any(map(_PAGE.match, names)) or (not names and depth == 0):
                    pages.append(item)
            waiting = [
                child
                for item in waiting
                for way in _TO_THE_MAIN_THING
                for child in values(item.get(way))
                if isinstance(child, dict)
            ]
        if len(works) > 1:
            titled = [item for item in works if self._has_page_title(item)]
            works = titled or (works if len(works) <= 2 else [])
        return works + pages

    def _has_page_title(self, item: Item) -> bool:
        names = [
            key(clean(name))
            for way in ("headline", "name")
            for name in values(item.get(way))[:1]
        ]
        titles = [key(title) for title in self.declared_titles] + [
            key(text) for _, text in self.top_headings
        ]
        return any(
            name and (name in title or (len(title) > 9 and title in name))
            for name in names
            for title in titles
        )


def _joined(base: str, address: str) -> str | None:
    try:
        full = urljoin(base, clean(address, _MAX_ADDRESS).replace(" ", "%20"))
        parts = urlsplit(full)
    except ValueError:
        return None
    return (
        full if address and parts.scheme in ("http", "https") and parts.netloc else None
    )
