"""Where the slots of a page stand on it; declared ones and those of index pages stand
nowhere.
"""

from __future__ import annotations

from scythe.collect.pages.labelled import labelled_values
from scythe.collect.pages.running_text import running_text_nodes
from scythe.collect.pages.sections import VisibleLines, section_spans
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import SlotId, SlotSource
from scythe.templates.template.template import Template
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree


def slot_nodes(
    tree: Tree, template: Template | None, cluster: int
) -> dict[str, list[int]]:
    """Return the nodes of each slot: the elements that its values fill, or the texts
    where these are only a part of an element.
    """
    found: dict[str, list[int]] = {}
    if template is not None:
        for slot, nodes in template.read(PageView(tree)).nodes.items():
            elements: dict[int, None] = {}
            for node in nodes:
                elements[filled_element(tree, node)] = None
            slot_id = SlotId.parse(slot).in_cluster(cluster)
            found[str(slot_id)] = list(elements)

    for name, spans in section_spans(tree).items():
        slot_id = SlotId(SlotSource.SECTION, name)
        starts = found.setdefault(str(slot_id), [])
        for start, _ in spans:
            if not _is_blank(tree, start):
                starts.append(start)
    for labelled in labelled_values(tree):
        slot_id = SlotId(SlotSource.LABEL, labelled.name)
        found.setdefault(str(slot_id), []).append(labelled.start)
    for part, nodes in running_text_nodes(VisibleLines(tree)).items():
        if nodes:
            found[str(SlotId(SlotSource.TEXT, part))] = nodes
    return found


def filled_element(tree: Tree, node: int) -> int:
    """Return what to draw the box of a node around: of a text that is alone in its
    element, the element.
    """
    if tree.tag[node] != TEXT:
        return node
    parent = int(tree.parent[node])
    if tree.name(parent) in ("body", "html"):
        return node
    for child in tree.children(parent):
        if child != node and not _is_blank(tree, child):
            return node
    return parent


def _is_blank(tree: Tree, node: int) -> bool:
    """Return whether a node is a text of nothing but white space."""
    if tree.tag[node] != TEXT:
        return False
    text = str(tree.text[node])
    return not text.strip()
