"""Plans: where the values of a subtree stand, by offset, for pages that have the
structure that was seen before.

Most of a page has the structure that the last page had, and only its texts differ.
Where a subtree was paired without any doubt (every child alone had its label, and what
repeats is known to be a list), the way to each value is the same again, and the values
are read off without pairing anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scythe.templates.matching.cache import MatchingCache, NodeCache, Plan
from scythe.templates.matching.labels import is_label_entry, is_label_unit
from scythe.templates.matching.likeness import conflict
from scythe.templates.matching.node import LIST, Entry, Node, SiblingGroup, is_usual
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import SiblingUnit, sibling_matching

MAX_PLANS = 12
"""Structures that a node keeps plans for: items of lists come in a few. A bound on
memory, not tuned.
"""


class PlanContext(NamedTuple):
    """What a plan is made and checked for."""

    view: PageView
    cache: MatchingCache
    page_number: int
    epoch: int


def plan_for(
    node: Node, page_node: int, context: PlanContext, *, repeated: bool
) -> Plan | None:
    """Return the plan for a subtree; made where its structure comes the second time,
    None where it is to be paired.

    Where no plan can be made, that is tried again when there are twice as many pages,
    which may have decided what was in doubt.
    """
    cached = context.cache[node]
    shape = context.view.shapes[page_node]
    plan = cached.plans.get(shape)
    if plan is None:
        _store(cached, shape, context.page_number)
        return None
    if isinstance(plan, int):
        if plan > context.page_number:
            return None
        return _make_plan(node, page_node, context, repeated=repeated)

    if plan.epoch != context.epoch:
        for below, children in plan.children:
            if below.removed or below.node.children != children:
                del cached.plans[shape]
                return None
        plan.epoch = context.epoch
        cached.last_plan = None
    return plan


def _make_plan(
    root: Node, first: int, context: PlanContext, *, repeated: bool
) -> Plan | None:
    """Make a plan and store it at its node. Where none can be made, none can for all
    that the doubtful part is in, either.
    """
    view = context.view
    cache = context.cache
    plan = Plan(context.epoch)
    waiting = [(root, first, repeated, False)]
    while waiting:
        node, page_node, is_repeated, is_strict = waiting.pop()
        cached = cache[node]
        plan.nodes.append((page_node - first, node, cached, is_repeated))
        if node.leading_text and node.row_label is None:
            plan.leading_texts.append((page_node - first, node, is_strict))

        pairs = None
        if _add_value(plan, node, page_node, first, view):
            pairs = _certain_pairs(node, page_node, context, repeated=is_repeated)
        if pairs is None:
            _postpone(plan, first, page_node, context)
            return None

        plan.children.append((cached, list(node.children)))
        for entry, page_nodes in pairs:
            if isinstance(entry, SiblingGroup):
                plan.groups.append((entry, len(page_nodes)))
                example = entry.example
                waiting.extend((example, child, True, False) for child in page_nodes)
            else:
                is_plain = cached.plain_children is not None
                waiting.append((entry, page_nodes[0], is_repeated, not is_plain))
    _store(cache[root], view.shapes[first], plan)
    return plan


def _postpone(plan: Plan, first: int, page_node: int, context: PlanContext) -> None:
    """Note at all nodes of a plan around a doubtful page node from which page on a plan
    may be made for them.
    """
    view = context.view
    for offset, _, cached, _ in plan.nodes:
        above = first + offset
        if above <= page_node < view.ends[above]:
            _store(cached, view.shapes[above], 2 * context.page_number)


def _store(cached: NodeCache, shape: int, plan: Plan | int) -> None:
    """Store a plan, or the page from which on one may be made, and drop the oldest
    where there are many.
    """
    cached.plans[shape] = plan
    if len(cached.plans) > MAX_PLANS:
        del cached.plans[next(iter(cached.plans))]


def _add_value(
    plan: Plan, node: Node, page_node: int, first: int, view: PageView
) -> bool:
    """Add the value of a node to a plan; return whether the template has a slot for it."""
    if view.texts[page_node]:
        slots = plan.texts
        values = node.text
    elif page_node in view.links:
        slots = plan.links
        values = node.link
    elif page_node in view.images:
        slots = plan.images
        values = node.image
    else:
        return True
    if values is None:
        return False
    slots.append((page_node - first, node, values))
    return True


def _certain_pairs(
    node: Node, page_node: int, context: PlanContext, *, repeated: bool
) -> list[tuple[Entry, list[int]]] | None:
    """Return the children that a page's children stand for, where labels alone decide;
    None where more has to be weighed.

    Some children may be missing, but not where texts tell what belongs to what, or
    where their absence is worth a notice.
    """
    view = context.view
    page_nodes = view.children(page_node)
    if not page_nodes and (repeated or not node.children):
        return []

    cached = context.cache[node]
    positions = cached.positions
    units = sibling_matching(view, page_nodes)
    labels = [label for label, _ in units]
    order = list(range(len(units)))
    if labels != cached.child_labels:
        if any(len(positions.get(label, ())) != 1 for label in labels):
            return None
        order = [positions[label][0] for label in labels]
        if order != sorted(set(order)):
            return None
        if not repeated and not _may_be_missing(node, order, units, view):
            return None

    pairs: list[tuple[Entry, list[int]]] = []
    for position, unit in zip(order, units, strict=True):
        entry = node.children[position]
        if not _is_certain(entry, unit.page_nodes, view):
            return None
        pairs.append((entry, unit.page_nodes))
    return pairs


def _may_be_missing(
    node: Node, order: Sequence[int], units: Sequence[SiblingUnit], view: PageView
) -> bool:
    """Return whether the children that a page lacks may be missing without doubt."""
    if any(is_label_entry(entry) for entry in node.children):
        return False
    if any(is_label_unit(unit, view) for unit in units):
        return False
    for position, entry in enumerate(node.children):
        is_absent = position not in order and not entry.vanished
        if is_absent and is_usual(entry):
            return False
    return True


def _is_certain(entry: Entry, page_nodes: list[int], view: PageView) -> bool:
    if entry.possible_node:
        return False
    if isinstance(entry, SiblingGroup):
        return entry.state is LIST and entry.unlabelled and not entry.rows
    if len(page_nodes) != 1:
        return False
    return not conflict(entry, page_nodes[0], view)


def fits(plan: Plan, page_node: int, view: PageView) -> bool:
    """Return whether nothing on a page speaks against a plan.

    Nodes that no longer begin alike on all pages are marked so.
    """
    texts = view.leading_texts
    refuted = [
        (offset, node, is_strict)
        for offset, node, is_strict in plan.leading_texts
        if node.leading_text != texts[page_node + offset]
    ]
    if not refuted:
        return True

    for offset, node, is_strict in refuted:
        if not node.leading_text or not offset:
            continue
        if is_strict or conflict(node, page_node + offset, view):
            return False
    for _, node, _ in refuted:
        node.leading_text = ""
    plan.leading_texts = [
        known for known in plan.leading_texts if known[1].leading_text
    ]
    return True
