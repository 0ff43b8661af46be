"""Plans: where the values of a subtree stand, by offset, for pages that have the
structure that was seen before.

Most of a page has the structure that the last page had, and only its texts differ.
Where a subtree was paired without any doubt (every child alone had its label, and what
repeats is known to be a list), the way to each value is the same again, and the values
are read off without pairing anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scythe.templates.matching.likeness import conflict
from scythe.templates.matching.node import Entry, Group, Node, Values, is_usual
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.pairing import is_label_entry, is_label_unit
from scythe.templates.matching.siblings import Unit, sibling_matching

Step = tuple[Node, int, bool]
"""A node, what stands for it on the page, and whether more of the page can."""

MOST_PLANS = 12
"""Structures that a node keeps plans for: items of lists come in a few."""


@dataclass(slots=True)
class Plan:
    """Offsets into a subtree of one structure."""

    epoch: int
    """How often parts had been taken out of the template when it was last looked
    through.
    """
    nodes: list[tuple[int, Node, bool]] = field(default_factory=list)
    """All nodes, parents before children, and whether several of the page can stand for
    them.
    """
    groups: list[tuple[Group, int]] = field(default_factory=list)
    """Lists, with their lengths."""
    children: list[tuple[Node, list[Entry]]] = field(default_factory=list)
    """The children that nodes had when the plan was made."""
    heads: list[tuple[int, Node, bool]] = field(default_factory=list)
    """Nodes that begin alike on all pages so far, which a page may refute, and whether
    the plan is for pages that do not.
    """
    texts: list[tuple[int, Node, Values]] = field(default_factory=list)
    links: list[tuple[int, Node, Values]] = field(default_factory=list)
    images: list[tuple[int, Node, Values]] = field(default_factory=list)
    page: int = 0
    """The number of the last page on which all nodes were counted."""


def plan_for(step: Step, view: PageView, number: int, epoch: int) -> Plan | None:
    """The plan for a subtree; made where its structure comes the second time, None
    where it is to be paired.

    Where no plan can be made, that is tried again when there are twice as many pages,
    which may have settled what was in doubt.
    """
    node, kid, _ = step
    shape = view.shapes[kid]
    plan = node.plans.get(shape)
    if plan is None:
        _keep(node, shape, number)
        return None
    if isinstance(plan, int):
        return _made(step, view, number, epoch) if plan <= number else None
    if plan.epoch != epoch:
        if not all(
            below.children == children and not below.gone
            for below, children in plan.children
        ):
            del node.plans[shape]
            return None
        plan.epoch, node.laid = epoch, None
    return plan


def _made(start: Step, view: PageView, number: int, epoch: int) -> Plan | None:
    """Make a plan and keep it at its node. Where none can be made, none can for all
    that the doubtful part is in, either.
    """
    plan, first = Plan(epoch), start[1]
    waiting = [(*start, False)]
    while waiting:
        node, kid, repeated, strict = waiting.pop()
        plan.nodes.append((kid - first, node, repeated))
        if node.head and node.anchor is None:
            plan.heads.append((kid - first, node, strict))
        below = (
            _paired(node, view.children(kid), view, repeated=repeated)
            if _note_value(plan, node, kid, first, view)
            else None
        )
        if below is None:
            for offset, above, _ in plan.nodes:
                if first + offset <= kid < view.ends[first + offset]:
                    _keep(above, view.shapes[first + offset], 2 * number)
            return None
        plan.children.append((node, list(node.children)))
        for entry, kids in below:
            if isinstance(entry, Group):
                plan.groups.append((entry, len(kids)))
                waiting.extend((entry.example, each, True, False) for each in kids)
            else:
                waiting.append((entry, kids[0], repeated, node.plain is None))
    _keep(start[0], view.shapes[first], plan)
    return plan


def _keep(node: Node, shape: int, plan: Plan | int) -> None:
    """Keep a plan, or the page from which on one may be made, in place of the oldest
    where there are many.
    """
    node.plans[shape] = plan
    if len(node.plans) > MOST_PLANS:
        del node.plans[next(iter(node.plans))]


def _note_value(plan: Plan, node: Node, kid: int, first: int, view: PageView) -> bool:
    """Take up what a node says into a plan; whether the template has a place for it."""
    if view.texts[kid]:
        places, values = plan.texts, node.text
    elif kid in view.links:
        places, values = plan.links, node.link
    elif kid in view.images:
        places, values = plan.images, node.image
    else:
        return True
    if values is None:
        return False
    places.append((kid - first, node, values))
    return True


def _paired(
    node: Node, kids: list[int], view: PageView, *, repeated: bool
) -> list[tuple[Entry, list[int]]] | None:
    """The children that a page's children stand for, where labels alone tell; None
    where more has to be weighed.

    Some children may be missing, but not where texts tell what belongs to what, or
    where their absence is worth a word.
    """
    places = node.places()
    if not kids and (repeated or not node.children):
        return []
    units = sibling_matching(view, kids)
    names = [label for label, _ in units]
    order = list(range(len(units)))
    if names != node.labels:
        if any(len(places.get(name, ())) != 1 for name in names):
            return None
        order = [places[name][0] for name in names]
        if order != sorted(set(order)) or not (
            repeated or _may_lack(node, order, units, view)
        ):
            return None
    pairs = [
        (node.children[place], unit.kids)
        for place, unit in zip(order, units, strict=True)
    ]
    return (
        pairs if all(_is_sure(entry, inside, view) for entry, inside in pairs) else None
    )


def _may_lack(
    node: Node, order: Sequence[int], units: Sequence[Unit], view: PageView
) -> bool:
    if any(map(is_label_entry, node.children)) or any(
        is_label_unit(unit, view) for unit in units
    ):
        return False
    missing = [entry for place, entry in enumerate(node.children) if place not in order]
    return all(entry.faded or not is_usual(entry) for entry in missing)


def _is_sure(entry: Entry, kids: list[int], view: PageView) -> bool:
    if entry.place:
        return False
    if isinstance(entry, Group):
        return entry.state == "list" and entry.mixed and not entry.rows
    return len(kids) == 1 and not conflict(entry, kids[0], view)


def fits(plan: Plan, kid: int, view: PageView) -> bool:
    """Whether nothing that stands on a page speaks against a plan. What a node no
    longer begins with on all pages is noted.
    """
    heads = view.heads
    refuted = [
        (at, node, strict)
        for at, node, strict in plan.heads
        if node.head != heads[kid + at]
    ]
    if not refuted:
        return True
    if any(
        node.head and at and (strict or conflict(node, kid + at, view))
        for at, node, strict in refuted
    ):
        return False
    for _, node, _ in refuted:
        node.head = ""
    plan.heads = [head for head in plan.heads if head[1].head]
    return True
