"""Snapshots of a collection's pages for a frame, with their slots as boxes: coloured
here, so that they show without any script.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from scythe.collect.collection import Collection
from scythe.collect.pages.slot_nodes import slot_nodes
from scythe.collect.views import PageRow
from scythe.tree.parse import parse
from scythe.tree.tags import VOID
from scythe.tree.tree import Tree
from scythe.web.annotate.annotation_view import (
    AnnotationView,
    SlotState,
    SlotView,
    find_view,
)
from scythe.web.server.context import collection_of
from scythe.web.server.forms import whole_number
from scythe.web.snapshots.frame import SnapshotStyle, frame_response, render_snapshot
from scythe.web.snapshots.marks import read_stylesheet

BOX_STYLE = read_stylesheet("boxes.css")
_PRIORITY = {
    SlotState.NAMED: 0,
    SlotState.SUGGESTED: 1,
    SlotState.UNUSED: 2,
    SlotState.IGNORED: 3,
}
"""Which of several slots of one node its box shows."""
_LABEL = "data-scythe-label"
_SLOTS = "data-scythe-slots"


class BoxedSlot(NamedTuple):
    """A slot with its nodes on a page."""

    slot: SlotView
    nodes: Sequence[int]


def show_frame(request: Request) -> Response:
    """Show a snapshot with its slots, one of them chosen if the address names it; with
    `before` as the page was before its change, with `plain` without slots.
    """
    collection = collection_of(request)
    number = str(request.path_params["page"])
    page = collection.page(whole_number(number) or 0)
    if "before" in request.query_params:
        earlier = collection.earlier_snapshot(page)
        page = replace(page, body_hash=earlier or page.body_hash)

    view = None
    if page.cluster is not None and "plain" not in request.query_params:
        view = find_view(collection, page.cluster)
    if view is None:
        return frame_response(render_page(collection, page))
    chosen = request.query_params.get("slot", "")
    return frame_response(render_annotated_page(view, page, chosen))


def render_page(collection: Collection, page: PageRow) -> str:
    """Return the snapshot of a page for a frame, without marks."""
    snapshot = collection.snapshot(page.body_hash or "")
    tree = parse(snapshot, charset=page.charset)
    stylesheets = collection.stylesheets(tree, page)
    return render_snapshot(tree, {}, SnapshotStyle(stylesheets))


def render_annotated_page(view: AnnotationView, page: PageRow, chosen: str = "") -> str:
    """Return the snapshot of a page with the slots of its cluster as boxes."""
    tree, nodes = page_slot_nodes(view, page)
    boxed = [BoxedSlot(slot, nodes[slot.id]) for slot in view.slots if slot.id in nodes]
    stylesheets = view.collection.stylesheets(tree, page)
    style = SnapshotStyle(stylesheets, BOX_STYLE)
    marks = slot_marks(tree, boxed, chosen)
    return render_snapshot(tree, marks, style)


def page_slot_nodes(
    view: AnnotationView, page: PageRow
) -> tuple[Tree, dict[str, list[int]]]:
    """Return the tree of a page, and the nodes of its slots by their ids."""
    collection = view.collection
    cluster = view.cluster.cluster
    body = collection.snapshot(page.body_hash or "")
    tree = parse(body, charset=page.charset)
    template = collection.template(cluster)
    return tree, slot_nodes(tree, template, cluster)


def slot_marks(
    tree: Tree, boxed: Sequence[BoxedSlot], chosen: str = ""
) -> dict[int, dict[str, str]]:
    """Return the attributes of boxes by node. A node of several slots looks like the
    one with the highest priority, and stands for all of them.

    The first box of a slot with a field or suggestion has it as a label.
    """

    def priority(item: BoxedSlot) -> tuple[bool, int, bool, bool, int]:
        slot = item.slot
        first_node = min(item.nodes, default=0)
        state = _PRIORITY[slot.state]
        # One list comes before all items of the page, and the text of a link before its
        # address, which a second click chooses.
        is_wide = slot.is_running_text
        return slot.id != chosen, state, is_wide, slot.is_address, first_node

    marker = _Marker(tree)
    for slot, nodes in sorted(boxed, key=priority):
        marker.mark(slot, nodes, is_chosen=slot.id == chosen)
    return marker.marks


class _Marker:
    """Marks the nodes of one slot after the other."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.marks: dict[int, dict[str, str]] = {}

    def mark(self, slot: SlotView, nodes: Sequence[int], *, is_chosen: bool) -> None:
        """Add the boxes of a slot."""
        classes = f"scythe-box scythe-{slot.state} scythe-c{slot.colour}"
        if is_chosen:
            classes += " scythe-chosen"

        label = _label(slot)
        number = str(slot.number)
        for node in nodes:
            mark = self.marks.get(node)
            if mark is not None:
                mark[_SLOTS] += f" {number}"
                continue
            mark = {"class": classes, _SLOTS: number}
            self.marks[node] = mark
            if label and self._can_have_label(node, label):
                mark["class"] += " scythe-labelled"
                mark[_LABEL] = label
                label = ""

    def _can_have_label(self, node: int, label: str) -> bool:
        """Return whether a box can show a label, and none around it has the same."""
        if self.tree.name(node) in VOID:
            return False
        for ancestor in self.tree.ancestors(node):
            mark = self.marks.get(ancestor)
            if mark is not None and mark.get(_LABEL) == label:
                return False
        return True


def _label(slot: SlotView) -> str:
    if slot.slot.field:
        return slot.slot.field
    if slot.state == SlotState.SUGGESTED:
        return f"{slot.slot.suggestion}?"
    return ""
