"""Sibling matching (paper 001, section 5.1): like siblings side by side become one
before a page is matched.

The paper replaces siblings that match by one example node. Two things are done on top
of it. Rows of a table of attributes are alike too ("Director: ...", "Genre: ..."), so a
group remembers what its rows begin with, and takes them apart once pages show that this
is template text. And cells of a row stand for themselves, whatever they look like.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from scythe.templates.matching.node import tag_of
from scythe.templates.matching.page_view import COLONS, TEXT_LABEL, PageView

_NEVER_FOLDED = frozenset({"td", "th", "dt", "body", "head", "html", "h1", "h2"})
_ALWAYS_FOLDED = frozenset(
    {"li", "tr", "p", "dd", "option", "a", "img", "article", TEXT_LABEL}
)
_VARIED = frozenset({"li", "tr", "div", "p", "article", "section", "dd", "a", "span"})
_SHORTEST_VARIED = 4
_BOX = 12
"""Nodes of an element that is a box."""

_ALIKE = 0.5
"""The share of labels that two siblings have in common to be alike, of those that
either has.
"""


class Unit(NamedTuple):
    """One child of a page's node, or several like ones side by side."""

    label: str
    kids: list[int]


def sibling_matching(view: PageView, kids: list[int]) -> list[Unit]:
    """Children with like neighbours put together."""
    labels = view.labels
    names = [labels[kid] for kid in kids]
    if len(set(names)) == len(names):
        return [Unit(label, [kid]) for label, kid in zip(names, kids, strict=True)]
    units: list[Unit] = []
    for kid in kids:
        label = labels[kid]
        if (
            units
            and units[-1].label == label
            and are_alike(view, units[-1].kids[0], kid, label)
        ):
            units[-1].kids.append(kid)
        else:
            units.append(Unit(label, [kid]))
    if len(units) >= _SHORTEST_VARIED:
        units = _variants_together(view, units)
    return [part for unit in units for part in _kept_together(view, unit)]


def _variants_together(view: PageView, units: list[Unit]) -> list[Unit]:
    """Items of one list under a few classes that take turns (`odd`, `even`, `odd`, ...)
    are one unit, under the bare tag.
    """
    together: list[Unit] = []
    start = 0
    while start < len(units):
        tag = tag_of(units[start].label)
        stop = start + 1
        while stop < len(units) and tag in _VARIED and tag_of(units[stop].label) == tag:
            stop += 1
        run = units[start:stop]
        if (
            len(run) >= _SHORTEST_VARIED
            and 2 * len({unit.label for unit in run}) <= len(run)
            and _all_alike(view, run)
        ):
            together.append(Unit(tag, [kid for unit in run for kid in unit.kids]))
        else:
            together.extend(run)
        start = stop
    return together


def _all_alike(view: PageView, run: list[Unit]) -> bool:
    first = run[0].kids[0]
    return all(are_alike(view, first, unit.kids[0], unit.label) for unit in run[1:])


def _kept_together(view: PageView, unit: Unit) -> list[Unit]:
    """Two boxes without a class are no list yet; three are. Labels and values that take
    turns are none.
    """
    label, kids = unit
    tag = tag_of(label)
    if len(kids) > 1 and 4 * sum(is_label(view, kid) for kid in kids) > len(kids):
        return [Unit(label, [kid]) for kid in kids]
    if len(kids) == 1 or tag in _ALWAYS_FOLDED or len(kids) > 2 or label != tag:
        return [unit]
    return [Unit(label, [kid]) for kid in kids]


def is_label(view: PageView, kid: int) -> bool:
    """Whether all that an element says is a label: words and a colon, but no number
    before them ("5 reviews:").
    """
    head = view.heads[kid]
    return (
        bool(head)
        and head[-1] in COLONS
        and not head[0].isdigit()
        and not view.more[kid]
    )


def are_alike(view: PageView, one: int, other: int, label: str) -> bool:
    """Whether two siblings of one label have most labels inside in common.

    Large boxes whose label says nothing are the parts of a layout more often than items
    of a list: these must agree in the numbers of what is inside, too.
    """
    if tag_of(label) in _NEVER_FOLDED:
        return False
    if view.shapes[one] == view.shapes[other]:
        return True
    if view.ends[one] == one + 1 or view.ends[other] == other + 1:
        return view.ends[one] == one + 1 and view.ends[other] == other + 1
    inside, others = (
        view.labels[one + 1 : view.ends[one]],
        view.labels[other + 1 : view.ends[other]],
    )
    if (
        label == tag_of(label)
        and label != "li"
        and max(len(inside), len(others)) > _BOX
    ):
        counted, other_counted = Counter(inside), Counter(others)
        return (counted & other_counted).total() >= _ALIKE * (
            counted | other_counted
        ).total()
    return len(set(inside) & set(others)) >= _ALIKE * len({*inside, *others})
