"""The address of an image behind everything pages do to load it late or at the right
size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

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

_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^,]*))?(?:,|$)")
_DESCRIPTOR = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)[wx]")
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


def largest_sources(tree: Tree, node: int) -> list[str]:
    """Return all that an `<img>` and the `<picture>` around it name as its source, the
    largest form first, placeholders among them.
    """
    attributes = tree.attributes(node)
    candidates = _set_candidates(attributes)
    for name in LAZY_SOURCES:
        source = attributes.get(name)
        if source:
            candidates.append(Candidate(1.0, source))
    plain_source = attributes.get("src") or ""
    candidates.append(Candidate(1.0, plain_source))

    parent = int(tree.parent[node])
    if parent >= 0 and tree.tag[parent] == _PICTURE:
        candidates += _picture_candidates(tree, parent)

    candidates.sort(key=attrgetter("size"), reverse=True)
    return [candidate.source for candidate in candidates]


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
