"""A template for people: as a tree of text with its slots, and drawn over a page."""

from __future__ import annotations

from collections.abc import Iterator

from scythe.templates.matching.node import Entry, Node, SiblingGroup
from scythe.templates.slot import Slot
from scythe.templates.template.template import Template
from scythe.tree.static_page import Marks, add_mark, legend, marked_page, shortened
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree

_SHOWN_EXAMPLES = 3
MAX_BOXES = 5_000
"""Values of a slot that are drawn: a bound on work, and more than anybody looks at."""


def tree_text(template: Template, *, template_text: bool = False) -> str:
    """Return the template as an indented tree: what leads to slots, and each slot with
    its support and examples.
    """
    listed = template.all_slots if template_text else template.slots
    slots = {slot.id: slot for slot in listed}
    pages = _counted(template.pages, "page")
    slot_count = _counted(len(slots), "slot")
    lines = [f"template of {pages} with {slot_count}"]
    lines.extend(_lines(template, slots))
    return "\n".join(lines) + "\n"


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"{number} {noun}"
    return f"{number} {noun}s"


def _lines(template: Template, slots: dict[str, Slot]) -> Iterator[str]:
    leading = _nodes_leading_to(template.root, slots)
    waiting: list[tuple[Node, int, str, str]] = [(template.root, 0, "", "")]
    while waiting:
        node, depth, above, note = waiting.pop()
        members = _members(node)
        below = [member for member in members if id(member[0]) in leading]
        own = _slots_of(node, slots)
        path = f"{above} > {node.label}" if above else node.label
        leads_on_only = len(below) == 1 and not own
        if leads_on_only and not note:
            child, child_note = below[0]
            waiting.append((child, depth, path, child_note))
            continue

        indent = "  " * depth
        yield f"{indent}{path}{note}"
        for slot in own:
            line = _slot_line(slot, template.pages)
            yield f"{indent}  {line}"
        for child, child_note in reversed(below):
            waiting.append((child, depth + 1, "", child_note))


def _slots_of(node: Node, slots: dict[str, Slot]) -> list[Slot]:
    slot_ids = [values.slot for _, values in node.values()]
    return [slots[slot_id] for slot_id in slot_ids if slot_id in slots]


def _members(node: Node) -> list[tuple[Node, str]]:
    """Return the children of a node with notes about them: repeated, known by a label,
    without known order.
    """
    members: list[tuple[Node, str]] = []
    for entry in node.children:
        if not isinstance(entry, SiblingGroup):
            members.append((entry, _note(entry, entry)))
            continue
        for row in entry.active_nodes:
            note = _note(entry, row)
            members.append((row, note))
    return members


def _note(entry: Entry, node: Node) -> str:
    notes: list[str] = []
    is_example = isinstance(entry, SiblingGroup) and node is entry.example
    if is_example or node.repeats:
        notes.append("repeated")
    if node.row_label:
        notes.append(f'"{node.row_label}"')
    if entry.moved:
        notes.append("in either order")
    elif entry.possible_node:
        notes.append(f"or, at place {entry.possible_node}")
    if entry.vanished or node.vanished:
        notes.append("gone")
    if not notes:
        return ""
    joined = ", ".join(notes)
    return f"  ({joined})"


def _nodes_leading_to(root: Node, slots: dict[str, Slot]) -> set[int]:
    """Return the ids of the nodes that have one of the slots or lead to one."""
    order: list[tuple[Node, Node | None]] = [(root, None)]
    for node, _ in order:  # grows while it is read
        order.extend((child, node) for child, _ in _members(node))

    leading: set[int] = set()
    for node, parent in reversed(order):
        if _slots_of(node, slots):
            leading.add(id(node))
        if id(node) in leading and parent is not None:
            leading.add(id(parent))
    return leading


def _slot_line(slot: Slot, pages: int) -> str:
    parts = [slot.id]
    if slot.name:
        parts.append(slot.name)
        if slot.type:
            parts.append(f"[{slot.type}]")
    elif slot.suggestion:
        parts.append(f"{slot.suggestion.name}?")
    if slot.label:
        parts.append(f'"{slot.label}"')
    parts += [slot.kind, f"{slot.support}/{pages}"]
    if slot.repeatable:
        parts.append("list")
    if slot.constant:
        parts.append("template text")
    shown = slot.examples[:_SHOWN_EXAMPLES]
    examples = [shortened(example.value) for example in shown]
    description = " ".join(parts)
    joined = " | ".join(examples)
    return f"{description}: {joined}"


def draw_template(
    template: Template, html: str, tree: Tree, url: str | None = None
) -> str:
    """Return a page with a box on every value, marked with its slot, and a legend of
    the slots.
    """
    extracted = template.extract(tree)
    slots = [slot for slot in template.slots if slot.id in extracted]
    marks: Marks = {}
    cut_slots = 0
    for number, slot in enumerate(slots):
        name = slot.name or slot.id
        nodes = extracted.nodes[slot.id]
        cut_slots += len(nodes) > MAX_BOXES
        for node in nodes[:MAX_BOXES]:
            is_text = tree.tag[node] == TEXT
            box = int(tree.parent[node]) if is_text else node
            add_mark(tree, [box], number, name, marks)

    pages = template.pages
    total = len(template.slots)
    about = [f"{pages} pages, {total} slots, fit {extracted.fit:.2f}"]
    if cut_slots:
        about.append(
            f"{cut_slots} slots have boxes on their first {MAX_BOXES:,} values"
        )
    fields = []
    for slot in slots:
        title = f"{slot.id} {slot.title}".strip()
        values = " | ".join(extracted[slot.id])
        fields.append((title, shortened(values)))
    description = legend(f"{len(slots)} slots on this page", about, fields)
    return marked_page(html, tree, marks, description, url)
