"""Pages that list others: HTML pages, feeds (RSS, Atom, JSON Feed) and sitemaps, each read to the links that it has."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Any
from xml.etree import ElementTree

import numpy as np

from scythe.align.forest import class_key
from scythe.collect.addresses import clean, may_be_page
from scythe.store.index_pages import SeenLink
from scythe.tree.parse import parse
from scythe.tree.tags import TagSet, code
from scythe.tree.text import plain_text
from scythe.tree.tree import Tree
from scythe.tree.visibility import skipped

HTML, FEED, SITEMAP = "html", "feed", "sitemap"
MAX_LINKS = 50_000
"""Links of one index page; the sitemap protocol allows as many in a file."""
MAX_BYTES = 60_000_000
"""Bytes of an unpacked sitemap; the protocol allows 50 MB."""
_TEXT = 300
_LOOSE = re.compile(rb"(?i)<(?:loc|link|guid)[^>]*+(?:>\s*+(?:<!\[CDATA\[)?+\s*+([^<\]\s]*+))?+")
"""A tag and the address behind it, if there is one: a tag without one is passed over as a whole."""
_LINK, _SPECIAL = TagSet("a area"), TagSet("link")


@dataclass(frozen=True)
class Listing:
    """What an index page has: links to pages, and other index pages that it names."""

    kind: str
    links: tuple[SeenLink, ...]
    others: tuple[tuple[str, str], ...] = ()
    """Address and kind of feeds and sitemaps that it declares."""

    @property
    def hash(self) -> str:
        """The same while its links are the same, whatever else the page changes on every visit."""
        told = json.dumps([[link.url, link.text, link.modified] for link in self.links], ensure_ascii=False)
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()


def read_index(data: bytes, url: str, charset: str | None = None, content_type: str = "") -> Listing:
    """The links of an index page of any kind, which its first bytes tell."""
    if data[:2] == b"\x1f\x8b":
        data = _unpacked(data)
    start = data[:2_000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"{") and b"jsonfeed.org" in start:
        return _json_feed(data, url)
    if re.search(rb"<(?:urlset|sitemapindex|\w+:urlset)\b", start):
        return _xml(data, url, SITEMAP)
    if re.search(rb"<(?:rss|feed|rdf:rdf)\b", start) and b"<html" not in start:
        return _xml(data, url, FEED)
    return html_index(parse(data, charset=charset), url)


def html_index(tree: Tree, url: str) -> Listing:
    """The links of an HTML page in document order, each address once, with the text and the path that it has first."""
    base = _base(tree, url)
    nodes = np.flatnonzero(tree.having(_LINK) & ~skipped(tree)).tolist()[:MAX_LINKS]
    paths = _Paths(tree)
    links: dict[str, SeenLink] = {}
    for node, href in zip(nodes, tree.values("href", nodes), strict=True):
        target = clean(href, base) if href else None
        if target is None or not may_be_page(target):
            continue
        text = _text_of(tree, node)
        known = links.get(target)
        if known is None or (text and not known.text):
            links[target] = SeenLink(target, text, known.path if known else paths.path(node))
    return Listing(HTML, tuple(links.values()), tuple(_declared(tree, base)))


def _text_of(tree: Tree, node: int) -> str:
    inside = tree.text[node : int(tree.end[node])]
    return (
        " ".join("".join(inside.tolist()).split())[:_TEXT] if len(inside) < 50 else plain_text(tree, tree.subtree(node))[:_TEXT]
    )


def _base(tree: Tree, url: str) -> str:
    bases = np.flatnonzero(tree.tag == code("base")).tolist()
    said = next((href for href in tree.values("href", bases) if href), None)
    return (clean(said, url) or url) if said else url


def _declared(tree: Tree, base: str) -> Iterator[tuple[str, str]]:
    """Feeds and sitemaps that the head of a page names."""
    for node in np.flatnonzero(tree.having(_SPECIAL)).tolist():
        has = tree.attributes(node)
        rel, kind = has.get("rel", "").casefold().split(), has.get("type", "").casefold()
        target = clean(has.get("href", ""), base) if has.get("href") else None
        if (
            target
            and "alternate" in rel
            and re.search(r"rss|atom|feed\+json", kind)
            and "comment" not in has.get("title", "").lower()
        ):
            yield target, FEED
        elif target and "sitemap" in rel:
            yield target, SITEMAP


class _Paths:
    """Ways to links: tags with class or id, and which of several like elements it is, from the root to the link."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[int, str] = {-1: ""}
        self._classes = tree.holders("class")
        self._ids = tree.holders("id")
        self._seen: dict[tuple[int, str], int] = {}

    def path(self, node: int) -> str:
        way = []
        while node not in self._known:
            way.append(node)
            node = int(self._tree.parent[node])
        for step in reversed(way):
            self._known[step] = f"{self._known[int(self._tree.parent[step])]}/{self._step(step)}"
        return self._known[way[0]] if way else self._known[node]

    def _step(self, node: int) -> str:
        name = self._tree.name(node)
        mark = f"#{self._ids[node]}" if node in self._ids else ""
        if not mark and node in self._classes:
            mark = f".{class_key(self._classes[node])}"
        label = re.sub(r"[\s/\[\]]+", "_", f"{name}{mark}")[:60]
        parent = int(self._tree.parent[node])
        number = self._seen.get((parent, label), 0) + 1
        self._seen[parent, label] = number
        return f"{label}[{number}]"


def _xml(data: bytes, url: str, kind: str) -> Listing:
    """A feed or sitemap; one that is broken XML is read as far as it goes, and its addresses by their tags."""
    entries: list[dict[str, str]] = []
    nested: list[str] = []
    if b"<!ENTITY" not in data[:100_000]:
        try:
            _read(data, entries, nested)
        except (ElementTree.ParseError, ValueError, LookupError):
            pass
    if not entries and not nested:
        addresses = filter(None, _LOOSE.findall(data))
        entries = [{"link": unescape(found.decode("utf-8", "replace"))} for found in addresses]
    links: dict[str, SeenLink] = {}
    for entry in entries[:MAX_LINKS]:
        target = clean(entry.get("link", ""), url)
        if target and may_be_page(target) and target not in links:
            links[target] = SeenLink(target, " ".join(entry.get("title", "").split())[:_TEXT], f"/{kind}", entry.get("modified"))
    others = [(target, SITEMAP) for each in nested if (target := clean(each, url))]
    return Listing(kind, tuple(links.values()), tuple(others))


_ENTRIES = frozenset({"url", "item", "entry", "sitemap"})
_MODIFIED = frozenset({"lastmod", "updated", "pubdate", "published", "date", "modified"})


def _read(data: bytes, entries: list[dict[str, str]], nested: list[str]) -> None:
    parser: Any = ElementTree.XMLPullParser(events=("start", "end"))
    entry: dict[str, str] | None = None
    for start in range(0, len(data), 65_536):
        parser.feed(data[start : start + 65_536])
        for event, element in parser.read_events():
            if not isinstance(element, ElementTree.Element):
                continue
            name = element.tag.rpartition("}")[2].casefold()
            if event == "start":
                if name in _ENTRIES:
                    entry = {}
                continue
            if name in _ENTRIES and entry is not None:
                if name == "sitemap":
                    nested.append(entry.get("link", ""))
                elif entry.get("link"):
                    entries.append(entry)
                entry = None
                element.clear()
            elif entry is not None:
                _note(entry, name, element)
            if len(entries) > MAX_LINKS:
                return


def _note(entry: dict[str, str], name: str, element: ElementTree.Element) -> None:
    text = (element.text or "").strip()
    if name == "loc" and text:
        entry.setdefault("link", text)
    elif name == "link":
        if text:
            entry["link"] = text
        elif element.get("href") and element.get("rel", "alternate") == "alternate":
            entry.setdefault("link", element.get("href", ""))
    elif name == "guid" and element.get("isPermaLink") != "false" and text.startswith("http"):
        entry.setdefault("link", text)
    elif name == "title" and text:
        entry.setdefault("title", text)
    elif name in _MODIFIED and text:
        entry["modified"] = max(entry.get("modified", ""), text) if name == "updated" else entry.get("modified", text)


def _json_feed(data: bytes, url: str) -> Listing:
    try:
        told: Any = json.loads(data)
        items: Iterable[Any] = told.get("items", []) if isinstance(told, dict) else []
        links: dict[str, SeenLink] = {}
        for item in items:
            target = clean(str(item.get("url") or item.get("id") or ""), url) if isinstance(item, dict) else None
            if target:
                modified = item.get("date_modified") or item.get("date_published")
                links.setdefault(
                    target, SeenLink(target, str(item.get("title", ""))[:_TEXT], "/feed", modified and str(modified))
                )
        return Listing(FEED, tuple(links.values())[:MAX_LINKS])
    except (ValueError, RecursionError, TypeError):
        return Listing(FEED, ())


def _unpacked(data: bytes) -> bytes:
    """What gzip data holds, as far as it can be read and no more than a sitemap may have."""
    try:
        unpacker = zlib.decompressobj(wbits=31)
        return unpacker.decompress(data, MAX_BYTES)
    except (zlib.error, gzip.BadGzipFile, EOFError):
        return b""
