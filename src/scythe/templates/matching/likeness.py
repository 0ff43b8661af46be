"""How much speaks for a part of a page being a part of a template, and what speaks
against it.
"""

from __future__ import annotations

from scythe.templates.matching.node import Entry, Group, Node, tag_of
from scythe.templates.matching.page_view import COLONS, TEXT_LABEL, PageView
from scythe.templates.matching.siblings import Unit
from scythe.templates.matching.signatures import look

_ONE_ON_A_PAGE = frozenset({"html", "head", "body", "title", "main"})
_MUCH, _MOST = 3, 0.75
"""Different labels that two boxes of other names have in common, and their share of
all, to be the same.
"""

_ROW_TEXTS = 4
"""Texts of what is still a row, which is known by its first text; larger boxes may
begin with something optional.
"""

_SURE_PAGES = 3
"""Pages after which what a node begins with on all of them is held to be template text."""


def conflict(node: Node, kid: int, view: PageView) -> bool:
    """Whether template text says that these are different things: "Director:" is not
    "Genre:".
    """
    head = view.heads[kid]
    if not node.head or head == node.head:
        return False
    if node.anchor:
        return True
    if (
        not view.more[kid]
        or "#" in node.label[1:]
        or "@" in node.label
        or view.text_count(kid) > _ROW_TEXTS
    ):
        return False
    if node.head[-1] in COLONS and head and head[-1] in COLONS:
        return (
            node.support > 1
            and not view.has_text(kid, node.head)
            and not _knows(node, head)
        )
    if (
        node.support < _SURE_PAGES
        or node.label != tag_of(node.label)
        or node.label == TEXT_LABEL
    ):
        return False
    return (
        _has_more(node) and not view.has_text(kid, node.head) and not _knows(node, head)
    )


def _knows(node: Node, head: str) -> bool:
    """Whether a text stands somewhere below a node on all pages that have it."""
    waiting: list[Entry] = list(node.children)
    while waiting:
        entry = waiting.pop()
        if entry.head == head:
            return True
        waiting.extend(entry.shown if isinstance(entry, Group) else entry.children)
    return False


def _has_more(node: Node) -> bool:
    """Whether a node has texts that differ behind the one it begins with."""
    waiting: list[Entry] = list(node.children)
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, Group):
            waiting.extend(entry.shown)
            continue
        if entry.text is not None and entry.text.distinct > 1:
            return True
        waiting.extend(entry.children)
    return False


def likeness(entry: Entry, unit: Unit, view: PageView) -> float:
    """How much speaks for a unit being an entry, 0 where something speaks against it."""
    label, kid = unit.label, unit.kids[0]
    if entry.label == label:
        score = 4.0
    else:
        score = _kinship(entry.label, label) or _same_inside(entry, label, kid, view)
        if not score:
            return 0.0
    head = view.heads[kid]
    if isinstance(entry, Node):
        if conflict(entry, kid, view):
            return 0.0
        if head and head == entry.head:
            score += 4.0
        if entry.text is not None:
            score += _text_likeness(entry, view.texts[kid])
        else:
            score += shape_likeness(entry, kid, view)
    else:
        score += 1.0 if len(unit.kids) > 1 else 0.5
        score += shape_likeness(entry.shown[0], kid, view) if entry.shown else 0.0
    return score


def _kinship(label: str, other: str) -> float:
    """Labels of one tag that share a class, or of which one says nothing, may be the
    same thing.
    """
    tag = tag_of(label)
    if tag != tag_of(other) or tag == TEXT_LABEL:
        return 0.0
    if tag in _ONE_ON_A_PAGE:
        return 4.0
    if label == tag or other == tag:
        return 0.5
    names, others = _names(label), _names(other)
    if names & others:
        return 2.0
    return 0.0


def _same_inside(entry: Entry, label: str, kid: int, view: PageView) -> float:
    """Boxes of other names are the same thing only if much that is in them is."""
    if not isinstance(entry, Node) or tag_of(entry.label) != tag_of(label):
        return 0.0
    common, all_ = _in_common(entry, kid, view)
    return 0.3 if common >= max(_MUCH, _MOST * all_) else 0.0


def _names(label: str) -> set[str]:
    return set(
        label.replace("#", " #").replace(".", " .").replace("@", " @").split()[1:]
    )


def shape_likeness(node: Node, kid: int, view: PageView) -> float:
    """How alike the children of both are: from -0.5, none in common, to 1.5, the same."""
    common, all_ = _in_common(node, kid, view)
    return 2.0 * common / all_ - 0.5 if all_ else 1.0


def _in_common(node: Node, kid: int, view: PageView) -> tuple[int, int]:
    """How many labels the children of both have in common, and how many those of either
    have.
    """
    inside, known = view.child_labels(kid), node.places()
    common = sum(label in known for label in inside)
    return common, len(inside) + len(known) - common


def _text_likeness(node: Node, text: str) -> float:
    values = node.text
    if values is None or not values.seen:
        return 0.0
    own = look(text)
    return 1.0 * any(look(value) == own for value in values.seen[:3])
