"""Templates as JSON that a person can read and compare: one line a node, in document
order, with its depth.

A nested object would mirror the tree, but pages nest 500 deep and readers of JSON do
not. The names in the files are older than those in the code: the tables below map them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scythe.errors import UsageError
from scythe.templates.matching.node import (
    Entry,
    GroupState,
    Node,
    SiblingGroup,
    SlotValues,
    ValueKind,
)
from scythe.templates.slot import Example, Suggestion
from scythe.templates.template.slots import Annotation

_NODE_NAMES = {
    "support": "support",
    "last": "last_page",
    "born": "first_page",
    "head": "leading_text",
    "anchor": "row_label",
    "place": "possible_node",
    "moved": "moved",
    "faded": "vanished",
}
_GROUP_NAMES = {
    "state": "state",
    "support": "support",
    "last": "last_page",
    "count": "last_count",
    "most": "max_count",
    "swapped": "swaps",
    "mixed": "unlabelled",
    "place": "possible_node",
    "moved": "moved",
    "faded": "vanished",
}
_VALUES_NAMES = {
    "distinct": "distinct",
    "seen": "seen",
    "prefix": "prefix",
    "suffix": "suffix",
    "told": "notified",
}
_VALUE_ATTRIBUTES = {
    ValueKind.TEXT: "text",
    ValueKind.LINK: "link",
    ValueKind.IMAGE: "image",
    ValueKind.FREE_TEXT: "free_text",
}


def tree_records(root: Node) -> Iterator[dict[str, Any]]:
    """Yield all nodes in document order as plain values."""
    waiting: list[tuple[int, Entry, str | None]] = [(0, root, None)]
    while waiting:
        depth, entry, role = waiting.pop()
        below: list[tuple[int, Entry, str | None]] = []
        if isinstance(entry, SiblingGroup):
            yield _group_record(entry, depth)
            below.append((depth + 1, entry.example, "example"))
            below.extend((depth + 1, row, "row") for row in entry.rows)
        else:
            yield _node_record(entry, depth, role)
            below.extend((depth + 1, child, None) for child in entry.children)
        waiting.extend(reversed(below))


def _node_record(node: Node, depth: int, role: str | None) -> dict[str, Any]:
    record: dict[str, Any] = {"depth": depth, "node": node.label}
    if role:
        record["role"] = role
    record.update(_changed_attributes(node, _NODE_NAMES))
    for kind, values in node.values():
        record[str(kind)] = _values_record(values)
    return record


def _group_record(group: SiblingGroup, depth: int) -> dict[str, Any]:
    record: dict[str, Any] = {"depth": depth, "group": group.label}
    record.update(_changed_attributes(group, _GROUP_NAMES))
    record["state"] = str(group.state)
    counts = group.leading_texts.items()
    record["heads"] = {text: list(counted) for text, counted in counts}
    return record


def _changed_attributes(entry: Entry, names: Mapping[str, str]) -> dict[str, Any]:
    """Return what differs from a new entry; an empty leading text says that pages
    differ.
    """
    record = {}
    for name, attribute in names.items():
        value = getattr(entry, attribute)
        if value or value == "":
            record[name] = value
    return record


def _values_record(values: SlotValues) -> dict[str, Any]:
    record: dict[str, Any] = {"slot": values.slot}
    for name, attribute in _VALUES_NAMES.items():
        if value := getattr(values, attribute):
            record[name] = value
    record["examples"] = [list(example) for example in values.examples]
    return record


def tree_from_records(records: Sequence[Mapping[str, Any]]) -> Node:
    """Return the tree that `tree_records` wrote."""
    root = _node(records[0])
    above: list[Entry] = [root]
    for record in records[1:]:
        depth = int(record["depth"])
        if not 0 < depth <= len(above):
            raise UsageError(
                "This template is damaged: its tree has a gap. Grow it again."
            )
        del above[depth:]
        entry: Entry = _group(record) if "group" in record else _node(record)
        _attach(above[-1], entry, record.get("role"))
        above.append(entry)
    return root


def _attach(parent: Entry, entry: Entry, role: object) -> None:
    if isinstance(parent, Node):
        parent.children.append(entry)
    elif isinstance(entry, SiblingGroup):
        raise UsageError(
            "This template is damaged: a group stands in a group. Grow it again."
        )
    elif role == "row":
        parent.rows.append(entry)
    else:
        parent.example = entry


def _node(record: Mapping[str, Any]) -> Node:
    node = Node(str(record["node"]))
    _set_attributes(node, record, _NODE_NAMES)
    for kind, attribute in _VALUE_ATTRIBUTES.items():
        if kind in record:
            setattr(node, attribute, _slot_values(record[kind]))
    return node


def _group(record: Mapping[str, Any]) -> SiblingGroup:
    label = str(record["group"])
    group = SiblingGroup(label, Node(label))
    _set_attributes(group, record, _GROUP_NAMES)
    group.state = GroupState(group.state)
    for text, (count, last_page) in record["heads"].items():
        group.leading_texts[str(text)] = (int(count), int(last_page))
    return group


def _slot_values(record: Mapping[str, Any]) -> SlotValues:
    values = SlotValues(str(record["slot"]))
    _set_attributes(values, record, _VALUES_NAMES)
    for value, page in record["examples"]:
        values.examples.append(Example(str(value), str(page)))
    return values


def _set_attributes(
    target: Entry | SlotValues, record: Mapping[str, Any], names: Mapping[str, str]
) -> None:
    for name, attribute in names.items():
        if name in record:
            setattr(target, attribute, record[name])


def annotation_records(annotations: Mapping[str, Annotation]) -> dict[str, Any]:
    """Return annotations as plain values."""
    records = {}
    for slot, annotation in annotations.items():
        record: dict[str, Any] = {}
        if annotation.name:
            record["name"] = annotation.name
        if annotation.type:
            record["type"] = annotation.type
        if annotation.suggestion:
            record["proposal"] = annotation.suggestion.as_json()
        records[slot] = record
    return records


def annotations_from_records(records: Mapping[str, Any]) -> dict[str, Annotation]:
    """Return the annotations that `annotation_records` wrote."""
    annotations = {}
    for slot, record in records.items():
        suggestion = None
        if stored := record.get("proposal"):
            name, kind, confidence, evidence = stored[:4]
            suggestion = Suggestion(
                slot, str(name), str(kind), float(confidence), str(evidence)
            )
        annotation = Annotation(record.get("name"), record.get("type"), suggestion)
        annotations[str(slot)] = annotation
    return annotations
