"""The slots of a template: data told apart from template text, with labels, kinds and
what is constant inside a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from enum import IntEnum

from scythe.kinds import is_date, is_price
from scythe.templates.matching.cache import MatchingCache
from scythe.templates.matching.node import (
    IMAGE,
    TEXT,
    Node,
    SiblingGroup,
    SlotValues,
    ValueKind,
    nodes_of,
)
from scythe.templates.matching.page_texts import label_part
from scythe.templates.slot import Slot, Suggestion

_MIN_AFFIX_VALUES = 8
"""Different values after which words that all of them share are template text. A colon
is enough after two.
"""

_MIN_SUFFIX = 6
"""Characters of a shared ending, with its space, up to which it is a unit and stays:
"10 min".
"""

_MAX_LABEL = 60
"""Characters up to which template text can be the label of what follows. Not tuned."""

_LABEL_DISTANCE = 3
"""Steps up from a value to where its label stands beside it. Not tuned."""

_NUMBER = re.compile(r"[^\w]?\d[\d.,'\s]*%?")

NO_AFFIXES = ("", "")


class Interest(IntEnum):
    """What is read; the less it is, the less of the page is looked at."""

    ALL = 0
    """Also template text."""
    DATA = 1
    """What differs from page to page, and what an operator named."""
    NAMED = 2
    """What an operator named."""


@dataclass(slots=True)
class Annotation:
    """The name and type that an operator gave to a slot, and the suggestion for it."""

    name: str | None = None
    type: str | None = None
    suggestion: Suggestion | None = None


Annotations = Mapping[str, Annotation]
"""Annotations by slot id."""


@dataclass(frozen=True, slots=True)
class SlotPosition:
    """A position of the template that has values, as a walk over it finds it."""

    node: Node
    kind: ValueKind
    values: SlotValues
    repeatable: bool
    path: tuple[Node, ...]
    label: str


def slot_positions(
    root: Node, chosen: Set[str] | None = None
) -> Iterator[SlotPosition]:
    """Yield all positions with values in document order, or those of the chosen slots,
    each with the template text that stands before it nearby.

    A label with values in its own element ("by <span>") is theirs alone; one that fills
    an element is of what comes after it.
    """
    waiting: list[tuple[Node, tuple[Node, ...], bool]] = [(root, (), False)]
    label = ""
    label_path: tuple[Node, ...] = ()
    has_own_value = False
    """Whether a value in the label's own element was seen."""
    while waiting:
        node, path, repeated = waiting.pop()
        is_label = node.text is not None and is_template_text(node)
        for kind, values in node.values():
            is_beside = path[: len(label_path)] == label_path
            if chosen is None or values.slot in chosen:
                nearest = max(len(path) - _LABEL_DISTANCE, 0) + 1
                is_near = label_path[:nearest] == path[:nearest]
                is_free = is_beside or not has_own_value
                belongs = is_near and is_free and kind is not IMAGE
                own_label = label if belongs else ""
                yield SlotPosition(node, kind, values, repeated, path, own_label)
            if is_beside and not is_label and kind is TEXT:
                has_own_value = True

        if is_label and node.text is not None:
            text = node.text.seen[0]
            is_short = len(text) <= _MAX_LABEL
            label, label_path = (text, path) if is_short else ("", ())
            has_own_value = False
        waiting.extend(_steps_below(node, (*path, node), repeated=repeated))


def _steps_below(
    node: Node, path: tuple[Node, ...], *, repeated: bool
) -> list[tuple[Node, tuple[Node, ...], bool]]:
    """Return the nodes below a node in reverse order, with their path, and whether
    several of a page can stand for them.
    """
    steps: list[tuple[Node, tuple[Node, ...], bool]] = []
    for entry in node.children:
        if isinstance(entry, SiblingGroup):
            for row in entry.active_nodes:
                many = repeated or row.repeats or row is entry.example
                steps.append((row, path, many))
        else:
            steps.append((entry, path, repeated))
    return steps[::-1]


@dataclass(slots=True)
class ReadingMarks:
    """What readers need to know of the positions of a template, found in one walk."""

    node_interest: dict[Node, Interest] = field(default_factory=dict)
    """The greatest interest of what is in a node."""
    slot_interest: dict[str, Interest] = field(default_factory=dict)
    affixes: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What is left out of the values of slots, before and behind, where something is."""


def reading_marks(
    root: Node, annotations: Annotations, cache: MatchingCache
) -> ReadingMarks:
    """Return how much every position of a template is of interest, and what is left out
    of its values; count what was only counted above.
    """
    marks = ReadingMarks()
    order: list[tuple[Node, Node | None]] = [(root, None)]
    for node, _ in order:  # grows while it is read
        cache.flush(node)
        interest = Interest.ALL
        for kind, values in node.values():
            slot_interest = _slot_interest(node, values, annotations)
            marks.slot_interest[values.slot] = slot_interest
            interest = max(interest, slot_interest)
            affixes = constant_affixes(values) if kind is TEXT else NO_AFFIXES
            if affixes != NO_AFFIXES:
                marks.affixes[values.slot] = affixes
        marks.node_interest[node] = interest
        for entry in node.children:
            if isinstance(entry, SiblingGroup):
                order.extend([(row, node) for row in entry.active_nodes])
            else:
                order.append((entry, node))

    interests = marks.node_interest
    for node, parent in reversed(order):
        if parent is not None and interests[node] > interests[parent]:
            interests[parent] = interests[node]
    return marks


def _slot_interest(
    node: Node, values: SlotValues, annotations: Annotations
) -> Interest:
    annotation = annotations.get(values.slot)
    if annotation and annotation.name:
        return Interest.NAMED
    if is_constant(node, values):
        return Interest.ALL
    return Interest.DATA


def unsettled_slots(root: Node, initial: int) -> frozenset[str]:
    """Return the slots of texts and images that came after the `initial` pages and
    that no operator was notified of, and those that had one value so far: a page on
    which they are data has another.
    """
    unsettled: set[str] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for entry in node.children:
            waiting.extend(nodes_of(entry))
        is_late = node.first_page > max(initial, 1)
        for values in (node.text, node.image):
            if values is None:
                continue
            is_untold = is_late and not values.notified
            if is_untold or values.distinct == 1:
                unsettled.add(values.slot)
    return frozenset(unsettled)


def is_constant(node: Node, values: SlotValues) -> bool:
    """Return whether a position has the same value on all of several pages."""
    return values.distinct == 1 and (node.support > 1 or is_template_text(node))


def is_template_text(node: Node) -> bool:
    """Return whether a text is the same on all of several pages, or looks like a label
    where there is only one.
    """
    if node.text is None or node.text.distinct > 1:
        return False
    text = node.text.seen[0]
    return node.support > 1 or label_part(text) == text


def position_affixes(position: SlotPosition) -> tuple[str, str]:
    """Return what all values of a position begin and end with."""
    is_text = position.kind is TEXT
    return constant_affixes(position.values) if is_text else NO_AFFIXES


def position_label(position: SlotPosition, prefix: str) -> str:
    """Return the label of a position: what all its values begin with, if that has
    letters, else what stands before it.
    """
    has_label = any(map(str.isalpha, prefix))
    return prefix.strip() if has_label else position.label


def slot_at(position: SlotPosition, annotations: Annotations) -> Slot:
    """Return the slot of a position as others see it."""
    values = position.values
    node = position.node
    annotation = annotations.get(values.slot) or Annotation()
    prefix, suffix = position_affixes(position)
    path_labels = [above.label for above in (*position.path[1:], node)]
    return Slot(
        id=values.slot,
        kind=value_kind(position.kind, values, prefix, suffix),
        label=position_label(position, prefix),
        path=" > ".join(path_labels),
        support=node.support,
        repeatable=position.repeatable,
        constant=is_constant(node, values),
        prefix=prefix,
        suffix=suffix,
        examples=list(values.examples),
        name=annotation.name,
        type=annotation.type,
        suggestion=annotation.suggestion,
    )


def constant_affixes(values: SlotValues) -> tuple[str, str]:
    """Return what all values of a slot begin and end with, where that is template text:
    "Prep time: " and " per person".
    """
    if values.distinct < 2:
        return NO_AFFIXES
    return _constant_prefix(values), _constant_suffix(values)


def _constant_prefix(values: SlotValues) -> str:
    prefix = values.prefix
    label_end = max(prefix.rfind(":"), prefix.rfind("：")) + 1  # noqa: RUF001
    if label_end:
        rest = prefix[label_end:]
        spaces = len(rest) - len(rest.lstrip())
        return prefix[: label_end + spaces]
    has_digit = any(map(str.isdigit, prefix))
    if values.distinct >= _MIN_AFFIX_VALUES and not has_digit:
        return prefix[: prefix.rfind(" ") + 1]
    return ""


def _constant_suffix(values: SlotValues) -> str:
    suffix = values.suffix
    space = suffix.find(" ")
    if values.distinct < _MIN_AFFIX_VALUES or space < 0:
        return ""
    if len(suffix) - space <= _MIN_SUFFIX or any(map(str.isdigit, suffix)):
        return ""
    return suffix[space:]


def without_affixes(text: str, prefix: str, suffix: str) -> str:
    """Return the value in a text without what is template text there."""
    if prefix and text.startswith(prefix):
        text = text[len(prefix) :]
    if suffix and text.endswith(suffix):
        text = text[: -len(suffix)]
    return text.strip()


def value_kind(kind: ValueKind, values: SlotValues, prefix: str, suffix: str) -> str:
    """Return what values are: texts that are all prices, dates or numbers are these."""
    if kind is not TEXT:
        return str(kind)
    texts = [without_affixes(value, prefix, suffix) for value in values.seen]
    if is_price(texts):
        return "price"
    if is_date(texts):
        return "date"
    if all(_NUMBER.fullmatch(text) for text in texts):
        return "number"
    return "text"
