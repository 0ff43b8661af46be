"""The address of an image behind everything pages do to load it late or at the right
size.
"""

from __future__ import annotations

import re

from scythe.content.structures.links import Links
from scythe.content.structures.outline import Image
from scythe.tree.tags import code
from scythe.tree.tree import Tree

_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_LAZY = (
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

_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^,]*))?(?:,|$)")
_DESCRIPTOR = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)[wx]")
_NEIGHBOURS = 64
"""Nodes looked at around an image: more than any real `<picture>` has, and a bound for
hostile ones.
"""

_IMG, _NOSCRIPT, _PICTURE, _SOURCE = map(code, ("img", "noscript", "picture", "source"))


def read_image(tree: Tree, node: int, links: Links) -> Image | None:
    """The largest form of an `<img>` that its attributes, its `<picture>` or its
    `<noscript>` twin name.

    None if all it names is a placeholder inside the page itself (`data:`).
    """
    source = _largest(tree, node, links)
    if source is None and (twin := _noscript_twin(tree, node)) is not None:
        source = _largest(tree, twin, links)
    if source is None:
        return None
    return Image(source, " ".join((tree.attributes(node).get("alt") or "").split()))


def _largest(tree: Tree, node: int, links: Links) -> str | None:
    attributes = tree.attributes(node)
    candidates: list[tuple[float, str]] = []
    for name in _SETS:
        candidates += parse_srcset(attributes.get(name))
    candidates += ((1.0, value) for name in _LAZY if (value := attributes.get(name)))
    candidates.append((1.0, attributes.get("src") or ""))
    parent = int(tree.parent[node])
    if (
        parent >= 0
        and tree.tag[parent] == _PICTURE
        and tree.end[parent] - parent <= _NEIGHBOURS
    ):
        for sibling in tree.children(parent):
            if tree.tag[sibling] == _SOURCE:
                candidates += (
                    pair
                    for name in _SETS
                    for pair in parse_srcset(tree.attributes(sibling).get(name))
                )
    for _, source in sorted(candidates, key=lambda pair: -pair[0]):
        if (resolved := links.resource(source)) is not None:
            return resolved
    return None


def parse_srcset(srcset: str | None) -> list[tuple[float, str]]:
    """The candidates of a `srcset` with their width or density; 1 where none is given."""
    if not srcset:
        return []
    candidates = []
    for source, descriptor in _CANDIDATE.findall(srcset):
        size = _DESCRIPTOR.match(descriptor)
        candidates.append((float(size.group(1)) if size else 1.0, source))
    return candidates


def _noscript_twin(tree: Tree, node: int) -> int | None:
    """The `<img>` for readers without script that stands behind a lazy one."""
    after = int(tree.end[node])
    if after < len(tree) and tree.is_text[after] and tree.text[after].isspace():
        after += 1
    if (
        after < len(tree)
        and tree.tag[after] == _NOSCRIPT
        and tree.parent[after] == tree.parent[node]
    ):
        found = (
            tree.tag[after : min(after + _NEIGHBOURS, int(tree.end[after]))] == _IMG
        ).nonzero()[0]
        return after + int(found[0]) if len(found) else None
    return None
