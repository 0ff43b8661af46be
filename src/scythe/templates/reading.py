"""Reading a page by a template: every text goes to the slot whose place it stands in."""

from __future__ import annotations

from collections.abc import Mapping

from scythe.templates.extracted import Extracted
from scythe.templates.likeness import conflict
from scythe.templates.node import Group, Node, Values
from scythe.templates.page import PageView
from scythe.templates.pairing import pair
from scythe.templates.rows import assigned
from scythe.templates.siblings import sibling_matching
from scythe.templates.slots import taken_out

Found = list[tuple[int, Values, str]]
"""Places of a page with what they are and the value there."""


def read(root: Node, view: PageView, names: Mapping[str, str], *, template_text: bool = False) -> Extracted:
    """The values of all slots, without those of template text unless asked for; what has no place is found when asked for."""
    found, _ = walk(root, view, everything=template_text)
    values: dict[str, list[str]] = {}
    nodes: dict[str, list[int]] = {}
    for kid, place, value in sorted(found, key=lambda item: item[0]):
        slot = place.slot
        if not (place.data or template_text or place.seen[0] != value):
            continue
        if view.texts[kid]:
            value = taken_out(value, *place.around)
        values.setdefault(slot, []).append(value)
        nodes.setdefault(slot, []).append(view.nodes[kid])
    return Extracted(values, nodes, names, lambda: rest(root, view))


def rest(root: Node, view: PageView) -> tuple[dict[int, str], int]:
    """The texts of a page that have no place, and how many texts it has."""
    return walk(root, view, everything=True)[1], len(view.text_nodes)


def walk(root: Node, view: PageView, *, everything: bool) -> tuple[Found, dict[int, str]]:
    """Lay a page onto a template, of which only what is read is looked into, or everything."""
    found: Found = []
    unplaced: dict[int, str] = {}
    labels, texts, ends = view.labels, view.texts, view.ends
    waiting: list[tuple[Node, int, Values | None]] = [(root, 0, None)]
    while waiting:
        node, kid, free_text = waiting.pop()
        free_text = node.other or free_text
        if text := texts[kid]:
            if node.text is not None:
                found.append((kid, node.text, text))
            elif free_text is not None:
                found.append((kid, free_text, text))
            else:
                unplaced[view.nodes[kid]] = text
        elif node.link is not None and kid in view.links:
            found.append((kid, node.link, view.links[kid]))
        elif node.image is not None and kid in view.images:
            found.append((kid, node.image, view.images[kid]))
        if ends[kid] == kid + 1:
            continue
        kids = view.children(kid)
        if node.plain == [labels[each] for each in kids]:
            nodes: list[Node] = node.children  # type: ignore[assignment] - a plain node has no group
            if not any([child.head and conflict(child, each, view) for child, each in zip(nodes, kids, strict=True)]):
                waiting.extend(
                    (child, each, free_text) for child, each in zip(nodes, kids, strict=True) if everything or child.live
                )
                continue
        units = sibling_matching(view, kids)
        for unit, entry in zip(units, pair(node, units, view), strict=True):
            if isinstance(entry, Group):
                laid = assigned(entry, unit.kids, view)
                waiting.extend((row, each, free_text) for row, each in laid if everything or row.live)
            elif entry is not None:
                waiting.extend((entry, each, free_text) for each in unit.kids if everything or entry.live)
            elif free_text is not None:
                found.extend(
                    (each, free_text, " ".join(_texts(view, each).values())) for each in unit.kids if view.text_count(each)
                )
            elif everything:
                for each in unit.kids:
                    unplaced.update(_texts(view, each))
    return found, unplaced


def _texts(view: PageView, kid: int) -> dict[int, str]:
    first, last = view.text_before[kid], view.text_before[view.ends[kid]]
    return {view.nodes[at]: view.texts[at] for at in view.text_nodes[first:last]}
