"""Index pages: HTML pages, feeds (RSS, Atom, JSON Feed) and sitemaps, each read to the
links that it has.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any
from xml.etree import ElementTree

import numpy as np

from scythe.align.forest import class_key
from scythe.collect.links.addresses import may_be_page
from scythe.store.collections.index_pages import SeenLink
from scythe.store.states import IndexPageKind
from scythe.tree.links import page_base_url
from scythe.tree.parse import parse
from scythe.tree.tags import TagSet
from scythe.tree.text import plain_text
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped
from scythe.urls import fetchable_url

MAX_LINKS = 50_000
"""Links of one index page; the sitemap protocol allows as many in a file."""
MAX_BYTES = 60_000_000
"""Bytes of an unpacked sitemap; the protocol allows 50 MB."""
MAX_TEXT = 300
"""Characters of a link's text: an arbitrary cap against hostile pages."""
_MAX_STEP = 60
"""Characters of one step of a path: an arbitrary cap against hostile pages."""
_FEW_NODES = 50
"""Nodes of a link below which its text is joined without a look at lines: a bound on
work, not tuned.
"""
_CHUNK = 65_536
"""Bytes that the XML parser gets at a time; not tuned."""

_ADDRESS_TAG = re.compile(
    rb"(?i)<(?:loc|link|guid)[^>]*+(?:>\s*+(?:<!\[CDATA\[)?+\s*+([^<\]\s]*+))?+"
)
"""A tag and the address behind it, if there is one: a tag without one is passed over as
a whole.
"""
_LINKS, _HEAD_LINKS = TagSet("a area"), TagSet("link")
_ENTRY_TAGS = frozenset({"url", "item", "entry", "sitemap"})
_TIME_TAGS = frozenset(
    {"lastmod", "updated", "pubdate", "published", "date", "modified"}
)


@dataclass(frozen=True)
class LinkListing:
    """What an index page has: links to pages, and other index pages that it names."""

    kind: IndexPageKind
    links: tuple[SeenLink, ...]
    index_pages: tuple[tuple[str, IndexPageKind], ...] = ()
    """Address and kind of feeds and sitemaps that it declares."""
    is_cut: bool = False
    """Whether it has more links than are read of one page."""

    @property
    def hash(self) -> str:
        """The same while its links are the same, whatever else the page changes on
        every visit.
        """
        values = []
        for link in self.links:
            value = [link.url, link.text, link.modified]
            values.append(value)
        text = json.dumps(values, ensure_ascii=False)
        encoded = text.encode("utf-8", "replace")
        return hashlib.sha256(encoded).hexdigest()


def parse_index_page(data: bytes, url: str, charset: str | None = None) -> LinkListing:
    """Return the links of an index page of any kind, which its first bytes tell."""
    if data[:2] == b"\x1f\x8b":
        data = _unpack(data)
    start = data[:2_000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"{") and b"jsonfeed.org" in start:
        return _parse_json_feed(data, url)
    if re.search(rb"<(?:urlset|sitemapindex|\w+:urlset)\b", start):
        return _parse_xml(data, url, IndexPageKind.SITEMAP)
    has_feed_tag = re.search(rb"<(?:rss|feed|rdf:rdf)\b", start)
    if has_feed_tag and b"<html" not in start:
        return _parse_xml(data, url, IndexPageKind.FEED)
    tree = parse(data, charset=charset)
    return html_listing(tree, url)


def html_listing(tree: Tree, url: str) -> LinkListing:
    """Return the links of an HTML page in document order, each address once, with the
    text and the path that it has first.
    """
    base = page_base_url(tree, url)
    is_link = tree.has_tag(_LINKS) & ~skipped(tree)
    all_nodes = np.flatnonzero(is_link).tolist()
    nodes = all_nodes[:MAX_LINKS]
    hrefs = tree.attribute_values("href", nodes)
    paths = _LinkPaths(tree)
    links: dict[str, SeenLink] = {}
    for node, href in zip(nodes, hrefs, strict=True):
        target = fetchable_url(href, base) if href else None
        if target is None or not may_be_page(target):
            continue
        text = _link_text(tree, node)
        known = links.get(target)
        if known is None:
            path = paths.path(node)
            links[target] = SeenLink(target, text, path)
        elif text and not known.text:
            links[target] = SeenLink(target, text, known.path)

    declared = tuple(_declared_index_pages(tree, base))
    is_cut = len(all_nodes) > MAX_LINKS
    return LinkListing(IndexPageKind.HTML, tuple(links.values()), declared, is_cut)


def _link_text(tree: Tree, node: int) -> str:
    end = int(tree.end[node])
    texts = tree.text[node:end]
    if len(texts) < _FEW_NODES:
        words = "".join(texts.tolist()).split()
        text = " ".join(words)
    else:
        text = plain_text(tree, tree.subtree(node))
    return text[:MAX_TEXT]


def _declared_index_pages(tree: Tree, base: str) -> Iterator[tuple[str, IndexPageKind]]:
    """Yield the feeds and sitemaps that the head of a page names."""
    is_head_link = tree.has_tag(_HEAD_LINKS)
    for node in np.flatnonzero(is_head_link).tolist():
        attributes = tree.attributes(node)
        href = attributes.get("href")
        target = fetchable_url(href, base) if href else None
        if not target:
            continue
        relations = attributes.get("rel", "").casefold().split()
        type_ = attributes.get("type", "").casefold()
        title = attributes.get("title", "").lower()
        has_feed_type = re.search(r"rss|atom|feed\+json", type_)
        is_feed = "alternate" in relations and has_feed_type
        if is_feed and "comment" not in title:
            yield target, IndexPageKind.FEED
        elif "sitemap" in relations:
            yield target, IndexPageKind.SITEMAP


class _LinkPaths:
    """Paths of links: tags with class or id, and which of several like elements it is,
    from the root to the link.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._paths: dict[int, str] = {-1: ""}
        self._classes = tree.with_attribute("class")
        self._ids = tree.with_attribute("id")
        self._counts: dict[tuple[int, str], int] = {}

    def path(self, node: int) -> str:
        """Return the path of a node."""
        unknown = []
        ancestor = node
        while ancestor not in self._paths:
            unknown.append(ancestor)
            ancestor = int(self._tree.parent[ancestor])
        for ancestor in reversed(unknown):
            parent = int(self._tree.parent[ancestor])
            path_above = self._paths[parent]
            step = self._step(ancestor)
            self._paths[ancestor] = f"{path_above}/{step}"
        return self._paths[node]

    def _step(self, node: int) -> str:
        mark = ""
        if node in self._ids:
            mark = f"#{self._ids[node]}"
        elif node in self._classes:
            names = class_key(self._classes[node])
            mark = f".{names}"
        label = f"{self._tree.name(node)}{mark}"
        label = re.sub(r"[\s/\[\]]+", "_", label)[:_MAX_STEP]

        parent = int(self._tree.parent[node])
        key = (parent, label)
        number = self._counts.get(key, 0) + 1
        self._counts[key] = number
        return f"{label}[{number}]"


def _parse_xml(data: bytes, url: str, kind: IndexPageKind) -> LinkListing:
    """Return the links of a feed or sitemap; one that is broken XML is read as far as
    it goes, or else the addresses behind its tags are.
    """
    entries: list[dict[str, str]] = []
    sitemaps: list[str] = []
    if b"<!ENTITY" not in data[:100_000]:
        try:
            _parse_entries(data, entries, sitemaps)
        except (ElementTree.ParseError, ValueError, LookupError):
            pass
    if not entries and not sitemaps:
        addresses = _ADDRESS_TAG.findall(data)
        for address in filter(None, addresses):
            link = unescape(address.decode("utf-8", "replace"))
            entries.append({"link": link})

    links: dict[str, SeenLink] = {}
    for entry in entries[:MAX_LINKS]:
        target = fetchable_url(entry.get("link", ""), url)
        if not target or not may_be_page(target) or target in links:
            continue
        words = entry.get("title", "").split()
        title = " ".join(words)[:MAX_TEXT]
        modified = entry.get("modified")
        links[target] = SeenLink(target, title, f"/{kind}", modified)

    nested: list[tuple[str, IndexPageKind]] = []
    for sitemap in sitemaps:
        target = fetchable_url(sitemap, url)
        if target:
            nested.append((target, IndexPageKind.SITEMAP))
    is_cut = len(entries) > MAX_LINKS
    return LinkListing(kind, tuple(links.values()), tuple(nested), is_cut)


def _parse_entries(
    data: bytes, entries: list[dict[str, str]], sitemaps: list[str]
) -> None:
    """Add the entries of a feed or sitemap and the addresses of nested sitemaps, as far
    as the XML can be parsed.
    """
    parser: Any = ElementTree.XMLPullParser(events=("start", "end"))
    entry: dict[str, str] | None = None
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        parser.feed(chunk)
        for event, element in parser.read_events():
            if not isinstance(element, ElementTree.Element):
                continue
            _, _, name = element.tag.rpartition("}")
            name = name.casefold()
            if event == "start":
                if name in _ENTRY_TAGS:
                    entry = {}
                continue
            if name in _ENTRY_TAGS and entry is not None:
                if name == "sitemap":
                    sitemaps.append(entry.get("link", ""))
                elif entry.get("link"):
                    entries.append(entry)
                entry = None
                element.clear()
            elif entry is not None:
                _add_property(entry, name, element)
            if len(entries) > MAX_LINKS:
                return


def _add_property(
    entry: dict[str, str], name: str, element: ElementTree.Element
) -> None:
    """Add what an element says of its entry: its link, title or time of change."""
    text = (element.text or "").strip()
    if name == "loc" and text:
        entry.setdefault("link", text)
    elif name == "link":
        href = element.get("href")
        if text:
            entry["link"] = text
        elif href and element.get("rel", "alternate") == "alternate":
            entry.setdefault("link", href)
    elif name == "guid" and text.startswith("http"):
        if element.get("isPermaLink") != "false":
            entry.setdefault("link", text)
    elif name == "title" and text:
        entry.setdefault("title", text)
    elif name == "updated" and text:
        known = entry.get("modified", "")
        entry["modified"] = max(known, text)
    elif name in _TIME_TAGS and text:
        entry.setdefault("modified", text)


def _parse_json_feed(data: bytes, url: str) -> LinkListing:
    links: dict[str, SeenLink] = {}
    try:
        feed: Any = json.loads(data)
        items = feed.get("items", []) if isinstance(feed, dict) else []
        for item in items:
            if not isinstance(item, dict):
                continue
            address = item.get("url") or item.get("id") or ""
            target = fetchable_url(str(address), url)
            if not target:
                continue
            title = str(item.get("title", ""))[:MAX_TEXT]
            modified = item.get("date_modified") or item.get("date_published")
            link = SeenLink(target, title, "/feed", modified and str(modified))
            links.setdefault(target, link)
    except (ValueError, RecursionError, TypeError):
        return LinkListing(IndexPageKind.FEED, ())
    found = tuple(links.values())
    is_cut = len(found) > MAX_LINKS
    return LinkListing(IndexPageKind.FEED, found[:MAX_LINKS], is_cut=is_cut)


def _unpack(data: bytes) -> bytes:
    """Return what gzip data holds, as far as it can be read and no more than a sitemap
    may have.
    """
    try:
        unpacker = zlib.decompressobj(wbits=31)
        return unpacker.decompress(data, MAX_BYTES)
    except (zlib.error, gzip.BadGzipFile, EOFError):
        return b""
