"""The fields of a kind of pages as the annotation page lists them: each with where its
values come from, or the best suggestion, and other slots that could be it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scythe.collect.records.schema import RecordSchema
from scythe.web.annotate.annotation_view import AnnotationView, SlotState, SlotView
from scythe.web.server.values import value_text

MAX_ALTERNATIVES = 6
"""Other slots that a field offers: what one can compare at a glance, not tuned. The
rest is under "Unused data".
"""


class FieldState(StrEnum):
    """Whether a field has values."""

    NAMED = "named"
    SUGGESTED = "suggested"
    MISSING = "missing"


@dataclass(frozen=True)
class FieldView:
    """One field on the page."""

    name: str
    state: FieldState
    is_required: bool
    colour: int
    slots: Sequence[SlotView]
    """The slots that give its values, those of most pages first; where it has none,
    those that are suggested, the likeliest first.
    """
    alternatives: Sequence[SlotView]
    """Other slots that are suggested for it, the likeliest first."""
    value: Any = None
    """Its value in the record of the page that is shown."""

    @property
    def best(self) -> SlotView | None:
        """The slot that most pages have or the likeliest, None where it is missing."""
        return next(iter(self.slots), None)

    @property
    def is_picture(self) -> bool:
        """Whether its values are addresses of pictures."""
        return self.best is not None and self.best.is_picture


def field_views(
    view: AnnotationView, record: Mapping[str, Any] | None = None
) -> list[FieldView]:
    """Return the fields of a kind of pages in the order of the schema; `record` has the
    values of the page that is shown.
    """
    values = record or {}
    schema = view.collection.schema
    fields = []
    for name in _field_names(view, schema):
        value = values.get(name)
        if isinstance(value, (int, float)):
            value = value_text(values, name, schema)
        fields.append(_field_view(view, schema, name, value))
    return fields


def _field_names(view: AnnotationView, schema: RecordSchema) -> list[str]:
    """Return the names of the schema, then those that operators gave besides, then
    those that are suggested.
    """
    names = dict.fromkeys(rule.name for rule in schema.rules)
    for given in view.annotation.names.values():
        names.setdefault(given[0])
    for slot in view.in_state(SlotState.SUGGESTED):
        names.setdefault(slot.slot.suggestion or "")
    return list(names)


def _field_view(
    view: AnnotationView, schema: RecordSchema, name: str, value: Any
) -> FieldView:
    named = [slot for slot in view.slots if slot.slot.field == name]
    likely = [
        slot
        for slot in view.slots
        if slot.slot.suggestion == name
        and slot.slot.field is None
        and slot.state != SlotState.IGNORED
    ]
    likely.sort(key=lambda slot: (-slot.slot.confidence, -slot.slot.support))

    suggested = [slot for slot in likely if slot.state == SlotState.SUGGESTED]
    state = FieldState.MISSING
    slots: list[SlotView] = []
    if named:
        state = FieldState.NAMED
        slots = sorted(named, key=lambda slot: -slot.slot.support)
    elif suggested:
        state = FieldState.SUGGESTED
        slots = suggested
        likely = [slot for slot in likely if slot not in suggested]
    rule = schema.by_name.get(name)
    return FieldView(
        name,
        state,
        rule is not None and rule.required,
        view.colours[name],
        slots,
        likely[:MAX_ALTERNATIVES],
        value,
    )
