"""The XPath of every field of a record, relative to the record.

A wrapper's reader also knows classes that it has never seen by their likeness, runs of
text with formatting in them, and more. An XPath says what is sure: tags, the class
names that tell places apart, labels and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from scythe.wrappers.export.rule_paths import element, has_class, literal
from scythe.wrappers.fields import Fields
from scythe.wrappers.fields.position import ANY_TAG, TEXT_RUN, Position

_SIGNS = " \u00a0|\u00b7\u2022\u2013\u2014,;:./()[]-\u00bb\u203a\u00ab\u2039*+&"
"""What stands between two values and is none: text of these alone is skipped."""

_DEEPER = "/descendant::"
_MOST_NAMES = 6
"""Class names in one condition; a place with more of them is not told by class."""


_NOTHING = " or ".join(
    f"self::{tag}" for tag in ("br", "script", "style", "source", "svg", "template")
)
"""Elements that are never the content of a place."""


@dataclass(frozen=True)
class FieldPath:
    """Where a field is, and what is taken from there."""

    name: str
    path: str
    """From the record to the element or to the text itself."""
    kind: Literal["text", "glued", "run", "link", "image"]
    """`glued` text has the text before its element with it, a `run` the words around it
    that are only formatted.
    """
    many: bool

    @property
    def xpath(self) -> str:
        """The path to the value itself, as far as XPath can say it."""
        return (
            f"{self.path}/@{'href' if self.kind == 'link' else 'src'}"
            if self.kind in ("link", "image")
            else self.path
        )


def starts_at_one_element(fields: Fields) -> bool:
    """Whether a record is one element, from which its fields are read; else they are
    read from the list of its elements.
    """
    return len(fields.root.children) == 1 and fields.root.children[0].tag == ANY_TAG


def field_paths(fields: Fields) -> list[FieldPath]:
    """The fields in the order of the columns; one that stands at several places has
    several paths.
    """
    top = fields.root.children[0] if starts_at_one_element(fields) else fields.root
    found: list[FieldPath] = []
    waiting = [(top, ".", False)]
    while waiting:
        place, path, many = waiting.pop()
        found.extend(_taken(place, path.removesuffix(_DEEPER), many=many))
        steps = [(child, _step(child, place.children)) for child in place.children]
        waiting.extend(
            (child, _below(path, child, step), many or child.repeats)
            for child, step in reversed(steps)
        )
    order = {name: number for number, name in enumerate(fields.columns)}
    return sorted(
        [field for field in found if field.name in order],
        key=lambda field: order[field.name],
    )


def _taken(place: Position, path: str, *, many: bool) -> Iterator[FieldPath]:
    if place.text:
        kind: Literal["text", "glued", "run"] = (
            "run" if place.tag == TEXT_RUN else "glued" if place.glued else "text"
        )
        yield FieldPath(place.text, path, kind, many)
    if place.link:
        yield FieldPath(place.link, path, "link", many)
    if place.image:
        yield FieldPath(place.image, path, "image", many)


def _below(path: str, place: Position, step: str) -> str:
    """The way on. A `tbody` that the page does not write is not there for libxml2, so
    rows are taken from the table.
    """
    if place.tag == "tbody":
        return path.removesuffix(_DEEPER) + _DEEPER
    return f"{path}{step}" if path.endswith(_DEEPER) else f"{path}/{step}"


def _step(place: Position, siblings: Sequence[Position]) -> str:
    if place.tag == TEXT_RUN:
        test = f"text()[translate(normalize-space(), {literal(_SIGNS)}, '')]"
        glued = sorted({element(other.tag) for other in siblings if other.glued})
        test += (
            f"[not(following-sibling::*[1][{' or '.join(f'self::{tag}' for tag in glued)}])]"
            if glued
            else ""
        )
    else:
        test = element(place.tag)
        alike = [other for other in siblings if other.tag == place.tag]
        if len(alike) > 1 or (place.optional and place.classes):
            test += _class_test(
                place, [other for other in alike if other.classes != place.classes]
            )
    if place.label is not None:
        test += f"[starts-with(normalize-space(), {literal(place.label)})]"
    if place.content is not None:
        test += _content_test(place.content)
    if place.number is not None:
        test += f"[{place.number}]"
    elif place.is_plain:
        test += "".join(
            f"[not(starts-with(normalize-space(), {literal(label)}))]"
            for label in _labels_beside(place, siblings)
        )
    return test


def _labels_beside(place: Position, siblings: Sequence[Position]) -> list[str]:
    """The labels of places that only their labels tell from this one."""
    return [
        other.label
        for other in siblings
        if other.label is not None
        and (other.tag, other.classes) == (place.tag, place.classes)
        and other is not place
    ]


def _class_test(place: Position, others: Sequence[Position]) -> str:
    """The fewest class names that all elements of a place have and those of the places
    beside it have not.
    """
    beside = [set(key.split()) for other in others for key in other.classes]
    foreign = set().union(*beside)
    keys = [set(key.split()) for key in place.classes if key]
    if not keys:
        return "".join(
            f"[not({has_class(name)})]" for name in sorted(foreign)[:_MOST_NAMES]
        )
    if all(key - foreign for key in keys):
        conditions = [
            has_class(name) for name in _cover([key - foreign for key in keys])
        ]
    else:
        conditions = [
            _exactly(key, [other for other in beside if key < other]) for key in keys
        ]
        conditions = [
            f"({condition})" if " and " in condition and len(keys) > 1 else condition
            for condition in conditions
        ]
    return f"[{' or '.join(conditions)}]" if len(conditions) <= _MOST_NAMES else ""


def _exactly(key: set[str], larger: Sequence[set[str]]) -> str:
    """All names of a key, and none of those that larger keys beside it have more."""
    without = _cover([other - key for other in larger])
    return " and ".join(
        [*map(has_class, sorted(key)), *(f"not({has_class(name)})" for name in without)]
    )


def _cover(keys: list[set[str]]) -> list[str]:
    """Names of which every key has one, the commonest first."""
    left, chosen = list(keys), []
    while left:
        names = sorted({name for key in left for name in key})
        best = max(names, key=lambda name: sum(name in key for key in left))
        chosen.append(best)
        left = [key for key in left if best not in key]
    return chosen


def _content_test(content: str) -> str:
    tag, _, classes = content.partition(".")
    if not tag:
        return "[not(*)]"
    inner = f"[{' and '.join(map(has_class, classes.split()))}]" if classes else ""
    return f"[*[not({_NOTHING})][1][self::{element(tag)}{inner}]]"
