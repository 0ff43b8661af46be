"""The notices of an update: which of the changes to a template an operator should know.

Pieces of free text (items of a list, or a box in which every page says something else)
come and go with what is written. So all of a region of free text that has no name of
its own is one attribute to an operator, who is notified of it once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scythe.templates.matching.node import (
    Entry,
    Node,
    SiblingGroup,
    SlotValues,
    entries_below,
    label_tag,
)
from scythe.templates.template.growth import Growth
from scythe.templates.template.notices import Notice, NoticeKind
from scythe.templates.template.slots import (
    Annotation,
    position_affixes,
    position_label,
    slot_positions,
)

Identified = tuple[Node, SlotValues]


def growth_notices(
    root: Node, growth: Growth, annotations: Mapping[str, Annotation], initial: int
) -> list[Notice]:
    """Return the notices of a page; attributes of the `initial` pages, which an
    operator has seen, are not new.
    """
    notices: list[Notice] = []
    later = [
        (node, values)
        for node, values in growth.recorder.identified
        if node.first_page > max(initial, 1)
    ]
    new = _new_attributes(root, later) if later else []
    labels = _labels_of(root, [values for _, values in new])
    for node, values in new:
        name = labels.get(values.slot) or _entry_name(node)
        notice = Notice(
            NoticeKind.NEW,
            values.slot,
            f"{name} has values now",
            values.examples,
            node.support,
        )
        notices.append(notice)

    changes: tuple[tuple[NoticeKind, Sequence[Entry], str], ...] = (
        (NoticeKind.REPEATABLE, growth.repeatable, "can have several values"),
        (NoticeKind.VANISHED, growth.vanished, "is missing on the last pages"),
        (NoticeKind.RETURNED, growth.recorder.returned, "is back"),
        (NoticeKind.MOVED, growth.moved, "stands in another order"),
    )
    for kind, entries, change in changes:
        for entry in entries:
            representative = _representative_values(entry, annotations)
            slot = representative.slot if representative else None
            examples = list(representative.examples) if representative else []
            message = f"{_entry_name(entry)} {change}"
            affects_named = representative is not None and _has_name(
                representative,
                annotations,
            )
            notice = Notice(kind, slot, message, examples, entry.support, affects_named)
            notices.append(notice)
    return notices


def _labels_of(root: Node, chosen: Sequence[SlotValues]) -> dict[str, str]:
    """Return what stands as a label before the values of slots, by slot."""
    if not chosen:
        return {}
    slots = {values.slot for values in chosen}
    labels: dict[str, str] = {}
    for position in slot_positions(root, slots):
        prefix, _ = position_affixes(position)
        label = position_label(position, prefix)
        labels[position.values.slot] = label.rstrip(" :")
        if len(labels) == len(slots):
            break
    return labels


def is_named(node: Node, annotations: Mapping[str, Annotation]) -> bool:
    """Return whether an operator named a slot of a node, or of what is below it."""
    if not annotations:
        return False
    return any(_has_name(values, annotations) for values in _values_in(node))


def _has_name(values: SlotValues, annotations: Mapping[str, Annotation]) -> bool:
    annotation = annotations.get(values.slot)
    return annotation is not None and bool(annotation.name)


def _values_in(entry: Entry) -> Iterator[SlotValues]:
    """Yield the values of an entry and of what is below it."""
    if isinstance(entry, SiblingGroup):
        nodes: list[Entry] = [*entry.active_nodes, *entry.nodes()]
    else:
        nodes = [entry, *entries_below(entry)]
    for node in nodes:
        if isinstance(node, Node):
            for _, values in node.values():
                yield values


def _representative_values(
    entry: Entry, annotations: Mapping[str, Annotation]
) -> SlotValues | None:
    """Return the values that tell most of an entry: those that an operator named, else
    the first that differ from page to page, else the first.
    """
    all_values = list(_values_in(entry))
    for values in all_values:
        if _has_name(values, annotations):
            return values
    for values in all_values:
        if values.distinct > 1:
            return values
    if all_values:
        return all_values[0]
    return None


def _entry_name(entry: Entry) -> str:
    return entry.leading_text or entry.label


def _new_attributes(root: Node, identified: Sequence[Identified]) -> list[Identified]:
    """Return what has just been identified and is an attribute that an operator does
    not know yet; all of it is marked as notified already.
    """
    just_identified = {id(values) for _, values in identified}
    region_of: dict[int, Node] = {}
    known_regions: set[int] = set()
    for node, region in _free_text_nodes(root):
        for _, values in node.values():
            if id(values) in just_identified:
                region_of[id(values)] = region
            elif values.notified:
                known_regions.add(id(region))

    new: list[Identified] = []
    for node, values in identified:
        around = region_of.get(id(values))
        if around is None or id(around) not in known_regions:
            new.append((node, values))
        if around is not None:
            known_regions.add(id(around))
    return new


def _free_text_nodes(root: Node) -> Iterator[tuple[Node, Node]]:
    """Yield all nodes in regions of free text, each with its region; what has a name
    (`p.note`) is in none.
    """
    waiting: list[tuple[Node, Node | None]] = [(root, None)]
    while waiting:
        node, region = waiting.pop()
        if region is not None:
            yield node, region
        box = node if node.free_text is not None else region
        for entry in node.children:
            around = box
            if box is not None and entry.label != label_tag(entry.label):
                around = None
            if isinstance(entry, SiblingGroup):
                waiting.append((entry.example, around or entry.example))
                waiting.extend((row, None) for row in entry.rows)
            else:
                waiting.append((entry, around))
