"""What a page declares about itself: Open Graph type, schema.org types, the shape of
its own address; and the blocks that the head of the page repeats.

The declared facts are the same for all blocks of a page. They are hints, not proof:
half of the service pages that declare a type declare `article`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scythe.core.content import find_head
from scythe.core.learned import Declared
from scythe.core.library import at_work
from scythe.core.texts import lower_bytes
from scythe.tree.compiled.texts import text_tables
from scythe.tree.compiled.trees import block_of
from scythe.tree.tags import code
from scythe.tree.tree import Bools, Tree

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
    (
        "forum forums thread threads topic t viewtopic showthread questions question "
        "community discussion comments r board"
    ),
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
_FIRST_SCHEMA = len(_OG_TYPES) + 2
_FIRST_URL = _FIRST_SCHEMA + len(_SCHEMA_TYPES)

_META_NAMES = (
    "og:type",
    "og:url",
    "og:title",
    "og:description",
    "description",
    "twitter:description",
)
_NAME_BYTES = "\0".join(_META_NAMES).encode()
_STRUCTURED = '"@type"'
"""What structured data has."""


def _group_numbers(groups: Iterable[str]) -> dict[str, int]:
    """Return the number of the group that each word is in."""
    numbers = {}
    for number, words in enumerate(groups):
        numbers.update(dict.fromkeys(words.split(), number))
    return numbers


_SCHEMA_GROUP = _group_numbers(_SCHEMA_TYPES)
_URL_GROUP = _group_numbers(_URL_WORDS)
_TYPE = re.compile(r'"@type"\s*+:\s*+\[?+\s*+"(?:https?://schema\.org/)?+(\w++)"')
_YEAR = re.compile(r"/(?:19|20)\d\d/")
_WORD = re.compile(r"[a-z]+")
_MAX_URL_WORDS = 20
_MAX_URL_DIGITS = 20
"""Words and digits of an address that count. The model was trained with these."""

MIN_TITLE, MAX_TITLE = 8, 200
MIN_TITLE_HEADING = 4
"""Characters of a block that can be the title, and of a heading that can be a part of
it. The model was trained with these.
"""
COMPARED_START = 40
"""Characters of a block that are searched in the descriptions; shorter blocks stand
there by chance.
"""


@dataclass(frozen=True, eq=False)
class DeclaredFacts:
    """What the head of a page declares."""

    values: NDArray[np.float32]
    """One number for each of `NAMES`; 0 where the page declares nothing."""
    title: str
    """The titles, in lower case."""
    text: bytes
    """Descriptions and structured data as they stand in the page, in lower case and
    UTF-8.
    """

    def compiled(self) -> Declared:
        """Return the facts as the compiled core reads them."""
        return Declared(self.title.encode(), self.text, self.values)


def read_declared(tree: Tree) -> DeclaredFacts:
    """Return what the titles, `<meta>`, `<link rel=canonical>` and JSON-LD of a page
    declare.
    """
    head = _head_by_core(tree) or _head(tree)
    meta = head.meta
    values = np.zeros(len(NAMES), dtype=np.float32)
    values[_og_type_index(meta.get("og:type", "").lower())] = 1
    for text in head.structured_data:
        for name in set(_TYPE.findall(text)):
            group = _SCHEMA_GROUP.get(name)
            if group is not None:
                values[_FIRST_SCHEMA + group] = 1
    address = meta.get("og:url") or head.canonical
    _fill_address_values(address, values[_FIRST_URL:])

    descriptions = [
        meta.get("description", ""),
        meta.get("og:description", ""),
        meta.get("twitter:description", ""),
    ]
    title = f"{head.title}\n{meta.get('og:title', '')}"
    text = "\n".join([*descriptions, *head.structured_data])
    return DeclaredFacts(values, title.lower(), _lower(text))


def _lower(text: str) -> bytes:
    """Return a text in lower case, by the compiled core where it is at work: Python is
    slow where one character is beyond ASCII.
    """
    if text.isascii():
        return text.encode().lower()
    known = lower_bytes(text.encode()) if at_work() else None
    return text.lower().encode() if known is None else known


class _Head(NamedTuple):
    """What the head of a page says, as it stands there."""

    meta: dict[str, str]
    """The contents of `<meta>`, by `_META_NAMES`."""
    canonical: str
    title: str
    structured_data: list[str]


def _head(tree: Tree) -> _Head:
    """Return the head without the compiled core, which gives the same."""
    script_texts = np.flatnonzero(tree.tag[:-1] == code("script")) + 1
    script_texts = script_texts[tree.is_text[script_texts]]
    return _Head(
        meta=_meta_contents(tree),
        canonical=_canonical(tree),
        title=_title(tree),
        structured_data=tree.texts_with(_STRUCTURED, script_texts),
    )


def _head_by_core(tree: Tree) -> _Head | None:
    block = block_of(tree)
    tables = None if block is None else text_tables()
    if block is None or tables is None:
        return None
    head = find_head(tables, block, _NAME_BYTES, _STRUCTURED.encode())
    if head is None:
        return None
    meta = {}
    for name, position in zip(_META_NAMES, head.contents, strict=True):
        if position >= 0:
            meta[name] = block.value(position).strip()
    scripts = np.array(head.scripts, dtype=np.int64)
    return _Head(
        meta=meta,
        canonical="" if head.canonical < 0 else block.value(head.canonical),
        title="" if head.title < 0 else tree.text_below(head.title),
        structured_data=tree.texts(scripts),
    )


def _meta_contents(tree: Tree) -> dict[str, str]:
    nodes: list[int] = tree.elements("meta").tolist()
    columns = [
        tree.attribute_values(attribute, nodes)
        for attribute in ("property", "name", "content")
    ]
    contents: dict[str, str] = {}
    for of_property, of_name, content in zip(*columns, strict=True):
        name = of_property or of_name or ""
        name = name.strip().lower()
        if name in _META_NAMES:
            contents.setdefault(name, (content or "").strip())
    return contents


def _title(tree: Tree) -> str:
    title = tree.first_element("title")
    return "" if title is None else tree.text_below(title)


def _og_type_index(og_type: str) -> int:
    """Return the index of an Open Graph type in `NAMES`: one of its own, other or
    none.
    """
    if og_type in _OG_TYPES:
        return _OG_TYPES.index(og_type)
    return len(_OG_TYPES) if og_type else len(_OG_TYPES) + 1


def _canonical(tree: Tree) -> str:
    nodes: list[int] = tree.elements("link").tolist()
    relations = tree.attribute_values("rel", nodes)
    for node, relation in zip(nodes, relations, strict=True):
        if relation is not None and relation.lower() == "canonical":
            return tree.attributes(node).get("href", "")
    return ""


def _fill_address_values(address: str, values: NDArray[np.float32]) -> None:
    """Fill in the values of the shape of an address, those of the "url" names."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return
    path = parts.path.lower()
    if parts.query:
        path = f"{parts.path}?{parts.query}".lower()

    for word in _WORD.findall(path)[:_MAX_URL_WORDS]:
        group = _URL_GROUP.get(word)
        if group is not None:
            values[group] = 1
    segments = [segment for segment in parts.path.split("/") if segment]
    hyphens = [segment.count("-") for segment in segments]
    digits = sum(map(str.isdigit, path))
    rest = len(_URL_WORDS)
    values[rest] = len(segments) + 1 if address else 0
    values[rest + 1] = max(hyphens, default=0)
    values[rest + 2] = min(digits, _MAX_URL_DIGITS)
    values[rest + 3] = _YEAR.search(path) is not None


def title_block(
    lines: list[str], heading: NDArray[np.int64], declared: DeclaredFacts
) -> int:
    """Return the block that has the most of the page's title, headings first; -1 for
    none.
    """
    best_size, best_block = 0, -1
    for block, line in enumerate(lines):
        if not MIN_TITLE <= len(line) <= MAX_TITLE:
            continue
        if line.lower() not in declared.title:
            continue
        size = len(line)
        if heading[block]:
            size += MAX_TITLE
        if size > best_size:
            best_size, best_block = size, block
    return best_block


def described_blocks(lines: list[str], declared: DeclaredFacts) -> Bools:
    """Return which blocks begin with words that the descriptions or the structured data
    have too.
    """
    is_described = np.zeros(len(lines), dtype=bool)
    if declared.text:
        for block, line in enumerate(lines):
            if len(line) >= COMPARED_START:
                start = line[:COMPARED_START].lower()
                is_described[block] = start.encode() in declared.text
    return is_described


def title_headings(
    lines: list[str], heading: NDArray[np.int64], declared: DeclaredFacts
) -> NDArray[np.int64]:
    """Return 1 for the headings that stand in the title of the page."""
    in_title = np.zeros(len(lines), dtype=np.int64)
    for block in np.flatnonzero(heading).tolist():
        line = lines[block]
        if len(line) >= MIN_TITLE_HEADING:
            in_title[block] = line.lower() in declared.title
    return in_title
