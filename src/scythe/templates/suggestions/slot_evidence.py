"""Evidence in a slot itself: the label beside its values, and what its elements are
called.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from scythe.templates.declared.schemas import (
    ARTICLE,
    Schema,
    SchemaField,
    all_schemas,
)
from scythe.templates.slot import FieldName, Slot
from scythe.templates.suggestions.evidence import Evidence, EvidenceKind, EvidenceTable
from scythe.templates.suggestions.labels import field_of_label, looks_like_field
from scythe.templates.suggestions.memory import element_words

LABEL_WEIGHT = 0.8
PROPERTY_WEIGHT = 0.95
CLASS_WEIGHT = 0.5
HEADING_WEIGHT = 0.65
"""What evidence is worth, set by hand. A property is as good as a declared value; class
names are often of the box around several values.
"""

PAGE_HEADING = "the page's heading"
"""The reason of suggestions for what stands in the page's `h1`."""

_PROPERTY = re.compile(r"@([\w-]+)")
_TAG_END = re.compile(r"[.#]")
_NEAR_STEPS = 3
"""Steps of a slot's path whose names are believed. Not tuned."""
_MAX_WORDS_SHOWN = 60
"""Characters of class names that a reason shows."""


def add_label_evidence(
    table: EvidenceTable, slot: Slot, values: Sequence[str], schema: Schema | None
) -> None:
    """Add what the label beside the values says."""
    if slot.kind in ("image", "link"):
        return
    name = field_of_label(slot.label)
    if not name or not looks_like_field(name, values):
        return
    if schema in (None, ARTICLE) or name in schema.by_name:
        reason = f"label {slot.label!r}"
        table.add(slot.id, name, Evidence(EvidenceKind.LABEL, LABEL_WEIGHT, reason))


def add_markup_evidence(
    table: EvidenceTable, slot: Slot, values: Sequence[str], schema: Schema | None
) -> None:
    """Add what the elements around the values are called: properties, classes, tags."""
    if slot.kind == "link":
        return
    steps = slot.path.split(" > ")[-_NEAR_STEPS:]
    fields = _fields(schema)
    for itemprop in _PROPERTY.findall(" ".join(steps)):
        for field in fields:
            if itemprop in field.properties:
                reason = f"itemprop {itemprop}"
                evidence = Evidence(EvidenceKind.MARKUP, PROPERTY_WEIGHT, reason)
                table.add(slot.id, field.name, evidence)

    words: set[str] = set()
    for step in steps:
        words |= element_words(step)
    reason = f"class names {' '.join(sorted(words))[:_MAX_WORDS_SHOWN]}"
    for field in fields:
        if not words & _field_words(field.name):
            continue
        is_of_kind = (field.type == "image") == (slot.kind == "image")
        if is_of_kind and looks_like_field(field.name, values):
            evidence = Evidence(EvidenceKind.MARKUP, CLASS_WEIGHT, reason)
            table.add(slot.id, field.name, evidence)

    tags = {_TAG_END.split(step)[0] for step in steps}
    if "h1" in tags and not slot.repeatable:
        evidence = Evidence(EvidenceKind.MARKUP, HEADING_WEIGHT, PAGE_HEADING)
        table.add(slot.id, "title", evidence)


@cache
def _fields(schema: Schema | None) -> list[SchemaField]:
    """Return the fields of a schema, or of all where none is known."""
    if schema:
        return list(schema.fields)
    fields: list[SchemaField] = []
    for known in all_schemas():
        fields.extend(known.fields)
    return fields


@cache
def _field_words(name: FieldName) -> set[str]:
    """Return class words that mean a field: its name with the parts run together, and
    without the plural.
    """
    joined = name.replace("_", "")
    return {joined, joined.rstrip("s")}
