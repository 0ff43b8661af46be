"""How much speaks for a part of a page being a part of a template, and what speaks
against it.

The scores are weights of evidence against each other, set by hand and not tuned one by
one: an equal label and an equal leading text weigh most, what is inside decides between
siblings that have neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.node import Entry, Node, SiblingGroup, label_tag
from scythe.templates.matching.page_texts import COLONS, text_shape
from scythe.templates.matching.page_view import TEXT_LABEL, PageView
from scythe.templates.matching.siblings import SiblingUnit

_SAME_LABEL = 4.0
_SAME_LEADING_TEXT = 4.0
_SHARED_CLASS = 2.0
_BARE_TAG = 0.5
"""One of two labels is the tag alone, so that it does not contradict the other."""
_SAME_CONTENT = 0.3
_SAME_TEXT_SHAPE = 1.0
_SEVERAL_IN_A_GROUP = 1.0
_ONE_IN_A_GROUP = 0.5

_ONE_ON_A_PAGE = frozenset({"html", "head", "body", "title", "main"})
_MIN_COMMON = 3
_MIN_COMMON_SHARE = 0.75
"""Different labels that two boxes of other names have in common, and their share of
all, to be the same.
"""

_MAX_ROW_TEXTS = 4
"""Texts of what is still a row, which is known by its first text; larger boxes may
begin with something optional.
"""

_SETTLED_PAGES = 3
"""Pages after which what a node begins with on all of them is held to be template text."""

_COMPARED_VALUES = 3
"""Known values whose shape a text is compared with. A bound on work."""


def conflict(node: Node, page_node: int, view: PageView) -> bool:
    """Return whether template text shows that a page node is not this node: "Director:"
    is not "Genre:".
    """
    known = node.leading_text
    text = view.leading_texts[page_node]
    if not known or text == known:
        return False
    if node.row_label:
        return True
    is_large = view.text_count(page_node) > _MAX_ROW_TEXTS
    if is_large or not view.has_more[page_node]:
        return False
    has_id = "#" in node.label[1:]
    if has_id or "@" in node.label:
        return False

    is_label = bool(text) and text[-1] in COLONS
    both_are_labels = is_label and known[-1] in COLONS
    if both_are_labels:
        if node.support <= 1:
            return False
    else:
        is_bare_tag = node.label == label_tag(node.label)
        is_specific = not is_bare_tag or node.label == TEXT_LABEL
        if is_specific or node.support < _SETTLED_PAGES:
            return False
        if not _has_differing_texts(node):
            return False
    if view.has_text(page_node, known):
        return False
    return not _has_leading_text(node, text)


def _has_leading_text(node: Node, text: str) -> bool:
    """Return whether something below a node begins with a text on all its pages."""
    waiting: list[Entry] = list(node.children)
    while waiting:
        entry = waiting.pop()
        if entry.leading_text == text:
            return True
        if isinstance(entry, SiblingGroup):
            waiting.extend(entry.active_nodes)
        else:
            waiting.extend(entry.children)
    return False


def _has_differing_texts(node: Node) -> bool:
    """Return whether texts below a node differ from page to page."""
    waiting: list[Entry] = list(node.children)
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, SiblingGroup):
            waiting.extend(entry.active_nodes)
            continue
        if entry.text is not None and entry.text.distinct > 1:
            return True
        waiting.extend(entry.children)
    return False


def begin_alike(
    children: Sequence[Node], page_nodes: Sequence[int], view: PageView
) -> bool:
    """Return whether template text says of no page node that it is another than the
    child in its position.
    """
    texts = view.leading_texts
    for child, page_node in zip(children, page_nodes, strict=True):
        if (
            child.leading_text
            and child.leading_text != texts[page_node]
            and conflict(child, page_node, view)
        ):
            return False
    return True


def likeness(
    entry: Entry, unit: SiblingUnit, view: PageView, cache: MatchingCache
) -> float:
    """Return how much speaks for a unit being an entry, 0 where something speaks
    against it.
    """
    label = unit.label
    page_node = unit.page_nodes[0]
    if entry.label == label:
        score = _SAME_LABEL
    else:
        score = _label_likeness(entry.label, label)
        if not score and _has_same_content(entry, unit, view, cache):
            score = _SAME_CONTENT
        if not score:
            return 0.0

    if isinstance(entry, SiblingGroup):
        score += _SEVERAL_IN_A_GROUP if len(unit.page_nodes) > 1 else _ONE_IN_A_GROUP
        active_nodes = entry.active_nodes
        if active_nodes:
            score += shape_likeness(active_nodes[0], page_node, view, cache)
        return score

    if conflict(entry, page_node, view):
        return 0.0
    text = view.leading_texts[page_node]
    if text and text == entry.leading_text:
        score += _SAME_LEADING_TEXT
    if entry.text is None:
        return score + shape_likeness(entry, page_node, view, cache)
    shape = text_shape(view.texts[page_node])
    compared = entry.text.seen[:_COMPARED_VALUES]
    if any(text_shape(value) == shape for value in compared):
        score += _SAME_TEXT_SHAPE
    return score


def _label_likeness(label: str, other: str) -> float:
    """Return how like two labels of one tag are that share a class, or of which one is
    the tag alone; 0 for all others.
    """
    tag = label_tag(label)
    if tag != label_tag(other) or tag == TEXT_LABEL:
        return 0.0
    if tag in _ONE_ON_A_PAGE:
        return _SAME_LABEL
    if tag in (label, other):
        return _BARE_TAG
    if _label_names(label) & _label_names(other):
        return _SHARED_CLASS
    return 0.0


def _has_same_content(
    entry: Entry, unit: SiblingUnit, view: PageView, cache: MatchingCache
) -> bool:
    """Return whether so much that is in two boxes of other names is the same that the
    boxes are.
    """
    if isinstance(entry, SiblingGroup):
        return False
    if label_tag(entry.label) != label_tag(unit.label):
        return False
    page_node = unit.page_nodes[0]
    common, total = _common_labels(entry, page_node, view, cache)
    least = max(_MIN_COMMON, _MIN_COMMON_SHARE * total)
    return common >= least


def _label_names(label: str) -> set[str]:
    """Return the id, classes and property of a label, each with its sign."""
    parted = label.replace("#", " #").replace(".", " .").replace("@", " @")
    return set(parted.split()[1:])


def shape_likeness(
    node: Node, page_node: int, view: PageView, cache: MatchingCache
) -> float:
    """Return how alike the children of both are: from -0.5, none in common, to 1.5, the
    same.
    """
    common, total = _common_labels(node, page_node, view, cache)
    if total:
        return 2.0 * common / total - 0.5
    return 1.0


def _common_labels(
    node: Node, page_node: int, view: PageView, cache: MatchingCache
) -> tuple[int, int]:
    """Return how many labels the children of both have in common, and how many those of
    either have.
    """
    labels = view.child_labels(page_node)
    known = cache[node].positions
    common = len(labels & known.keys())
    total = len(labels) + len(known) - common
    return common, total
