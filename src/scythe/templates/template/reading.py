"""Reading pages by a template: every text goes to the slot whose place it stands in.

Most of a page is as on pages that were read before, in all that decides where its texts
belong. So a reader remembers, for each part of the template and each signature of what
stood there, which places of the page belong to which slots, and only what is new in
this sense is laid onto the template again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from scythe.templates.matching.likeness import conflict
from scythe.templates.matching.node import Group, Node, Values
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.pairing import pair
from scythe.templates.matching.siblings import sibling_matching
from scythe.templates.matching.signatures import known_texts, signatures
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.rows import assigned
from scythe.templates.template.slots import Interest, taken_out

_SMALL = 100
"""Nodes of a subtree that is remembered at once; larger ones seldom come again, and are
when they did.
"""

_MOST_PLANS = 20_000
_NOTHING = ("", "")


_TEXT, _LINK, _IMAGE = range(3)

Found = tuple[int, Values | None, int]
"""A node of the page, or its offset in a subtree, with the place that it belongs to and
what is read there.
"""

Step = tuple[Node | None, int, Values | None, bool]
"""A node of the template, what stands for it on the page, the free text that it is in,
and whether more of the page can stand for it. Without a node, it is what the template
has no place for.
"""


class Reader:
    """Reads pages by a template as it is: when the template changes, a new reader is
    needed.
    """

    def __init__(self, root: Node, interest: Interest) -> None:
        self.root, self.interest = root, interest
        self.known = known_texts(root)
        self._plans: dict[tuple[Node, int], list[Found] | None] = {}
        """What was found in subtrees, by offset; None where one was seen once."""

    def read(
        self,
        view: PageView,
        names: Mapping[str, str],
        look: Callable[[], tuple[dict[int, str], int]],
    ) -> Extracted:
        """The values of the slots in page order."""
        texts, numbers = view.texts, view.nodes
        values: dict[str, list[str]] = {}
        nodes: dict[str, list[int]] = {}
        for kid, place, kind in self._lay(view):
            if place is None:
                continue
            if kind == _TEXT:
                value = texts[kid]
                if not value:
                    value = view.whole_text(kid)
                    if not self._wants(place, value):
                        continue
                if place.around != _NOTHING:
                    value = taken_out(value, *place.around)
            else:
                value = (view.links if kind == _LINK else view.images)[kid]
            slot = place.slot
            if slot in values:
                values[slot].append(value)
                nodes[slot].append(numbers[kid])
            else:
                values[slot], nodes[slot] = [value], [numbers[kid]]
        return Extracted(values, nodes, names, look)

    def rest(self, view: PageView) -> tuple[dict[int, str], int]:
        """The texts of a page that have no place, by tree node, and how many texts it
        has; for readers of all texts.
        """
        unplaced = {
            view.nodes[kid]: view.texts[kid]
            for kid, place, _ in self._lay(view)
            if place is None
        }
        return unplaced, len(view.text_nodes)

    def _lay(self, view: PageView) -> list[Found]:
        """What is of interest on a page, in document order."""
        numbers, ends, plans = signatures(view, self.known), view.ends, self._plans
        if len(plans) > _MOST_PLANS:
            plans.clear()
        found: list[Found] = []
        open_: list[tuple[int, tuple[Node, int], int, int]] = []
        waiting: list[Step] = [(self.root, 0, None, False)]
        while waiting:
            node, kid, free_text, repeated = waiting.pop()
            if node is None:
                found.extend(self._outside(view, kid, free_text))
            elif ends[kid] == kid + 1:
                found.extend(self._own(view, node, kid, free_text))
            else:
                key = (node, numbers[kid])
                plan = plans.get(key)
                if plan is None:
                    open_.append((len(waiting), key, kid, len(found)))
                    found.extend(self._own(view, node, kid, free_text))
                    waiting.extend(
                        reversed(
                            self._below(
                                view, node, kid, (node.other or free_text, repeated)
                            )
                        )
                    )
                else:
                    found.extend(
                        [(kid + offset, place, kind) for offset, place, kind in plan]
                    )
            while open_ and open_[-1][0] == len(waiting):  # all below is read
                _, key, kid, first = open_.pop()
                again = key in plans or ends[kid] - kid <= _SMALL
                plans[key] = (
                    [(at - kid, place, kind) for at, place, kind in found[first:]]
                    if again
                    else None
                )
        return found

    def _wants(self, place: Values, value: str) -> bool:
        """What differs from page to page, and on this page from all others."""
        return place.interest >= self.interest or (
            self.interest is Interest.DATA and place.constant != value
        )

    def _own(
        self, view: PageView, node: Node, kid: int, free_text: Values | None
    ) -> Iterator[Found]:
        """What a node of the page says itself."""
        place: Values | None
        if text := view.texts[kid]:
            place = node.text or node.other or free_text
            if place is None:
                yield from self._outside(view, kid, None)
            elif self._wants(place, text):
                yield kid, place, _TEXT
        elif (place := node.link) is not None and kid in view.links:
            if self._wants(place, view.links[kid]):
                yield kid, place, _LINK
        elif (
            (place := node.image) is not None
            and kid in view.images
            and self._wants(place, view.images[kid])
        ):
            yield kid, place, _IMAGE

    def _outside(
        self, view: PageView, kid: int, free_text: Values | None
    ) -> Iterator[Found]:
        """What stands for no node is free text as a whole, or has no place."""
        first, last = view.text_before[kid], view.text_before[view.ends[kid]]
        if free_text is not None and first < last:
            yield kid, free_text, _TEXT
        elif self.interest is Interest.ALL:
            yield from ((at, None, _TEXT) for at in view.text_nodes[first:last])

    def _below(
        self, view: PageView, node: Node, kid: int, context: tuple[Values | None, bool]
    ) -> Sequence[Step]:
        """Which nodes of the template the children stand for, as far as these are of
        interest.
        """
        free_text, repeated = context
        kids = view.children(kid)
        steps: list[Step] = []
        if node.plain == [view.labels[each] for each in kids]:
            nodes: list[Node] = node.children  # type: ignore[assignment]  # a plain node has no group
            pairs = list(zip(nodes, kids, strict=True))
            if not any(
                child.head
                and child.head != view.heads[each]
                and conflict(child, each, view)
                for child, each in pairs
            ):
                steps = [(child, each, free_text, repeated) for child, each in pairs]
        if not steps:
            units = sibling_matching(view, kids)
            for unit, entry in zip(
                units, pair(node, units, view, repeated=repeated), strict=True
            ):
                if isinstance(entry, Group):
                    rows = assigned(entry, unit.kids, view)
                    steps.extend(
                        (row, each, free_text, repeated or row is entry.example)
                        for row, each in rows
                    )
                else:
                    steps.extend(
                        (entry, each, free_text, repeated) for each in unit.kids
                    )
        if self.interest is Interest.NAMED:
            return [
                step
                for step in steps
                if step[0] is None or step[0].interest is Interest.NAMED
            ]
        return steps
