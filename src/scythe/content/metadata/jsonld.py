"""JSON-LD of a page, for everybody who reads structured data: metadata here, recipes
and templates in other rooms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from scythe.content.metadata.lenient_json import MAX_CHARS, loads_lenient
from scythe.tree.tags import code
from scythe.tree.tree import Tree

MAX_TOTAL_CHARS = 4 * MAX_CHARS
MAX_ITEMS = 5_000
"""Items of a page, nested ones included; the wcxb page with the most has 751."""

Item = dict[str, Any]


def read_jsonld(tree: Tree) -> list[Item]:
    """The objects of all JSON-LD scripts in document order, with their original keys.

    Arrays and `@graph` are opened, so each item is one thing; what is nested under a
    property stays there (see `nested`). Broken JSON is read as far as possible; nesting
    and size are bounded.
    """
    items: list[Item] = []
    left = MAX_TOTAL_CHARS
    for script in np.flatnonzero(tree.tag == code("script")).tolist():
        kind = tree.attributes(script).get("type")
        if kind is None or "ld+json" not in kind.lower():
            continue
        text = "".join(tree.text[script + 1 : tree.end[script]].tolist())[:left]
        left -= len(text)
        items.extend(_top_level(loads_lenient(text)))
        if left <= 0 or len(items) > MAX_ITEMS:
            break
    return items[:MAX_ITEMS]


def _top_level(values: list[Any]) -> Iterator[Item]:
    waiting = deque(values)
    while waiting:
        value = waiting.popleft()
        if isinstance(value, list):
            waiting.extendleft(reversed(value))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if isinstance(graph, (list, dict)):
                waiting.extendleft(
                    reversed(graph if isinstance(graph, list) else [graph])
                )
            if not value.keys() <= {"@context", "@graph", "@id"}:
                yield value


def nested(items: Iterable[Item]) -> Iterator[Item]:
    """The items and everything nested in them, the outermost first."""
    waiting: deque[Any] = deque(items)
    count = 0
    while waiting and count < MAX_ITEMS:
        value = waiting.popleft()
        if isinstance(value, dict):
            count += 1
            yield value
            waiting.extend(
                child for child in value.values() if isinstance(child, (dict, list))
            )
        elif isinstance(value, list):
            waiting.extend(child for child in value if isinstance(child, (dict, list)))


def types(item: Mapping[str, Any]) -> list[str]:
    """The types of an item as bare names: `https://schema.org/Article` and
    `schema:Article` are `Article`.
    """
    found = item.get("@type")
    names = found if isinstance(found, list) else [found]
    return [
        name.rstrip("/#").replace("#", "/").replace(":", "/").rpartition("/")[2]
        for name in names
        if isinstance(name, str)
    ]
