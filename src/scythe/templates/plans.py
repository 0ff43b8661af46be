"""Plans: where the values of a subtree stand, by offset, for pages that have the structure that was seen before.

Most of a page has the structure that the last page had, and only its texts differ. Where a subtree was paired without any doubt
(every child alone had its label), the way to each value is the same again, and the values are read off without pairing anything.
"""

from __future__ import annotations

from typing import NamedTuple

from scythe.templates.likeness import conflict
from scythe.templates.node import Node, Values
from scythe.templates.page import PageView

MOST_PLANS = 6
"""Structures that a node keeps plans for: items of lists come in a few."""


class Plan(NamedTuple):
    """Offsets into a subtree of one structure."""

    epoch: int
    """How often parts had been taken out of the template when it was last looked through."""
    nodes: list[tuple[int, Node]]
    """All nodes, parents before children."""
    heads: list[tuple[int, Node]]
    """Nodes that begin alike on all pages so far, which a page may refute."""
    texts: list[tuple[int, Node, Values]]
    links: list[tuple[int, Node, Values]]
    images: list[tuple[int, Node, Values]]


def plan_for(node: Node, kid: int, view: PageView, epoch: int) -> Plan | None:
    """The plan for a subtree; made where its structure comes the second time, None where it is to be paired."""
    shape = view.shapes[kid]
    plan = node.plans.get(shape)
    if plan is None:
        if node.shape != shape:
            node.shape = shape
            return None
        plan = node.plans[shape] = _made(node, kid, view, epoch) or NO_PLAN
        if len(node.plans) > MOST_PLANS:
            del node.plans[next(iter(node.plans))]
    if plan.epoch == epoch:
        return plan
    if plan is NO_PLAN:
        return None
    if not all(not below.gone and (below.plain is not None or not below.children) for _, below in plan.nodes):
        del node.plans[shape]
        return None
    plan = node.plans[shape] = plan._replace(epoch=epoch)
    return plan


NO_PLAN = Plan(-1, [], [], [], [], [])
"""Kept for structures that have to be paired."""


def _made(root: Node, start: int, view: PageView, epoch: int) -> Plan | None:
    plan = Plan(epoch, [], [], [], [], [])
    labels, ends = view.labels, view.ends
    waiting = [(root, start)]
    while waiting:
        node, kid = waiting.pop()
        plan.nodes.append((kid - start, node))
        if node.head and node.anchor is None:
            plan.heads.append((kid - start, node))
        if view.texts[kid]:
            if node.text is None:
                return None
            plan.texts.append((kid - start, node, node.text))
        elif kid in view.links:
            if node.link is None:
                return None
            plan.links.append((kid - start, node, node.link))
        elif kid in view.images:
            if node.image is None:
                return None
            plan.images.append((kid - start, node, node.image))
        if ends[kid] == kid + 1 and not node.children:
            continue
        kids = view.children(kid)
        nodes: list[Node] = node.children  # type: ignore[assignment]  # checked in the next line
        if node.plain != [labels[each] for each in kids]:
            return None
        if any(conflict(child, each, view) for child, each in zip(nodes, kids, strict=True)):
            return None
        waiting.extend(zip(nodes, kids, strict=True))
    return plan


def fits(plan: Plan, kid: int, view: PageView) -> bool:
    """Whether nothing that stands on a page speaks against a plan."""
    return not any(offset and node.head and conflict(node, kid + offset, view) for offset, node in plan.heads)
