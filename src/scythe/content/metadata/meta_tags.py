"""The `<meta>` tags of a page: OpenGraph, article, Twitter, Dublin Core and all others,
by name.
"""

from __future__ import annotations

import numpy as np

from scythe.tree.tags import code
from scythe.tree.tree import Tree

MAX_TAGS = 2_000
_NAMING = ("property", "name", "itemprop", "http-equiv")


def read_meta_tags(tree: Tree) -> dict[str, list[str]]:
    """The contents of the meta tags under their names in lower case, in document order,
    empty ones left out.

    Pages mix up `property`, `name` and `itemprop` freely, so a tag is found under any
    of them.
    """
    found: dict[str, list[str]] = {}
    for node in np.flatnonzero(tree.tag == code("meta"))[:MAX_TAGS].tolist():
        attributes = tree.attributes(node)
        content = attributes.get("content", "").strip()
        if content:
            for naming in _NAMING:
                if name := attributes.get(naming):
                    found.setdefault(name.strip().lower(), []).append(content)
    return found
