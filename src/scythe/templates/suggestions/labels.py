"""What labels beside values call the fields of a record, in a small word list of our
own, and what values look like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from scythe.templates.declared.schemas import added_schemas
from scythe.templates.lines.words import (
    RecipePart,
    alternatives,
    part_of_heading,
    pattern,
)
from scythe.templates.slot import FieldName

MAX_LABEL = 50
"""Characters up to which a text can be a label, and a labelled value. Not tuned."""

_LABEL_LIST = "label."
_LABEL_PATTERNS = {
    name.removeprefix(_LABEL_LIST): pattern(name, r"[^\w]{0,4}")
    for name in alternatives()
    if name.startswith(_LABEL_LIST)
}
_AFTER_LABEL = " \t:\uff1a-\u2013|"
_DURATION_UNIT = f"(?:{'|'.join(alternatives()['duration'])})"
DURATION = re.compile(
    rf"(?:pt?\d+[dhms]|(?:\d|[¼-¾⅐-⅞])[\d\s./,¼-¾⅐-⅞\u2013-]*\s*{_DURATION_UNIT}).{{0,40}}",
    re.IGNORECASE | re.DOTALL,
)
_YIELD = re.compile(r".{0,30}\d.{0,40}", re.DOTALL)
_NUMBERISH = re.compile(r".{0,15}\d.{0,25}", re.DOTALL)

_FIELD_PATTERNS: Mapping[FieldName, re.Pattern[str]] = {
    "prep_time": DURATION,
    "cook_time": DURATION,
    "total_time": DURATION,
    "yield": _YIELD,
    "price": _NUMBERISH,
    "calories": _NUMBERISH,
    "rating": _NUMBERISH,
    "gtin": _NUMBERISH,
    "phone": _NUMBERISH,
}
"""What the values of fields look like; fields that are not here look like anything."""

_FIELD_OF_PART = {
    RecipePart.INGREDIENTS: "ingredients",
    RecipePart.INSTRUCTIONS: "instructions",
}


def field_of_label(label: str) -> FieldName | None:
    """Return the field that a label names ("Prep time:"), None if it names none that is
    known.
    """
    label = label.strip()
    if not label or len(label) > MAX_LABEL:
        return None
    for name, label_pattern in _LABEL_PATTERNS.items():
        if label_pattern.match(label):
            return name
    for name, labels in _added_labels().items():
        if label.rstrip(_AFTER_LABEL).casefold() in labels:
            return name
    return _FIELD_OF_PART.get(part_of_heading(label))


@cache
def _added_labels() -> Mapping[FieldName, set[str]]:
    """Return what pages call the fields of kinds that packages have added."""
    labels: dict[FieldName, set[str]] = {}
    for schema in added_schemas().values():
        for field in schema.fields:
            known = labels.setdefault(field.name, set())
            known.update(map(str.casefold, field.labels))
    return labels


def looks_like_field(name: FieldName, values: Sequence[str]) -> bool:
    """Return whether at least half of the values look like those of a field; of fields
    that look like anything, all do.
    """
    field_pattern = _FIELD_PATTERNS.get(name)
    if field_pattern is None:
        return True
    matching = 0
    for value in values:
        if field_pattern.match(value.strip()[: 2 * MAX_LABEL]):
            matching += 1
    return 2 * matching >= len(values)


def labelled_value(name: FieldName, texts: Sequence[str]) -> tuple[str, int] | None:
    """Return the value of a field that lines of a page name by a label, on the same
    line or the next, with its line.
    """
    label_pattern = _LABEL_PATTERNS[name]
    for line, text in enumerate(texts):
        if len(text) > 2 * MAX_LABEL:
            continue
        label = label_pattern.match(text)
        if not label:
            continue
        rest = text[label.end() :].lstrip(_AFTER_LABEL)
        if _can_be_value(name, rest):
            return rest, line
        is_label_alone = len(rest) <= 2
        has_next = line + 1 < len(texts)
        if is_label_alone and has_next and _can_be_value(name, texts[line + 1]):
            return texts[line + 1], line + 1
    return None


def _can_be_value(name: FieldName, text: str) -> bool:
    if not text or len(text) > MAX_LABEL:
        return False
    field_pattern = _FIELD_PATTERNS.get(name)
    return field_pattern is None or field_pattern.match(text) is not None
