"""A wrapper as XPath, for a person to read or to put into any program that knows XPath.

A wrapper's reader also knows classes that it has never seen by their likeness, runs of
text with formatting in them, and more. An XPath says what is certain: tags, the class
names that tell positions apart, labels and numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scythe.sections.fields import Fields
from scythe.sections.fields.position import TEXT_RUN, ColumnPosition
from scythe.wrappers.export.record_paths import (
    element_test,
    has_class,
    literal,
    record_path,
)
from scythe.wrappers.export.sibling_paths import Sibling, sibling_starts
from scythe.wrappers.rule import LocatedRule
from scythe.wrappers.wrapper import Wrapper

_SIGNS = " \u00a0|\u00b7\u2022\u2013\u2014,;:./()[]-\u00bb\u203a\u00ab\u2039*+&"
"""What stands between two values and is none: text of these alone is skipped."""

_DESCENDANTS = "/descendant::"
_MAX_CLASSES = 6
"""Class names in one condition; a position with more of them is not told by class. An
arbitrary cap on the length of a path.
"""

_NO_CONTENT = " or ".join(
    f"self::{tag}" for tag in ("br", "script", "style", "source", "svg", "template")
)
"""Elements that are never the content of a position."""


class XPathValueKind(StrEnum):
    """What is taken from the node that a path leads to."""

    TEXT = "text"
    GLUED = "glued"
    """Text with the text before its element."""
    RUN = "run"
    """Text with the words around it that are only formatted."""
    LINK = "link"
    IMAGE = "image"


@dataclass(frozen=True)
class FieldPath:
    """Where a field is, and what is taken from there."""

    name: str
    path: str
    """From the record to the element or to the text itself."""
    kind: XPathValueKind
    many: bool

    @property
    def xpath(self) -> str:
        """The path to the value itself, as far as XPath can say it."""
        if self.kind is XPathValueKind.LINK:
            return f"{self.path}/@href"
        if self.kind is XPathValueKind.IMAGE:
            return f"{self.path}/@src"
        return self.path


def xpath(wrapper: Wrapper) -> str:
    """Return one line for the records and one for each field, `name: XPath`; fields are
    relative to their record.

    Raises a `UsageError` where the wrapper's records are no single elements: XPath has
    no way to say so.
    """
    lines = [f"record: {record_path(wrapper.rule)}"]
    paths = paths_by_name(wrapper)
    lines += [f"{name}: {path}" for name, path in paths.items()]
    return "\n".join(lines) + "\n"


def paths_by_name(wrapper: Wrapper) -> dict[str, str]:
    """Return the XPath of each field; of one that stands at several positions, all of
    them.

    Where records are several siblings, they are the paths from the first of these.
    """
    rule = wrapper.rule
    is_run = isinstance(rule, LocatedRule) and rule.runs
    is_siblings = is_run and not wrapper.fields.starts_at_one_element
    paths: dict[str, list[str]] = {}
    for field in field_paths(wrapper.fields, siblings=is_siblings):
        paths.setdefault(field.name, []).append(field.xpath)
    return {name: " | ".join(alternatives) for name, alternatives in paths.items()}


def field_paths(fields: Fields, *, siblings: bool = False) -> list[FieldPath]:
    """Return the fields in the order of the columns; one that stands at several
    positions has several paths.

    Those of a record of several `siblings` begin at the first of them.
    """
    top = fields.root
    if fields.starts_at_one_element:
        top = fields.root.children[0]
    paths: list[FieldPath] = []
    stack = [(top, ".", False)]
    if siblings:
        stack = _sibling_stack(top.children)
    while stack:
        position, path, many = stack.pop()
        own_path = path.removesuffix(_DESCENDANTS)
        paths.extend(_own_fields(position, own_path, many=many))
        for child in reversed(position.children):
            if child.cell is not None:
                continue  # XPath cannot count over cells of several rows
            step = _step(child, position.children)
            child_path = _path_to_child(path, child, step)
            is_many = many or child.repeats
            stack.append((child, child_path, is_many))

    order = {name: number for number, name in enumerate(fields.columns)}
    named = [field for field in paths if field.name in order]
    return sorted(named, key=lambda field: order[field.name])


def _sibling_stack(
    positions: Sequence[ColumnPosition],
) -> list[tuple[ColumnPosition, str, bool]]:
    """Return the elements of a record of siblings, with the ways to each. Their numbers
    say nothing here: the ways count by themselves.
    """
    elements = [position for position in positions if position.tag != TEXT_RUN]
    tests = []
    for position in elements:
        test = _step(replace(position, number=None), elements)
        is_optional = position.optional and position is not elements[0]
        tests.append(Sibling(element_test(position.tag), test, is_optional))
    stack = []
    for position, ways in zip(elements, sibling_starts(tests), strict=True):
        stack += [(position, way, position.repeats) for way in ways]
    return stack


def _own_fields(
    position: ColumnPosition, path: str, *, many: bool
) -> Iterator[FieldPath]:
    """Yield the fields that are read from a position itself."""
    if position.text:
        kind = XPathValueKind.TEXT
        if position.tag == TEXT_RUN:
            kind = XPathValueKind.RUN
        elif position.glued:
            kind = XPathValueKind.GLUED
        yield FieldPath(position.text, path, kind, many)
    if position.link:
        yield FieldPath(position.link, path, XPathValueKind.LINK, many)
    if position.image:
        yield FieldPath(position.image, path, XPathValueKind.IMAGE, many)


def _path_to_child(path: str, child: ColumnPosition, step: str) -> str:
    """Return the path with one more step. A `tbody` that the page does not write is not
    there for libxml2, so rows are taken from the table.
    """
    if child.tag == "tbody":
        return path.removesuffix(_DESCENDANTS) + _DESCENDANTS
    if path.endswith(_DESCENDANTS):
        return f"{path}{step}"
    return f"{path}/{step}"


def _step(position: ColumnPosition, siblings: Sequence[ColumnPosition]) -> str:
    """Return the step to a position, with the conditions that tell it from those beside
    it.
    """
    if position.tag == TEXT_RUN:
        test = _run_test(siblings)
    else:
        test = element_test(position.tag)
        alike = [other for other in siblings if other.tag == position.tag]
        needs_class = position.optional and bool(position.classes)
        if needs_class or len(alike) > 1:
            test += _class_test(position, alike)
    if position.label is not None:
        test += f"[starts-with(normalize-space(), {literal(position.label)})]"
    if position.content is not None:
        test += _content_test(position.content)
    if position.number is not None:
        test += f"[{position.number}]"
    elif position.is_plain:
        for label in _labels_beside(position, siblings):
            test += f"[not(starts-with(normalize-space(), {literal(label)}))]"
    return test


def _run_test(siblings: Sequence[ColumnPosition]) -> str:
    """Return a test for runs of text, without those that are glued to an element."""
    test = f"text()[translate(normalize-space(), {literal(_SIGNS)}, '')]"
    glued_siblings = [other for other in siblings if other.glued]
    glued = sorted({element_test(sibling.tag) for sibling in glued_siblings})
    if not glued:
        return test
    is_glued = " or ".join([f"self::{tag}" for tag in glued])
    return f"{test}[not(following-sibling::*[1][{is_glued}])]"


def _labels_beside(
    position: ColumnPosition, siblings: Sequence[ColumnPosition]
) -> list[str]:
    """Return the labels of positions that only their labels tell from this one."""
    labels = []
    kind = (position.tag, position.classes)
    for other in siblings:
        if other is position or other.label is None:
            continue
        other_kind = (other.tag, other.classes)
        if other_kind == kind:
            labels.append(other.label)
    return labels


def _class_test(position: ColumnPosition, alike: Sequence[ColumnPosition]) -> str:
    """Return the fewest class names that all elements of a position have and those of
    the positions beside it have not.
    """
    beside: list[set[str]] = []
    for other in alike:
        if other.classes != position.classes:
            beside.extend(set(key.split()) for key in other.classes)
    foreign = set().union(*beside)
    keys = [set(key.split()) for key in position.classes if key]
    if not keys:
        excluded = sorted(foreign)[:_MAX_CLASSES]
        return "".join([f"[not({has_class(name)})]" for name in excluded])

    own_names = [key - foreign for key in keys]
    if all(own_names):
        conditions = [has_class(name) for name in _cover(own_names)]
    else:
        conditions = []
        for key in keys:
            larger = [other for other in beside if key < other]
            condition = _exact_classes(key, larger)
            if " and " in condition and len(keys) > 1:
                condition = f"({condition})"
            conditions.append(condition)
    if len(conditions) > _MAX_CLASSES:
        return ""
    either = " or ".join(conditions)
    return f"[{either}]"


def _exact_classes(key: set[str], larger: Sequence[set[str]]) -> str:
    """Return the condition that an element has all names of a key, and none of those
    that larger keys beside it have more.
    """
    conditions = [has_class(name) for name in sorted(key)]
    additional = [other - key for other in larger]
    without = _cover(additional)
    conditions += [f"not({has_class(name)})" for name in without]
    return " and ".join(conditions)


def _cover(keys: list[set[str]]) -> list[str]:
    """Return names of which every key has one, the commonest first."""
    uncovered = list(keys)
    chosen = []
    while uncovered:
        counts: Counter[str] = Counter()
        for key in uncovered:
            counts.update(key)
        best = max(sorted(counts), key=lambda name: counts[name])
        chosen.append(best)
        uncovered = [key for key in uncovered if best not in key]
    return chosen


def _content_test(content: str) -> str:
    """Return the condition that an element begins with `tag.class names`."""
    tag, _, classes = content.partition(".")
    if not tag:
        return "[not(*)]"
    step = element_test(tag)
    if classes:
        conditions = [has_class(name) for name in classes.split()]
        all_conditions = " and ".join(conditions)
        step += f"[{all_conditions}]"
    return f"[*[not({_NO_CONTENT})][1][self::{step}]]"
