"""The parts of a page that carry metadata, each read once and only if a field asks for
it: `<meta>` tags, structured data, `<link>` elements, titles and headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scythe.content.metadata.jsonld import Item, read_jsonld, type_names
from scythe.content.metadata.microdata import read_microdata
from scythe.content.metadata.values import (
    MAX_VALUE,
    SourcedValue,
    as_list,
    clean_text,
    match_key,
)
from scythe.tree.links import page_base_url
from scythe.tree.tags import TagSet, code
from scythe.tree.tree import Tree
from scythe.tree.visibility import hidden, visible
from scythe.urls import is_web_url, resolve

MAX_META_TAGS = 2_000
_MAX_HEADINGS = 8
_MAX_LESSER_HEADINGS = 20
_MAX_ADDRESS = 4_000
_MAX_LINKS = 500
"""Caps against hostile pages, far above what real ones have; not tuned."""

_LESSER_HEADINGS = TagSet("h2 h3")
_NOT_HEADING_TEXT = frozenset(
    ("button", "select", "script", "style", "template", "noscript", "svg")
)
_PERMALINK_MARKS = frozenset("¶#§🔗")
"""Texts of the link to itself that documentation puts into a heading."""

_LABEL_WORDS = frozenset(("label", "prefix", "badge", "flair"))
"""What forum programs call the label that they put before the title of a thread."""
_CLASS_WORD = re.compile("[a-z]+")
_LINK, _LINK_ELEMENT = code("a"), code("link")
_LINK_RELATIONS = ("canonical", "image_src")
"""The relations of `<link>` elements that carry metadata."""

_NAME_ATTRIBUTES = ("property", "name", "itemprop", "http-equiv")
_DRAWINGS = TagSet("svg")
_SET_ASIDE = TagSet("noscript template dialog")

_WORK_TYPE = re.compile(
    r"(?:.*Article|.*Posting|Report|Recipe|HowTo|Question|Book|Review|CreativeWork"
    r"|Chapter|PodcastEpisode|Event)\Z"
)
_PAGE_TYPE = re.compile(
    r"(?:.*Page|VideoObject|Product|Course|SoftwareApplication|Movie|Dataset)\Z"
)
_MAIN_ENTITY_PROPERTIES = (
    "mainEntity",
    "mainEntityOfPage",
    "mainContentOfPage",
    "blogPost",
    "blogPosts",
)
_MAIN_ENTITY_DEPTH = 4
"""Levels of `_MAIN_ENTITY_PROPERTIES` that are followed; a bound on work."""
_MAX_UNTITLED_WORKS = 2
"""A page with more works, none of which has its title, is a list of works."""
_MIN_CONTAINED_TITLE = 10
"""Characters of a page title that may be a part of a work's longer name; a shorter one
is part of many.
"""


class MainItem(NamedTuple):
    """An item of structured data that describes what the page is about, and the syntax
    it came in.
    """

    item: Item
    syntax: str


@dataclass(frozen=True)
class Signals:
    """The parts of a page that carry metadata."""

    tree: Tree
    url: str | None

    @cached_property
    def meta_tags(self) -> dict[str, list[str]]:
        """The contents of the `<meta>` tags (OpenGraph, article, Twitter, Dublin Core
        and all others) under their names in lower case, in document order, empty ones
        left out.

        Pages mix up `property`, `name` and `itemprop` freely, so a tag is found under
        any of them.
        """
        contents: dict[str, list[str]] = {}
        for attributes in self._attributes_of("meta", MAX_META_TAGS):
            content = attributes.get("content", "").strip()
            if not content:
                continue
            for name_attribute in _NAME_ATTRIBUTES:
                name = attributes.get(name_attribute)
                if name:
                    key = name.strip().lower()
                    contents.setdefault(key, []).append(content)
        return contents

    def meta_values(self, names: tuple[str, ...]) -> Iterator[SourcedValue]:
        """Yield the values of the named meta tags, name by name."""
        meta_tags = self.meta_tags
        for name in names:
            if name in meta_tags:
                source = name if ":" in name else f"meta {name}"
                for content in meta_tags[name]:
                    yield SourcedValue(content, source)

    def linked_addresses(self, relation: str) -> list[str]:
        """Return where the `<link>` elements of a relation lead."""
        links = []
        for node, value in self.tree.with_words("rel", _LINK_RELATIONS).items():
            is_link = self.tree.tag[node] == _LINK_ELEMENT
            if is_link and relation in value.lower().split():
                links.append(node)
        addresses = self.tree.attribute_values("href", links[:_MAX_LINKS])
        return [address or "" for address in addresses]

    def _nodes_of(self, tag: str) -> list[int]:
        nodes: list[int] = self.tree.elements(tag).tolist()
        return nodes

    def _attributes_of(self, tag: str, limit: int) -> list[Mapping[str, str]]:
        return self.tree.attributes_of(self._nodes_of(tag)[:limit])

    @cached_property
    def jsonld(self) -> list[Item]:
        """The JSON-LD items."""
        return read_jsonld(self.tree)

    @cached_property
    def microdata(self) -> list[Item]:
        """The microdata items."""
        return read_microdata(self.tree)

    @cached_property
    def _jsonld_by_id(self) -> dict[str, Item]:
        """The JSON-LD items that others can refer to."""
        items: dict[str, Item] = {}
        for item in self.jsonld:
            identifier = item.get("@id")
            if isinstance(identifier, str) and len(item) > 1:
                items[identifier] = item
        return items

    def dereference(self, item: Item, *properties: str) -> Item:
        """Return the item itself if it has one of the properties, else the JSON-LD item
        that it refers to by `@id`, if there is one.
        """
        if any(name in item for name in properties):
            return item
        identifier = str(item.get("@id"))
        return self._jsonld_by_id.get(identifier, item)

    @cached_property
    def main_jsonld(self) -> list[MainItem]:
        """The JSON-LD items that describe what the page is about, the best first."""
        items = self._main_items(self.jsonld)
        return [MainItem(item, "json-ld") for item in items]

    @cached_property
    def main_microdata(self) -> list[MainItem]:
        """The microdata items that describe what the page is about, the best first."""
        items = self._main_items(self.microdata)
        return [MainItem(item, "microdata") for item in items]

    @cached_property
    def title_text(self) -> str:
        """The text of `<title>`, wherever it stands; titles inside SVG are not it."""
        in_drawing = self.tree.below(self.tree.has_tag(_DRAWINGS))
        for node in self._nodes_of("title"):
            text = "" if in_drawing[node] else self.text_under(node)
            if text:
                return text
        return ""

    @cached_property
    def top_headings(self) -> list[tuple[int, str]]:
        """The visible `<h1>` as (node, text), every text once."""
        node_by_text: dict[str, int] = {}
        for node in self._nodes_of("h1")[:_MAX_HEADINGS]:
            text = self.heading_text(node)
            if not text or text in node_by_text:
                continue
            if not self.is_hidden(node):
                node_by_text[text] = node
        return [(node, text) for text, node in node_by_text.items()]

    @cached_property
    def lesser_headings(self) -> list[tuple[int, str]]:
        """The first `<h2>` and `<h3>` as (node, text)."""
        nodes = np.flatnonzero(self.tree.has_tag(_LESSER_HEADINGS))
        first = nodes[:_MAX_LESSER_HEADINGS].tolist()
        return [(node, self.heading_text(node)) for node in first]

    @cached_property
    def declared_titles(self) -> list[str]:
        """The titles that the head of the page declares, site names still in them."""
        declared = self.meta_values(("og:title", "twitter:title"))
        declared_texts = [title.value for title in declared]
        titles = [self.title_text, *declared_texts]
        return list(filter(None, map(clean_text, titles)))

    @cached_property
    def base_address(self) -> str:
        """What relative addresses start from: the page's own address, or that of its
        `<base>`.
        """
        return page_base_url(self.tree, self.url) or ""

    @cached_property
    def canonical(self) -> SourcedValue | None:
        """The address that the page declares as its canonical one."""
        declared = [
            SourcedValue(address, "link rel=canonical")
            for address in self.linked_addresses("canonical")
        ]
        declared += self.meta_values(("og:url", "twitter:url"))

        for candidate in declared:
            absolute = self.absolute_address(candidate.value)
            if absolute:
                return SourcedValue(absolute, candidate.source)
        return None

    @cached_property
    def address(self) -> str:
        """The page's own address, else the one that it declares."""
        if self.url:
            return self.url
        return self.canonical.value if self.canonical else ""

    def absolute_address(self, address: str) -> str | None:
        """Return an http(s) address in full, None for anything else; relative ones need
        the page's own address.
        """
        cleaned = clean_text(address, _MAX_ADDRESS).replace(" ", "%20")
        absolute = resolve(self.base_address, cleaned)
        if not address or absolute is None:
            return None
        return absolute if is_web_url(absolute) else None

    def text_under(self, node: int, limit: int = MAX_VALUE) -> str:
        """Return all text under a node on one line."""
        end = int(self.tree.end[node])
        stop = min(end, node + limit)
        texts = self.tree.texts_between(node, stop)
        return clean_text("".join(texts), limit)

    def heading_text(self, node: int) -> str:
        """Return the text of a heading without its buttons and its link to itself; all
        of its text if it is nothing but a button.
        """
        text = clean_text("".join(self.heading_pieces(node)))
        return text or self.text_under(node)

    def heading_pieces(self, node: int) -> list[str]:
        """Return the texts of a heading, one for each text node, without those of
        buttons, of its link to itself, and of a label before the title of a thread. A
        line break is a space.
        """
        tree = self.tree
        end = int(tree.end[node])
        if end == node + 2 and tree.is_text[node + 1]:
            return _without_permalinks(tree.texts_between(node, end))  # as most are
        pieces: list[str] = []
        position = self._after_label(node)
        stop = min(end, node + MAX_VALUE)
        is_text = tree.is_text[position:stop]
        nodes = np.flatnonzero(is_text) + position
        texts = tree.texts(nodes)
        text_of = dict(zip(nodes.tolist(), texts, strict=True))
        while position < stop:
            name = tree.name(position)
            if name in _NOT_HEADING_TEXT:
                position = int(tree.end[position])
                continue
            text = " " if name == "br" else text_of.get(position, "")
            pieces.append(text)
            position += 1
        return _without_permalinks(pieces)

    def _after_label(self, node: int) -> int:
        """Return where the text of a heading begins: after an element at its beginning
        that calls itself a label, if text follows it.
        """
        tree = self.tree
        for child in tree.children(node):
            is_text = tree.is_text[child]
            if is_text and not tree.text_below(child).strip():
                continue
            class_name = tree.attributes(child).get("class", "")
            words = _CLASS_WORD.findall(class_name.lower())
            if _LABEL_WORDS.isdisjoint(words):
                return node
            end = int(tree.end[child])
            stop = int(tree.end[node])
            rest = tree.texts_between(end, stop)
            has_title = any(map(str.strip, rest))
            return end if has_title else node
        return node

    def links_home(self, node: int) -> bool:
        """Return whether a heading is a link to the front page of a site: it has the
        site's name then, not the title.
        """
        tree = self.tree
        stop = int(tree.end[node])
        is_link = tree.tag[node:stop] == _LINK
        if not is_link.any():
            return False
        links = np.flatnonzero(is_link) + node
        for href in tree.attribute_values("href", links.tolist()):
            if not href:
                continue
            address = self.absolute_address(href) or href
            try:
                parts = urlsplit(address)
            except ValueError:
                continue
            if parts.query or parts.fragment:
                continue
            if parts.path == "/":
                return True
        return False

    def is_hidden(self, node: int) -> bool:
        """Return whether the node or one above it is hidden by attribute or inline
        style, or is not shown to all readers at once.
        """
        tree = self.tree
        begins_before = self._set_aside <= node
        ends_behind = tree.end[self._set_aside] > node
        if np.any(begins_before & ends_behind):
            return True
        # What is visible is not hidden, and earlier steps have asked what is visible.
        return not visible(tree)[node] and bool(hidden(tree)[node])

    @cached_property
    def _set_aside(self) -> NDArray[np.intp]:
        """The elements that are shown to few readers, or later."""
        return np.flatnonzero(self.tree.has_tag(_SET_ASIDE))

    def _main_items(self, items: list[Item]) -> list[Item]:
        """Return works before pages; of several works those with the page's title.

        A page with several works none of which has its title is a list of them: none
        describes the page.
        """
        works: list[Item] = []
        pages: list[Item] = []
        level = items
        for depth in range(_MAIN_ENTITY_DEPTH):
            for item in level:
                names = type_names(item)
                is_untyped = not names and depth == 0
                if any(map(_WORK_TYPE.match, names)):
                    works.append(item)
                elif is_untyped or any(map(_PAGE_TYPE.match, names)):
                    pages.append(item)
            level = _main_entities(level)

        if len(works) > 1:
            titled = [item for item in works if self._has_page_title(item)]
            if titled:
                works = titled
            elif len(works) > _MAX_UNTITLED_WORKS:
                works = []
        return works + pages

    def _has_page_title(self, item: Item) -> bool:
        headlines = as_list(item.get("headline"))
        names = as_list(item.get("name"))
        declared = headlines[:1] + names[:1]
        names = [match_key(clean_text(name)) for name in declared]
        titles = [match_key(title) for title in self.declared_titles]
        titles += [match_key(text) for _, text in self.top_headings]

        for name in filter(None, names):
            for title in titles:
                if name in title:
                    return True
                if len(title) >= _MIN_CONTAINED_TITLE and title in name:
                    return True
        return False


def _without_permalinks(pieces: list[str]) -> list[str]:
    return [text for text in pieces if text and text.strip() not in _PERMALINK_MARKS]


def _main_entities(items: list[Item]) -> list[Item]:
    """Return the items that some items name as their main entity."""
    entities: list[Item] = []
    for item in items:
        for name in _MAIN_ENTITY_PROPERTIES:
            values = as_list(item.get(name))
            entities += [value for value in values if isinstance(value, dict)]
    return entities
