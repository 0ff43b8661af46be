"""Regions of free text: items of a list, or a box in which every page says something
else.

Their pieces come and go with what is written, so all of a region that has no name of
its own is one attribute to an operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scythe.templates.matching.node import Group, Node, Values, tag_of

Identified = tuple[Node, Values]


def attributes(root: Node, identified: Sequence[Identified]) -> list[Identified]:
    """Of what has just been identified, and is marked as told, what is an attribute
    that an operator does not know yet.
    """
    fresh = {id(values) for _, values in identified}
    region_of: dict[int, Node] = {}
    known: set[int] = set()
    for node, region in _free_text(root):
        for _, values in node.values():
            region_of[id(values)] = region
            if values.told and id(values) not in fresh:
                known.add(id(region))
    new: list[Identified] = []
    for node, values in identified:
        around = region_of.get(id(values))
        if around is None or id(around) not in known:
            new.append((node, values))
        if around is not None:
            known.add(id(around))
    return new


def _free_text(root: Node) -> Iterator[tuple[Node, Node]]:
    """All nodes in regions, each with its region; what has a name (`p.note`) is in
    none.
    """
    waiting: list[tuple[Node, Node | None]] = [(root, None)]
    while waiting:
        node, region = waiting.pop()
        if region is not None:
            yield node, region
        box = node if node.other is not None else region
        for entry in node.children:
            around = box if entry.label == tag_of(entry.label) else None
            if isinstance(entry, Group):
                waiting.append((entry.example, around or entry.example))
                waiting.extend((row, None) for row in entry.rows)
            else:
                waiting.append((entry, around))
