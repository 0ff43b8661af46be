"""Reading pages by a template: every text goes to the slot in whose position it stands.

Most of a page is as on pages that were read before, in all that decides where its texts
belong. So a reader remembers, for each part of the template and each signature of what
stood there, which parts of the page belong to which slots, and only what is new in this
sense is matched with the template again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.entries import EntryIndices
from scythe.templates.matching.likeness import begin_alike
from scythe.templates.matching.node import (
    IMAGE,
    LINK,
    TEXT,
    Node,
    SiblingGroup,
    SlotValues,
    ValueKind,
)
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.pairing import pair
from scythe.templates.matching.siblings import sibling_matching
from scythe.templates.matching.signatures import known_texts, signatures
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.row_matching import match_rows
from scythe.templates.template.slots import (
    NO_AFFIXES,
    Interest,
    ReadingMarks,
    without_affixes,
)

_SMALL_SUBTREE = 100
"""Page nodes of a subtree that is remembered at once; larger ones seldom come again, and
are remembered when they did. Not tuned.
"""

_MAX_REMEMBERED = 20_000
"""Subtrees that a reader remembers. A bound on memory."""
_MAX_REMEMBERED_VALUES = 300_000
"""Values in them, for the same reason: each of a thousand nested subtrees has those of
all within it.
"""


class ReadSlot(NamedTuple):
    """A slot as a reader reads it."""

    id: str
    kind: ValueKind
    is_read: bool
    """Whether all of its values are of interest."""
    constant: str | None
    """The value of all pages so far, None where they differ."""
    prefix: str
    suffix: str
    is_whole_text: bool
    """Whether its values are texts as they stand in the page."""


class FoundValues(NamedTuple):
    """Where values stand on a page, or in a subtree by their offsets in it, and the slot of
    each; None for a text that the template has no slot for.
    """

    nodes: list[int]
    slots: list[ReadSlot | None]

    def add(self, page_node: int, slot: ReadSlot | None) -> None:
        """Add a value."""
        self.nodes.append(page_node)
        self.slots.append(slot)

    def add_subtree(self, page_node: int, known: FoundValues) -> None:
        """Add what is known of a subtree."""
        self.nodes.extend([page_node + offset for offset in known.nodes])
        self.slots.extend(known.slots)

    def subtree(self, page_node: int, first: int) -> FoundValues:
        """Return what was found in a subtree, from the first value in it."""
        offsets = [node - page_node for node in self.nodes[first:]]
        return FoundValues(offsets, self.slots[first:])


ReadStep = tuple[Node | None, int, SlotValues | None, bool]
"""A node of the template, the page node that stands for it, the free text that it is
in, and whether more of the page can stand for it. Without a node, it is what the
template has no position for.
"""


class _OpenSubtree(NamedTuple):
    """A subtree that is being read and will be remembered."""

    waiting: int
    """How many steps were waiting when it was begun."""
    key: tuple[Node, int]
    page_node: int
    found: int
    """How much was found when it was begun."""


class Reader:
    """Reads pages by a template as it is: when the template changes, a new reader is
    needed.
    """

    def __init__(
        self, root: Node, interest: Interest, marks: ReadingMarks, cache: MatchingCache
    ) -> None:
        self.root = root
        self.interest = interest
        self.marks = marks
        self.cache = cache
        self.known = known_texts(root)
        self._slots: dict[str, ReadSlot] = {}
        self._indices = EntryIndices()
        self._remembered: dict[tuple[Node, int], FoundValues | None] = {}
        """What was found in subtrees, by offset; None where one was seen once."""
        self._remembered_values = 0

    def read(
        self,
        view: PageView,
        names: Mapping[str, str],
        find_unmatched: Callable[[], tuple[dict[int, str], int]],
    ) -> Extracted:
        """Return the values of the slots in page order. Texts without a slot are found
        on the way, unless only what was named is read: then they are looked for when
        they are asked for.
        """
        tree_nodes = view.tree_nodes
        texts = view.texts
        values_by_slot: dict[str, list[str]] = {}
        nodes_by_slot: dict[str, list[int]] = {}
        unmatched: dict[int, str] = {}
        found = self._match(view)
        for page_node, slot in zip(found.nodes, found.slots, strict=True):
            if slot is None:
                unmatched[tree_nodes[page_node]] = texts[page_node]
                continue
            value: str | None = texts[page_node] if slot.is_whole_text else None
            if not value:
                value = self._value(view, page_node, slot)
            if value is None:
                continue
            if slot.id in values_by_slot:
                values_by_slot[slot.id].append(value)
                nodes_by_slot[slot.id].append(tree_nodes[page_node])
            else:
                values_by_slot[slot.id] = [value]
                nodes_by_slot[slot.id] = [tree_nodes[page_node]]
        if self.interest is Interest.NAMED:
            return Extracted(values_by_slot, nodes_by_slot, names, find_unmatched)
        total = len(view.text_nodes)
        return Extracted(
            values_by_slot,
            nodes_by_slot,
            names,
            lambda: (unmatched, total),
        )

    def _value(self, view: PageView, page_node: int, slot: ReadSlot) -> str | None:
        """Return what a slot has in a position; None where it is not of interest."""
        if slot.kind is LINK:
            return view.links[page_node]
        if slot.kind is IMAGE:
            return view.images[page_node]
        value = view.texts[page_node]
        if not value:
            value = view.whole_text(page_node)
            if not self._is_of_interest(slot, value):
                return None
        if slot.prefix or slot.suffix:
            return without_affixes(value, slot.prefix, slot.suffix)
        return value

    def unmatched(self, view: PageView) -> tuple[dict[int, str], int]:
        """Return the texts of a page that have no slot, by tree node, and how many
        texts it has; for readers of more than what was named.
        """
        texts: dict[int, str] = {}
        found = self._match(view)
        for page_node, slot in zip(found.nodes, found.slots, strict=True):
            if slot is None:
                tree_node = view.tree_nodes[page_node]
                texts[tree_node] = view.texts[page_node]
        return texts, len(view.text_nodes)

    def _match(self, view: PageView) -> FoundValues:
        """Return what is of interest on a page, in document order."""
        numbers = signatures(view, self.known)
        ends = view.ends
        remembered = self._remembered
        is_full = self._remembered_values >= _MAX_REMEMBERED_VALUES
        if is_full or len(remembered) > _MAX_REMEMBERED:
            remembered.clear()
            self._remembered_values = 0

        found = FoundValues([], [])
        open_subtrees: list[_OpenSubtree] = []
        waiting: list[ReadStep] = [(self.root, 0, None, False)]
        while waiting:
            node, page_node, free_text, repeated = waiting.pop()
            if node is None:
                self._read_outside(found, view, page_node, free_text)
            elif ends[page_node] == page_node + 1:
                self._read_own(found, view, node, page_node, free_text)
            else:
                key = (node, numbers[page_node])
                known = remembered.get(key)
                if known is not None:
                    found.add_subtree(page_node, known)
                else:
                    open_subtrees.append(
                        _OpenSubtree(len(waiting), key, page_node, len(found.nodes))
                    )
                    if node.link is not None or node.image is not None:
                        self._read_own(found, view, node, page_node, free_text)
                    inner_text = node.free_text or free_text
                    step = (node, page_node, inner_text, repeated)
                    waiting.extend(reversed(self._steps_below(view, step)))
            while open_subtrees and open_subtrees[-1].waiting == len(waiting):
                self._remember(open_subtrees.pop(), found, ends)
        return found

    def _remember(
        self, subtree: _OpenSubtree, found: FoundValues, ends: Sequence[int]
    ) -> None:
        """Remember what was found in a subtree that is read wholly now."""
        first = subtree.page_node
        is_small = ends[first] - first <= _SMALL_SUBTREE
        is_kept = is_small or subtree.key in self._remembered
        if is_kept and self._remembered_values < _MAX_REMEMBERED_VALUES:
            inside = found.subtree(first, subtree.found)
            self._remembered_values += len(inside.nodes)
            self._remembered[subtree.key] = inside
        else:
            self._remembered[subtree.key] = None

    def _slot(self, values: SlotValues, kind: ValueKind) -> ReadSlot:
        slot = self._slots.get(values.slot)
        if slot is None:
            interest = self.marks.slot_interest.get(values.slot, Interest.DATA)
            affixes = self.marks.affixes.get(values.slot, NO_AFFIXES)
            slot = ReadSlot(
                values.slot,
                kind,
                interest >= self.interest,
                values.constant,
                *affixes,
                kind is TEXT and affixes == NO_AFFIXES,
            )
            self._slots[values.slot] = slot
        return slot

    def _is_of_interest(self, slot: ReadSlot, value: str) -> bool:
        """Return whether a value is read: what differs from page to page, and on this
        page from all others.
        """
        if slot.is_read:
            return True
        return self.interest is Interest.DATA and slot.constant != value

    def _read_own(
        self,
        found: FoundValues,
        view: PageView,
        node: Node,
        page_node: int,
        free_text: SlotValues | None,
    ) -> None:
        """Add the own value of a page node to what was found."""
        if value := view.texts[page_node]:
            values = node.text or node.free_text or free_text
            if values is None:
                self._read_outside(found, view, page_node, None)
                return
            slot = self._slot(values, TEXT)
        elif node.link is not None and page_node in view.links:
            value = view.links[page_node]
            slot = self._slot(node.link, LINK)
        elif node.image is not None and page_node in view.images:
            value = view.images[page_node]
            slot = self._slot(node.image, IMAGE)
        else:
            return
        if self._is_of_interest(slot, value):
            found.add(page_node, slot)

    def _read_outside(
        self,
        found: FoundValues,
        view: PageView,
        page_node: int,
        free_text: SlotValues | None,
    ) -> None:
        """Add what stands for no node: it is free text as a whole, or has no slot."""
        first = view.texts_before[page_node]
        last = view.texts_before[view.ends[page_node]]
        if free_text is not None and first < last:
            found.add(page_node, self._slot(free_text, TEXT))
        elif self.interest is not Interest.NAMED:
            for text_node in view.text_nodes[first:last]:
                found.add(text_node, None)

    def _steps_below(self, view: PageView, step: ReadStep) -> list[ReadStep]:
        """Return which nodes of the template the children of a page node stand for, as
        far as these are of interest.
        """
        steps = self._child_steps(view, step)
        if self.interest is not Interest.NAMED:
            return steps
        interests = self.marks.node_interest
        return [
            step
            for step in steps
            if step[0] is None or interests.get(step[0]) is Interest.NAMED
        ]

    def _child_steps(self, view: PageView, step: ReadStep) -> list[ReadStep]:
        node, page_node, free_text, repeated = step
        assert node is not None  # noqa: S101 - only nodes have children
        page_nodes = view.children(page_node)
        labels = [view.labels[child] for child in page_nodes]
        cached = self.cache[node]
        if cached.child_labels == labels:
            plain = cached.plain_children
            if plain is not None and begin_alike(plain, page_nodes, view):
                pairs = zip(plain, page_nodes, strict=True)
                return [(below, child, free_text, repeated) for below, child in pairs]

        steps: list[ReadStep] = []
        units = sibling_matching(view, page_nodes)
        index = self._indices[node]
        found = pair(index, units, view, self.cache, repeated=repeated)
        for unit, entry in zip(units, found, strict=True):
            if isinstance(entry, SiblingGroup):
                rows = match_rows(entry, unit.page_nodes, view, self.cache)
                for row, child in rows:
                    many = repeated or row.repeats or row is entry.example
                    steps.append((row, child, free_text, many))
            else:
                steps.extend(
                    (entry, child, free_text, repeated) for child in unit.page_nodes
                )
        return steps
