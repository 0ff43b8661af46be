"""Where the slots of a page stand on it; declared ones and those of index pages stand
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from scythe.collect.fields.names import in_cluster
from scythe.collect.pages.sections import section_places
from scythe.templates.matching.page_view import PageView
from scythe.templates.slot import SlotId, SlotSource
from scythe.templates.template.template import Template
from scythe.tree.tags import TEXT
from scythe.tree.tree import Tree


def regions(
    tree: Tree, template: Template | None, cluster: int
) -> dict[str, list[int]]:
    """The nodes of each slot: the elements that its values fill, or the texts where
    these are only a part of an element.
    """
    found: dict[str, list[int]] = {}
    if template is not None:
        for slot, nodes in template.read(PageView(tree)).nodes.items():
            found[in_cluster(cluster, slot)] = list(
                dict.fromkeys(box_of(tree, node) for node in nodes)
            )
    for name, pieces in section_places(tree).items():
        found[str(SlotId(SlotSource.SECTION, name))] = list(
            _filled(tree, (start for start, _ in pieces))
        )
    return found


def box_of(tree: Tree, node: int) -> int:
    """What to draw the box of a node around: of a text that is alone in its element,
    the element.
    """
    if tree.tag[node] != TEXT:
        return node
    parent = int(tree.parent[node])
    others = (child for child in tree.children(parent) if child != node)
    alone = all(
        tree.tag[child] == TEXT and not str(tree.text[child]).strip()
        for child in others
    )
    return parent if alone and tree.name(parent) not in ("body", "html") else node


def _filled(tree: Tree, nodes: Iterable[int]) -> Iterable[int]:
    """The nodes without texts that are only white space."""
    return (
        node for node in nodes if tree.tag[node] != TEXT or str(tree.text[node]).strip()
    )
