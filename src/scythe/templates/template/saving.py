"""Templates as JSON that a person can read and compare: one line a node, in document
order, with its depth.

A nested object would mirror the tree, but pages nest 500 deep and readers of JSON do
not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scythe.errors import UsageError
from scythe.templates.matching.node import Entry, Group, Node, Values
from scythe.templates.slot import Example, Suggestion
from scythe.templates.template.slots import Annotation

_KINDS = ("text", "link", "image", "other")
_NODE = ("support", "last", "born", "head", "anchor", "place", "moved", "faded")
_GROUP = (
    "state",
    "support",
    "last",
    "count",
    "most",
    "swapped",
    "mixed",
    "place",
    "moved",
    "faded",
)
_VALUES = ("distinct", "seen", "prefix", "suffix", "told")


def lines(root: Node) -> Iterator[dict[str, Any]]:
    """All nodes in document order."""
    waiting: list[tuple[int, Entry, str | None]] = [(0, root, None)]
    while waiting:
        depth, entry, role = waiting.pop()
        if isinstance(entry, Group):
            yield {
                "depth": depth,
                "group": entry.label,
                **_set(entry, _GROUP),
                "heads": _heads(entry),
            }
            members = [
                ("example", entry.example),
                *(("row", row) for row in entry.rows),
            ]
            waiting.extend(
                (depth + 1, member, part) for part, member in reversed(members)
            )
            continue
        line = {
            "depth": depth,
            "node": entry.label,
            **({"role": role} if role else {}),
            **_set(entry, _NODE),
        }
        yield line | {kind: _values(values) for kind, values in entry.values()}
        waiting.extend((depth + 1, below, None) for below in reversed(entry.children))


def _set(entry: Entry, names: Sequence[str]) -> dict[str, Any]:
    """What differs from a new one; an empty head says that pages differ."""
    return {
        name: value for name in names if (value := getattr(entry, name)) or value == ""
    }


def _heads(group: Group) -> dict[str, list[int]]:
    return {head: list(counted) for head, counted in group.heads.items()}


def _values(values: Values) -> dict[str, Any]:
    record: dict[str, Any] = {"slot": values.slot}
    record |= {name: value for name in _VALUES if (value := getattr(values, name))}
    return record | {"examples": [list(example) for example in values.examples]}


def tree_of(records: Sequence[Mapping[str, Any]]) -> Node:
    """The tree that `lines` wrote."""
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
        _hang(above[-1], entry, record.get("role"))
        above.append(entry)
    return root


def _hang(parent: Entry, entry: Entry, role: object) -> None:
    if isinstance(parent, Node):
        parent.children.append(entry)
    elif isinstance(entry, Group):
        raise UsageError(
            "This template is damaged: a group stands in a group. Grow it again."
        )
    elif role == "row":
        parent.rows.append(entry)
    else:
        parent.example = entry


def _node(record: Mapping[str, Any]) -> Node:
    node = Node(str(record["node"]))
    for name in _NODE:
        setattr(node, name, record.get(name, getattr(node, name)))
    node.opened = node.last
    for kind in _KINDS:
        if kind in record:
            setattr(node, kind, _values_of(record[kind]))
    return node


def _group(record: Mapping[str, Any]) -> Group:
    group = Group(str(record["group"]), Node(str(record["group"])))
    for name in _GROUP:
        setattr(group, name, record.get(name, getattr(group, name)))
    group.heads = {
        str(head): (int(count), int(last))
        for head, (count, last) in record["heads"].items()
    }
    return group


def _values_of(record: Mapping[str, Any]) -> Values:
    values = Values(str(record["slot"]))
    for name in _VALUES:
        setattr(values, name, record.get(name, getattr(values, name)))
    values.examples = [
        Example(str(value), str(page)) for value, page in record["examples"]
    ]
    return values


def given_as_json(given: Mapping[str, Annotation]) -> dict[str, Any]:
    """What was said about slots."""
    records = {}
    for slot, said in given.items():
        record: dict[str, Any] = {
            name: value for name in ("name", "type") if (value := getattr(said, name))
        }
        if said.suggestion:
            proposal = said.suggestion
            record["proposal"] = [
                proposal.name,
                proposal.type,
                proposal.confidence,
                proposal.evidence,
            ]
        records[slot] = record
    return records


def given_of(records: Mapping[str, Any]) -> dict[str, Annotation]:
    """What `given_as_json` wrote."""
    found = {}
    for slot, record in records.items():
        proposed = record.get("proposal")
        proposal = (
            Suggestion(
                slot,
                str(proposed[0]),
                str(proposed[1]),
                float(proposed[2]),
                str(proposed[3]),
            )
            if proposed
            else None
        )
        found[str(slot)] = Annotation(record.get("name"), record.get("type"), proposal)
    return found
