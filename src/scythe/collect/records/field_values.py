"""From slots to fields: which slots hold the values of which field.

Annotations are kept for the whole collection, so that a redesign, which gives pages a
new cluster and a new template, leaves those of sections and declarations as they are.
Several slots may hold one field: the values of slots of one source are put together in
page order, and of several sources the first with a value counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from scythe.collect.records.schema import RecordSchema
from scythe.collect.records.text_parts import TextPart
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.slot import SlotId, SlotSource, shared_slot
from scythe.templates.template.slots import Annotation
from scythe.templates.template.template import Template

SlotFields = Mapping[str, Sequence[str]]
"""The field and the type that operators gave each slot; the type is empty where the
schema knows it.
"""

_MULTIPLE_VALUES = frozenset({"lines", "ingredients"})
"""Types of fields that take the values of all their slots."""


def schema_with_fields(schema: RecordSchema, slot_fields: SlotFields) -> RecordSchema:
    """Return a schema with the fields and types that operators gave."""
    for field, *types in slot_fields.values():
        if types and types[0]:
            schema = schema.with_field(field, types[0])
        elif field not in schema.by_name:
            schema = schema.with_field(field)
    held = {field for field, *_ in slot_fields.values()}
    return schema.requiring(held)


def annotate_template(
    template: Template, cluster: int, slot_fields: SlotFields
) -> None:
    """Store in a template which of its slots operators named: these it extracts and
    keeps, whatever pages come.
    """
    own: dict[str, Sequence[str]] = {}
    for slot, named in slot_fields.items():
        slot_id = SlotId.parse(slot)
        if slot_id.cluster == cluster:
            own.setdefault(slot_id.name, named)

    for slot in dict.fromkeys([*template.annotations, *own]):
        annotation = template.annotations.setdefault(slot, Annotation())
        if slot in own:
            annotation.name = own[slot][0]
            annotation.type = own[slot][1] or None
        else:
            annotation.name = None
            annotation.type = None


@lru_cache(maxsize=1 << 14)
def collection_slot(cluster: int, slot: str) -> str:
    """Return the id of a slot in the whole collection: those of templates are of one
    cluster.
    """
    return str(SlotId.parse(slot).in_cluster(cluster))


def slot_values(
    row: ExtractedRow, index_values: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """Return the values of all slots of a page, by their ids in the collection."""
    found: dict[str, Sequence[str]] = {}
    for slot, values in row.slots.items():
        found[collection_slot(row.cluster, slot)] = values
    for name, values in (row.declared or {}).items():
        found[shared_slot(SlotSource.DECLARED, name)] = values
    for name, values in index_values.items():
        found[shared_slot(SlotSource.INDEX, name)] = values
    return found


def field_values(
    values: Mapping[str, Sequence[str]], slot_fields: SlotFields, schema: RecordSchema
) -> dict[str, list[str]]:
    """Return the values of fields, from the values of the slots that hold them."""
    by_field: dict[str, dict[SlotSource, list[str]]] = {}
    for slot, (field, *_) in slot_fields.items():
        slot_id = SlotId.parse(slot)
        texts = values.get(slot_id.whole, ())
        found = [text for text in texts if text.strip()]
        if not found:
            continue
        if slot_id.part:
            found = TextPart.parse(slot_id.part).of(found)
        source = slot_id.source
        rule = schema.by_name.get(field)
        takes_all = rule is None or rule.type in _MULTIPLE_VALUES
        gathered = by_field.setdefault(field, {}).setdefault(source, [])
        if takes_all or not gathered:
            gathered.extend(found)

    fields: dict[str, list[str]] = {}
    for field, sources in by_field.items():
        fields[field] = _first_source(sources)
    return fields


def _first_source(sources: Mapping[SlotSource, list[str]]) -> list[str]:
    """Return the values of the first source that has any, in the order of the enum."""
    first = min(sources, key=list(SlotSource).index)
    return sources[first]
