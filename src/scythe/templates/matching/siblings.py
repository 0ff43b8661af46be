"""Sibling matching (RecipeCrawler, section 5.1): like siblings side by side become one
before a page is matched.

The paper replaces siblings that match by one example node. Two things are done on top
of it. Rows of a table of attributes are alike too ("Director: ...", "Genre: ..."), so a
group remembers what its rows begin with, and takes them apart once pages show that this
is template text. And cells of a row stand for themselves, whatever they look like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from scythe.templates.matching.node import label_tag
from scythe.templates.matching.page_texts import COLONS
from scythe.templates.matching.page_view import TEXT_LABEL, PageView

_NEVER_FOLDED = frozenset({"td", "th", "dt", "body", "head", "html", "h1", "h2"})
_ALWAYS_FOLDED = frozenset(
    {"li", "tr", "p", "dd", "option", "a", "img", "article", TEXT_LABEL}
)
_VARIED = frozenset({"li", "tr", "div", "p", "article", "section", "dd", "a", "span"})
_MIN_VARIED = 4
"""Siblings of one tag from which on those of alternating classes are one list: two
turns of `odd` and `even`.
"""

_BOX_NODES = 12
"""Nodes of an element beyond which it is a box of a layout. Not tuned."""

_ALIKE = 0.5
"""The share of labels that two siblings have in common to be alike, of those that
either has. Not tuned.
"""


class SiblingUnit(NamedTuple):
    """One child of a page node, or several like ones side by side."""

    label: str
    page_nodes: list[int]


_as_unit: Callable[[tuple[str, list[int]]], SiblingUnit] = partial(
    tuple.__new__, SiblingUnit
)
"""Makes a unit of a pair without a call of Python code: pages have hundreds."""


def sibling_matching(view: PageView, page_nodes: list[int]) -> list[SiblingUnit]:
    """Return the children of a page node with like neighbours put together."""
    labels = [view.labels[page_node] for page_node in page_nodes]
    if len(set(labels)) == len(labels):
        alone = [[page_node] for page_node in page_nodes]
        return list(map(_as_unit, zip(labels, alone, strict=True)))

    units: list[SiblingUnit] = []
    for label, page_node in zip(labels, page_nodes, strict=True):
        last = units[-1] if units else None
        if (
            last is not None
            and last.label == label
            and are_alike(view, last.page_nodes[0], page_node, label)
        ):
            last.page_nodes.append(page_node)
        else:
            units.append(SiblingUnit(label, [page_node]))

    if len(units) >= _MIN_VARIED:
        units = _merge_variants(view, units)
    matched: list[SiblingUnit] = []
    for unit in units:
        if len(unit.page_nodes) == 1 or _is_list(view, unit):
            matched.append(unit)
        else:
            parted = [SiblingUnit(unit.label, [node]) for node in unit.page_nodes]
            matched.extend(parted)
    return matched


def _merge_variants(view: PageView, units: list[SiblingUnit]) -> list[SiblingUnit]:
    """Return units in which items of one list under a few classes that take turns
    (`odd`, `even`, `odd`, ...) are one, under the bare tag.
    """
    merged: list[SiblingUnit] = []
    start = 0
    while start < len(units):
        tag = label_tag(units[start].label)
        stop = start + 1
        if tag in _VARIED:
            while stop < len(units):
                if label_tag(units[stop].label) != tag:
                    break
                stop += 1
        run = units[start:stop]
        if len(run) >= _MIN_VARIED and _is_varied_list(view, run):
            together: list[int] = []
            for unit in run:
                together.extend(unit.page_nodes)
            merged.append(SiblingUnit(tag, together))
        else:
            merged.extend(run)
        start = stop
    return merged


def _is_varied_list(view: PageView, run: list[SiblingUnit]) -> bool:
    labels = {unit.label for unit in run}
    if 2 * len(labels) > len(run):
        return False
    first = run[0].page_nodes[0]
    for unit in run[1:]:
        page_node = unit.page_nodes[0]
        if not are_alike(view, first, page_node, unit.label):
            return False
    return True


def _is_list(view: PageView, unit: SiblingUnit) -> bool:
    """Return whether like siblings are a list.

    Two boxes without a class are no list yet; three are. Labels and values that take
    turns are none.
    """
    label, page_nodes = unit
    tag = label_tag(label)
    has_class = label != tag
    are_several = has_class or len(page_nodes) > 2
    if not are_several and tag not in _ALWAYS_FOLDED:
        return False
    label_count = sum(is_label(view, page_node) for page_node in page_nodes)
    return 4 * label_count <= len(page_nodes)


def is_label(view: PageView, page_node: int) -> bool:
    """Return whether all the text of an element is a label: words and a colon, but no
    number before them ("5 reviews:").
    """
    text = view.leading_texts[page_node]
    if not text or text[-1] not in COLONS:
        return False
    if text[0].isdigit():
        return False
    return not view.has_more[page_node]


def begins_with_label(view: PageView, page_node: int) -> bool:
    """Return whether an element begins with a label and goes on ("Materials: Beef")."""
    text = view.leading_texts[page_node]
    if not text or text[-1] not in COLONS:
        return False
    return view.has_more[page_node]


def are_alike(view: PageView, one: int, other: int, label: str) -> bool:
    """Return whether two siblings of one label have most labels inside in common.

    Large boxes whose label says nothing are the parts of a layout more often than items
    of a list: these must agree in the numbers of what is inside, too. Not so rows that
    begin with a label ("Cast:"): one may have many values, and the next one has one.
    """
    tag = label_tag(label)
    if tag in _NEVER_FOLDED:
        return False
    if view.shapes[one] == view.shapes[other]:
        return True

    one_end = view.ends[one]
    other_end = view.ends[other]
    one_is_empty = one_end == one + 1
    other_is_empty = other_end == other + 1
    if one_is_empty or other_is_empty:
        return one_is_empty and other_is_empty

    one_labels = view.labels[one + 1 : one_end]
    other_labels = view.labels[other + 1 : other_end]
    size = max(len(one_labels), len(other_labels))
    is_unnamed_box = label == tag and label != "li" and size > _BOX_NODES
    if is_unnamed_box and not _are_rows(view, one, other):
        one_counts = Counter(one_labels)
        other_counts = Counter(other_labels)
        common = (one_counts & other_counts).total()
        return common >= _ALIKE * (one_counts | other_counts).total()

    one_set = set(one_labels)
    other_set = set(other_labels)
    common_labels = one_set & other_set
    all_labels = one_set | other_set
    return len(common_labels) >= _ALIKE * len(all_labels)


def _are_rows(view: PageView, one: int, other: int) -> bool:
    return begins_with_label(view, one) and begins_with_label(view, other)
