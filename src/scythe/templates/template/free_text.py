"""Boxes of free text: what every page has other pieces of is no attribute.

Children of a node that one page alone had are remembered for a while. Where they become
too many, or no later page has them, the node is a box of free text: they are forgotten,
and what is new and bare in the box is read as one value.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.node import Entry, Node, label_tag
from scythe.templates.matching.page_texts import label_part
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import SiblingUnit

MAX_SEEN_ONCE = 40
"""Children of one node that a single page had, of which the template remembers no more.
A bound on the size of templates, not tuned.
"""

MAX_SEEN_ONCE_IN_LISTS = 12
"""The same in an item of a list, of which every page shows many."""

MIN_STALE = 6
STALE_PAGES = 10
"""So many of them that no other page had for so many pages are free text, too."""


def split_free_text(
    units: Sequence[SiblingUnit], found: Sequence[Entry | None], view: PageView
) -> tuple[list[SiblingUnit], list[Entry | None], list[str]]:
    """Return the units of a box of free text that are known or can be attributes, with
    their entries, and the texts of all others.

    In such a box, only what has a name or a label can be an attribute.
    """
    left_units: list[SiblingUnit] = []
    left_found: list[Entry | None] = []
    texts: list[str] = []
    for unit, entry in zip(units, found, strict=True):
        if entry is not None or _can_be_attribute(unit, view):
            left_units.append(unit)
            left_found.append(entry)
            continue
        texts.extend(filter(None, map(view.whole_text, unit.page_nodes)))
    return left_units, left_found, texts


def _can_be_attribute(unit: SiblingUnit, view: PageView) -> bool:
    if label_tag(unit.label) != unit.label:
        return True
    text = view.leading_texts[unit.page_nodes[0]]
    return bool(label_part(text))


def forgettable_entries(
    node: Node, found: Sequence[Entry | None], page_number: int, *, repeated: bool
) -> list[Entry]:
    """Return the children of a node that one earlier page alone had, and that are too
    many or too old to be remembered.
    """
    most = MAX_SEEN_ONCE_IN_LISTS if repeated else MAX_SEEN_ONCE
    are_few = len(node.children) <= min(most, MIN_STALE)
    if node.support <= 1 or are_few:
        return []

    on_this_page = {id(entry) for entry in found}
    seen_once = [
        entry
        for entry in node.children
        if entry.support == 1 and id(entry) not in on_this_page
    ]
    surplus = max(len(seen_once) - most, 0)
    forgettable = seen_once[:surplus]
    oldest = page_number - STALE_PAGES
    stale = [entry for entry in seen_once if entry.last_page < oldest]
    if len(stale) >= MIN_STALE:
        forgettable.extend(stale)
    return forgettable
