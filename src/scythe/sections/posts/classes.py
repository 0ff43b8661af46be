"""Elements by what their class says."""

from __future__ import annotations

import re

from scythe.tree.tree import Tree


def with_class(tree: Tree, pattern: re.Pattern[str]) -> list[int]:
    """Return the elements with a class in which a pattern is found; each of the few
    different classes of a page is searched once.
    """
    is_found: dict[str, bool] = {}
    nodes = []
    for node, value in tree.with_attribute("class").items():
        if value not in is_found:
            is_found[value] = pattern.search(value) is not None
        if is_found[value]:
            nodes.append(node)
    return nodes
