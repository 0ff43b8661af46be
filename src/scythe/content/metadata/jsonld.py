"""JSON-LD of a page, for every reader of structured data: metadata here, recipes and
templates in other rooms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scythe.content.metadata.lenient_json import MAX_CHARS, loads_lenient
from scythe.tree.tags import code
from scythe.tree.tree import Tree

MAX_TOTAL_CHARS = 4 * MAX_CHARS
"""Characters of JSON-LD read of a page; a bound on work, not tuned."""
MAX_ITEMS = 5_000
"""Items of a page, nested ones included; the wcxb page with the most has 751."""

Item = dict[str, Any]
_SCRIPT = code("script")


def read_jsonld(tree: Tree) -> list[Item]:
    """Return the objects of all JSON-LD scripts in document order, with their original
    keys.

    Arrays and `@graph` are opened, so that an item describes one entity; what is nested
    under a property stays there (see `walk_items`). Broken JSON is read as far as
    possible; nesting and size are bounded.
    """
    items: list[Item] = []
    chars_left = MAX_TOTAL_CHARS
    for script in tree.nodes_with_words("type", ("ld+json",)):
        if tree.tag[script] != _SCRIPT:
            continue
        stop = int(tree.end[script])
        texts = tree.texts_between(script + 1, stop)
        text = "".join(texts)[:chars_left]
        chars_left -= len(text)
        items.extend(_top_level_items(loads_lenient(text)))
        if chars_left <= 0 or len(items) > MAX_ITEMS:
            break
    return items[:MAX_ITEMS]


def _top_level_items(values: list[Any]) -> Iterator[Item]:
    queue = deque(values)
    while queue:
        value = queue.popleft()
        if isinstance(value, list):
            queue.extendleft(reversed(value))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if isinstance(graph, list):
                queue.extendleft(reversed(graph))
            elif isinstance(graph, dict):
                queue.appendleft(graph)
            if not value.keys() <= {"@context", "@graph", "@id"}:
                yield value


def walk_items(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items and everything nested in them, the outermost first."""
    queue: deque[Any] = deque(items)
    count = 0
    while queue and count < MAX_ITEMS:
        value = queue.popleft()
        children: Iterable[Any] = ()
        if isinstance(value, dict):
            count += 1
            yield value
            children = value.values()
        elif isinstance(value, list):
            children = value

        for child in children:
            if isinstance(child, (dict, list)):
                queue.append(child)


def type_names(item: Mapping[str, Any]) -> list[str]:
    """Return the types of an item as bare names: `https://schema.org/Article` and
    `schema:Article` are `Article`.
    """
    names = []
    declared = item.get("@type")
    for name in declared if isinstance(declared, list) else [declared]:
        if isinstance(name, str):
            path = name.rstrip("/#").replace("#", "/").replace(":", "/")
            names.append(path.rpartition("/")[2])
    return names
