"""Annotations that survive a redesign: slots of a new template get the fields of those
that held the same values before.

Sections and declarations keep their slots in any design; slots of a template do not.
But the pages of a redesigned site have records already, whose values are known: a slot
of the new template that has the values of a field on nearly all of them holds that
field. It is only done for clusters without any annotation, and the operator gets a
notice.
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
from scythe.errors import Conflict
from scythe.store.collections.extractions import ExtractedPage, evenly_spaced
from scythe.store.collections.runs import NewNotice
from scythe.templates.slot import SlotId
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
    template_slots = {
        slot: given
        for slot, given in annotation.names.items()
        if SlotId.parse(slot).cluster is not None
    }
    if not template_slots:
        return {}

    done: list[int] = context.load_state(StateKey.CARRIED_OVER) or []
    annotated: set[int | None] = set(done)
    for slot in (*template_slots, *annotation.ignored):
        annotated.add(SlotId.parse(slot).cluster)

    carried: dict[str, tuple[str, str]] = {}
    for row in context.extractions.clusters():
        if row.cluster not in annotated:
            pages = _pages_with_records(context, row.cluster)
            found = _matching_slots(pages, template_slots, context.schema)
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
        record = context.records.get(url_key(page.url))
        if record is not None and record.fields:
            pages.append((page, record.fields))
    return pages


def _matching_slots(
    pages: Sequence[_KnownPage], slot_fields: SlotFields, schema: RecordSchema
) -> dict[str, tuple[str, str]]:
    """Return for each field the first slot that has its values on nearly all pages."""
    slots: dict[str, None] = {}
    for page, _ in pages:
        for slot in page.row.slots:
            if ":" not in slot:
                slots[slot] = None

    found: dict[str, tuple[str, str]] = {}
    for name, type_ in dict.fromkeys(
        (given[0], given[1]) for given in slot_fields.values()
    ):
        known = []
        for page, fields in pages:
            if fields.get(name) not in (None, "", []):
                known.append((page, fields[name]))
        for slot in slots:
            same = [
                value
                for page, value in known
                if _standardized(page, slot, name, schema) == value
            ]
            needed = max(MIN_PAGES, MIN_SHARE * len(known))
            is_enough = len(same) >= needed
            if is_enough and any(value != same[0] for value in same):
                found.setdefault(slot, (name, type_))
                break
    return found


def _standardized(
    page: ExtractedPage, slot: str, name: str, schema: RecordSchema
) -> Any:
    """Return what a slot of a page gives for a field, None where it does not fit."""
    values = list(page.row.slots.get(slot, ()))
    try:
        return standardize_field(values, schema.by_name[name], page.url).get(name)
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
