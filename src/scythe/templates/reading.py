"""Reading a page by a template: every text goes to the slot whose place it stands in."""

from __future__ import annotations

from collections.abc import Container, Mapping

from scythe.templates.extracted import Extracted
from scythe.templates.node import Group, Node, Values
from scythe.templates.page import PageView
from scythe.templates.pairing import pair
from scythe.templates.rows import assigned
from scythe.templates.siblings import sibling_matching
from scythe.templates.slots import split, taken_out


def read(root: Node, view: PageView, template_text: Container[str], names: Mapping[str, str]) -> Extracted:
    """The values of all slots but those of template text, and what has no place."""
    found: list[tuple[int, Values, str]] = []
    unplaced: dict[int, str] = {}
    waiting: list[tuple[Node, int]] = [(root, 0)]
    while waiting:
        node, kid = waiting.pop()
        if text := view.texts[kid]:
            if node.text is None:
                unplaced[view.nodes[kid]] = text
            else:
                found.append((kid, node.text, text))
        elif node.link is not None and kid in view.links:
            found.append((kid, node.link, view.links[kid]))
        elif node.image is not None and kid in view.images:
            found.append((kid, node.image, view.images[kid]))
        if view.ends[kid] == kid + 1:
            continue
        units = sibling_matching(view, view.children(kid))
        for unit, entry in zip(units, pair(node.children, units, view), strict=True):
            if entry is None:
                for each in unit.kids:
                    unplaced.update(_texts(view, each))
            elif isinstance(entry, Group):
                waiting.extend(assigned(entry, unit.kids, view))
            else:
                waiting.extend((entry, each) for each in unit.kids)
    values: dict[str, list[str]] = {}
    nodes: dict[str, list[int]] = {}
    for kid, place, value in sorted(found, key=lambda item: item[0]):
        if place.slot in template_text and place.seen[0] == value:
            continue
        if view.texts[kid]:
            value = taken_out(value, *split(place))
        values.setdefault(place.slot, []).append(value)
        nodes.setdefault(place.slot, []).append(view.nodes[kid])
    total = len(view.text_nodes)
    fit = 1 - len(unplaced) / total if total else 1.0
    return Extracted(values, nodes, fit, unplaced, names)


def _texts(view: PageView, kid: int) -> dict[int, str]:
    first, last = view.text_before[kid], view.text_before[view.ends[kid]]
    return {view.nodes[at]: view.texts[at] for at in view.text_nodes[first:last]}
