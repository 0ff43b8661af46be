"""The slots of a collection as an operator sees them, each with a suggested field and
its evidence. An operator's annotation stands above every suggestion.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from scythe.collect.records.field_values import SlotFields
from scythe.collect.records.schema import RecordSchema
from scythe.templates.slot import SlotId, SlotSource, Suggestion
from scythe.templates.suggestions.labels import field_of_label, looks_like_field

MAX_EXAMPLES = 3
"""Values of a slot that an operator sees: a bound on what is shown, not tuned."""
MIN_CONFIDENCE = 0.6
"""Confidence from which on `accept_suggestions` takes a suggestion: above what an index
page's own name (0.5) counts, below a label (0.7).
"""


@dataclasses.dataclass
class CollectionSlot:
    """A slot, where it was found, and which field it holds or may hold."""

    slot: str
    support: int = 0
    """On how many pages it has a value."""
    examples: list[str] = dataclasses.field(default_factory=list)
    label: str = ""
    pages: list[int] = dataclasses.field(default_factory=list)
    """The page of each example."""
    max_values: int = 1
    """The most values that a page has."""
    field: str | None = None
    """The field that operators said it holds."""
    type: str | None = None
    suggestion: str | None = None
    """The field that it seems to hold."""
    confidence: float = 0.0
    evidence: str = ""
    is_guess: bool = False
    """Whether the suggestion comes from what the values look like, and not from what
    the site calls them.
    """


def add_suggestions(
    slots: Iterable[CollectionSlot],
    slot_fields: SlotFields,
    schema: RecordSchema,
    suggestions: Mapping[str, Suggestion],
) -> None:
    """Give slots the fields that operators gave them, and suggestions: what the slot
    itself is called, else what its template suggests.
    """
    for slot in slots:
        given = slot_fields.get(slot.slot)
        if given:
            slot.field = given[0]
            slot.type = (given[1] if len(given) > 1 else "") or None

        name, confidence, evidence = _own_suggestion(slot)
        rule = schema.by_name.get(name) if name else None
        suggested = suggestions.get(slot.slot)
        if rule is not None and looks_like_field(rule.name, slot.examples):
            slot.suggestion = rule.name
            slot.confidence = confidence
            slot.evidence = evidence
        elif suggested is not None and suggested.name in schema.by_name:
            slot.suggestion = suggested.name
            slot.confidence = suggested.confidence
            slot.evidence = suggested.evidence
            slot.is_guess = True


def _own_suggestion(slot: CollectionSlot) -> tuple[str | None, float, str]:
    """Return the field that a slot's own name suggests, its confidence and evidence."""
    slot_id = SlotId.parse(slot.slot)
    if slot_id.source is SlotSource.DECLARED:
        return slot_id.name, 0.9, "the page declares it"
    if slot_id.source is SlotSource.SECTION:
        return field_of_label(slot_id.name), 0.8, "the heading above it"
    if slot_id.source is SlotSource.INDEX:
        return slot_id.name, 0.5, "the index page names it"

    name = field_of_label(slot.label) if slot.label else None
    is_long = name in ("ingredients", "instructions")
    return name, 0.5 if is_long else 0.7, f"the label {slot.label!r} before it"


def accepted_suggestions(
    slots: Sequence[CollectionSlot],
    slot_fields: SlotFields,
    ignored: Iterable[str] = (),
) -> dict[str, tuple[str, str]]:
    """Return field and type by slot for the suggestions worth accepting: all with
    enough confidence, for slots and fields without an annotation.

    A guess counts where no other slot is called by the name of the field.
    """
    taken = {given[0] for given in slot_fields.values()}
    confident = [
        slot
        for slot in slots
        if slot.field is None
        and slot.suggestion not in (None, *taken)
        and slot.confidence >= MIN_CONFIDENCE
    ]
    called_by_name = {slot.suggestion for slot in confident if not slot.is_guess}

    accepted: dict[str, tuple[str, str]] = {}
    ignored = set(ignored)
    for slot in confident:
        is_needless = slot.is_guess and slot.suggestion in called_by_name
        if slot.slot not in ignored and not is_needless:
            accepted[slot.slot] = (slot.suggestion or "", "")
    return accepted
