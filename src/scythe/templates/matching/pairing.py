"""Which children of a page's node stand for which children of a template's node.

Evidence beyond tag and position comes first: what elements call themselves (id, class,
itemprop) and the constant text that they begin with. Where that is unique on both sides
it decides, also against the order; what is left is laid out in order by the largest sum
of likeness.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from scythe.templates.matching.likeness import conflict, likeness, shape_likeness
from scythe.templates.matching.node import Entry, Group, Node, tag_of
from scythe.templates.matching.page_view import COLONS, PageView
from scythe.templates.matching.siblings import Unit, is_label

_MOST_CELLS = 2_500
"""Pairs of children that are weighed against each other; longer lists are paired in one
pass.
"""

_PHRASES = frozenset(
    "#text a abbr b big br cite code em font i s small span strike strong sub sup tt u".split()
)
"""Pieces of a running text. In items of a list they come in any number, and are told
apart by their order alone.
"""

_LABEL_TAGS = frozenset(
    {"dt", "th", "label", "b", "strong", "legend", "h3", "h4", "h5", "h6"}
)
_ONLY_LABELS = frozenset({"dt", "th", "label"})
"""Tags of labels, and those of nothing else."""

_MOST_TRIED = 3
"""Labels that were seen once in one place, after which they are no labels."""

_ADJACENT = 2.0
"""What it is worth to stand beside the same neighbour."""


def pair(
    node: Node, units: Sequence[Unit], view: PageView, *, repeated: bool
) -> list[Entry | None]:
    """The child of a node that each unit stands for, None for what is new.

    In what is repeated, labels differ from item to item and tell nothing apart.
    """
    if not node.children:
        return [None] * len(units)
    if _is_as_before(node, units, view):
        return list(node.children)
    pairing = _Pairing(node, units, view, repeated=repeated)
    pairing.by_label()
    if pairing.open:
        pairing.by_head()
    if pairing.open:
        pairing.in_order()
    if None in pairing.found:
        pairing.variants()
    return pairing.found


def _is_as_before(node: Node, units: Sequence[Unit], view: PageView) -> bool:
    """Whether the units are all children in order, and begin as these do."""
    node.places()
    if node.labels != [label for label, _ in units]:
        return False
    for entry, (_, kids) in zip(node.children, units, strict=True):
        if entry.head and isinstance(entry, Node) and entry.head != view.heads[kids[0]]:
            return False
    return True


class _Pairing:
    """The children of a page's node on their way to those of a template's node."""

    def __init__(
        self, node: Node, units: Sequence[Unit], view: PageView, *, repeated: bool
    ) -> None:
        self.entries, self.places = node.children, node.places()
        self.units, self.view, self.repeated = units, view, repeated
        self.heads = [view.heads[kids[0]] for _, kids in units]
        self.found: list[Entry | None] = [None] * len(units)
        self.taken: dict[int, int] = {}
        """The unit that each entry was found for."""
        self.open: list[int] = []
        """Units that are not paired yet."""

    def take(self, place: int, at: int) -> None:
        self.taken.setdefault(place, at)
        self.found[at] = self.entries[place]

    def by_label(self) -> None:
        """Pair what alone has its label on both sides."""
        wanted = Counter([label for label, _ in self.units])
        for at, (label, kids) in enumerate(self.units):
            places = self.places.get(label, ())
            if (
                len(places) == 1
                and wanted[label] == 1
                and self._may_be(places[0], at, kids[0])
            ):
                self.take(places[0], at)
            else:
                self.open.append(at)

    def _may_be(self, place: int, at: int, kid: int) -> bool:
        """Whether nothing speaks against a unit being an entry of its label."""
        entry, head = self.entries[place], self.heads[at]
        if isinstance(entry, Node) and entry.head and entry.head != head:
            if not self.repeated and tag_of(entry.label) in _ONLY_LABELS:
                return False
            if conflict(entry, kid, self.view):
                return False
        return self._has_same_label(place, at)

    def by_head(self) -> None:
        """Pair what begins with the same text, which no other sibling of its label
        does.
        """
        times = Counter([(self.units[at].label, self.heads[at]) for at in self.open])
        left = []
        for at in self.open:
            label, head = self.units[at].label, self.heads[at]
            places = self.places.get(label, ())
            rows = next(
                (
                    place
                    for place in places
                    if self._has_row(self.entries[place], self.units[at])
                ),
                None,
            )
            if rows is not None:
                self.take(rows, at)
                continue
            same = (
                [
                    place
                    for place in places
                    if self.entries[place].head == head and place not in self.taken
                ]
                if head
                else ()
            )
            if (
                len(same) == 1
                and times[label, head] == 1
                and self._has_same_label(same[0], at)
            ):
                self.take(same[0], at)
            else:
                left.append(at)
        self.open = left

    def _has_row(self, entry: Entry, unit: Unit) -> bool:
        """Whether a group is known to have a row that begins as one of these does."""
        if not isinstance(entry, Group) or entry.state != "labelled":
            return False
        return any(self.view.heads[kid] in entry.heads for kid in unit.kids)

    def in_order(self) -> None:
        """Pair what is left without crossing what is paired, by the largest sum of
        likeness: labels first, then values.
        """
        many = (len(self.entries) - len(self.taken)) * len(self.open) > _MOST_CELLS
        if many or (
            self.repeated
            and all(tag_of(self.units[at].label) in _PHRASES for at in self.open)
        ):
            self._next_of_label(
                [place for place in range(len(self.entries)) if place not in self.taken]
            )
            return
        labels = [at for at in self.open if self._label_units[at]]
        if labels and len(labels) < len(self.open):
            self._weigh(labels)
        if not self.repeated:
            self._behind_labels()
        self._weigh([at for at in self.open if self.found[at] is None])

    def _behind_labels(self) -> None:
        """Pair the values behind labels that are paired, wherever these stand."""
        place_of = {at: place for place, at in self.taken.items()}
        for at in self.open:
            own = self._labels_of_units[at]
            if (
                own not in place_of
                or self.found[at] is not None
                or self._label_units[at]
            ):
                continue
            label = place_of[own]
            for place in range(label + 1, len(self.entries)):
                if (
                    self._labels_of_entries[place] != label
                    or self._label_entries[place]
                ):
                    break
                if place not in self.taken and likeness(
                    self.entries[place], self.units[at], self.view
                ):
                    self.take(place, at)
                    break

    def _weigh(self, ats: list[int]) -> None:
        free: dict[str, list[int]] = {}
        for place, entry in enumerate(self.entries):
            if place not in self.taken:
                free.setdefault(tag_of(entry.label), []).append(place)
        once = Counter(
            self.entries[place].label
            for places in free.values()
            for place in places
            if self.entries[place].support == 1
        )
        steps = increasing(sorted(self.taken.items(), key=lambda item: item[1]))
        paired = [at for _, at in steps]
        scores: dict[int, dict[int, float]] = {}
        for at in ats:
            unit = self.units[at]
            index = bisect_left(paired, at)
            low = steps[index - 1] if index else (-1, -1)
            high = (
                steps[index]
                if index < len(steps)
                else (len(self.entries), len(self.units))
            )
            for place in free.get(tag_of(unit.label), ()):
                if not low[0] < place < high[0] or self._is_other_label(
                    place, at, once
                ):
                    continue
                if not self._has_same_label(place, at):
                    continue
                score = likeness(self.entries[place], unit, self.view)
                if score:
                    beside = (place - low[0] == at - low[1]) + (
                        high[0] - place == high[1] - at
                    ) / 2
                    scores.setdefault(at, {})[place] = score + _ADJACENT * beside
        for at, place in _best(scores):
            self.take(place, at)

    def _is_other_label(self, place: int, at: int, once: Counter[str]) -> bool:
        """Whether both are labels, and not the same: of a list of attributes each page
        has some. A label is no value either.
        """
        entry = self.entries[place]
        if self.repeated:
            return False
        if not self._label_units[at] or not isinstance(entry, Node) or not entry.head:
            return (
                self._label_units[at] != self._label_entries[place]
                and tag_of(entry.label) not in _LABEL_TAGS
            )
        return once[entry.label] <= _MOST_TRIED and entry.head != self.heads[at]

    def _has_same_label(self, place: int, at: int) -> bool:
        """Whether the labels that stand before a value on both sides are the same, or
        say nothing.

        A label that fewer pages have than the value says nothing about a value without
        one.
        """
        if self.repeated or self._label_units[at]:
            return True
        before = self._labels_of_entries[place]
        label = None if before is None else self.entries[before]
        own = self._labels_of_units[at]
        if own is not None and self.found[own] is not None:
            return self.found[own] is label
        return (
            label is None
            or not label.head
            or (own is None and label.support < self.entries[place].support)
        )

    @cached_property
    def _label_entries(self) -> list[bool]:
        return list(map(is_label_entry, self.entries))

    @cached_property
    def _label_units(self) -> list[bool]:
        return [is_label_unit(unit, self.view) for unit in self.units]

    @cached_property
    def _labels_of_entries(self) -> list[int | None]:
        return _last_labels(self._label_entries)

    @cached_property
    def _labels_of_units(self) -> list[int | None]:
        return _last_labels(self._label_units)

    def _next_of_label(self, free: list[int]) -> None:
        """Pair long lists in one pass, each with the next that it may be."""
        after = 0
        for at in self.open:
            label = self.units[at].label
            for number in range(after, len(free)):
                if self.entries[free[number]].label == label and self._may_be(
                    free[number], at, self.units[at].kids[0]
                ):
                    self.found[at] = self.entries[free[number]]
                    after = number + 1
                    break

    def variants(self) -> None:
        """What is left and has the tag of a list whose items have no class in common
        belongs to that list.
        """
        lists = {
            entry.label: entry
            for entry in self.entries
            if isinstance(entry, Group) and entry.state in ("new", "list")
        }
        for at, unit in enumerate(self.units) if lists else ():
            group = lists.get(tag_of(unit.label))
            if (
                self.found[at] is None
                and group is not None
                and shape_likeness(group.example, unit.kids[0], self.view) > 0
            ):
                self.found[at] = group


def _last_labels(labels: Sequence[bool]) -> list[int | None]:
    """For each of several siblings the last one before it that is a label."""
    found: list[int | None] = []
    last: int | None = None
    for place, label in enumerate(labels):
        found.append(last)
        if label:
            last = place
    return found


def is_label_unit(unit: Unit, view: PageView) -> bool:
    """Whether a unit of a page is the label of what stands behind it."""
    return tag_of(unit.label) in _LABEL_TAGS or is_label(view, unit.kids[0])


def is_label_entry(entry: Entry) -> bool:
    """Whether an entry of a template is the label of what stands behind it."""
    return tag_of(entry.label) in _LABEL_TAGS or _says_a_label(entry)


def _says_a_label(entry: Entry) -> bool:
    """Whether an element of any tag has one text, which is a label on all pages: words
    and a colon.
    """
    if not isinstance(entry, Node) or not entry.head or entry.head[-1] not in COLONS:
        return False
    node: Entry = entry
    while isinstance(node, Node) and node.text is None and len(node.children) == 1:
        node = node.children[0]
    return (
        isinstance(node, Node)
        and node.text is not None
        and node.text.constant == entry.head
    )


def _best(scores: dict[int, dict[int, float]]) -> list[tuple[int, int]]:
    """The pairs of units and places, in order, with the largest sum of scores; of equal
    sums, with the earlier places.
    """
    if len(scores) < 2:
        return [
            (at, max(row, key=lambda place: (row[place], -place)))
            for at, row in scores.items()
        ]
    ats, places = (
        list(scores),
        sorted({place for row in scores.values() for place in row}),
    )
    best = [[0.0] * (len(places) + 1)]
    for at in ats:
        above, line, last, row = best[-1], [0.0], 0.0, scores[at]
        for number, place in enumerate(places):
            if place in row and above[number] + row[place] > last:
                last = above[number] + row[place]
            if above[number + 1] > last:
                last = above[number + 1]
            line.append(last)
        best.append(line)
    pairs = []
    i, j = len(ats), len(places)
    while i and j:
        if best[i][j] == best[i][j - 1]:
            j -= 1
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((ats[i], places[j]))
    return pairs


def increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs, given by their second number, in which the first
    numbers grow too.
    """
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
