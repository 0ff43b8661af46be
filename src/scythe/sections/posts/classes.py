"""Elements by what a class or another attribute says."""

from __future__ import annotations

import re
from collections import defaultdict

from scythe.tree.tree import Tree, once_per_tree


def with_pattern(tree: Tree, attribute: str, pattern: re.Pattern[str]) -> list[int]:
    """Return the elements with an attribute in which a pattern is found, in page order;
    each of the few different values of a page is searched once.
    """
    values = _nodes_by_value(tree, attribute)
    found: list[int] = []
    for value, nodes in values.items():
        if pattern.search(value):
            found += nodes
    found.sort()
    return found


def _nodes_by_value(tree: Tree, attribute: str) -> dict[str, list[int]]:
    known = _known_values(tree)
    if attribute not in known:
        values = known[attribute] = defaultdict(list)
        for node, value in tree.with_attribute(attribute).items():
            values[value].append(node)
    return known[attribute]


@once_per_tree
def _known_values(_: Tree) -> dict[str, dict[str, list[int]]]:
    """Return what `_nodes_by_value` has found so far, by attribute."""
    return {}
