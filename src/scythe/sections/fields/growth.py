"""Positions grown from records: what stands at the same position in many of them becomes
one, from the record's root downwards.

At each position the elements that the records have there are pooled; their children are
grouped by tag, class, label and number into the positions below. The order of the
positions is that of a partial alignment of all the records' child lists.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from scythe.align import ForestVocabulary, align
from scythe.align.forest import class_key
from scythe.sections.fields.cells import cell_groups
from scythe.sections.fields.grouping import Instance, PositionGroup, group_by_position
from scythe.sections.fields.labels import (
    are_items,
    declared_header,
    declared_property,
)
from scythe.sections.fields.position import ANY_TAG, TEXT_RUN, ColumnPosition, prune
from scythe.sections.fields.record_tree import IMG, NO_POSITION, A, RecordTree
from scythe.sections.fields.value_parts import (
    ContentItem,
    ContentKind,
    content_items,
    is_one_value,
    list_number,
    value_parts,
)

_CONSTANT = 0.8
"""The text of an element is the same everywhere, or counts up, if that of so many is.
How little the shares here matter is in `grouping`.
"""

_HIGHLIGHTED = 0.1
"""An element is a highlight if it stands twice between words in this share of the
records.
"""

_REQUIRED = 0.95
"""What fewer of the records have is optional."""

MAX_POSITIONS = 500
"""Positions that are looked into; what more there are is read as one text each. A bound
on work for records of which each is unlike all others: those of 49 record sets have up to
150.
"""

_MIN_COUNTED = 3
"""Numbers in a row that count up by design rather than by chance."""

StartsByOwner = dict[int, list[tuple[int, int]]]
"""For each owner the start of elements, with the number of their group."""

ElementKey = tuple[int, str]
"""Tag and class of an element."""


def grow_positions(records: Sequence[RecordTree]) -> ColumnPosition:
    """Return the positions of the records, below one that stands for the record itself."""
    root = ColumnPosition(ANY_TAG)
    top = root
    node = -1
    if all(len(record.children(-1)) == 1 for record in records):
        top = ColumnPosition(ANY_TAG)
        node = 0
        root.children = [top]
    instances = [
        Instance(record, node, index, 0) for index, record in enumerate(records)
    ]

    stack = [PositionGroup(top, instances)]
    grown = 0
    while stack:
        group = stack.pop()
        if grown < MAX_POSITIONS:
            stack.extend(_grow_below(group))
        elif not group.is_text_taken:
            group.position.text = "text"
        grown += 1
    prune(root)
    return root


def _grow_below(group: PositionGroup) -> list[PositionGroup]:
    """Decide how the text of a position is read, add the positions below it, and return
    these with their elements.
    """
    position = group.position
    instances = group.instances
    elements = [instance for instance in instances if instance.node >= 0]
    tags = {element.record.tags[element.node] for element in elements}
    if A in tags:
        position.link = "link"
    if IMG in tags:
        position.image = "image"
    position.header = position.header or declared_header(elements)
    position.declared = declared_property(elements)
    position.is_item = are_items(elements)
    if position.tag == TEXT_RUN:
        position.text = "text"
        return []

    contents = [content_items(one.record, one.node) for one in instances]
    contents = _with_highlights(instances, contents)
    contents = _with_numbers(instances, contents)
    is_whole = False
    if not group.is_text_taken:
        is_whole = position.glued or _is_one_value(instances, contents)
    if is_whole:
        position.text = "text"

    is_text_taken = is_whole or group.is_text_taken
    below = _instances_below(instances, contents, only_links=is_text_taken)
    groups = None if is_text_taken else cell_groups(instances, below)
    if groups is None:
        groups = group_by_position(below)
    required = _REQUIRED * len(instances)
    for child in groups:
        child.is_text_taken = is_text_taken
        owners = {instance.owner for instance in child.instances}
        child.position.optional = len(owners) < required
    ordered = _in_reading_order(groups)
    position.children = [child.position for child in ordered]
    return groups


def _is_one_value(instances: list[Instance], contents: list[list[ContentItem]]) -> bool:
    """Return whether elements are one value, by vote of the elements at a position, so
    that it is the same in all records.
    """
    texts: dict[ElementKey, Counter[str]] = defaultdict(Counter)
    for instance, items in zip(instances, contents, strict=True):
        record = instance.record
        for item in items:
            if item.kind is ContentKind.INLINE:
                key = _key(record, item.node)
                text = record.text(item.node)
                texts[key][text] += 1

    def is_constant(record: RecordTree, node: int) -> bool:
        key = _key(record, node)
        counts = texts[key]
        total = counts.total()
        most = max(counts.values(), default=0)
        if total > 1 and most > _CONSTANT * total:
            return True
        return record.text(node).endswith(":")

    votes: Counter[bool | None] = Counter()
    for instance, items in zip(instances, contents, strict=True):
        if not items:
            continue
        record = instance.record
        constant_here = partial(is_constant, record)
        vote = is_one_value(record, instance.node, items, constant_here)
        votes[vote and instance.node >= 0] += 1
    return votes[True] > votes[False]


def _key(record: RecordTree, node: int) -> ElementKey:
    classes = class_key(record.classes(node))
    return record.tags[node], classes


def _with_highlights(
    instances: list[Instance], contents: list[list[ContentItem]]
) -> list[list[ContentItem]]:
    """Return the contents with highlights as formatting: elements that come again and
    again between words (`<span class="match">`) only format them, whatever their tag.
    """
    counts: Counter[ElementKey] = Counter()
    for instance, items in zip(instances, contents, strict=True):
        keys = _between_words(instance.record, items)
        counts.update(keys)
    least = _HIGHLIGHTED * len(instances)
    highlights = {key for key, count in counts.items() if count >= least}
    if not highlights:
        return contents

    changed = []
    for instance, items in zip(instances, contents, strict=True):
        record = instance.record
        new_items = []
        for item in items:
            is_inline = item.kind is ContentKind.INLINE
            if is_inline and _key(record, item.node) in highlights:
                item = ContentItem(ContentKind.FORMATTING, item.node)
            new_items.append(item)
        changed.append(new_items)
    return changed


def _between_words(record: RecordTree, items: list[ContentItem]) -> set[ElementKey]:
    """Return which kinds of elements, other than links, stand twice in a text with
    words between.
    """
    kinds = [item.kind for item in items]
    has_words = ContentKind.WORDS in kinds
    if not has_words or kinds.count(ContentKind.INLINE) < 2:
        return set()
    words_before: dict[ElementKey, int] = {}
    highlights = set()
    words = 0
    for item in items:
        if item.kind is ContentKind.WORDS:
            words += 1
        elif item.kind is ContentKind.INLINE:
            if record.tags[item.node] == A:
                continue
            key = _key(record, item.node)
            words_at_last = words_before.get(key, words)
            if words_at_last < words:
                highlights.add(key)
            words_before[key] = words
    return highlights


def _with_numbers(
    instances: list[Instance], contents: list[list[ContentItem]]
) -> list[list[ContentItem]]:
    """Return the contents with list numbers set apart: where elements begin with a text
    that counts up from record to record, that is no part of their value.
    """
    numbers: list[int | None] = []
    for instance, items in zip(instances, contents, strict=True):
        number = None
        first = items[0] if len(items) > 1 else None
        if first is not None and first.kind is ContentKind.WORDS:
            text = instance.record.texts[first.node]
            number = list_number(text)
        numbers.append(number)
    steps = 0
    for one, following in pairwise(numbers):
        if one is not None and following == one + 1:
            steps += 1
    is_counted = steps >= _CONSTANT * (len(numbers) - 1)
    if len(numbers) < _MIN_COUNTED or not is_counted:
        return contents

    changed = []
    for items, number in zip(contents, numbers, strict=True):
        if number is not None:
            first = ContentItem(ContentKind.NUMBER, items[0].node)
            items = [first, *items[1:]]
        changed.append(items)
    return changed


def _instances_below(
    instances: list[Instance], contents: list[list[ContentItem]], *, only_links: bool
) -> list[Instance]:
    """Return what the elements at a position have below them, in order: parts with
    text, and elements without any.

    Empty elements count: an empty cell of a table still moves the next one to its
    column.
    """
    below: list[Instance] = []
    pairs = zip(instances, contents, strict=True)
    for owner, (instance, items) in enumerate(pairs):
        record = instance.record
        formatting = [item for item in items if item.kind is ContentKind.FORMATTING]
        seen = {item.node for item in formatting}
        parts = [] if only_links else value_parts(record, items)
        for part in parts:
            seen.add(part.node)
            start = part.start
            text_before = part.text_before
            below.append(Instance(record, part.node, owner, start, text_before))
        for child in record.children(instance.node):
            if child in seen or record.tags[child] in NO_POSITION:
                continue
            below.append(Instance(record, child, owner, child))
    return sorted(below, key=lambda instance: (instance.owner, instance.start))


def _in_reading_order(groups: list[PositionGroup]) -> list[PositionGroup]:
    """Return the positions in the order in which records have them, by partial
    alignment of the records' lists.
    """
    if len(groups) < 2:
        return groups
    vocabulary = ForestVocabulary()
    forests = []
    for row in _first_starts(groups).values():
        numbers = [number for _, number in sorted(row)]
        labels = [vocabulary.label(number) for number in numbers]
        ends = range(1, len(labels) + 1)
        forests.append(vocabulary.forest(labels, ends))
    aligned = align(forests, vocabulary)

    support: Counter[int] = Counter()
    for row_columns in aligned.rows:
        support.update(row_columns)
    # A position that some records have elsewhere has several columns in the alignment:
    # it stands where most have it.
    columns = range(len(aligned.seed))
    by_support = sorted(columns, key=lambda column: support[column])
    column_of = {aligned.seed.labels[column]: column for column in by_support}

    def column(number: int) -> int:
        return column_of[vocabulary.label(number)]

    order = sorted(range(len(groups)), key=column)
    return [groups[number] for number in order]


def _first_starts(groups: list[PositionGroup]) -> StartsByOwner:
    """Return for each owner where its first element of every group begins, with the
    number of the group.
    """
    rows: StartsByOwner = defaultdict(list)
    for number, group in enumerate(groups):
        seen: set[int] = set()
        for instance in group.instances:
            if instance.owner not in seen:
                seen.add(instance.owner)
                rows[instance.owner].append((instance.start, number))
    return rows
