"""Which siblings are labels of what stands behind them, on a page and in a template."""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.node import Entry, Node, label_tag
from scythe.templates.matching.page_texts import COLONS
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.siblings import SiblingUnit, is_label

LABEL_TAGS = frozenset(
    {"dt", "th", "label", "b", "strong", "legend", "h3", "h4", "h5", "h6"}
)
"""Tags of labels, which may be tags of other texts, too."""


def is_label_unit(unit: SiblingUnit, view: PageView) -> bool:
    """Return whether a unit of a page is the label of what stands behind it."""
    if label_tag(unit.label) in LABEL_TAGS:
        return True
    return is_label(view, unit.page_nodes[0])


def is_label_entry(entry: Entry) -> bool:
    """Return whether an entry of a template is the label of what stands behind it: by
    its tag, or because its one text is words and a colon on all pages.
    """
    if label_tag(entry.label) in LABEL_TAGS:
        return True
    if not isinstance(entry, Node) or not entry.leading_text:
        return False
    if entry.leading_text[-1] not in COLONS:
        return False

    node: Entry = entry
    while isinstance(node, Node) and node.text is None and len(node.children) == 1:
        node = node.children[0]
    if not isinstance(node, Node) or node.text is None:
        return False
    return node.text.constant == entry.leading_text


def last_labels(is_label_at: Sequence[bool]) -> list[int | None]:
    """Return for each of several siblings the last one before it that is a label."""
    found: list[int | None] = []
    last: int | None = None
    for index, label in enumerate(is_label_at):
        found.append(last)
        if label:
            last = index
    return found
