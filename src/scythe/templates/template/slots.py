"""The slots of a template: data told apart from template text, with labels, kinds and
what is constant inside a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from scythe.kinds import is_date, is_price
from scythe.templates.matching.node import Entry, Group, Node, Values
from scythe.templates.matching.page_view import label_part
from scythe.templates.slot import Slot, Suggestion

_SURE = 8
"""Different values after which words that all of them share are template text. A colon
is enough after two.
"""

_LONGEST_LABEL = 60
_NEAR = 3
"""Steps up from a value to where its label stands beside it."""

_NUMBER = re.compile(r"[^\w]?\d[\d.,'\s]*%?")


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
    """What was said about a slot, by an operator or as a proposal."""

    name: str | None = None
    type: str | None = None
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A place of the template that has values, as a walk over it finds it."""

    node: Node
    kind: str
    values: Values
    repeatable: bool
    path: tuple[Node, ...]
    label: str


def shown(root: Node) -> Iterator[Shown]:
    """All places with values in document order, each with the template text that stands
    before it nearby.

    A label with values in its own element ("by <span>") is theirs alone; one that fills
    an element is of what comes after it.
    """
    waiting: list[tuple[Node, tuple[Node, ...], bool]] = [(root, (), False)]
    label = ""
    labelled: tuple[Node, ...] = ()
    inside = False
    while waiting:
        node, path, repeated = waiting.pop()
        is_inside = path[: len(labelled)] == labelled
        is_label = node.text is not None and is_template_text(node)
        for kind, values in node.values():
            near = (
                labelled[: max(len(path) - _NEAR, 0) + 1]
                == path[: max(len(path) - _NEAR, 0) + 1]
            )
            labels = near and kind != "image" and (is_inside or not inside)
            yield Shown(node, kind, values, repeated, path, label if labels else "")
            inside = inside or (is_inside and not is_label and kind == "text")
        if is_label and node.text is not None:
            text = node.text.seen[0]
            label, labelled = (text, path) if len(text) <= _LONGEST_LABEL else ("", ())
            inside = False
        below = (*path, node)
        for entry in reversed(node.children):
            if isinstance(entry, Group):
                repeats = [repeated or (row is entry.example) for row in entry.shown]
                waiting.extend(
                    (row, below, many)
                    for row, many in reversed(
                        list(zip(entry.shown, repeats, strict=True))
                    )
                )
            else:
                waiting.append((entry, below, repeated))


def mark(root: Node, given: Mapping[str, Annotation]) -> None:
    """Note at every place how much it is of interest, and what is left out of its
    values; count what was only counted above.
    """
    order: list[tuple[Node, Node | None]] = [(root, None)]
    for node, _ in order:  # grows while it is read
        node.flush()
        node.interest = Interest.ALL
        for kind, values in node.values():
            said = given.get(values.slot)
            values.interest = (
                Interest.NAMED
                if said and said.name
                else Interest.ALL
                if is_constant(node, values)
                else Interest.DATA
            )
            values.around = split(values) if kind == "text" else ("", "")
            node.interest = max(node.interest, values.interest)
        for entry in node.children:
            if isinstance(entry, Group):
                order.extend([(row, node) for row in entry.shown])
            else:
                order.append((entry, node))
    for node, parent in reversed(order):
        if parent is not None and node.interest > parent.interest:
            parent.interest = node.interest


def is_constant(node: Node, values: Values) -> bool:
    """Whether a place has the same value on all of several pages."""
    return values.distinct == 1 and (node.support > 1 or is_template_text(node))


def is_template_text(node: Node) -> bool:
    """Whether a text is the same on all of several pages, or looks like a label where
    there is only one.
    """
    if node.text is None or node.text.distinct > 1:
        return False
    return node.support > 1 or label_part(node.text.seen[0]) == node.text.seen[0]


def slot_of(place: Shown, given: Mapping[str, Annotation]) -> Slot:
    """The slot as others see it."""
    values, node = place.values, place.node
    said = given.get(values.slot) or Annotation()
    prefix, suffix = split(values) if place.kind == "text" else ("", "")
    return Slot(
        id=values.slot,
        kind=kind_of(place.kind, values, prefix, suffix),
        label=prefix.strip() if any(map(str.isalpha, prefix)) else place.label,
        path=" > ".join(above.label for above in (*place.path[1:], node)),
        support=node.support,
        repeatable=place.repeatable,
        constant=is_constant(node, values),
        prefix=prefix,
        suffix=suffix,
        examples=list(values.examples),
        name=said.name,
        type=said.type,
        suggestion=said.suggestion,
    )


def split(values: Values) -> tuple[str, str]:
    """What all values of a place begin and end with, where that is template text: "Prep
    time: " and "10 min".
    """
    if values.distinct < 2:
        return "", ""
    prefix, suffix = values.prefix, values.suffix
    label = max(prefix.rfind(":"), prefix.rfind("：")) + 1  # noqa: RUF001
    if label:
        prefix = prefix[: label + len(prefix[label:]) - len(prefix[label:].lstrip())]
    elif values.distinct >= _SURE and not any(map(str.isdigit, prefix)):
        prefix = prefix[: prefix.rfind(" ") + 1]
    else:
        prefix = ""
    at = suffix.find(" ")
    keeps = (
        values.distinct < _SURE
        or at < 0
        or len(suffix) - at <= 6
        or any(map(str.isdigit, suffix))
    )
    suffix = "" if keeps else suffix[at:]
    return prefix, suffix


def taken_out(text: str, prefix: str, suffix: str) -> str:
    """The value in a text without what is template text there."""
    if prefix and text.startswith(prefix):
        text = text[len(prefix) :]
    if suffix and text.endswith(suffix):
        text = text[: -len(suffix)]
    return text.strip()


def kind_of(kind: str, values: Values, prefix: str, suffix: str) -> str:
    """What values are."""
    if kind != "text":
        return kind
    seen = [taken_out(value, prefix, suffix) for value in values.seen]
    if is_price(seen):
        return "price"
    if is_date(seen):
        return "date"
    return "number" if all(_NUMBER.fullmatch(value) for value in seen) else "text"


def entries_below(root: Node) -> Iterator[Entry]:
    """All entries of a template below a node, also rows that wait for a second page."""
    waiting: list[Entry] = list(root.children)
    while waiting:
        entry = waiting.pop()
        yield entry
        waiting.extend(entry.nodes() if isinstance(entry, Group) else entry.children)
