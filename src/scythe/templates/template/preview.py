"""A template for people: as a tree of text with its slots, and drawn over a page."""

from __future__ import annotations

from collections.abc import Iterator

from scythe.templates.matching.node import Entry, Group, Node
from scythe.templates.slot import Slot
from scythe.templates.template.template import Template
from scythe.tree.drawing import Marks, add_mark, drawn_page, legend, shortened
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree


def tree_text(template: Template, *, template_text: bool = False) -> str:
    """The template as an indented tree: what leads to slots, and each slot with its
    support and examples.
    """
    slots = {
        slot.id: slot
        for slot in (template.all_slots if template_text else template.slots)
    }
    pages = f"{template.pages} page{'' if template.pages == 1 else 's'}"
    lines = [
        f"template of {pages} with {len(slots)} slot{'' if len(slots) == 1 else 's'}"
    ]
    lines.extend(_lines(template, slots))
    return "\n".join(lines) + "\n"


def _lines(template: Template, slots: dict[str, Slot]) -> Iterator[str]:
    shown = _leading_to(template.root, slots)
    waiting: list[tuple[Node, int, str, str]] = [(template.root, 0, "", "")]
    while waiting:
        node, depth, above, note = waiting.pop()
        below = [member for member in _members(node) if id(member[0]) in shown]
        own = [
            slots[values.slot] for _, values in node.values() if values.slot in slots
        ]
        way = f"{above} > {node.label}" if above else node.label
        if len(below) == 1 and not own and not note:
            waiting.append((below[0][0], depth, way, below[0][1]))
            continue
        yield f"{'  ' * depth}{way}{note}"
        yield from (
            f"{'  ' * (depth + 1)}{_described(slot, template.pages)}" for slot in own
        )
        waiting.extend((child, depth + 1, "", mark) for child, mark in reversed(below))


def _members(node: Node) -> list[tuple[Node, str]]:
    """The children of a node with what is to be said of them: repeated, known by a
    label, without known order.
    """
    found: list[tuple[Node, str]] = []
    for entry in node.children:
        if isinstance(entry, Group):
            found.extend((row, _note(entry, row)) for row in entry.shown)
        else:
            found.append((entry, _note(entry, entry)))
    return found


def _note(entry: Entry, node: Node) -> str:
    notes = ["repeated"] if isinstance(entry, Group) and node is entry.example else []
    notes += [f'"{node.anchor}"'] if node.anchor else []
    notes += (
        ["in either order"]
        if entry.moved
        else [f"or, at place {entry.place}"]
        if entry.place
        else []
    )
    notes += ["gone"] if entry.faded or node.faded else []
    return f"  ({', '.join(notes)})" if notes else ""


def _leading_to(root: Node, slots: dict[str, Slot]) -> set[int]:
    """The nodes that have one of the slots or lead to one."""
    order: list[tuple[Node, Node | None]] = [(root, None)]
    for node, _ in order:  # grows while it is read
        order.extend((child, node) for child, _ in _members(node))
    found: set[int] = set()
    for node, parent in reversed(order):
        if any(values.slot in slots for _, values in node.values()):
            found.add(id(node))
        if id(node) in found and parent is not None:
            found.add(id(parent))
    return found


def _described(slot: Slot, pages: int) -> str:
    name = f"{slot.name} [{slot.type}]" if slot.name and slot.type else slot.name
    proposed = f"{slot.suggestion.name}?" if slot.suggestion and not slot.name else None
    parts = [
        slot.id,
        name or proposed,
        f'"{slot.label}"' if slot.label else None,
        slot.kind,
        f"{slot.support}/{pages}",
    ]
    parts += [
        "list" if slot.repeatable else None,
        "template text" if slot.constant else None,
    ]
    examples = " | ".join(shortened(example.value) for example in slot.examples[:3])
    return f"{' '.join(part for part in parts if part)}: {examples}"


def draw_template(
    template: Template, html: str, tree: Tree, url: str | None = None
) -> str:
    """A page with a box on every value, marked with its slot, and a legend of the
    slots.
    """
    extracted = template.extract(tree)
    slots = [slot for slot in template.slots if slot.id in extracted]
    marks: Marks = {}
    for number, slot in enumerate(slots):
        for node in extracted.nodes[slot.id]:
            box = node if tree.tag[node] != TEXT else int(tree.parent[node])
            add_mark(tree, [box], number, slot.name or slot.id, marks)
    about = [
        f"{template.pages} pages, {len(template.slots)} slots, fit {extracted.fit:.2f}"
    ]
    fields = [
        (f"{slot.id} {slot.title}".strip(), shortened(" | ".join(extracted[slot.id])))
        for slot in slots
    ]
    return drawn_page(
        html,
        tree,
        marks,
        legend(f"{len(slots)} slots on this page", about, fields),
        url,
    )
