"""The address of an image behind everything pages do to load it late or at the right
size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

from scythe.tree.phrases import Phrases
from scythe.tree.tags import code
from scythe.tree.tree import Tree

LAZY_SOURCES = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-lazy",
    "data-hi-res-src",
    "data-full-src",
    "data-url",
)
"""Attributes in which lazy-loading scripts keep the true address while `src` holds a
placeholder.
"""
SOURCE_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
"""Attributes that name an image in several sizes."""

_LATE_SOURCES = (*LAZY_SOURCES, "data-srcset")
"""What comes before `src`."""
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^,]*))?(?:,|$)")
_DESCRIPTOR = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)[wx]")
_PLACEHOLDER_NAMES = (
    *(
        "placeholder",
        "blank",
        "spacer",
        "transparent",
        "loading",
        "lazy",
        "pixel",
        "1x1",
    ),
)
_PLACEHOLDER = Phrases(
    _PLACEHOLDER_NAMES,
    rf"(?:{'|'.join(_PLACEHOLDER_NAMES)})[^/?]{{0,40}}\.(?:gif|png|svg|jpe?g|webp)",
)
"""File names of pictures that only keep the space of others, as lazy-loading scripts
ship them.
"""
_MAX_PICTURE_NODES = 64
"""Nodes of a `<picture>` that is read: more than any real one has, and a bound for
hostile ones.
"""

_PICTURE, _SOURCE = code("picture"), code("source")


class Candidate(NamedTuple):
    """One form of an image, with its width or density."""

    size: float
    source: str


def image_source(attributes: Mapping[str, str]) -> str | None:
    """Return where an `<img>` is loaded from in the end, None if all it names is a
    placeholder inside the page itself (`data:`).
    """
    for name in (*LAZY_SOURCES, "src"):
        source = (attributes.get(name) or "").strip()
        if source and not source.startswith("data:"):
            return source
    for name in SOURCE_SETS:
        for candidate in parse_srcset(attributes.get(name)):
            if not candidate.source.startswith("data:"):
                return candidate.source
    return None


def picture_sources(tree: Tree, node: int) -> list[str]:
    """Return all that an `<img>` and the `<picture>` around it name as its source, the
    page's own choice first.

    That is what a script would load late, else `src`: the address that the author gave
    the picture, and by which others know it. Sets of sizes come behind it, the largest
    first, but before a `src` that only keeps the space.
    """
    attributes = tree.attributes(node)
    sources = _picture_sources(tree, node, attributes)
    return [source for source in sources if source]


def picture_source(tree: Tree, node: int, attributes: Mapping[str, str]) -> str:
    """Return the first source of an `<img>`, whose attributes are known; empty where it
    has none.
    """
    source = attributes.get("src") or ""
    is_plain = not any(map(attributes.get, _LATE_SOURCES))
    if source and is_plain and not _PLACEHOLDER.are_in(source):
        return source  # as most have it
    return next(filter(None, _picture_sources(tree, node, attributes)), "")


def _picture_sources(
    tree: Tree, node: int, attributes: Mapping[str, str]
) -> Iterator[str]:
    for name in LAZY_SOURCES:
        source = attributes.get(name) or ""
        if "{" not in source:
            yield source
    yield from _largest_first(parse_srcset(attributes.get("data-srcset")))

    plain_source = attributes.get("src") or ""
    is_placeholder = _PLACEHOLDER.are_in(plain_source)
    if not is_placeholder:
        yield plain_source
    yield from _largest_first(picture_sizes(tree, node))
    if is_placeholder:
        yield plain_source


def picture_sizes(tree: Tree, node: int) -> list[Candidate]:
    """Return the forms of an image that its attributes and the `<picture>` around it
    name with their sizes.
    """
    candidates = _set_candidates(tree.attributes(node))
    parent = int(tree.parent[node])
    if parent >= 0 and tree.tag[parent] == _PICTURE:
        candidates += _picture_candidates(tree, parent)
    return candidates


def _largest_first(candidates: list[Candidate]) -> list[str]:
    ordered = sorted(candidates, key=attrgetter("size"), reverse=True)
    return [candidate.source for candidate in ordered]


def _picture_candidates(tree: Tree, picture: int) -> list[Candidate]:
    candidates: list[Candidate] = []
    size = tree.end[picture] - picture
    if size > _MAX_PICTURE_NODES:
        return candidates
    for child in tree.children(picture):
        if tree.tag[child] == _SOURCE:
            candidates += _set_candidates(tree.attributes(child))
    return candidates


def _set_candidates(attributes: Mapping[str, str]) -> list[Candidate]:
    candidates: list[Candidate] = []
    for name in SOURCE_SETS:
        candidates += parse_srcset(attributes.get(name))
    return candidates


def parse_srcset(srcset: str | None) -> list[Candidate]:
    """Return the candidates of a `srcset` with their width or density; 1 where none is
    given.
    """
    if not srcset:
        return []
    candidates = []
    for source, descriptor in _CANDIDATE.findall(srcset):
        number = _DESCRIPTOR.match(descriptor)
        size = float(number.group(1)) if number else 1.0
        candidates.append(Candidate(size, source))
    return candidates
