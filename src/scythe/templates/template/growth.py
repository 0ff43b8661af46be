"""How a template grows by a page: matched from the root down, with what is new inserted
where it belongs.

This is the incremental algorithm of paper 001, section 5.1. Like siblings are folded
(`sibling_matching`), children are paired with the template's, and what is unmatched is
inserted: at its place where that is unique (`unique_insertion`), otherwise as a
possible value beside what already stands there, until a page shows the order. Subtrees
that are as they were on the last page are counted and not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from scythe.templates.matching.likeness import conflict
from scythe.templates.matching.node import Entry, Group, Node, Values, is_usual, tag_of
from scythe.templates.matching.page_view import PageView, label_part
from scythe.templates.matching.pairing import increasing, pair
from scythe.templates.matching.plans import Plan, fits, plan_for
from scythe.templates.matching.siblings import Unit, sibling_matching
from scythe.templates.template.rows import Rows

FADE = 5
"""Pages without an attribute that most pages had, after which an operator is told."""

MOST_ONCE = 40
"""Children of one node that a single page had, of which the template remembers no more."""

STALE, PATIENCE = 6, 10
"""So many of them that no other page had for so many pages are free text, too."""

MOST_ONCE_IN_LISTS = 12
"""The same in an item of a list, of which every page shows many."""

_OFTEN = 0.2
"""The share of pages, since the first that had it, on which an attribute must stand to
be told of.
"""


Step = tuple[Node, int, bool, bool]
"""A node, what stands for it on the page, whether more of the page can, and whether all
of it is new.
"""


class Growth:
    """One page on its way into a template."""

    def __init__(
        self,
        view: PageView,
        page: tuple[int, str],
        epoch: int,
        new_slot: Callable[[], str],
        named: Callable[[Node], bool],
    ) -> None:
        self.view = view
        self.number, self.page = page
        self.epoch = epoch
        self.new_slot = new_slot
        self.rows = Rows(view, self.number, named)
        self.repeatable: list[Node] = []
        self.identified: list[tuple[Node, Values]] = []
        self.vanished: list[Entry] = []
        self.returned: list[Entry] = []
        self.moved: list[Entry] = []
        self.new_slots: list[str] = []
        self.new_texts = 0
        self.changed = False

    def grow(self, root: Node) -> None:
        """Lay the page onto the template."""
        view = self.view
        hashes, labels, ends, heads = view.hashes, view.labels, view.ends, view.heads
        waiting: list[Step] = [(root, 0, False, root.support == 0)]
        while waiting:
            node, kid, repeated, fresh = waiting.pop()
            if not repeated and node.snap == hashes[kid]:
                self._count_as_before(node)
                continue
            plan = (
                None
                if fresh
                else plan_for((node, kid, repeated), view, self.number, self.epoch)
            )
            if plan is not None and fits(plan, kid, view):
                self._follow(node, plan, kid, repeated=repeated)
                continue
            self._open(node, kid, repeated=repeated)
            if ends[kid] == kid + 1 and not node.children:
                continue
            kids = view.children(kid)
            if node.plain == [labels[each] for each in kids]:
                pairs: list[tuple[Node, int]] = list(
                    zip(node.children, kids, strict=True)  # type: ignore[arg-type]  # no groups
                )
                if not any(
                    child.head
                    and child.head != heads[each]
                    and conflict(child, each, view)
                    for child, each in pairs
                ):
                    waiting.extend(
                        [(child, each, repeated, fresh) for child, each in pairs]
                    )
                    continue
            if node.children:
                waiting.extend(
                    self._children(node, kids, repeated=repeated, fresh=fresh)
                )
            else:
                waiting.extend(self._begin(node, kids, repeated=repeated, fresh=fresh))

    def _follow(self, node: Node, plan: Plan, kid: int, *, repeated: bool) -> None:
        """Take note of the values of a subtree that has a structure known before."""
        view = self.view
        if node.laid is plan and not repeated:
            self._count_as_before(node)
            node.snap = view.hashes[kid]
        elif plan.page != self.number:
            self._count(plan, kid)
            node.laid = plan
        texts, waiting = view.texts, node.pending
        for offset, below, known in plan.texts:
            if known.distinct != 1 or known.seen[0] != texts[kid + offset]:
                self._noted(below, known, texts[kid + offset], waiting)
        for addresses, places in ((view.links, plan.links), (view.images, plan.images)):
            for offset, below, known in places:
                value = addresses.get(kid + offset)
                if value is not None and (
                    known.distinct != 1 or known.seen[0] != value
                ):
                    self._noted(below, known, value, waiting)

    def _count_as_before(self, node: Node) -> None:
        """Count a node below which all is as when it was last looked into; it is
        counted there when that is asked for.
        """
        node.pending += 1
        self._count_once(node)

    def _count_once(self, node: Node) -> None:
        """Count a node on this page, and tell if it is back."""
        if node.last != self.number:
            node.support += 1
            node.last = self.number
            if node.faded:
                node.faded = False
                self.returned.append(node)

    def _count(self, plan: Plan, kid: int) -> None:
        """Count all that a plan has."""
        number, hashes = self.number, self.view.hashes
        plan.page = number
        for offset, below, repeated in plan.nodes:
            if below.pending:
                below.flush()
            self._count_once(below)
            below.opened, below.laid = number, None
            below.snap = None if repeated else hashes[kid + offset]
        for group, count in plan.groups:
            self.rows.note_list(group, count)

    def _open(self, node: Node, kid: int, *, repeated: bool) -> None:
        """Take note of what a node is on this page."""
        view = self.view
        if node.pending:
            node.flush()
        node.laid = None
        self._count_once(node)
        node.opened = self.number
        node.born = node.born or self.number
        node.snap = None if repeated or node.support == 1 else view.hashes[kid]
        if node.head != "" and node.anchor is None:
            head = view.heads[kid]
            if node.head is None:
                node.head = head
            elif node.head != head:
                node.head = ""
        if text := view.texts[kid]:
            node.text = self._noted(node, node.text, text)
        elif kid in view.links:
            node.link = self._noted(node, node.link, view.links[kid])
        elif kid in view.images:
            node.image = self._noted(node, node.image, view.images[kid])

    def _noted(
        self, node: Node, values: Values | None, value: str, waiting: int = 0
    ) -> Values:
        """Take note of a value; `waiting` are pages on which the node was, too, that
        are not yet counted at it.
        """
        if values is None:
            values = Values(self.new_slot())
            self.new_slots.append(values.slot)
            self.changed = True
        values.add(value, self.page)
        if (
            values.distinct > 1
            and not values.told
            and values is not node.link
            and self._is_identified(node, waiting)
        ):
            values.told = True
            self.identified.append((node, values))
        return values

    def _is_identified(self, node: Node, waiting: int) -> bool:
        """Whether a node has enough instances to be an attribute: two, and no fewer
        than on every fifth page since the first.
        """
        return node.born > 1 and node.support + waiting >= max(
            2, _OFTEN * (self.number - node.born)
        )

    def _begin(
        self, node: Node, kids: list[int], *, repeated: bool, fresh: bool
    ) -> list[Step]:
        """The first children of a node."""
        steps: list[Step] = []
        for unit in sibling_matching(self.view, kids):
            entry, new_steps = self._entry(unit, repeated=repeated, fresh=fresh)
            node.children.append(entry)
            steps.extend(new_steps)
        self.changed, node.index = True, None
        return steps

    def _entry(
        self, unit: Unit, *, repeated: bool, fresh: bool
    ) -> tuple[Entry, list[Step]]:
        """A new entry for a unit, and what is to be looked into."""
        label, kids = unit
        if not fresh:
            self.new_texts += sum(map(self.view.text_count, kids))
        example = Node(label)
        if len(kids) == 1:
            return example, [(example, kids[0], repeated, True)]
        group = Group(label, example)
        return group, [
            (row, kid, many, True)
            for row, kid, many in self.rows.begin(group, kids, repeated=repeated)
        ]

    def _children(
        self, node: Node, kids: list[int], *, repeated: bool, fresh: bool
    ) -> list[Step]:
        units = sibling_matching(self.view, kids)
        found = pair(node, units, self.view, repeated=repeated)
        steps: list[Step] = []
        for at, (unit, entry) in enumerate(zip(units, found, strict=True)):
            if entry is None:
                continue
            if isinstance(entry, Node) and len(unit.kids) > 1:
                entry = self._turn_repeatable(node, entry, unit)
                found[at] = entry
            if isinstance(entry, Group):
                steps.extend(
                    (row, each, many, fresh)
                    for row, each, many in self.rows.lay(
                        entry, unit.kids, repeated=repeated
                    )
                )
                self.changed |= self.rows.changed
                self.epoch += self.rows.dropped
            else:
                steps.append((entry, unit.kids[0], repeated, fresh))
        if None in found and node.other is not None:
            units, found = self._into_free_text(node.other, units, found)
        if None in found:
            self.changed = True
            node.index = None
            steps.extend(
                self._insert(node, units, found, repeated=repeated, fresh=fresh)
            )
            most = MOST_ONCE_IN_LISTS if repeated else MOST_ONCE
            if node.support > 1 and len(node.children) > min(most, STALE):
                self._forget(node, found, most)
        if node.support > 1 and len(units) > 1:
            self._settle_order(node, found)
        if not repeated and node.support > FADE:
            self._miss(node)
        return steps

    def _turn_repeatable(self, parent: Node, node: Node, unit: Unit) -> Group:
        """A node that had no like sibling until now."""
        group = self.rows.group_of(node, unit.kids)
        parent.children[parent.children.index(node)] = group
        parent.index = None
        self.epoch += 1
        if group.state == "list" and node.support > 1:
            self.repeatable.append(node)
        self.changed = True
        return group

    def _insert(
        self,
        node: Node,
        units: Sequence[Unit],
        found: list[Entry | None],
        *,
        repeated: bool,
        fresh: bool,
    ) -> list[Step]:
        """Insert the unmatched units, run by run, and say what is to be looked into."""
        steps: list[Step] = []
        start = 0
        while start < len(units):
            if found[start] is not None:
                start += 1
                continue
            stop = start
            while stop < len(units) and found[stop] is None:
                stop += 1
            left = found[start - 1] if start else None
            right = found[stop] if stop < len(units) else None
            new: list[Entry] = []
            for unit in units[start:stop]:
                entry, new_steps = self._entry(unit, repeated=repeated, fresh=fresh)
                new.append(entry)
                steps.extend(new_steps)
            unique_insertion(node.children, new, left, right)
            found[start:stop] = new
            start = stop
        return steps

    def _settle_order(self, node: Node, found: Sequence[Entry | None]) -> None:
        """Learn from the order of this page: possible values of one place are put in
        order, others are known to move.
        """
        at = {id(entry): index for index, entry in enumerate(node.children)}
        seen = [
            (at[id(entry)], index)
            for index, entry in enumerate(found)
            if entry is not None
        ]
        in_order = all(one[0] <= other[0] for one, other in pairwise(seen))
        if in_order and not any(entry.place for entry in node.children):
            return
        by_place: dict[int, list[int]] = {}
        for place, _ in seen:
            if node.children[place].place and place not in by_place.get(
                node.children[place].place, ()
            ):
                by_place.setdefault(node.children[place].place, []).append(place)
        for number, places in by_place.items():
            if len(places) > 1:
                node.index = None
                _put_in_order(node.children, number, places)
        if not in_order and not by_place:
            kept = {place for place, _ in increasing(seen)}
            for place, _ in seen:
                entry = node.children[place]
                if place not in kept and not entry.moved:
                    entry.moved = True
                    self.moved.append(entry)

    def _into_free_text(
        self, free_text: Values, units: Sequence[Unit], found: Sequence[Entry | None]
    ) -> tuple[list[Unit], list[Entry | None]]:
        """In a box of free text, only what has a name or a label can be an attribute;
        the rest is told by the box.
        """
        kept = []
        for unit, entry in zip(units, found, strict=True):
            if (
                entry is None
                and tag_of(unit.label) == unit.label
                and not view_label(self.view, unit)
            ):
                for kid in unit.kids:
                    if text := self.view.whole_text(kid):
                        free_text.add(text, self.page)
            else:
                kept.append((unit, entry))
        return [unit for unit, _ in kept], [entry for _, entry in kept]

    def _forget(self, node: Node, found: Sequence[Entry | None], most: int) -> None:
        """Keep no more than so many children that one page alone had: what is free text
        has others on every page.
        """
        here = set(map(id, found))
        once = [
            entry
            for entry in node.children
            if entry.support == 1 and id(entry) not in here
        ]
        stale = [entry for entry in once if entry.last + PATIENCE < self.number]
        lost = [
            *once[: max(len(once) - most, 0)],
            *(stale if len(stale) >= STALE else ()),
        ]
        gone = {id(entry) for entry in lost if not self.rows.is_named(entry)}
        if gone:
            for entry in node.children:
                if id(entry) in gone:
                    _take_out(entry)
            node.children = [entry for entry in node.children if id(entry) not in gone]
            node.index = None
            self.epoch += 1
            node.other = node.other or Values(self.new_slot())

    def _miss(self, node: Node) -> None:
        for entry in node.children:
            gone = self.number - entry.last
            if (
                gone >= FADE
                and not entry.faded
                and is_usual(entry)
                and entry.support >= FADE
            ):
                entry.faded = True
                self.vanished.append(entry)


def _take_out(entry: Entry) -> None:
    waiting = [entry]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, Group):
            waiting.extend(entry.nodes())
        else:
            entry.gone = True
            waiting.extend(entry.children)


def view_label(view: PageView, unit: Unit) -> str:
    """The label that a unit begins with: words and a colon."""
    return label_part(view.heads[unit.kids[0]])


def unique_insertion(
    siblings: list[Entry], new: list[Entry], left: Entry | None, right: Entry | None
) -> bool:
    """Insert new siblings between two neighbours; whether their place was unique.

    It is where the neighbours stand side by side. Otherwise the new ones share the
    place of what stands between: each is a possible value there, and which comes first
    will be known when a page has both.
    """
    at = {id(entry): index for index, entry in enumerate(siblings)}
    low = at[id(left)] if left is not None else -1
    high = at[id(right)] if right is not None else len(siblings)
    if high <= low + 1:
        siblings[low + 1 : low + 1] = new
        return True
    between = siblings[low + 1 : high]
    number = next((entry.place for entry in between if entry.place), 0) or 1 + max(
        entry.place for entry in siblings
    )
    for entry in (*between, *new):
        entry.place = number
    siblings[high:high] = new
    return False


def _put_in_order(siblings: list[Entry], number: int, places: list[int]) -> None:
    """Siblings of one place in the order in which a page has them; those it has are no
    longer only possible values.
    """
    in_order = [siblings[place] for place in places]
    moved = any(entry.moved for entry in in_order) or (
        places != sorted(places) and any(e.place == -number for e in in_order)
    )
    for place, entry in zip(sorted(places), in_order, strict=True):
        siblings[place] = entry
    if moved:
        return
    left = [
        entry for entry in siblings if entry.place == number and entry not in in_order
    ]
    for entry in (*in_order, *(left if len(left) == 1 else ())):
        entry.place = 0
