"""What a page declares about itself: Open Graph type, schema.org types, the shape of its own address.

These are facts about the page, the same for all its blocks. They are hints, not proof: half of the service pages that
declare a type declare `article`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scythe.tree.tags import code
from scythe.tree.tree import Tree

_OG_TYPES = ("article", "website", "product", "product.group")
_SCHEMA_TYPES = (
    "Article BlogPosting NewsArticle TechArticle Report",
    "Product ProductGroup",
    "Offer AggregateOffer",
    "DiscussionForumPosting QAPage",
    "FAQPage Question",
    "ItemList CollectionPage",
    "Person",
    "BreadcrumbList",
    "Recipe",
    "Organization LocalBusiness Corporation",
    "Review AggregateRating",
    "WebSite",
)
_URL_WORDS = (
    "product products p dp itm item pdp sku prod",
    "collection collections category categories c shop store browse catalog",
    "docs doc documentation reference api guide manual en latest stable tutorial wiki learn",
    "forum forums thread threads topic t viewtopic showthread questions question community discussion comments r board",
    "blog news article articles story stories post posts press insights",
    "service services solutions about company pricing features platform",
    "search tag tags author archive jobs events list best top",
)
NAMES = (
    *(f"og {name}" for name in (*_OG_TYPES, "other", "none")),
    *(f"schema {name.split()[0]}" for name in _SCHEMA_TYPES),
    *(f"url {name.split()[0]}" for name in _URL_WORDS),
    "url depth",
    "url hyphens",
    "url digits",
    "url year",
)

_READ = frozenset(("og:type", "og:url", "og:title", "og:description", "description", "twitter:description"))
_SCHEMA_OF = {word: index for index, words in enumerate(_SCHEMA_TYPES) for word in words.split()}
_URL_OF = {word: index for index, words in enumerate(_URL_WORDS) for word in words.split()}
_TYPE = re.compile(r'"@type"\s*+:\s*+\[?+\s*+"(?:https?://schema\.org/)?+(\w++)"')
_YEAR = re.compile(r"/(?:19|20)\d\d/")
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, eq=False)
class Declared:
    """What the head of a page says."""

    values: NDArray[np.float32]
    """One number for each of `NAMES`; 0 where the page is silent."""
    title: str
    """The titles, in lower case."""
    text: str
    """Descriptions and structured data as they stand in the page, in lower case."""


def read_declared(tree: Tree) -> Declared:
    """Read the titles, `<meta>`, `<link rel=canonical>` and JSON-LD of a page."""
    said: dict[str, str] = {}
    for node in np.flatnonzero(tree.tag == code("meta")).tolist():
        attributes = tree.attributes(node)
        name = attributes.get("property") or attributes.get("name")
        if name and (name := name.strip().lower()) in _READ:
            said.setdefault(name, attributes.get("content", "").strip())
    scripts = np.flatnonzero(tree.tag[:-1] == code("script"))
    texts = tree.text[scripts + 1].tolist()
    data = [text for text in texts if '"@type"' in text]
    values = np.zeros(len(NAMES), dtype=np.float32)
    og_type = said.get("og:type", "").lower()
    values[_OG_TYPES.index(og_type) if og_type in _OG_TYPES else len(_OG_TYPES) + (not og_type)] = 1
    base = len(_OG_TYPES) + 2
    for name in {name for text in data for name in _TYPE.findall(text)}:
        if (index := _SCHEMA_OF.get(name)) is not None:
            values[base + index] = 1
    _address_features(said.get("og:url") or _canonical(tree), values[base + len(_SCHEMA_TYPES) :])
    first = tree.first("title")
    title = "" if first is None else "".join(tree.text[first : tree.end[first]])
    descriptions = [said.get(name, "") for name in ("description", "og:description", "twitter:description")]
    return Declared(values, f"{title}\n{said.get('og:title', '')}".lower(), "\n".join([*descriptions, *data]).lower())


def _canonical(tree: Tree) -> str:
    for node in np.flatnonzero(tree.tag == code("link")).tolist():
        attributes = tree.attributes(node)
        if attributes.get("rel", "").lower() == "canonical":
            return attributes.get("href", "")
    return ""


def _address_features(address: str, values: NDArray[np.float32]) -> None:
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return
    path = f"{parts.path}?{parts.query}".lower() if parts.query else parts.path.lower()
    for word in _WORD.findall(path)[:20]:
        if (index := _URL_OF.get(word)) is not None:
            values[index] = 1
    segments = [segment for segment in parts.path.split("/") if segment]
    rest = len(_URL_WORDS)
    values[rest] = len(segments) + 1 if address else 0
    values[rest + 1] = max((segment.count("-") for segment in segments), default=0)
    values[rest + 2] = min(sum(char.isdigit() for char in path), 20)
    values[rest + 3] = _YEAR.search(path) is not None
