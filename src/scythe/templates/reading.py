"""Reading a page by a template: every text goes to the slot whose place it stands in."""

from __future__ import annotations

from collections.abc import Mapping

from scythe.templates.extracted import Extracted
from scythe.templates.likeness import conflict
from scythe.templates.node import Group, Node, Values
from scythe.templates.page import PageView
from scythe.templates.pairing import pair
from scythe.templates.plans import Plan, fits, plan_for
from scythe.templates.rows import assigned
from scythe.templates.siblings import sibling_matching
from scythe.templates.slots import Interest, taken_out


def read(root: Node, view: PageView, epoch: int, names: Mapping[str, str], interest: Interest) -> Extracted:
    """The values of the slots in page order; what has no place is found when it is asked for."""
    reader = Reader(view, epoch, interest)
    reader.read(root)
    values: dict[str, list[str]] = {}
    nodes: dict[str, list[int]] = {}
    for kid, place, value in sorted(reader.found, key=lambda item: item[0]):
        if place.interest < interest and (interest is Interest.NAMED or place.constant == value):
            continue
        text = taken_out(value, *place.around) if view.texts[kid] else value
        values.setdefault(place.slot, []).append(text)
        nodes.setdefault(place.slot, []).append(view.nodes[kid])
    return Extracted(values, nodes, names, lambda: rest(root, view, epoch))


def rest(root: Node, view: PageView, epoch: int) -> tuple[dict[int, str], int]:
    """The texts of a page that have no place, and how many texts it has."""
    reader = Reader(view, epoch, Interest.ALL)
    reader.read(root)
    return reader.unplaced, len(view.text_nodes)


class Reader:
    """Lays a page onto a template, of which only what is of interest is looked into."""

    def __init__(self, view: PageView, epoch: int, interest: Interest) -> None:
        self.view, self.epoch, self.interest = view, epoch, interest
        self.found: list[tuple[int, Values, str]] = []
        """Places of the page with what they are and the value there."""
        self.unplaced: dict[int, str] = {}
        """Texts that have no place, by tree node."""

    def read(self, root: Node) -> None:
        """Read all below a node."""
        view, interest = self.view, self.interest
        labels, ends = view.labels, view.ends
        waiting: list[tuple[Node, int, Values | None, bool]] = [(root, 0, None, False)]
        while waiting:
            node, kid, free_text, repeated = waiting.pop()
            plan = plan_for(node, kid, view, self.epoch)
            if plan is not None and fits(plan, kid, view):
                self._follow(plan, kid)
                continue
            free_text = node.other or free_text
            self._note(node, kid, free_text)
            if ends[kid] == kid + 1:
                continue
            kids = view.children(kid)
            if node.plain == [labels[each] for each in kids]:
                nodes: list[Node] = node.children  # type: ignore[assignment]  # a plain node has no group
                if not any(child.head and conflict(child, each, view) for child, each in zip(nodes, kids, strict=True)):
                    pairs = zip(nodes, kids, strict=True)
                    waiting.extend([(child, each, free_text, repeated) for child, each in pairs if child.interest >= interest])
                    continue
            found = self._paired(node, kids, free_text, repeated=repeated)
            waiting.extend([(child, each, free_text, many) for child, each, many in found if child.interest >= interest])

    def _note(self, node: Node, kid: int, free_text: Values | None) -> None:
        view = self.view
        if text := view.texts[kid]:
            if place := node.text or free_text:
                self.found.append((kid, place, text))
            else:
                self.unplaced[view.nodes[kid]] = text
        elif node.link is not None and kid in view.links:
            self.found.append((kid, node.link, view.links[kid]))
        elif node.image is not None and kid in view.images:
            self.found.append((kid, node.image, view.images[kid]))

    def _paired(self, node: Node, kids: list[int], free_text: Values | None, *, repeated: bool) -> list[tuple[Node, int, bool]]:
        """The nodes that children stand for, and whether several can; what stands for none is free text, or has no place."""
        view = self.view
        units = sibling_matching(view, kids)
        found: list[tuple[Node, int, bool]] = []
        for unit, entry in zip(units, pair(node, units, view, repeated=repeated), strict=True):
            if isinstance(entry, Group):
                example = entry.example
                found.extend([(row, kid, repeated or row is example) for row, kid in assigned(entry, unit.kids, view)])
            elif entry is not None:
                found.extend([(entry, kid, repeated) for kid in unit.kids])
            elif free_text is not None:
                self.found.extend([(kid, free_text, view.whole_text(kid)) for kid in unit.kids if view.text_count(kid)])
            elif self.interest is Interest.ALL:
                for kid in unit.kids:
                    first, last = view.text_before[kid], view.text_before[view.ends[kid]]
                    self.unplaced.update((view.nodes[at], view.texts[at]) for at in view.text_nodes[first:last])
        return found

    def _follow(self, plan: Plan, kid: int) -> None:
        """Read the values of a subtree that has a known structure."""
        view, interest, found = self.view, self.interest, self.found
        for offset, _, known in plan.texts:
            if known.interest >= interest:
                found.append((kid + offset, known, view.texts[kid + offset]))
        for places, addresses in ((plan.links, view.links), (plan.images, view.images)):
            for offset, _, known in places:
                if known.interest >= interest and kid + offset in addresses:
                    found.append((kid + offset, known, addresses[kid + offset]))
