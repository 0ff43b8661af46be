"""Places grown from records: what stands at the same place in many of them becomes one,
from the record's root downwards.

At each place the elements that the records have there are pooled; their children are
sorted by tag, class, label and number into the places below. The order of the places is
that of a partial alignment of all the records' child lists.

The shares below were varied one at a time between 0.4 and 1 on 70 sets of record pages,
with fields read on pages they were not learned on: none moves the share of true values
that stand alone by more than 0.002, nor that of pure columns by more than 0.025.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any

from scythe.align import Vocabulary, align, similarity
from scythe.align.forest import class_key, with_class
from scythe.wrappers.fields.pieces import (
    Item,
    Kind,
    count_of,
    is_one_value,
    items_of,
    label_of,
    parts_of,
    says_something,
)
from scythe.wrappers.fields.place import ANY, TEXT_RUN, Place
from scythe.wrappers.fields.region import IMG, NO_PLACE, A, Region

_CONSTANT = 0.8
"""An element says the same everywhere, or counts up, if so many of them do."""

_HIGHLIGHTED = 0.1
"""An element is a highlight if it stands twice between words in this share of the
records.
"""

_LABELLED = 0.7
"""Likes are told apart by their labels if these name so many of them."""

_TOLD_APART = 0.8
"""The same for what they begin with."""

_STEADY = 0.9
"""Likes under one parent are columns of their own, not a list, if this share of the
records has the same number of them.
"""

_STRUCTURE = 4
"""Nodes that an element with several values in it has more than."""

_SURE = 0.95
"""What fewer of the records have is optional."""

_COUNTED = 3
"""Numbers in a row that count up by design rather than by chance."""

_MOST_NUMBERED = 20
_ALIKE = 0.8
"""How similar the contents of two classes are that mean the same."""

_VARIANT = 0.75
_MOST_KINDS = 40
"""Classes, labels or contents that places of one tag are told apart by; the record sets
have up to 39.
"""

_MOST_COMPARED = 10
"""The commonest classes that another class is compared with."""


@dataclass(slots=True)
class Instance:
    """One record's element (or run of text, node -1) at a place; `owner` is the number
    of its parent among the elements at the parent's place, `at` where it begins.
    """

    region: Region
    node: int
    owner: int
    at: int
    before: str = ""

    def text(self) -> str:
        """Its text with what stands before it."""
        own = self.region.text(self.node) if self.node >= 0 else ""
        return " ".join(f"{self.before}{own}".split())

    def content(self) -> str:
        """What the element begins with: its first element with a class or text."""
        return self.region.first_inside(self.node) if self.node >= 0 else ""


@dataclass(slots=True)
class Growing:
    """A place with the elements found there, not yet looked into."""

    place: Place
    instances: list[Instance]
    text_taken: bool = False
    """The text of the elements belongs to a value above: only links and images are
    looked for.
    """


def grow(regions: Sequence[Region]) -> Place:
    """The places of the records, below one that stands for the record itself."""
    root = Place(ANY)
    if all(len(region.children(-1)) == 1 for region in regions):
        top = Place(ANY)
        root.children = [top]
        waiting = [
            Growing(
                top,
                [Instance(region, 0, index, 0) for index, region in enumerate(regions)],
            )
        ]
    else:
        waiting = [
            Growing(
                root,
                [
                    Instance(region, -1, index, 0)
                    for index, region in enumerate(regions)
                ],
            )
        ]
    while waiting:
        waiting.extend(_look_into(waiting.pop()))
    prune(root)
    return root


def _look_into(growing: Growing) -> list[Growing]:
    """Decide how the text of a place is read, and what places are below it."""
    place, instances = growing.place, growing.instances
    elements = [instance for instance in instances if instance.node >= 0]
    if any(instance.region.tags[instance.node] == A for instance in elements):
        place.link = "link"
    if any(instance.region.tags[instance.node] == IMG for instance in elements):
        place.image = "image"
    if place.tag == TEXT_RUN:
        place.text = "text"
        return []
    contents = _with_highlights(
        instances, [items_of(instance.region, instance.node) for instance in instances]
    )
    contents = _with_numbers(instances, contents)
    whole = not growing.text_taken and (
        place.glued or _is_one_value(instances, contents)
    )
    if whole:
        place.text = "text"
    below = _elements_below(instances, contents, links_only=whole or growing.text_taken)
    found = _sort(below)
    for group in found:
        group.text_taken = whole or growing.text_taken
        group.place.optional = len(
            {instance.owner for instance in group.instances}
        ) < _SURE * len(instances)
    place.children = [group.place for group in _in_order(found)]
    return found


def _is_one_value(instances: list[Instance], contents: list[list[Item]]) -> bool:
    """By vote of the elements at a place, so that it is the same in all records."""
    texts: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    for instance, items in zip(instances, contents, strict=True):
        for item in items:
            if item.kind is Kind.INLINE:
                texts[_key(instance.region, item.node)][
                    instance.region.text(item.node)
                ] += 1

    def says_the_same(region: Region, node: int) -> bool:
        said = texts[_key(region, node)]
        constant = (
            said.total() > 1 and said.most_common(1)[0][1] > _CONSTANT * said.total()
        )
        return constant or region.text(node).endswith(":")

    votes: Counter[bool | None] = Counter()
    for instance, items in zip(instances, contents, strict=True):
        if items:
            vote = is_one_value(
                instance.region,
                instance.node,
                items,
                partial(says_the_same, instance.region),
            )
            votes[vote and instance.node >= 0] += 1
    return votes[True] > votes[False]


def _key(region: Region, node: int) -> tuple[int, str]:
    return region.tags[node], class_key(region.classes(node))


def _with_highlights(
    instances: list[Instance], contents: list[list[Item]]
) -> list[list[Item]]:
    """Elements that come again and again between words (`<span class="match">`) only
    format them, whatever their tag.
    """
    found: Counter[tuple[int, str]] = Counter()
    for instance, items in zip(instances, contents, strict=True):
        if sum(item.kind is Kind.INLINE for item in items) > 1 and any(
            item.kind is Kind.WORDS for item in items
        ):
            found.update(_between_words(instance.region, items))
    highlights = {
        key for key, times in found.items() if times >= _HIGHLIGHTED * len(instances)
    }
    if not highlights:
        return contents
    return [
        [
            Item(Kind.FORMATTING, item.node)
            if item.kind is Kind.INLINE
            and _key(instance.region, item.node) in highlights
            else item
            for item in items
        ]
        for instance, items in zip(instances, contents, strict=True)
    ]


def _with_numbers(
    instances: list[Instance], contents: list[list[Item]]
) -> list[list[Item]]:
    """Where elements begin with a text that counts up from record to record, that is no
    part of their value.
    """
    counts = [
        count_of(instance.region.texts[items[0].node])
        if len(items) > 1 and items[0].kind is Kind.WORDS
        else None
        for instance, items in zip(instances, contents, strict=True)
    ]
    steps = [one is not None and other == one + 1 for one, other in pairwise(counts)]
    if len(counts) < _COUNTED or sum(steps) < _CONSTANT * len(steps):
        return contents
    return [
        items if count is None else [Item(Kind.NUMBER, items[0].node), *items[1:]]
        for items, count in zip(contents, counts, strict=True)
    ]


def _between_words(region: Region, items: list[Item]) -> set[tuple[int, str]]:
    """Which kinds of elements, other than links, stand twice in a text with words
    between.
    """
    last: dict[tuple[int, str], int] = {}
    found, words = set(), 0
    for item in items:
        if item.kind is Kind.WORDS:
            words += 1
        elif item.kind is Kind.INLINE and region.tags[item.node] != A:
            key = _key(region, item.node)
            if last.get(key, words) < words:
                found.add(key)
            last[key] = words
    return found


def _elements_below(
    instances: list[Instance], contents: list[list[Item]], *, links_only: bool
) -> list[Instance]:
    """What the elements at a place have below them, in order: parts with text, and
    elements without any.

    Empty elements count: an empty cell of a table still moves the next one to its
    column.
    """
    found: list[Instance] = []
    for owner, (instance, items) in enumerate(zip(instances, contents, strict=True)):
        region = instance.region
        parts = [] if links_only else parts_of(region, items)
        found.extend(
            Instance(region, part.node, owner, part.at, part.before) for part in parts
        )
        seen = {part.node for part in parts} | {
            item.node for item in items if item.kind is Kind.FORMATTING
        }
        bare = [
            child
            for child in region.children(instance.node)
            if child not in seen and region.tags[child] not in NO_PLACE
        ]
        found.extend(Instance(region, child, owner, child) for child in bare)
    return sorted(found, key=lambda instance: (instance.owner, instance.at))


def _sort(below: list[Instance]) -> list[Growing]:
    """Sort elements into places by tag and class, then each group by label and number."""
    by_tag: dict[str, dict[str, list[Instance]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for instance in below:
        if instance.node < 0:
            by_tag[TEXT_RUN][""].append(instance)
        else:
            name = instance.region.tree.name(instance.region.start + instance.node)
            by_tag[name][class_key(instance.region.classes(instance.node))].append(
                instance
            )
    runs = by_tag.pop(TEXT_RUN, {}).get("", [])
    found: list[Growing] = []
    for tag, by_class in by_tag.items():
        for classes, alike in _merge_classes(by_class):
            with_text = [
                instance for instance in alike if says_something(instance.before)
            ]
            glued = 2 * len(with_text) > sum(
                instance.region.has_text(instance.node) for instance in alike
            )
            if not glued:
                runs.extend(
                    Instance(one.region, -1, one.owner, one.at, one.before)
                    for one in with_text
                )
            found.extend(_number(Place(tag, classes, glued=glued), alike))
    runs = sorted(
        (run for run in runs if says_something(run.before)),
        key=lambda run: (run.owner, run.at),
    )
    return found + (_number(Place(TEXT_RUN), runs) if runs else [])


def _merge_classes(
    by_class: dict[str, list[Instance]],
) -> list[tuple[tuple[str, ...], list[Instance]]]:
    """Elements of one tag by class; classes that never meet under one parent and mean
    the same are put together.

    Boxes do if they share a name (`hit odd` and `hit even`) and what is in them is
    alike; single values only if all names are alike, because `price` and `price old`
    are two fields more often than one. Where there are so many classes that they cannot
    mean much, the rare ones are left to be told apart by other things.
    """
    merged: list[tuple[list[str], list[Instance]]] = []
    rest: list[Instance] = []
    for key, alike in sorted(by_class.items(), key=lambda entry: -len(entry[1])):
        same = next(
            (
                entry
                for entry in merged[:_MOST_COMPARED]
                if _same_thing(entry[0][0], entry[1], key, alike)
            ),
            None,
        )
        if same is not None:
            same[0].append(key)
            same[1].extend(alike)
        elif len(merged) < _MOST_KINDS:
            merged.append(([key], list(alike)))
        else:
            rest.extend(alike)
    found = [
        (() if keys == [""] else tuple(keys[:_MOST_KINDS]), others)
        for keys, others in merged
    ]
    return found + (
        [((), rest)] if rest and not any(keys == () for keys, _ in found) else []
    )


def _same_thing(
    key: str, ones: list[Instance], other_key: str, others: list[Instance]
) -> bool:
    if {one.owner for one in ones} & {other.owner for other in others}:
        return False
    if not _mean_the_same(key, other_key, strictly=not _is_structure(ones)):
        return False
    vocabulary = Vocabulary()
    first, second = (
        vocabulary.of_tree(
            instance.region.tree,
            instance.region.start + instance.node + 1,
            instance.region.start + instance.region.ends[instance.node],
            with_class,
        )
        for instance in (ones[0], others[0])
    )
    return similarity(first, second) >= _ALIKE


def _mean_the_same(key: str, other: str, *, strictly: bool) -> bool:
    """Whether class names are the same or variants of each other: all of them if
    `strictly`, else any.
    """
    names, others = key.split(), other.split()
    if not strictly:
        return (
            not names
            or not others
            or any(_is_variant(one, two) for one in names for two in others)
        )
    return len(names) == len(others) and all(
        any(_is_variant(one, two) for two in others) for one in names
    )


def _is_variant(name: str, other: str) -> bool:
    """Whether two class names are one, or begin alike for most of their length
    (`line-clamp-1_xK`, `line-clamp-2_Qz`).
    """
    longest = max(len(name), len(other))
    return name[: ceil(_VARIANT * longest)] == other[: ceil(_VARIANT * longest)]


def _number(place: Place, alike: list[Instance]) -> list[Growing]:
    """One place for each of several likes under one parent where they can be told
    apart, else one that repeats.
    """
    counts = Counter(instance.owner for instance in alike)
    if max(counts.values()) == 1:
        return [Growing(place, alike)]
    by_label = _by_label(alike)
    if by_label:
        rest = [instance for instance in alike if _label(instance) not in by_label]
        found = [
            Growing(_copy(place, label=label), members)
            for label, members in by_label.items()
        ]
        return found + ([Growing(_copy(place, repeats=True), rest)] if rest else [])
    usual, times = Counter(counts.values()).most_common(1)[0]
    steady = usual <= _MOST_NUMBERED and times > 1 and times >= _STEADY * len(counts)
    if steady and (usual > 1 or _is_structure(alike)):
        return _numbered(place, alike, usual)
    by_content = _by_content(alike)
    if by_content:
        rest = [instance for instance in alike if instance.content() not in by_content]
        found = [
            Growing(_copy(place, content=content), members)
            for content, members in by_content.items()
        ]
        return found + ([Growing(_copy(place, repeats=True), rest)] if rest else [])
    return [Growing(_copy(place, repeats=True), alike)]


def _is_structure(alike: list[Instance]) -> bool:
    """Whether elements hold several things each: of such a second one is an exception,
    not an item of a list.
    """
    sizes = [
        instance.region.ends[instance.node] - instance.node
        for instance in alike
        if instance.node >= 0
    ]
    return sum(sizes) > _STRUCTURE * len(sizes)


def _numbered(place: Place, alike: list[Instance], usual: int) -> list[Growing]:
    """A place for each of the usual number of likes, and one that repeats for what
    comes after them.
    """
    numbered: dict[int | None, list[Instance]] = defaultdict(list)
    seen: Counter[int] = Counter()
    for instance in alike:
        seen[instance.owner] += 1
        numbered[
            seen[instance.owner] if seen[instance.owner] <= usual else None
        ].append(instance)
    return [
        Growing(_copy(place, number=number, repeats=number is None), members)
        for number, members in numbered.items()
    ]


def _copy(place: Place, **told_apart_by: Any) -> Place:
    return replace(place, children=[], **told_apart_by)


def _label(instance: Instance) -> str | None:
    return label_of(instance.text())


def _by_label(alike: list[Instance]) -> dict[str, list[Instance]]:
    """Likes sorted by their labels, if labels that several parents have tell most of
    them apart.
    """
    labelled: dict[str, list[Instance]] = defaultdict(list)
    for instance in alike:
        if label := _label(instance):
            labelled[label].append(instance)
    common = {
        label: members
        for label, members in labelled.items()
        if len(owners := {member.owner for member in members}) > 1
        and len(owners) == len(members)
    }
    common = _commonest(common)
    covered = sum(map(len, common.values()))
    return common if len(common) > 1 and covered >= _LABELLED * len(alike) else {}


def _by_content(alike: list[Instance]) -> dict[str, list[Instance]]:
    """Likes sorted by what they begin with, if that tells most of them apart."""
    sorted_: dict[str, list[Instance]] = defaultdict(list)
    for instance in alike:
        sorted_[instance.content()].append(instance)
    single = {
        content: members
        for content, members in sorted_.items()
        if content and len({member.owner for member in members}) == len(members)
    }
    single = _commonest(single)
    covered = sum(map(len, single.values()))
    return single if len(single) > 1 and covered >= _TOLD_APART * len(alike) else {}


def _commonest(groups: dict[str, list[Instance]]) -> dict[str, list[Instance]]:
    if len(groups) <= _MOST_KINDS:
        return groups
    return dict(sorted(groups.items(), key=lambda entry: -len(entry[1]))[:_MOST_KINDS])


def _in_order(found: list[Growing]) -> list[Growing]:
    """The places in the order in which records have them, by partial alignment of the
    records' lists.
    """
    if len(found) < 2:
        return found
    rows: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, growing in enumerate(found):
        seen: set[int] = set()
        for instance in growing.instances:
            if instance.owner not in seen:
                seen.add(instance.owner)
                rows[instance.owner].append((instance.at, number))
    vocabulary = Vocabulary()
    forests = []
    for row in rows.values():
        labels = [vocabulary.label(number) for _, number in sorted(row)]
        forests.append(vocabulary.forest(labels, range(1, len(labels) + 1)))
    aligned = align(forests, vocabulary)
    laid = Counter(place for row in aligned.rows for place in row)
    # A place that some records have elsewhere has several columns in the alignment: it
    # stands where most have it.
    by_support = sorted(range(len(aligned.grown)), key=lambda place: laid[place])
    at = {aligned.grown.labels[place]: place for place in by_support}
    order = sorted(range(len(found)), key=lambda number: at[vocabulary.label(number)])
    return [found[number] for number in order]


def prune(root: Place) -> None:
    """Take away places that lead to no column, from the bottom."""
    places, waiting = [], [root]
    while waiting:
        place = waiting.pop()
        places.append(place)
        waiting.extend(place.children)
    for place in reversed(places):
        place.children = [
            child
            for child in place.children
            if child.children or child.text or child.link or child.image
        ]
