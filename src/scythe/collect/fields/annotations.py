"""Interactive annotation: what operators say about slots, previewed before it is done,
stored with its history, and never overruled.

An annotation is stored first; then the records are updated, in their values alone:
which records there are, which are gone and which moved is for runs to find out.
Whatever ends in between, the next run, or the web app when it starts, updates the rest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import Any

from scythe.collect.context import RunContext
from scythe.collect.fields.surveys import index_values
from scythe.collect.garbage import rare_garbage_collection
from scythe.collect.publish.export import publish
from scythe.collect.records.field_values import (
    SlotFields,
    field_values,
    schema_with_fields,
    slot_values,
)
from scythe.collect.records.preprocessor import PreprocessedRecord, preprocess
from scythe.collect.records.schema import TYPES, normalize_field_name
from scythe.collect.steps.importer import correct_records
from scythe.errors import UsageError
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.extractions import ExtractedPage, evenly_spaced
from scythe.store.leases import has_ended, this_process
from scythe.templates.slot import SlotId, SlotSource

MAX_PREVIEWED = 200
"""Pages whose records a preview makes, before and after: a bound on the wait for it,
not tuned.
"""
MAX_SHOWN = 5
"""Records that a preview shows: a bound on what a page holds, not tuned."""
MAX_SLOTS = 200
"""Slots of one change: an arbitrary cap against hostile requests."""
LEASE_SECONDS = 3600.0
"""How long a collection is held while its records are updated: a bound, not tuned. A
process that ends before is known to have ended.
"""
_PARSED = "_parsed"
"""How the name of a column ends that has the parts of another."""
_UPDATING = Lock()
"""Requests of one server share a process, and so the hold of a collection: here they
wait for each other.
"""


class AnnotationAction(StrEnum):
    """What an operator can do with slots."""

    NAME = "name"
    """Give slots a field; several slots of one field are merged."""
    SPLIT = "split"
    """Take the field of a slot away, and so take it out of a merged field."""
    IGNORE = "ignore"
    UNIGNORE = "notice"
    ACCEPT = "accept"
    """Give several slots fields at once, as they were suggested: drafts are good."""
    CARRY = "carry"
    """Give several slots fields at once, as slots of an earlier design had them."""
    SETTLE = "settle"
    """Use the names that were given, and no suggestion."""


_SETTLING = (AnnotationAction.ACCEPT, AnnotationAction.SETTLE)
"""What ends drafts."""


@dataclass(frozen=True)
class AnnotationChange:
    """A change that an operator wants to make."""

    action: AnnotationAction
    slots: tuple[str, ...]
    field: str = ""
    type: str = ""
    accepted: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    """With `ACCEPT` and `CARRY`: field and type by slot."""
    titles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What people call the slots, for the history: a label, or a value."""

    @classmethod
    def from_request(
        cls,
        action: str,
        slots: tuple[str, ...],
        field: str = "",
        type_: str = "",
        titles: Mapping[str, str] | None = None,
    ) -> AnnotationChange:
        """Return the change that a request asks for by the name of its action."""
        try:
            return cls(AnnotationAction(action), slots, field, type_, {}, titles or {})
        except ValueError:
            raise UsageError(
                f"Slots can be named, split, ignored or noticed, not {action!r}."
            ) from None

    def __post_init__(self) -> None:
        needs_slots = self.action is not AnnotationAction.SETTLE
        is_wide = self.action in (AnnotationAction.ACCEPT, AnnotationAction.CARRY)
        too_many = len(self.slots) > MAX_SLOTS and not is_wide
        if (needs_slots and not self.slots) or too_many:
            raise UsageError(f"Choose at least one slot, and {MAX_SLOTS} at most.")
        if self.type and self.type not in TYPES:
            raise UsageError(
                f"There is no type {self.type}. There are: {', '.join(TYPES)}."
            )


def apply_change(
    annotation: AnnotationRow, change: AnnotationChange, order: Iterable[str] = ()
) -> AnnotationRow:
    """Return the annotation after a change. `order` has slots in the order of the page,
    in which those of one field are put together.
    """
    slot_fields: dict[str, tuple[str, str]] = {}
    for slot, (name, *types) in annotation.names.items():
        slot_fields[slot] = (name, types[0] if types else "")

    ignored = dict.fromkeys(annotation.ignored)
    for slot in change.slots:
        ignored.pop(slot, None)
        if change.action is AnnotationAction.UNIGNORE:
            continue
        slot_fields.pop(slot, None)
        if change.action is AnnotationAction.IGNORE:
            ignored[slot] = None

    if change.action is AnnotationAction.NAME:
        _name_slots(slot_fields, change)
    elif change.action in (AnnotationAction.ACCEPT, AnnotationAction.CARRY):
        for slot, (name, type_) in change.accepted.items():
            slot_fields[slot] = (normalize_field_name(name), type_)

    positions = {slot: position for position, slot in enumerate(order)}
    last = len(positions)
    ordered = sorted(slot_fields, key=lambda slot: positions.get(slot, last))
    names = {slot: list(slot_fields[slot]) for slot in ordered}
    return AnnotationRow(
        annotation.version,
        describe_change(change),
        names,
        list(ignored),
        settled=annotation.settled or change.action in _SETTLING,
    )


def _name_slots(
    slot_fields: dict[str, tuple[str, str]], change: AnnotationChange
) -> None:
    """Give the slots of a change its field; all slots of a field have one type."""
    name = normalize_field_name(change.field)
    known_types = (type_ for known, type_ in slot_fields.values() if known == name)
    type_ = change.type or next(known_types, "")

    for slot, (known, _) in slot_fields.items():
        if known == name:
            slot_fields[slot] = (name, type_)
    for slot in change.slots:
        slot_fields[slot] = (name, type_)


def describe_change(change: AnnotationChange) -> str:
    """Return a change in words."""
    titles = change.titles
    first_slots = change.slots[:3]
    named = [titles.get(slot) or describe_slot(slot) for slot in first_slots]
    slots = " and ".join(named)
    if len(change.slots) > len(first_slots):
        slots += " and others"

    match change.action:
        case AnnotationAction.NAME:
            verb = "are" if len(change.slots) > 1 else "is"
            type_ = f" ({change.type})" if change.type else ""
            return f"{slots} {verb} {normalize_field_name(change.field)}{type_}"
        case AnnotationAction.ACCEPT:
            fields = dict.fromkeys(name for name, _ in change.accepted.values())
            return f"suggestions accepted: {', '.join(fields)}"
        case AnnotationAction.CARRY:
            fields = dict.fromkeys(name for name, _ in change.accepted.values())
            return f"names carried over: {', '.join(fields)}"
        case AnnotationAction.SETTLE:
            return "other suggestions dismissed"
        case AnnotationAction.SPLIT:
            return f"{slots} without a name"
        case AnnotationAction.IGNORE:
            return f"{slots} of no interest"
        case AnnotationAction.UNIGNORE:
            return f"{slots} of interest again"


def describe_slot(slot: str) -> str:
    """Return a slot as people call it."""
    slot_id = SlotId.parse(slot)
    name = slot_id.name
    if slot_id.source is SlotSource.SECTION:
        return f'the section "{name}"'
    if slot_id.source is SlotSource.LABEL:
        return f'what is labelled "{name}"'
    if slot_id.source is SlotSource.TEXT:
        return f"the {name.replace('_', ' ')} of the running text"
    if slot_id.source is SlotSource.DECLARED:
        return f"the declared {name}"
    if slot_id.source is SlotSource.INDEX:
        return f"the index page's {name}"
    return f"slot {name}"


def store_change(
    context: RunContext,
    change: AnnotationChange,
    expected: int | None = None,
    order: Iterable[str] = (),
) -> int:
    """Store a change and dismiss the notices about its slots; return the new version.

    Raises `Conflict` where the latest version is not the `expected` one.
    """
    annotation = context.annotations.latest()
    after = apply_change(annotation, change, order)
    # A field or a type that makes no schema is refused before it is stored.
    schema_with_fields(context.plain_schema, after.names)

    seen = annotation.version if expected is None else expected
    version = context.annotations.add(
        after.what,
        after.names,
        after.ignored,
        seen,
        settled=after.settled,
    )
    answered = [
        notice.id
        for notice in context.runs.notices()
        if notice.data.get("slot") in change.slots
    ]
    context.runs.dismiss(answered)
    return version


def records_are_current(context: RunContext) -> bool:
    """Return whether all records show the latest annotation."""
    annotation = context.annotations.latest()
    return annotation.version == 0 or annotation.imported_at is not None


def update_records(context: RunContext) -> bool:
    """Give all records the values of the latest annotation; return False where another
    process works on the collection, which will do it.
    """
    with _UPDATING:
        if records_are_current(context):
            return True
        holder = this_process()
        if not context.collections.acquire_lease(
            context.row.id,
            holder,
            LEASE_SECONDS,
            has_ended,
        ):
            return False
        try:
            with rare_garbage_collection():
                _correct_all(context)
        finally:
            context.collections.release_lease(context.row.id, holder)
        return True


def _correct_all(context: RunContext) -> None:
    """Correct all records until no annotation came meanwhile; a kill leaves the rest to
    be done.
    """
    while not records_are_current(context):
        version = context.annotations.latest().version
        correct_records(context)
        context.annotations.mark_applied(version)
    publish(context.store, context.row, context.schema)


@dataclass(frozen=True)
class RecordDifference:
    """A record as it is and as it would be, only the fields that differ."""

    url: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class Preview:
    """What a change would do to records."""

    description: str
    sampled: int
    """Pages that were compared, evenly spread over `total`."""
    total: int
    changed: int
    """Records that would change."""
    fields: Mapping[str, tuple[int, int]]
    """For each field that changes, how many records have it before and after."""
    in_review: tuple[int, int]
    """Records in review before and after."""
    differences: Sequence[RecordDifference]


def preview(
    context: RunContext, change: AnnotationChange, order: Sequence[str] = ()
) -> Preview:
    """Return what the records of all pages that have the slots would be after a change;
    nothing is stored.
    """
    annotation = context.annotations.latest()
    changed = apply_change(annotation, change, order)

    clusters = {SlotId.parse(slot).cluster for slot in change.slots}
    cluster = clusters.pop() if len(clusters) == 1 else None
    pages = context.extractions.ids(cluster)
    examples = context.extractions.read(evenly_spaced(pages, MAX_PREVIEWED))
    names_before = context.effective_names(annotation)
    names_after = context.effective_names(changed)
    before = _preprocess_examples(context, examples, names_before)
    after = _preprocess_examples(context, examples, names_after)

    differences: list[RecordDifference] = []
    fields: dict[str, tuple[int, int]] = {}
    for example, old, new in zip(examples, before, after, strict=True):
        names = _differing_fields(old.fields, new.fields)
        if not names:
            continue
        old_values: dict[str, Any] = {}
        new_values: dict[str, Any] = {}
        for name in names:
            old_values[name] = old.fields.get(name)
            new_values[name] = new.fields.get(name)
            fields[name] = (0, 0)
        difference = RecordDifference(example.url, old_values, new_values)
        differences.append(difference)

    for name in fields:
        count_before = _count_having(before, name)
        fields[name] = (count_before, _count_having(after, name))

    in_review = (_count_in_review(before), _count_in_review(after))
    return Preview(
        changed.what,
        len(examples),
        len(pages),
        len(differences),
        fields,
        in_review,
        differences[:MAX_SHOWN],
    )


def page_record(
    context: RunContext,
    page: int,
    change: AnnotationChange | None = None,
    order: Sequence[str] = (),
) -> Mapping[str, Any]:
    """Return the fields that the record of one page has, or would have after a change;
    nothing is stored.
    """
    annotation = context.annotations.latest()
    if change is not None:
        annotation = apply_change(annotation, change, order)
    examples = context.extractions.read([page])
    names = context.effective_names(annotation)
    for record in _preprocess_examples(context, examples, names):
        return record.fields
    return {}


def _count_in_review(records: Sequence[PreprocessedRecord]) -> int:
    return sum(not record.is_good for record in records)


def _count_having(records: Sequence[PreprocessedRecord], field: str) -> int:
    return sum(field in record.fields for record in records)


def _differing_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the names of fields that differ; the parts of one that differs itself are
    left out.
    """
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    differing = []
    for name in names:
        is_part = name.endswith(_PARSED) and name.removesuffix(_PARSED) in names
        if not is_part:
            differing.append(name)
    return differing


def _preprocess_examples(
    context: RunContext, examples: Sequence[ExtractedPage], slot_fields: SlotFields
) -> list[PreprocessedRecord]:
    """Return the records of some pages, as annotations make them."""
    schema = schema_with_fields(context.plain_schema, slot_fields)
    from_index = index_values(context, examples)

    records = []
    for example in examples:
        values = slot_values(example.row, from_index[example.row.page_id])
        raw = field_values(values, slot_fields, schema)
        records.append(preprocess(raw, schema, example.url))
    return records
