"""Templates as JSON that a person can read and compare: one line a node, in document
order, with its depth.

A nested object would mirror the tree, but pages nest 500 deep and readers of JSON do
not. The names in the files are older than those in the code: the tables below map them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scythe.errors import UsageError
from scythe.templates.matching.node import (
    MAX_VALUES,
    Entry,
    GroupState,
    Node,
    SiblingGroup,
    SlotValues,
    ValueKind,
)
from scythe.templates.slot import Example, Suggestion
from scythe.templates.template.slots import Annotation

MAX_NUMBER = 1 << 53
"""The largest count of a file: numbers up to here have no fraction in any reader of
JSON.
"""


def count_from(value: object) -> int:
    """Return a count of a file; a `UsageError` for anything else."""
    is_flag = isinstance(value, bool)
    if isinstance(value, int) and not is_flag and 0 <= value <= MAX_NUMBER:
        return value
    raise _damaged(value, "a count")


def text_from(value: object) -> str:
    """Return a text of a file; a `UsageError` for anything else, and for halves of
    characters, which no file can hold.
    """
    if isinstance(value, str) and not _HALF_CHARACTER.search(value):
        return value
    raise _damaged(value, "a text")


def texts_from(value: object) -> list[str]:
    """Return a list of texts of a file, as a list of its own."""
    if isinstance(value, list):
        return [text_from(item) for item in value]
    raise _damaged(value, "a list of texts")


def _flag_from(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _damaged(value, "true or false")


def _state_from(value: object) -> GroupState:
    for state in GroupState:
        if value == state:
            return state
    raise _damaged(value, "a state of siblings")


def mapping_from(value: object) -> Mapping[str, Any]:
    """Return an object of a file."""
    if isinstance(value, Mapping):
        return value
    raise _damaged(value, "an object")


def _damaged(value: object, expected: str) -> UsageError:
    shown = repr(value)[:MAX_SHOWN]
    return UsageError(
        f"This template is damaged: {shown} is not {expected}. Grow it again."
    )


_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
MAX_SHOWN = 60
"""Characters of a wrong value in a message: what fits."""

_CHECKS: Mapping[str, Callable[[object], Any]] = {
    "support": count_from,
    "last_page": count_from,
    "first_page": count_from,
    "last_count": count_from,
    "max_count": count_from,
    "swaps": count_from,
    "possible_node": count_from,
    "distinct": count_from,
    "leading_text": text_from,
    "row_label": text_from,
    "prefix": text_from,
    "suffix": text_from,
    "seen": texts_from,
    "repeats": _flag_from,
    "moved": _flag_from,
    "vanished": _flag_from,
    "unlabelled": _flag_from,
    "notified": _flag_from,
    "state": _state_from,
}
"""What each attribute is, as a file has it."""

_NODE_NAMES = {
    "support": "support",
    "last": "last_page",
    "born": "first_page",
    "head": "leading_text",
    "anchor": "row_label",
    "repeats": "repeats",
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
    record["seen"] = list(values.seen)
    record["examples"] = [list(example) for example in values.examples]
    return record


def tree_from_records(records: Sequence[Mapping[str, Any]]) -> Node:
    """Return the tree that `tree_records` wrote."""
    if not isinstance(records, list) or not records:
        raise _damaged(records, "a list of nodes")
    root = _node(mapping_from(records[0]))
    above: list[Entry] = [root]
    for record in map(mapping_from, records[1:]):
        depth = count_from(record["depth"])
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
    node = Node(text_from(record["node"]))
    _set_attributes(node, record, _NODE_NAMES)
    for kind, attribute in _VALUE_ATTRIBUTES.items():
        if kind in record:
            values = mapping_from(record[kind])
            setattr(node, attribute, _slot_values(values))
    return node


def _group(record: Mapping[str, Any]) -> SiblingGroup:
    label = text_from(record["group"])
    group = SiblingGroup(label, Node(label))
    _set_attributes(group, record, _GROUP_NAMES)
    for text, (count, last_page) in mapping_from(record["heads"]).items():
        counted = (count_from(count), count_from(last_page))
        group.leading_texts[text_from(text)] = counted
    return group


def _slot_values(record: Mapping[str, Any]) -> SlotValues:
    values = SlotValues(text_from(record["slot"]))
    _set_attributes(values, record, _VALUES_NAMES)
    if min(values.distinct, MAX_VALUES) != len(values.seen):
        raise _damaged(values.distinct, "the number of values that were seen")
    for value, page in record["examples"]:
        example = Example(text_from(value), text_from(page))
        values.examples.append(example)
    return values


def _set_attributes(
    target: Entry | SlotValues, record: Mapping[str, Any], names: Mapping[str, str]
) -> None:
    for name, attribute in names.items():
        if name in record:
            check = _CHECKS[attribute]
            setattr(target, attribute, check(record[name]))


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
    for slot, stored in mapping_from(records).items():
        record = mapping_from(stored)
        given = [
            record.get("name"),
            record.get("type"),
        ]
        name, type_ = [
            text_from(value) if value is not None else None for value in given
        ]
        suggestion = None
        if "proposal" in record:
            suggestion = _suggestion(text_from(slot), record["proposal"])
        annotations[text_from(slot)] = Annotation(name, type_, suggestion)
    return annotations


def _suggestion(slot: str, stored: Any) -> Suggestion:
    name, kind, confidence, evidence = stored[:4]
    is_number = isinstance(confidence, int | float)
    if not is_number or not 0 <= confidence <= 1:
        raise _damaged(confidence, "a confidence")
    return Suggestion(
        slot, text_from(name), text_from(kind), float(confidence), text_from(evidence)
    )
