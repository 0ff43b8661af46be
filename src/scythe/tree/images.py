"""The address of an image behind everything pages do to load it late or at the right
size.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

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


def image_source(attributes: Mapping[str, str]) -> str | None:
    """Return where an `<img>` is loaded from in the end, None if all it names is a
    placeholder inside the page itself (`data:`).
    """
    for name in (*LAZY_SOURCES, "src"):
        source = (attributes.get(name) or "").strip()
        if source and not source.startswith("data:"):
            return source
    for name in SOURCE_SETS:
        for _, source in parse_srcset(attributes.get(name)):
            if not source.startswith("data:"):
                return source
    return None


def largest_sources(tree: Tree, node: int) -> list[str]:
    """Return all that an `<img>` and the `<picture>` around it name as its source, the
    largest form first, placeholders among them.
    """
    attributes = tree.attributes(node)
    candidates = _set_candidates(attributes)
    for name in LAZY_SOURCES:
        if source := attributes.get(name):
            candidates.append((1.0, source))
    candidates.append((1.0, attributes.get("src") or ""))

    parent = int(tree.parent[node])
    if parent >= 0 and tree.tag[parent] == _PICTURE:
        candidates += _picture_candidates(tree, parent)

    candidates.sort(key=lambda candidate: -candidate[0])
    return [source for _, source in candidates]


def _picture_candidates(tree: Tree, picture: int) -> list[tuple[float, str]]:
    candidates: list[tuple[float, str]] = []
    if tree.end[picture] - picture <= _MAX_PICTURE_NODES:
        for child in tree.children(picture):
            if tree.tag[child] == _SOURCE:
                candidates += _set_candidates(tree.attributes(child))
    return candidates


def _set_candidates(attributes: Mapping[str, str]) -> list[tuple[float, str]]:
    candidates: list[tuple[float, str]] = []
    for name in SOURCE_SETS:
        candidates += parse_srcset(attributes.get(name))
    return candidates


def parse_srcset(srcset: str | None) -> list[tuple[float, str]]:
    """Return the candidates of a `srcset` with their width or density; 1 where none is
    given.
    """
    if not srcset:
        return []
    candidates = []
    for source, descriptor in _CANDIDATE.findall(srcset):
        size = _DESCRIPTOR.match(descriptor)
        candidates.append((float(size.group(1)) if size else 1.0, source))
    return candidates
