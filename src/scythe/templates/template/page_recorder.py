"""What a page adds to nodes of a template that it was matched with: counts and values."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scythe.templates.matching.cache import MatchingCache, NodeCache, Plan
from scythe.templates.matching.node import Node, SiblingGroup, SlotValues
from scythe.templates.matching.page_view import PageView

_IDENTIFIED_SHARE = 0.2
"""The share of pages, since the first that had it, on which an attribute must stand to
be worth a notice. Not tuned.
"""
_IDENTIFIED_PAGES = 5
"""Pages after which an attribute is worth a notice, however rare it is: a promise to
operators, not tuned.
"""


class PageInfo(NamedTuple):
    """The page that a template grows by."""

    number: int
    """Pages of a template are counted from 1."""
    name: str
    """Its address, or its number where it has none."""


class PageRecorder:
    """Records one page in the nodes that it was matched with."""

    def __init__(
        self,
        view: PageView,
        page: PageInfo,
        cache: MatchingCache,
        new_slot: Callable[[], str],
    ) -> None:
        self.view = view
        self.page = page
        self.cache = cache
        self.new_slot = new_slot
        self.identified: list[tuple[Node, SlotValues]] = []
        """What has now been seen often enough to be an attribute."""
        self.returned: list[Node] = []
        """Nodes that are back after they had vanished."""
        self.new_slots: list[str] = []
        self.turned_data: list[str] = []
        """Slots whose value was the same on all of several pages before."""

    def follow(
        self, plan: Plan, page_node: int, cached: NodeCache, *, repeated: bool
    ) -> None:
        """Add the values of a subtree that has a structure known before."""
        view = self.view
        if cached.last_plan is plan and not repeated:
            self.count_as_before(cached.node, cached)
            cached.last_hash = view.hashes[page_node]
        elif plan.page != self.page.number:
            self._count_plan(plan, page_node)
            cached.last_plan = plan

        texts = view.texts
        pending = cached.pending
        for offset, below, values in plan.texts:
            value = texts[page_node + offset]
            if values.distinct != 1 or values.seen[0] != value:
                self._add_value(below, values, value, pending)
        for addresses, known in ((view.links, plan.links), (view.images, plan.images)):
            for offset, below, values in known:
                address = addresses.get(page_node + offset)
                if address is None:
                    continue
                if values.distinct != 1 or values.seen[0] != address:
                    self._add_value(below, values, address, pending)

    def count_as_before(self, node: Node, cached: NodeCache) -> None:
        """Count a node below which all is as when it was last looked into; what is
        below is counted when that is asked for.
        """
        cached.pending += 1
        self._count_once(node)

    def _count_once(self, node: Node) -> None:
        """Count a node on this page, and note if it is back."""
        if node.last_page != self.page.number:
            node.support += 1
            node.last_page = self.page.number
            if node.vanished:
                node.vanished = False
                self.returned.append(node)

    def _count_plan(self, plan: Plan, page_node: int) -> None:
        """Count all that a plan has."""
        number = self.page.number
        hashes = self.view.hashes
        plan.page = number
        for offset, below, cached, repeated in plan.nodes:
            if cached.pending:
                self.cache.flush(below)
            self._count_once(below)
            cached.opened_page = number
            cached.last_plan = None
            cached.last_hash = None if repeated else hashes[page_node + offset]
        for group, count in plan.groups:
            count_group(group, count, number)

    def open(
        self, node: Node, page_node: int, cached: NodeCache, *, repeated: bool
    ) -> None:
        """Count a node, and add its value on this page."""
        view = self.view
        if cached.pending:
            self.cache.flush(node)
        cached.last_plan = None
        self._count_once(node)
        cached.opened_page = self.page.number
        node.first_page = node.first_page or self.page.number
        is_unsettled = repeated or node.support == 1
        cached.last_hash = None if is_unsettled else view.hashes[page_node]

        if node.leading_text != "" and node.row_label is None:
            text = view.leading_texts[page_node]
            if node.leading_text is None:
                node.leading_text = text
            elif node.leading_text != text:
                node.leading_text = ""

        if text := view.texts[page_node]:
            node.text = self._add_value(node, node.text, text)
        elif page_node in view.links:
            address = view.links[page_node]
            node.link = self._add_value(node, node.link, address)
        elif page_node in view.images:
            address = view.images[page_node]
            node.image = self._add_value(node, node.image, address)

    def _add_value(
        self, node: Node, values: SlotValues | None, value: str, pending: int = 0
    ) -> SlotValues:
        """Add a value to a slot, which is new where there are no values yet, and return
        its values. `pending` are pages on which the node was, too, that are not yet
        counted at it.
        """
        if values is None:
            values = SlotValues(self.new_slot())
            self.new_slots.append(values.slot)
        if values.notified and values.distinct > 1:  # only its values can change
            values.add(value, self.page.name)
            return values
        pages = node.support + pending
        was_constant = values.distinct == 1 and pages > 2
        values.add(value, self.page.name)
        if was_constant and values.distinct > 1:
            self.turned_data.append(values.slot)
        if (
            values.distinct > 1
            and not values.notified
            and values is not node.link
            and self._is_identified(node, pending)
        ):
            values.notified = True
            self.identified.append((node, values))
        return values

    def _is_identified(self, node: Node, pending: int) -> bool:
        """Return whether a node has enough instances to be an attribute: two, and
        those on every fifth page since the first; five are always enough.
        """
        since_first = self.page.number - node.first_page
        required = max(2, min(_IDENTIFIED_SHARE * since_first, _IDENTIFIED_PAGES))
        pages = node.support + pending
        return node.first_page > 1 and pages >= required


def count_group(group: SiblingGroup, count: int, page_number: int) -> None:
    """Count a group on a page, and so many siblings in it."""
    if group.last_page != page_number:
        group.support += 1
        group.last_page = page_number
    group.last_count = count
    group.max_count = max(group.max_count, count)
