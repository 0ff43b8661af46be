"""One part of a template merged into another: rows that turn out to be items of a list,
templates that turn out to be one.
"""

from __future__ import annotations

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.node import (
    LABELLED,
    LIST,
    MAX_VALUES,
    STEADY,
    Entry,
    Node,
    SiblingGroup,
    SlotValues,
    common_prefix,
    common_suffix,
)
from scythe.templates.slot import MAX_EXAMPLES


def merge_nodes(into: Node, other: Node, cache: MatchingCache) -> None:
    """Add to a node all that another one knows, which is then taken out; children of
    the same label are merged, others are added at the end.
    """
    waiting = [(into, other)]
    while waiting:
        kept, removed = waiting.pop()
        cache.flush(removed)
        cache.mark_removed(removed)
        cache[kept].last_hash = None
        _merge_own(kept, removed)

        free: dict[str, list[Entry]] = {}
        for entry in reversed(kept.children):
            free.setdefault(entry.label, []).append(entry)
        for entry in removed.children:
            same = free.get(entry.label)
            if same:
                waiting.extend(_nodes_to_merge(kept, same.pop(), entry, cache))
            else:
                kept.children.append(entry)
                cache[kept].forget_children()


def _nodes_to_merge(
    parent: Node, kept: Entry, removed: Entry, cache: MatchingCache
) -> list[tuple[Node, Node]]:
    """Return the pairs of nodes that become one where two entries do."""
    if isinstance(kept, Node):
        if isinstance(removed, Node):
            return [(kept, removed)]
        kept = _turn_into_list(parent, kept, cache)
    if isinstance(removed, Node):
        return [(kept.example, removed)]

    for text, (count, last_page) in removed.leading_texts.items():
        known_count, known_page = kept.leading_texts.get(text, (0, 0))
        merged = (max(known_count, count), max(known_page, last_page))
        kept.leading_texts[text] = merged
    kept.unlabelled |= removed.unlabelled
    kept.max_count = max(kept.max_count, removed.max_count)

    rows: dict[str | None, Node] = {}
    for row in kept.rows:
        if row.row_label:
            rows[row.row_label] = row
    pairs = [(kept.example, removed.example)]
    if removed.state in (LABELLED, STEADY):
        for row in removed.rows:
            counterpart = rows.get(row.row_label, kept.example)
            pairs.append((counterpart, row))
    return pairs


def _turn_into_list(parent: Node, node: Node, cache: MatchingCache) -> SiblingGroup:
    """Put a group, of which the node is the example, in the position of the node."""
    group = SiblingGroup(node.label, node)
    group.state = LIST
    group.support = node.support
    group.last_page = node.last_page
    group.possible_node = node.possible_node
    cache[node].last_hash = None
    parent.children[parent.children.index(node)] = group
    cache[parent].forget_children()
    return group


def _merge_own(kept: Node, removed: Node) -> None:
    kept.support = max(kept.support, removed.support)
    kept.last_page = max(kept.last_page, removed.last_page)
    kept.repeats |= removed.repeats
    if kept.leading_text is None:
        kept.leading_text = removed.leading_text
    elif removed.leading_text is not None and kept.leading_text != removed.leading_text:
        kept.leading_text = ""
    kept.text = _merge_values(kept.text, removed.text)
    kept.link = _merge_values(kept.link, removed.link)
    kept.image = _merge_values(kept.image, removed.image)
    kept.free_text = _merge_values(kept.free_text, removed.free_text)


def _merge_values(
    kept: SlotValues | None, removed: SlotValues | None
) -> SlotValues | None:
    if kept is None or removed is None:
        return kept or removed
    if not kept.distinct:
        kept.prefix = removed.prefix
        kept.suffix = removed.suffix
    elif removed.distinct:
        kept.prefix = common_prefix(kept.prefix, removed.prefix)
        kept.suffix = common_suffix(kept.suffix, removed.suffix)

    new = [value for value in removed.seen if value not in kept.seen]
    distinct = max(kept.distinct + len(new), removed.distinct)
    kept.distinct = min(distinct, MAX_VALUES + 1)
    seen = [*kept.seen, *new]
    kept.seen = seen[:MAX_VALUES]
    new_examples = [example for example in removed.examples if example.value in new]
    examples = [*kept.examples, *new_examples]
    kept.examples = examples[:MAX_EXAMPLES]
    kept.notified |= removed.notified
    return kept
