"""The address of an image, also where a script would load it later."""

from __future__ import annotations

from scythe.tree.tree import Tree

_SOURCES = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "src",
    "data-lazy",
    "data-hi-res-src",
    "data-full-src",
    "data-url",
)
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")


def image_source(tree: Tree, node: int) -> str | None:
    """Where an `<img>` comes from; None if all it names is a placeholder inside the
    page itself (`data:`).
    """
    for name in (*_SOURCES, *_SETS):
        value = (tree.values(name, [node])[0] or "").strip()
        if name in _SETS:
            value = value.partition(" ")[0].rstrip(",")
        if value and not value.startswith("data:"):
            return value
    return None
