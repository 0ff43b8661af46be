"""Annotations that survive a redesign: slots of a new template get the fields of those
that held the same values before.

Sections and declarations keep their slots in any design; slots of a template do not.
But the pages of a redesigned site have records already, whose values are known: a slot
of the new template that has the values of a field on nearly all of them holds that
field, and so does a part of one. It is only done for clusters without any annotation
and for fields that they lack, and the operator gets a notice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scythe.collect.context import RunContext, StateKey
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    store_change,
)
from scythe.collect.fields.notices import CARRIED_OVER
from scythe.collect.records.field_values import SlotFields, collection_slot
from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.standardize.types import Malformed, standardize_field
from scythe.collect.records.text_parts import PartExample, TextPart, learn_part
from scythe.collect.steps.importer import record_url
from scythe.errors import Conflict
from scythe.store.collections.extractions import ExtractedPage, evenly_spaced
from scythe.store.collections.runs import NewNotice
from scythe.templates.slot import PART_SIGN, SlotId
from scythe.templates.suggestions.suggestions import HEAD_PATHS
from scythe.templates.template.template import Template
from scythe.urls import url_key

SAMPLE_SIZE = 40
"""Pages of a new cluster that are compared with their records: a bound on work, not
tuned.
"""
MIN_PAGES = 3
"""Pages that must have the values of a field, with different ones among them: two may
agree by chance.
"""
MIN_SHARE = 0.8
"""The share that these must be of the pages whose records have the field: some change
with the redesign. Not tuned.
"""

_Fields = Mapping[str, Any]
_KnownPage = tuple[ExtractedPage, _Fields]


def carry_annotations(context: RunContext) -> dict[str, tuple[str, str]]:
    """Annotate the slots of clusters without annotations after what their pages'
    records say; return field and type by slot.
    """
    annotation = context.annotations.latest()
    if not annotation.names:
        return {}

    done: list[int] = context.load_state(StateKey.CARRIED_OVER) or []
    annotated: set[int | None] = set(done)
    for slot in (*annotation.names, *annotation.ignored):
        annotated.add(SlotId.parse(slot).cluster)

    carried: dict[str, tuple[str, str]] = {}
    for row in context.extractions.clusters():
        if row.cluster not in annotated:
            pages = _pages_with_records(context, row.cluster)
            hidden = _head_slots(context, row.cluster)
            known = {**annotation.names, **dict.fromkeys(hidden, ("", ""))}
            found = _matching_slots(
                pages,
                known,
                context.schema,
            )
            for slot, given in found.items():
                carried[collection_slot(row.cluster, slot)] = given

    if carried and _store_carried(context, carried, annotation.version):
        clusters = {SlotId.parse(slot).cluster or 0 for slot in carried}
        context.store_state(StateKey.CARRIED_OVER, sorted({*done, *clusters}))
    return carried


def _pages_with_records(context: RunContext, cluster: int) -> list[_KnownPage]:
    """Return a sample of a cluster's pages, with the good values of their records."""
    sample = evenly_spaced(context.extractions.ids(cluster), SAMPLE_SIZE)
    pages = []
    for page in context.extractions.read(sample):
        record = context.records.get(url_key(record_url(page)))
        if record is not None and record.fields:
            pages.append((page, record.fields))
    return pages


def _head_slots(context: RunContext, cluster: int) -> list[str]:
    """Return the slots of a cluster's template that stand in the head of its pages:
    nobody sees them, and what a head declares has slots of its own.
    """
    stored = context.templates.latest(cluster)
    if stored is None:
        return []
    template = Template.from_json(stored.definition)
    slots = template.all_slots
    return [slot.id for slot in slots if slot.path.startswith(HEAD_PATHS)]


def _matching_slots(
    pages: Sequence[_KnownPage], slot_fields: SlotFields, schema: RecordSchema
) -> dict[str, tuple[str, str]]:
    """Return for each field that the pages lack the first slot that has its values on
    nearly all of them, else the first with a part that has.
    """
    slots: dict[str, None] = {}
    for page, _ in pages:
        for slot in page.row.slots:
            if slot not in slot_fields:
                slots[slot] = None

    found: dict[str, tuple[str, str]] = {}
    fields = dict.fromkeys((given[0], given[1]) for given in slot_fields.values())
    for name, type_ in fields:
        wholes = set()
        for slot, given in slot_fields.items():
            if given[0] == name:
                slot_id = SlotId.parse(slot)
                wholes.add(slot_id.whole)
        known = []
        for page, values in pages:
            has_slot = not wholes.isdisjoint(page.row.slots)
            if values.get(name) not in (None, "", []) and not has_slot:
                known.append((page, values[name]))
        least = max(MIN_PAGES, MIN_SHARE * len(pages))
        if len(known) < least:
            continue
        free = [slot for slot in slots if slot not in found]
        match = _first_match(known, free, name, schema)
        if match is not None:
            found[match] = (name, type_)
    return found


def _first_match(
    known: Sequence[tuple[ExtractedPage, Any]],
    slots: Sequence[str],
    name: str,
    schema: RecordSchema,
) -> str | None:
    """Return the first slot, or part of one, that has the known values of a field."""
    for slot in slots:
        if _gives(known, slot, name, schema):
            return slot
    for slot in slots:
        examples = []
        for page, value in known:
            texts = value if isinstance(value, list) else [value]
            expected = [text for text in texts if isinstance(text, str)]
            if expected and page.row.slots.get(slot):
                examples.append(PartExample(page.row.slots[slot], expected))
        if len(examples) < MIN_SHARE * len(known):
            continue
        pattern, _ = learn_part(examples)
        part = f"{slot}{PART_SIGN}{pattern}"
        if pattern and _gives(known, part, name, schema):
            return part
    return None


def _gives(
    known: Sequence[tuple[ExtractedPage, Any]],
    slot: str,
    name: str,
    schema: RecordSchema,
) -> bool:
    """Return whether a slot has the values of a field on nearly all pages, and not the
    same on all.
    """
    same = [
        value
        for page, value in known
        if _standardized(page, slot, name, schema) == value
    ]
    least = max(MIN_PAGES, MIN_SHARE * len(known))
    if len(same) < least:
        return False
    return any(value != same[0] for value in same)


def _standardized(
    page: ExtractedPage, slot: str, name: str, schema: RecordSchema
) -> Any:
    """Return what a slot of a page gives for a field, None where it does not fit."""
    slot_id = SlotId.parse(slot)
    values = list(page.row.slots.get(slot_id.whole, ()))
    if slot_id.part:
        values = TextPart.parse(slot_id.part).of(values)
    try:
        return standardize_field(values, schema.by_name[name], record_url(page)).get(
            name
        )
    except Malformed:
        return None


def _store_carried(
    context: RunContext, carried: Mapping[str, tuple[str, str]], version: int
) -> bool:
    """Store the annotations as any other, so that they can be undone, with a notice;
    return whether they were.
    """
    change = AnnotationChange(AnnotationAction.CARRY, tuple(carried), accepted=carried)
    try:
        stored = store_change(context, change, version)
    except Conflict:
        return False  # an operator annotates just now; the next run tries again

    names = dict.fromkeys(name for name, _ in carried.values())
    fields = ", ".join(names)
    first_slot = next(iter(carried))
    data = {
        "message": f"pages look new; their names are carried over: {fields}",
        "slot": first_slot,
        "cluster": str(SlotId.parse(first_slot).cluster),
    }
    notice = NewNotice(f"{CARRIED_OVER}/{stored}", CARRIED_OVER, data)
    context.runs.add_notices([notice], context.run or None)
    return True
