"""One part of a template laid into another: rows that turn out to be items of a list,
templates that turn out to be one.
"""

from __future__ import annotations

from scythe.templates.matching.node import (
    MOST_VALUES,
    Entry,
    Group,
    Node,
    Values,
    common_start,
)
from scythe.templates.slot import MOST_EXAMPLES


def absorb(into: Node, other: Node) -> None:
    """Give a node all that another one knows; places of the same label are one, others
    are added at the end.
    """
    waiting = [(into, other)]
    while waiting:
        node, gone = waiting.pop()
        gone.flush()
        gone.gone = True
        _absorb_own(node, gone)
        free: dict[str, list[Entry]] = {}
        for entry in reversed(node.children):
            free.setdefault(entry.label, []).append(entry)
        for entry in gone.children:
            same = free.get(entry.label)
            if not same:
                node.children.append(entry)
                node.index = None
                continue
            waiting.extend(_same_places(node, same.pop(), entry))


def _same_places(parent: Node, kept: Entry, gone: Entry) -> list[tuple[Node, Node]]:
    """The nodes that become one where two entries do."""
    if isinstance(kept, Node) and isinstance(gone, Node):
        return [(kept, gone)]
    if isinstance(kept, Node) and isinstance(gone, Group):
        group = Group(kept.label, kept)
        group.state, group.support, group.last, group.place = (
            "list",
            kept.support,
            kept.last,
            kept.place,
        )
        kept.snap = None
        parent.children[parent.children.index(kept)] = group
        parent.index = None
        kept = group
    assert isinstance(kept, Group)  # noqa: S101 - the other case was turned into this one
    if isinstance(gone, Node):
        return [(kept.example, gone)]
    for head, (count, last) in gone.heads.items():
        before, seen = kept.heads.get(head, (0, 0))
        kept.heads[head] = (max(before, count), max(seen, last))
    kept.mixed |= gone.mixed
    kept.most = max(kept.most, gone.most)
    rows: dict[str | None, Node] = {row.anchor: row for row in kept.rows if row.anchor}
    pairs = [(kept.example, gone.example)]
    if gone.state in ("labelled", "steady"):
        pairs.extend((rows.get(row.anchor, kept.example), row) for row in gone.rows)
    return pairs


def _absorb_own(node: Node, gone: Node) -> None:
    node.support, node.last = max(node.support, gone.support), max(node.last, gone.last)
    node.snap = None
    if node.head is None:
        node.head = gone.head
    elif gone.head is not None and node.head != gone.head:
        node.head = ""
    node.text = _both(node.text, gone.text)
    node.link = _both(node.link, gone.link)
    node.image = _both(node.image, gone.image)
    node.other = _both(node.other, gone.other)


def _both(kept: Values | None, gone: Values | None) -> Values | None:
    if kept is None or gone is None:
        return kept or gone
    if not kept.distinct:
        kept.prefix, kept.suffix = gone.prefix, gone.suffix
    elif gone.distinct:
        kept.prefix = common_start(kept.prefix, gone.prefix)
        kept.suffix = common_start(kept.suffix[::-1], gone.suffix[::-1])[::-1]
    new = [value for value in gone.seen if value not in kept.seen]
    kept.distinct = min(max(kept.distinct + len(new), gone.distinct), MOST_VALUES + 1)
    kept.seen = [*kept.seen, *new][:MOST_VALUES]
    kept.examples = [*kept.examples, *(e for e in gone.examples if e.value in new)][
        :MOST_EXAMPLES
    ]
    kept.told |= gone.told
    return kept
