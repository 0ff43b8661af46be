"""Like siblings of a page laid onto a group of the template: as items of a list, or as
rows that are told apart.

Rows are told apart by their labels where what they begin with is template text:
different within a page, the same from page to page. They are told apart by their number
where all pages have as many, and few. Everything else is a list with one example node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from scythe.templates.matching.likeness import shape_likeness
from scythe.templates.matching.node import Entry, Group, Node
from scythe.templates.matching.page_view import PageView
from scythe.templates.template.merging import absorb

Step = tuple[Node, int, bool]
"""A node, what stands for it on the page, and whether more of the page can stand for
it.
"""

_MOST_ROWS = 60
"""Rows that are kept apart until a second page tells what they are."""

_MOST_HEADS = 150
"""Beginnings of rows that a group remembers."""

_MOST_STEADY = 6
_STEADY_TEXTS = 3
"""Siblings that are columns of their own if every page has as many of them, and the
texts that each has at most.
"""

_UNIQUE, _KNOWN, _MORE = 0.9, 0.5, 0.6
"""Rows are labelled if so many of a page begin with different texts, if so many of
these are known from earlier pages, and if so many have something behind them.
"""

_ROW_TEXTS = 4
"""Texts of what is still a row of a label and its value."""

_KNOWN_LABELS = 0.3
"""The same where all of them are a few words without a number."""

_LONGEST_LABEL = 30

_SWAPPED = 0.05
"""Neighbours in another order than before, of all rows of all pages, beyond which what
rows begin with is data. Labels of a site keep their order but for a change of its
template; of a dozen ingredients in any order it is a tenth and more.
"""

_VOCABULARY, _EXPLODED = 2.5, 5.0
"""Labels are few: so many times the longest list at most, and no longer labels beyond
the second number.
"""


class Rows:
    """Lays siblings of one page onto groups."""

    def __init__(
        self, view: PageView, number: int, named: Callable[[Node], bool]
    ) -> None:
        self.view, self.number, self.named = view, number, named
        self.changed = False
        self.dropped = False
        """Whether nodes were taken out of the template."""

    def is_named(self, entry: Entry) -> bool:
        """Whether an operator named something in it."""
        return (
            any(map(self.named, entry.nodes()))
            if isinstance(entry, Group)
            else self.named(entry)
        )

    def begin(self, group: Group, kids: Sequence[int], *, repeated: bool) -> list[Step]:
        """The first page of a group: one example node, and its rows apart until more is
        known.
        """
        steps = [(group.example, kid, True) for kid in kids]
        if repeated or len(kids) > _MOST_ROWS:
            group.state = "list"
        else:
            group.rows = [Node(group.label) for _ in kids]
            steps.extend(
                (row, kid, False) for row, kid in zip(group.rows, kids, strict=True)
            )
        self._note(group, kids)
        return steps

    def group_of(self, node: Node, kids: Sequence[int]) -> Group:
        """A group in place of a node that now has like siblings."""
        group = Group(node.label, node)
        group.support, group.last, group.place, group.moved = (
            node.support,
            node.last,
            node.place,
            node.moved,
        )
        group.count = group.most = 1
        names = [self.view.heads[kid] for kid in kids if self.view.more[kid]]
        if node.head and node.head in names and len(set(names)) == len(kids):
            group.state, group.rows, group.example = (
                "labelled",
                [node],
                Node(node.label),
            )
            node.anchor = node.head
            group.heads = {node.head: (node.support, node.last)}
        else:
            group.state = "list"
            node.snap = None
        return group

    def lay(self, group: Group, kids: Sequence[int], *, repeated: bool) -> list[Step]:
        """Which node of the group each of the siblings stands for; the group learns
        from them first.
        """
        self.changed = self.dropped = False
        if not group.mixed:
            self._compare_order(group, kids)
        if group.state == "new":
            self._decide(group, kids)
        elif group.state == "steady" and (
            len(kids) != len(group.rows) or self._are_others(group, kids)
        ):
            self._no_longer_steady(group, kids)
        elif (
            group.state == "list"
            and not group.mixed
            and self._is_labelled(group, kids, sure=True)
        ):
            self._take_apart(group, kids)
        elif group.state == "labelled" and (
            len(group.heads) > _EXPLODED * max(group.most, 2) + 4
            or not _keeps_order(group)
        ):
            self._fold(group)
        self._note(group, kids)
        if group.state == "labelled":
            return self._by_label(group, kids, repeated=repeated)
        return [
            (node, kid, repeated or node is group.example)
            for node, kid in assigned(group, kids, self.view)
        ]

    def note_list(self, group: Group, count: int) -> None:
        """Count a group, and so many siblings in it."""
        if group.last != self.number:
            group.support += 1
            group.last = self.number
        group.count = count
        group.most = max(group.most, count)

    def _note(self, group: Group, kids: Sequence[int]) -> None:
        self.note_list(group, len(kids))
        if group.mixed:
            return
        names = [self.view.heads[kid] for kid in kids]
        for head in names:
            if head:
                count, last = group.heads.pop(head, (0, 0))
                group.heads[head] = (count + (last != self.number), self.number)
        too_many = (
            len(group.heads) > _EXPLODED * max(group.most, 2) + 4
            or len(group.heads) > _MOST_HEADS
        )
        if len(set(names)) < _UNIQUE * len(kids) or (
            group.state == "list" and too_many
        ):
            group.mixed = True
            if group.state == "list":
                group.heads = {}

    def _compare_order(self, group: Group, kids: Sequence[int]) -> None:
        """Count neighbours that stood in the other order on their last page: labels
        keep theirs.

        What rows begin with is remembered in the order of the last page, so that of two
        of one page the earlier came first.
        """
        places = {
            head: (place, last)
            for place, (head, (_, last)) in enumerate(group.heads.items())
        }
        for one, other in pairwise(places.get(self.view.heads[kid]) for kid in kids):
            if (
                one is not None
                and other is not None
                and one[1] == other[1]
                and one[0] != other[0]
            ):
                group.swapped += one[0] > other[0]

    def _is_labelled(self, group: Group, kids: Sequence[int], *, sure: bool) -> bool:
        names = {head for kid in kids if (head := self.view.heads[kid])}
        if group.mixed or len(names) < _UNIQUE * len(kids) or not _keeps_order(group):
            return False
        known = sum(head in group.heads for head in names)
        if sure and (
            known < 2
            or len(group.heads.keys() | names)
            > _VOCABULARY * max(group.most, len(kids))
        ):
            return False
        if sum(self.view.more[kid] for kid in kids) >= _MORE * len(kids):
            enough = _KNOWN_LABELS if all(map(_looks_like_a_label, names)) else _KNOWN
            return known > 0 and known >= enough * min(len(kids), max(group.count, 1))
        return (
            not sure and known == len(kids) == group.count
        )  # a list that says the same on every page

    def _decide(self, group: Group, kids: Sequence[int]) -> None:
        """What a group is, from its second page."""
        self.changed = True
        if not group.rows or self.named(group.example):
            group.state, group.rows = "list", []
        elif self._is_labelled(group, kids, sure=False):
            group.state = "labelled"
            for row in group.rows:
                row.anchor = row.head
            first = _first_of_each(group.rows)
            if len(first) == len(group.rows):
                group.example = Node(group.label)
            group.rows = first
        elif (
            len(kids) == group.count <= _MOST_STEADY
            and max(map(self.view.text_count, kids)) <= _STEADY_TEXTS
        ):
            group.state = "steady"
            group.example = Node(group.label)
        else:
            group.state, group.rows = "list", []

    def _are_others(self, group: Group, kids: Sequence[int]) -> bool:
        """Whether labels say that as many siblings as before are not the same ones."""
        if group.mixed or all(
            row.head == self.view.heads[kid]
            for row, kid in zip(group.rows, kids, strict=True)
        ):
            return False
        return self._is_labelled(group, kids, sure=True)

    def _no_longer_steady(self, group: Group, kids: Sequence[int]) -> None:
        """Another number of siblings than before: a list after all, unless an operator
        named its columns or labels tell.
        """
        heads = {row.head for row in group.rows}
        constant = [
            row
            for row in group.rows
            if row.head and row.head in {self.view.heads[kid] for kid in kids}
        ]
        if (
            len(heads) == len(group.rows)
            and constant
            and len(constant) >= _KNOWN * min(len(kids), len(group.rows))
        ):
            group.state = "labelled"
            for row in group.rows:
                row.anchor = row.head or None
                if not row.anchor and not self.named(row):
                    absorb(group.example, row)
            group.rows = [row for row in group.rows if row.anchor or self.named(row)]
            self.changed = self.dropped = True
        elif not any(map(self.named, group.rows)):
            rows, group.state, group.rows = [*group.rows, group.example], "list", []
            group.example = rows[0]
            for row in rows[1:]:
                absorb(group.example, row)
            group.example.snap = None
            self.changed = self.dropped = True

    def _take_apart(self, group: Group, kids: Sequence[int]) -> None:
        if self.named(group.example):
            return
        group.state, group.rows = "labelled", []
        self.changed = True

    def _fold(self, group: Group) -> None:
        group.state, group.mixed = "list", True
        for row in group.rows:
            if not self.named(row):
                absorb(group.example, row)
        group.rows = [row for row in group.rows if self.named(row)]
        self.changed = self.dropped = True

    def _by_label(
        self, group: Group, kids: Sequence[int], *, repeated: bool
    ) -> list[Step]:
        found = known_rows(group, kids, self.view)
        steps: list[Step] = []
        taken: set[str] = set()
        after = 0
        for kid, known in zip(kids, found, strict=True):
            head, row = self.view.heads[kid], known
            if row is None and (not head or head in taken):
                steps.append((group.example, kid, True))
                continue
            if row is None:
                row = Node(group.label)
                row.anchor = head
                row.support = group.heads.get(head, (1, 0))[0] - 1
                group.rows.insert(after, row)
                self.changed = True
            elif row.anchor != head:
                row.anchor = None
            after = group.rows.index(row) + 1
            taken.add(head)
            steps.append((row, kid, repeated))
        return steps


def known_rows(group: Group, kids: Sequence[int], view: PageView) -> list[Node | None]:
    """The row of a labelled group that each sibling stands for, None where there is
    none.

    Siblings are rows of the label that they begin with. A box, which is more than a
    label and its value, may begin with data, so a box with an unknown beginning can be
    one that has been seen with another, between the same neighbours.
    """
    rows = {row.anchor: place for place, row in enumerate(group.rows)}
    places: list[int | None] = []
    for kid in kids:
        place = rows.get(view.heads[kid])
        places.append(None if place in places else place)
    for at, kid in enumerate(kids):
        if places[at] is None and view.text_count(kid) > _ROW_TEXTS:
            low = max((place for place in places[:at] if place is not None), default=-1)
            high = min(
                (
                    place
                    for place in places[at + 1 :]
                    if place is not None and place > low
                ),
                default=len(group.rows),
            )
            free = [
                place
                for place in range(low + 1, high)
                if place not in places and _is_open(group, group.rows[place])
            ]
            best = max(
                free,
                key=lambda place: shape_likeness(group.rows[place], kid, view),
                default=None,
            )
            if best is not None and shape_likeness(group.rows[best], kid, view) > 0:
                places[at] = best
    return [None if place is None else group.rows[place] for place in places]


def _keeps_order(group: Group) -> bool:
    return group.swapped < 2 or group.swapped <= _SWAPPED * group.support * group.most


def _looks_like_a_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and not any(map(str.isdigit, text))


def _is_open(group: Group, row: Node) -> bool:
    """Whether what a row begins with may be data."""
    return row.anchor is None or group.heads.get(row.anchor, (1, 0))[0] == 1


def _first_of_each(rows: list[Node]) -> list[Node]:
    """One row for each label; a second one of a label is for the example node."""
    found: dict[str | None, Node] = {}
    for row in rows:
        if row.anchor:
            found.setdefault(row.anchor, row)
    return list(found.values())


def assigned(
    group: Group, kids: Sequence[int], view: PageView
) -> list[tuple[Node, int]]:
    """The node of a group that each sibling stands for, without learning anything."""
    if group.state == "steady":
        if len(kids) == len(group.rows):
            return list(zip(group.rows, kids, strict=True))
        return list(
            zip([*group.rows, *[group.example] * len(kids)], kids, strict=False)
        )
    if group.state == "new" or not group.rows:
        return [(group.example, kid) for kid in kids]
    return [
        (row or group.example, kid)
        for row, kid in zip(known_rows(group, kids, view), kids, strict=True)
    ]
