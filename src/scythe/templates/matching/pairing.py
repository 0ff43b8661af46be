"""Which children of a page node stand for which children of a template's node.

Evidence beyond tag and position comes first: what elements call themselves (id, class,
itemprop) and the constant text that they begin with. Where that is unique on both sides
it decides, also against the order; what is left is laid out in order by the largest sum
of likeness.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.entries import EntryIndex
from scythe.templates.matching.labels import LABEL_TAGS, is_label_unit, last_labels
from scythe.templates.matching.likeness import conflict, likeness, shape_likeness
from scythe.templates.matching.node import (
    Entry,
    Node,
    label_tag,
)
from scythe.templates.matching.page_view import PageView
from scythe.templates.matching.sequences import best_ordered_pairs, longest_increasing
from scythe.templates.matching.siblings import SiblingUnit

_MAX_CELLS = 2_500
"""Pairs of children that are weighed against each other; longer lists are paired in one
pass. A bound on work, not tuned.
"""

_MAX_TRIED = 50
"""Entries of its label that a unit of a longer list is compared with. A bound on work,
not tuned.
"""

_PHRASES = frozenset(
    "#text a abbr b big br cite code em font i s small span strike strong sub sup tt u".split()
)
"""Pieces of a running text. In items of a list they come in any number, and are told
apart by their order alone.
"""

_ONLY_LABELS = frozenset({"dt", "th", "label"})
"""Tags of labels and of nothing else."""

_MAX_LABELS_SEEN_ONCE = 3
"""Entries of one label that one page had, beyond which they are no labels of
attributes.
"""

_ADJACENT = 2.0
"""What it is worth to stand beside the same neighbour; half of it on the other side. A
weight beside those of `likeness`, set by hand.
"""


def pair(
    index: EntryIndex,
    units: Sequence[SiblingUnit],
    view: PageView,
    cache: MatchingCache,
    *,
    repeated: bool,
) -> list[Entry | None]:
    """Return the child of a node that each unit stands for, None for what is new.

    In what is repeated, labels differ from item to item and tell nothing apart.
    """
    node = index.node
    if not node.children:
        return [None] * len(units)
    if _is_as_before(node, units, view, cache):
        return list(node.children)

    pairing = _Pairing(index, units, view, cache, repeated=repeated)
    pairing.by_label()
    if pairing.unpaired:
        pairing.by_leading_text()
    if pairing.unpaired:
        pairing.in_order()
    if None in pairing.found:
        pairing.with_lists()
    return pairing.found


def _is_as_before(
    node: Node, units: Sequence[SiblingUnit], view: PageView, cache: MatchingCache
) -> bool:
    """Return whether the units are all children in order, and begin as these do."""
    labels = [label for label, _ in units]
    if labels != cache[node].child_labels:
        return False
    for entry, (_, page_nodes) in zip(node.children, units, strict=True):
        if (
            entry.leading_text
            and isinstance(entry, Node)
            and entry.leading_text != view.leading_texts[page_nodes[0]]
        ):
            return False
    return True


class _Pairing:
    """The units of a page on their way to the entries of a template's node, both by
    their index.
    """

    def __init__(
        self,
        index: EntryIndex,
        units: Sequence[SiblingUnit],
        view: PageView,
        cache: MatchingCache,
        *,
        repeated: bool,
    ) -> None:
        self.index = index
        self.entries = index.node.children
        self.positions = cache[index.node].positions
        self.units = units
        self.view = view
        self.cache = cache
        self.repeated = repeated
        self.leading_texts = [view.leading_texts[nodes[0]] for _, nodes in units]
        self.found: list[Entry | None] = [None] * len(units)
        self.taken: dict[int, int] = {}
        """The unit that each entry was found for."""
        self.unpaired: list[int] = []
        """Units that are not paired yet."""

    def take(self, entry_index: int, unit_index: int) -> None:
        """Pair an entry with a unit."""
        self.taken.setdefault(entry_index, unit_index)
        self.found[unit_index] = self.entries[entry_index]

    def by_label(self) -> None:
        """Pair what alone has its label on both sides."""
        counts = Counter([label for label, _ in self.units])
        for unit_index, (label, _) in enumerate(self.units):
            candidates = self.positions.get(label, [])
            is_unique = len(candidates) == 1 and counts[label] == 1
            if is_unique and self._is_possible(candidates[0], unit_index):
                self.take(candidates[0], unit_index)
            else:
                self.unpaired.append(unit_index)

    def _is_possible(self, entry_index: int, unit_index: int) -> bool:
        """Return whether nothing speaks against a unit being an entry of its label."""
        entry = self.entries[entry_index]
        text = self.leading_texts[unit_index]
        if (
            isinstance(entry, Node)
            and entry.leading_text
            and entry.leading_text != text
        ):
            is_label = self.index.tags[entry_index] in _ONLY_LABELS
            if is_label and not self.repeated:
                return False
            page_node = self.units[unit_index].page_nodes[0]
            if conflict(entry, page_node, self.view):
                return False
        return self._has_same_label(entry_index, unit_index)

    def by_leading_text(self) -> None:
        """Pair what begins with the same text, which no other sibling of its label
        does.
        """
        keys = [
            (self.units[unit_index].label, self.leading_texts[unit_index])
            for unit_index in self.unpaired
        ]
        counts = Counter(keys)
        left: list[int] = []
        for unit_index, key in zip(self.unpaired, keys, strict=True):
            entry_index = self._group_with_row(unit_index)
            if entry_index is None and counts[key] == 1:
                entry_index = self._entry_of_leading_text(unit_index)
            if entry_index is None:
                left.append(unit_index)
            else:
                self.take(entry_index, unit_index)
        self.unpaired = left

    def _group_with_row(self, unit_index: int) -> int | None:
        """Return the group that is known to have a row that begins as one of a unit."""
        unit = self.units[unit_index]
        for entry_index, group in self.index.labelled_groups.get(unit.label, ()):
            for page_node in unit.page_nodes:
                if self.view.leading_texts[page_node] in group.leading_texts:
                    return entry_index
        return None

    def _entry_of_leading_text(self, unit_index: int) -> int | None:
        """Return the one free entry of a unit's label that begins as the unit does."""
        text = self.leading_texts[unit_index]
        if not text:
            return None
        label = self.units[unit_index].label
        known = self.index.by_leading_text.get((label, text), ())
        same = [index for index in known if index not in self.taken]
        if len(same) != 1:
            return None
        has_same_label = self._has_same_label(same[0], unit_index)
        return same[0] if has_same_label else None

    def in_order(self) -> None:
        """Pair what is left without crossing what is paired, by the largest sum of
        likeness: labels first, then values.
        """
        free_count = len(self.entries) - len(self.taken)
        cells = free_count * len(self.unpaired)
        if cells > _MAX_CELLS or self._are_phrases():
            self._in_one_pass()
            return

        labels = [index for index in self.unpaired if self._is_label_unit[index]]
        if labels and len(labels) < len(self.unpaired):
            self._by_likeness(labels)
        if not self.repeated:
            self._behind_labels()
        left = [index for index in self.unpaired if self.found[index] is None]
        self._by_likeness(left)

    def _are_phrases(self) -> bool:
        return self.repeated and all(
            label_tag(self.units[index].label) in _PHRASES for index in self.unpaired
        )

    def _in_one_pass(self) -> None:
        """Pair long lists in one pass, each unit with the next entry that it may be, of
        a few that it is compared with.
        """
        start = 0
        for unit_index in self.unpaired:
            label = self.units[unit_index].label
            same = self.positions.get(label, [])
            first = bisect_left(same, start)
            for entry_index in same[first : first + _MAX_TRIED]:
                if entry_index in self.taken:
                    continue
                if self._is_possible(entry_index, unit_index):
                    self.found[unit_index] = self.entries[entry_index]
                    start = entry_index + 1
                    break

    def _behind_labels(self) -> None:
        """Pair the values behind labels that are paired, wherever these stand."""
        entry_of_unit = {unit: entry for entry, unit in self.taken.items()}
        for unit_index in self.unpaired:
            label_unit = self._labels_of_units[unit_index]
            is_paired = self.found[unit_index] is not None
            if is_paired or self._is_label_unit[unit_index]:
                continue
            if label_unit is not None and label_unit in entry_of_unit:
                self._take_behind(entry_of_unit[label_unit], unit_index)

    def _take_behind(self, label_entry: int, unit_index: int) -> None:
        """Pair a unit with the first entry behind a label that it is like."""
        for entry_index in range(label_entry + 1, len(self.entries)):
            if (
                self.index.last_labels[entry_index] != label_entry
                or self.index.is_label[entry_index]
            ):
                return
            if entry_index not in self.taken and likeness(
                self.entries[entry_index],
                self.units[unit_index],
                self.view,
                self.cache,
            ):
                self.take(entry_index, unit_index)
                return

    def _by_likeness(self, unit_indices: list[int]) -> None:
        """Pair units with entries between the pairs that are known, by the largest sum
        of likeness.
        """
        free = self._free_entries(unit_indices)
        if not free:
            return
        seen_once: dict[str, int] = {}
        known = sorted(self.taken.items(), key=lambda item: item[1])
        steps = longest_increasing(known)
        paired_units = [unit_index for _, unit_index in steps]
        scores: dict[int, dict[int, float]] = {}
        for unit_index in unit_indices:
            step = bisect_left(paired_units, unit_index)
            low = steps[step - 1] if step else (-1, -1)
            end = (len(self.entries), len(self.units))
            high = steps[step] if step < len(steps) else end
            tag = label_tag(self.units[unit_index].label)
            for entry_index in free.get(tag, ()):
                if not low[0] < entry_index < high[0]:
                    continue
                if self._is_other_label(entry_index, unit_index, seen_once):
                    continue
                if not self._has_same_label(entry_index, unit_index):
                    continue
                score = likeness(
                    self.entries[entry_index],
                    self.units[unit_index],
                    self.view,
                    self.cache,
                )
                if score:
                    is_next = entry_index - low[0] == unit_index - low[1]
                    is_previous = high[0] - entry_index == high[1] - unit_index
                    score += _ADJACENT * (is_next + is_previous / 2)
                    scores.setdefault(unit_index, {})[entry_index] = score

        for unit_index, entry_index in best_ordered_pairs(scores):
            self.take(entry_index, unit_index)

    def _free_entries(self, unit_indices: Iterable[int]) -> dict[str, list[int]]:
        """Return the entries that are not paired, by the tags of some units."""
        free: dict[str, list[int]] = {}
        tags = {label_tag(self.units[index].label) for index in unit_indices}
        for tag in sorted(tags):
            same = self.index.by_tag.get(tag, ())
            entries = [index for index in same if index not in self.taken]
            if entries:
                free[tag] = entries
        return free

    def _is_other_label(
        self, entry_index: int, unit_index: int, seen_once: dict[str, int]
    ) -> bool:
        """Return whether both are labels, and not the same: of a list of attributes
        each page has some. A label is no value either. `seen_once` remembers how many
        entries of a label one page had.
        """
        if self.repeated:
            return False
        entry = self.entries[entry_index]
        is_label_unit = self._is_label_unit[unit_index]
        if not is_label_unit or not isinstance(entry, Node) or not entry.leading_text:
            if is_label_unit == self.index.is_label[entry_index]:
                return False
            return self.index.tags[entry_index] not in LABEL_TAGS
        if entry.label not in seen_once:
            seen_once[entry.label] = self._seen_once(entry.label)
        if seen_once[entry.label] > _MAX_LABELS_SEEN_ONCE:
            return False
        return entry.leading_text != self.leading_texts[unit_index]

    def _seen_once(self, label: str) -> int:
        """Return how many free entries of a label one page had."""
        same = self.positions[label]
        free = [index for index in same if index not in self.taken]
        return sum(self.entries[index].support == 1 for index in free)

    def _has_same_label(self, entry_index: int, unit_index: int) -> bool:
        """Return whether the labels that stand before a value on both sides are the
        same, or say nothing.

        A label that fewer pages have than the value says nothing about a value without
        one.
        """
        if self.repeated or self._is_label_unit[unit_index]:
            return True
        label_entry = self.index.last_labels[entry_index]
        label = None if label_entry is None else self.entries[label_entry]
        label_unit = self._labels_of_units[unit_index]
        if label_unit is not None and self.found[label_unit] is not None:
            return self.found[label_unit] is label
        if label is None or not label.leading_text:
            return True
        entry = self.entries[entry_index]
        return label_unit is None and label.support < entry.support

    @cached_property
    def _is_label_unit(self) -> list[bool]:
        return [is_label_unit(unit, self.view) for unit in self.units]

    @cached_property
    def _labels_of_units(self) -> list[int | None]:
        return last_labels(self._is_label_unit)

    def with_lists(self) -> None:
        """Pair what is left and has the tag of a list, whose items have no class in
        common, with that list.
        """
        lists = self.index.lists
        if not lists:
            return

        for unit_index, unit in enumerate(self.units):
            group = lists.get(label_tag(unit.label))
            if group is None or self.found[unit_index] is not None:
                continue
            if (
                shape_likeness(group.example, unit.page_nodes[0], self.view, self.cache)
                > 0
            ):
                self.found[unit_index] = group
