"""Which elements of records stand at the same position: sorted by tag and class, then
by label, number or what they begin with.

The shares here and in `growth` were varied one at a time between 0.4 and 1 on 70 sets of
record pages, with fields read on pages they were not learned on: none moves the share of
true values that stand alone by more than 0.002, nor that of pure columns by more than
0.025.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from math import ceil

from scythe.align import Forest, ForestVocabulary, forest_similarity, match
from scythe.align.forest import class_key, tag_and_class
from scythe.sections.fields.position import TEXT_RUN, ColumnPosition
from scythe.sections.fields.record_tree import RecordTree
from scythe.sections.fields.value_parts import is_informative, leading_label

_LABELLED = 0.7
"""Like elements are told apart by their labels if these name so many of them."""

_DISTINCT = 0.8
"""The same for what they begin with."""

_STEADY = 0.9
"""Like elements under one parent are columns of their own, not a list, if this share of
the records has the same number of them.
"""

_STRUCTURE = 4
"""Nodes that an element with several values in it has more than."""

_MAX_NUMBERED = 20
"""Like elements under one parent that can be columns of their own; an arbitrary cap."""

_ALIKE = 0.8
"""How similar the contents of two classes are that mean the same."""

_VARIANT = 0.75
"""The share of two class names that is equal at their beginning if one is a variant of
the other.
"""

_MAX_KINDS = 40
"""Classes, labels or contents that positions of one tag are told apart by; the record
sets have up to 39.
"""

_MAX_COMPARED = 10
"""The commonest classes that another class is compared with: a bound on work."""


@dataclass(slots=True)
class Instance:
    """One record's element (or run of text, node -1) at a position; `owner` is the
    number of its parent among the elements at the parent's position, `start` the node
    where it begins.
    """

    record: RecordTree
    node: int
    owner: int
    start: int
    text_before: str = ""

    def text(self) -> str:
        """Return its text with what stands before it."""
        text = self.text_before
        if self.node >= 0:
            text += self.record.text(self.node)
        return " ".join(text.split())

    def label(self) -> str | None:
        """Return the label that its text begins with."""
        return leading_label(self.text())

    def content(self) -> str:
        """Return what the element begins with: its first element with a class or text."""
        if self.node < 0:
            return ""
        return self.record.first_inside(self.node)


InstancesByName = dict[str, list[Instance]]
"""Elements by class, label or content."""

ClassGroup = tuple[tuple[str, ...], list[Instance]]
"""Elements of one position, with the classes they have."""


@dataclass(slots=True)
class PositionGroup:
    """A position with the elements found there, not yet looked into."""

    position: ColumnPosition
    instances: list[Instance]
    is_text_taken: bool = False
    """The text of the elements belongs to a value above: only links and images are
    looked for.
    """


def group_by_position(instances: list[Instance]) -> list[PositionGroup]:
    """Return elements grouped into positions by tag and class, then each group by label
    and number.
    """
    runs = [instance for instance in instances if instance.node < 0]
    groups: list[PositionGroup] = []
    for tag, by_class in _by_tag_and_class(instances).items():
        for classes, alike in _merge_classes(by_class):
            with_text = [one for one in alike if is_informative(one.text_before)]
            filled = 0
            for one in alike:
                filled += one.record.has_text(one.node)
            is_glued = 2 * len(with_text) > filled
            if not is_glued:
                runs += [_text_run(instance) for instance in with_text]
            position = ColumnPosition(tag, classes, glued=is_glued)
            groups.extend(_distinguish(position, alike))

    runs = [run for run in runs if is_informative(run.text_before)]
    runs.sort(key=lambda run: (run.owner, run.start))
    if runs:
        groups.extend(_distinguish(ColumnPosition(TEXT_RUN), runs))
    return groups


def _text_run(instance: Instance) -> Instance:
    """Return the text before an element as a run of its own."""
    return replace(instance, node=-1)


def _by_tag_and_class(instances: list[Instance]) -> dict[str, InstancesByName]:
    by_tag: dict[str, InstancesByName] = {}
    for instance in instances:
        if instance.node < 0:
            continue
        record = instance.record
        tag = record.tree.name(record.start + instance.node)
        classes = class_key(record.classes(instance.node))
        by_class = by_tag.setdefault(tag, {})
        by_class.setdefault(classes, []).append(instance)
    return by_tag


def _merge_classes(by_class: InstancesByName) -> list[ClassGroup]:
    """Return elements of one tag by class; classes that never meet under one parent and
    mean the same are put together.

    Boxes do if they share a name (`hit odd` and `hit even`) and what is in them is
    alike; single values only if all names are alike, because `price` and `price old`
    are two fields more often than one. Where there are so many classes that they cannot
    mean much, the rare ones are left to be told apart by other signs.
    """
    merged: list[tuple[list[str], list[Instance]]] = []
    rest: list[Instance] = []
    for key in _commonest_first(by_class):
        alike = by_class[key]
        for keys, instances in merged[:_MAX_COMPARED]:
            if _mean_the_same(keys[0], instances, key, alike):
                keys.append(key)
                instances.extend(alike)
                break
        else:
            is_room_left = len(merged) < _MAX_KINDS
            if is_room_left:
                merged.append(([key], list(alike)))
            else:
                rest.extend(alike)

    groups: list[ClassGroup] = []
    has_classless = False
    for keys, instances in merged:
        if keys == [""]:
            groups.append(((), instances))
            has_classless = True
        else:
            classes = tuple(keys[:_MAX_KINDS])
            groups.append((classes, instances))
    if rest and not has_classless:
        groups.append(((), rest))
    return groups


def _commonest_first(groups: InstancesByName) -> list[str]:
    return sorted(groups, key=lambda name: -len(groups[name]))


def _mean_the_same(
    key: str, ones: list[Instance], other_key: str, others: list[Instance]
) -> bool:
    """Return whether elements of two classes stand at the same position."""
    if _owners(ones) & _owners(others):
        return False
    if _is_structure(ones):
        has_like_names = _share_a_variant(key, other_key)
    else:
        has_like_names = _are_all_variants(key, other_key)
    if not has_like_names:
        return False
    vocabulary = ForestVocabulary()
    first = _inner_forest(ones[0], vocabulary)
    second = _inner_forest(others[0], vocabulary)
    if _is_modified(key, other_key):
        smaller = min(len(first), len(second))
        matched = match(first, second).size
        return matched >= max(_ALIKE * smaller, 1)
    return forest_similarity(first, second) >= _ALIKE


def _is_modified(key: str, other_key: str) -> bool:
    """Return whether one class has all names of the other, and more (`card`, and
    `card card--rated`): then a box may also have a part that the other lacks.
    """
    names = set(key.split())
    others = set(other_key.split())
    return names < others or others < names


def _inner_forest(instance: Instance, vocabulary: ForestVocabulary) -> Forest:
    record = instance.record
    inside = record.start + instance.node + 1
    stop = record.start + record.ends[instance.node]
    return vocabulary.forest_of_tree(record.tree, inside, stop, tag_and_class)


def _owners(instances: list[Instance]) -> set[int]:
    return {instance.owner for instance in instances}


def _share_a_variant(key: str, other_key: str) -> bool:
    """Return whether any of the class names are variants of each other, or one has
    none.
    """
    names = key.split()
    others = other_key.split()
    if not names or not others:
        return True
    return any(_has_variant(name, others) for name in names)


def _are_all_variants(key: str, other_key: str) -> bool:
    """Return whether all class names are the same or variants of each other."""
    names = key.split()
    others = other_key.split()
    if len(names) != len(others):
        return False
    return all(_has_variant(name, others) for name in names)


def _has_variant(name: str, others: list[str]) -> bool:
    return any(_is_variant(name, other) for other in others)


def _is_variant(name: str, other: str) -> bool:
    """Return whether two class names are one, or begin alike for most of their length
    (`line-clamp-1_xK`, `line-clamp-2_Qz`).
    """
    longer = max(len(name), len(other))
    size = ceil(_VARIANT * longer)
    return name[:size] == other[:size]


def _distinguish(
    position: ColumnPosition, alike: list[Instance]
) -> list[PositionGroup]:
    """Return one position for each of several like elements under one parent where they
    can be told apart, else one that repeats.
    """
    counts = Counter(instance.owner for instance in alike)
    if max(counts.values()) == 1:
        return [PositionGroup(position, alike)]

    by_label = _by_label(alike)
    if by_label:
        groups = []
        for label, members in by_label.items():
            copy = replace(position, children=[], label=label)
            groups.append(PositionGroup(copy, members))
        rest = [one for one in alike if one.label() not in by_label]
        return groups + _repeating(position, rest)

    sizes = Counter(counts.values())
    usual, times = sizes.most_common(1)[0]
    is_steady = times > 1 and times >= _STEADY * len(counts)
    can_be_numbered = is_steady and 1 < usual <= _MAX_NUMBERED
    if is_steady and usual == 1:
        can_be_numbered = _is_structure(alike)
    if can_be_numbered:
        return _numbered(position, alike, usual)

    by_content = _by_content(alike)
    if not by_content:
        return _repeating(position, alike)
    groups = []
    for content, members in by_content.items():
        copy = replace(position, children=[], content=content)
        groups.append(PositionGroup(copy, members))
    rest = [one for one in alike if one.content() not in by_content]
    return groups + _repeating(position, rest)


def _repeating(
    position: ColumnPosition, instances: list[Instance]
) -> list[PositionGroup]:
    """Return a position that repeats for elements that are not told apart, if any."""
    if not instances:
        return []
    copy = replace(
        position,
        children=[],
        repeats=True,
    )
    return [PositionGroup(copy, instances)]


def _is_structure(alike: list[Instance]) -> bool:
    """Return whether elements hold several values each: of such a second one is an
    exception, not an item of a list.
    """
    elements = [instance for instance in alike if instance.node >= 0]
    size = 0
    for element in elements:
        ends = element.record.ends
        size += ends[element.node] - element.node
    return size > _STRUCTURE * len(elements)


def _numbered(
    position: ColumnPosition, alike: list[Instance], usual: int
) -> list[PositionGroup]:
    """Return a position for each of the usual number of like elements, and one that
    repeats for what comes after them.
    """
    by_number: dict[int | None, list[Instance]] = defaultdict(list)
    counts: Counter[int] = Counter()
    for instance in alike:
        counts[instance.owner] += 1
        number = counts[instance.owner]
        key = number if number <= usual else None
        by_number[key].append(instance)

    groups = []
    for key, members in by_number.items():
        is_rest = key is None
        copy = replace(
            position,
            children=[],
            number=key,
            repeats=is_rest,
        )
        groups.append(PositionGroup(copy, members))
    return groups


def _by_label(alike: list[Instance]) -> InstancesByName:
    """Return like elements by their labels, if labels that several parents have tell
    most of them apart.
    """
    labelled: InstancesByName = defaultdict(list)
    for instance in alike:
        label = instance.label()
        if label:
            labelled[label].append(instance)
    common = {}
    for label, members in labelled.items():
        owner_count = len(_owners(members))
        if owner_count > 1 and owner_count == len(members):
            common[label] = members
    return _if_most_are_covered(common, _LABELLED * len(alike))


def _by_content(alike: list[Instance]) -> InstancesByName:
    """Return like elements by what they begin with, if that tells most of them apart."""
    by_content: InstancesByName = defaultdict(list)
    for instance in alike:
        content = instance.content()
        by_content[content].append(instance)
    single = {}
    for content, members in by_content.items():
        owner_count = len(_owners(members))
        if content and owner_count == len(members):
            single[content] = members
    return _if_most_are_covered(single, _DISTINCT * len(alike))


def _if_most_are_covered(groups: InstancesByName, least: float) -> InstancesByName:
    """Return the commonest groups, if they are several and hold enough elements; else
    none.
    """
    if len(groups) > _MAX_KINDS:
        names = _commonest_first(groups)
        groups = {name: groups[name] for name in names[:_MAX_KINDS]}
    covered = sum(map(len, groups.values()))
    if len(groups) < 2 or covered < least:
        return {}
    return groups
