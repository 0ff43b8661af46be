"""The address of an image behind everything pages do to load it late or at the right
size.
"""

from __future__ import annotations

from scythe.content.structures.links import Links
from scythe.content.structures.outline import Image
from scythe.tree.images import largest_sources
from scythe.tree.tags import code
from scythe.tree.tree import Tree

_NEIGHBOURS = 64
"""Nodes looked at in a `<noscript>` behind an image: more than any real one has, and a
bound for hostile ones.
"""

_IMG, _NOSCRIPT = code("img"), code("noscript")


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
    for source in largest_sources(tree, node):
        resolved = links.resource(source)
        if resolved is not None:
            return resolved
    return None


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
