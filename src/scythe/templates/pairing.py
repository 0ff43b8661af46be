"""Which children of a page's node stand for which children of a template's node.

Evidence beyond tag and position comes first: what elements call themselves (id, class, itemprop) and the constant text that they
begin with. Where that is unique on both sides it decides, also against the order; what is left is laid out in order by the
largest sum of likeness.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from scythe.templates.node import Entry, Group, Node, tag_of
from scythe.templates.page import TEXT_LABEL, PageView
from scythe.templates.siblings import Unit

_MOST_CELLS = 2_500
"""Pairs of children that are weighed against each other; longer lists are paired in order."""

_ONE_ON_A_PAGE = frozenset({"html", "head", "body", "title", "main"})
_MUCH, _MOST = 3, 0.75
"""Different labels that two boxes of other names have in common, and their share of all, to be the same."""

_ROW_TEXTS = 4
"""Texts of what is still a row, which is known by its first text; larger boxes may begin with something optional."""

_LABEL_TAGS = frozenset({"dt", "th", "label", "b", "strong", "legend", "h3", "h4", "h5", "h6"})
_MOST_TRIED = 3
"""Labels that were seen once in one place, after which they are no labels."""

_ADJACENT = 2.0
"""What it is worth to stand beside the same neighbour."""

_SURE_PAGES = 3
"""Pages after which what a node begins with on all of them is held to be template text."""


def pair(node: Node, units: Sequence[Unit], view: PageView) -> list[Entry | None]:
    """The child of a node that each unit stands for, None for what is new."""
    entries, by_label = node.children, node.places()
    found: list[Entry | None] = [None] * len(units)
    if not entries:
        return found
    wanted: dict[str, int] = {}
    for unit in units:
        wanted[unit[0]] = wanted.get(unit[0], 0) + 1
    taken: dict[int, int] = {}
    open_units: list[int] = []
    for at, unit in enumerate(units):
        candidates = by_label.get(unit[0])
        if (
            candidates is not None
            and len(candidates) == 1
            and wanted[unit[0]] == 1
            and _may_be(entries[candidates[0]], unit, view)
        ):
            taken[candidates[0]] = at
            found[at] = entries[candidates[0]]
        else:
            open_units.append(at)
    if not open_units:
        return found
    open_units = _by_head(entries, units, view, by_label, (open_units, taken, found))
    free = [number for number in range(len(entries)) if number not in taken]
    if open_units and free:
        _in_order(entries, units, view, (free, open_units, taken, found))
    if None in found:
        _variants(entries, units, view, found)
    return found


def _variants(entries: Sequence[Entry], units: Sequence[Unit], view: PageView, found: list[Entry | None]) -> None:
    """What is left and has the tag of a list whose items have no class in common belongs to that list."""
    lists = {entry.label: entry for entry in entries if isinstance(entry, Group) and entry.state in ("new", "list")}
    for at, unit in enumerate(units) if lists else ():
        group = lists.get(tag_of(unit.label))
        if found[at] is None and group is not None and _shape_likeness(group.example, unit.kids[0], view) > 0:
            found[at] = group


_Progress = tuple[list[int], dict[int, int], "list[Entry | None]"]


def _by_head(
    entries: Sequence[Entry], units: Sequence[Unit], view: PageView, by_label: dict[str, list[int]], progress: _Progress
) -> list[int]:
    """Pair what begins with the same text; the result is what is still open."""
    open_units, taken, found = progress
    heads: dict[tuple[str, str], list[int]] = {}
    for at in open_units:
        heads.setdefault((units[at].label, view.head(units[at].kids[0])[0]), []).append(at)
    left = []
    for at in open_units:
        label = units[at].label
        rows = next((n for n in by_label.get(label, ()) if _has_row(entries[n], units[at], view)), None)
        if rows is not None:
            taken.setdefault(rows, at)
            found[at] = entries[rows]
            continue
        head = view.head(units[at].kids[0])[0]
        same = [n for n in by_label.get(label, ()) if n not in taken and entries[n].head == head]
        if head and len(same) == 1 and len(heads[label, head]) == 1:
            taken[same[0]] = at
            found[at] = entries[same[0]]
        else:
            left.append(at)
    return left


def _has_row(entry: Entry, unit: Unit, view: PageView) -> bool:
    """Whether a group is known to have a row that begins as one of these does."""
    if not isinstance(entry, Group) or entry.state != "labelled":
        return False
    return any(view.head(kid)[0] in entry.heads for kid in unit.kids)


def _in_order(
    entries: Sequence[Entry],
    units: Sequence[Unit],
    view: PageView,
    open_: tuple[list[int], list[int], dict[int, int], list[Entry | None]],
) -> None:
    """Pair what is left without crossing what is paired, by the largest sum of likeness."""
    free, rest, taken, found = open_
    steps = increasing(sorted(taken.items(), key=lambda item: item[1]))
    ats = [at for _, at in steps]
    bounds = []
    for at in rest:
        index = bisect_left(ats, at)
        bounds.append(
            (steps[index - 1] if index else (-1, -1), steps[index] if index < len(steps) else (len(entries), len(units)))
        )
    if len(free) * len(rest) > _MOST_CELLS:
        _next_of_label(entries, units, (free, rest, found), view)
        return
    once = Counter(entries[n].label for n in free if entries[n].support == 1)
    scores = []
    for at, (low, high) in zip(rest, bounds, strict=True):
        row = []
        for n in free:
            score = 0.0
            if low[0] < n < high[0] and not _other_label(entries[n], units[at], view, once):
                score = _likeness(entries[n], units[at], view)
                if score:
                    score += _ADJACENT * ((n - low[0] == at - low[1]) + (high[0] - n == high[1] - at) / 2)
            row.append(score)
        scores.append(row)
    if not any(map(any, scores)):
        return
    for i, j in _best(scores):
        found[rest[i]] = entries[free[j]]


def _other_label(entry: Entry, unit: Unit, view: PageView, once: Counter[str]) -> bool:
    """Whether both are labels, and not the same: of a list of attributes each page has some."""
    tag = tag_of(unit.label)
    if tag not in _LABEL_TAGS or not isinstance(entry, Node) or not entry.head or once[entry.label] > _MOST_TRIED:
        return False
    return entry.head != view.head(unit.kids[0])[0]


def _best(scores: list[list[float]]) -> list[tuple[int, int]]:
    """The pairs of rows and columns, in order, with the largest sum."""
    best = [[0.0] * (len(scores[0]) + 1)]
    for row in scores:
        above, line = best[-1], [0.0]
        for place, score in enumerate(row):
            through = above[place] + score if score > 0 else 0.0
            line.append(max(through, line[-1], above[place + 1]))
        best.append(line)
    pairs = []
    i, j = len(scores), len(scores[0])
    while i and j:
        if best[i][j] == best[i][j - 1]:
            j -= 1
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs


def _next_of_label(
    entries: Sequence[Entry], units: Sequence[Unit], open_: tuple[list[int], list[int], list[Entry | None]], view: PageView
) -> None:
    free, rest, found = open_
    after = 0
    for at in rest:
        place = next((p for p in range(after, len(free)) if _likeness(entries[free[p]], units[at], view) > 0), None)
        if place is not None:
            found[at] = entries[free[place]]
            after = place + 1


def increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given by their second number, in which the first numbers grow too."""
    tops: list[int] = []
    tails: list[int] = []
    before = [-1] * len(pairs)
    for index, (number, _) in enumerate(pairs):
        at = bisect_left(tops, number)
        before[index] = tails[at - 1] if at else -1
        tops[at : at + 1] = [number]
        tails[at : at + 1] = [index]
    chosen, index = [], tails[-1] if tails else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def _may_be(entry: Entry, unit: Unit, view: PageView) -> bool:
    """Whether nothing speaks against the only two of a label being the same."""
    return isinstance(entry, Group) or not conflict(entry, unit.kids[0], view)


def conflict(node: Node, kid: int, view: PageView) -> bool:
    """Whether template text says that these are different things: "Director:" is not "Genre:"."""
    if not node.head:
        return False
    head, more = view.head(kid)
    if head == node.head:
        return False
    if node.anchor:
        return True
    if not more or view.text_count(kid) > _ROW_TEXTS or view.has_text(kid, node.head) or _knows(node, head):
        return False
    if node.head[-1] in ":：" and head[-1:] in (":", "："):  # noqa: RUF001
        return node.support > 1
    return node.support >= _SURE_PAGES and node.label != TEXT_LABEL and _has_more(node)


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


def _likeness(entry: Entry, unit: Unit, view: PageView) -> float:
    """How much speaks for a unit being an entry, 0 where something speaks against it."""
    label, kid = unit.label, unit.kids[0]
    if entry.label == label:
        score = 4.0
    else:
        score = _kinship(entry.label, label) or _same_inside(entry, label, kid, view)
        if not score:
            return 0.0
    head = view.head(kid)[0]
    if isinstance(entry, Node):
        if conflict(entry, kid, view):
            return 0.0
        if head and head == entry.head:
            score += 4.0
        if entry.text is not None:
            score += _text_likeness(entry, view.texts[kid])
        else:
            score += _shape_likeness(entry, kid, view)
    else:
        score += 1.0 if len(unit.kids) > 1 else 0.5
        score += _shape_likeness(entry.shown[0], kid, view) if entry.shown else 0.0
    return score


def _kinship(label: str, other: str) -> float:
    """Labels of one tag that share a class, or of which one says nothing, may be the same thing."""
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
    inside = {view.labels[child] for child in view.children(kid)}
    known = {below.label for below in entry.children}
    enough = len(inside & known) >= _MUCH and len(inside & known) >= _MOST * len(inside | known)
    return 0.3 if enough else 0.0


def _names(label: str) -> set[str]:
    return set(label.replace("#", " #").replace(".", " .").replace("@", " @").split()[1:])


def _shape_likeness(node: Node, kid: int, view: PageView) -> float:
    inside = {view.labels[child] for child in view.children(kid)}
    known = {entry.label for entry in node.children}
    if not inside and not known:
        return 1.0
    return 2.0 * len(inside & known) / len(inside | known) - 0.5


def _text_likeness(node: Node, text: str) -> float:
    values = node.text
    if values is None or not values.seen:
        return 0.0
    return 1.0 * max(_look(text) == _look(value) for value in values.seen[:3])


def _look(text: str) -> tuple[bool, bool, int]:
    """A text seen from afar: whether it has digits and letters, and its length in powers of four."""
    return any(map(str.isdigit, text)), any(map(str.isalpha, text)), len(text).bit_length() // 2
