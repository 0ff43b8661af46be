"""Names of slots: which slots give the values of which field. An operator's word stands above every proposal.

Names are kept for the collection, so that a redesign, which gives pages a new cluster and a new template, leaves the names of
sections and declarations as they are. Several slots may have one name: those of one kind are put together in page order, and of
several kinds the first with a value counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scythe.collect.reading import DECLARED, INDEX, SECTION
from scythe.collect.schema import RecordSchema
from scythe.store.templates import ExtractedRow
from scythe.templates.annotation_labels import may_be, named_by_label
from scythe.templates.slot import Slot

_ORDER = ("", DECLARED, SECTION, INDEX)
_SEVERAL = frozenset({"lines", "ingredients"})
EXAMPLES = 3
SURE = 0.6
"""Confidence from which on `accept` takes a proposal."""
SAMPLE = 1_000
"""Pages that the list of attributes is made from."""


@dataclass
class Attribute:
    """A slot of a collection as an operator sees it."""

    slot: str
    support: int = 0
    """On how many pages it has a value."""
    examples: list[str] = field(default_factory=list)
    label: str = ""
    name: str | None = None
    type: str | None = None
    proposal: str | None = None
    confidence: float = 0.0
    evidence: str = ""


Names = Mapping[str, Sequence[str]]
"""Name and type by slot."""


def in_cluster(cluster: int, slot: str) -> str:
    """The name of a slot for the whole collection: those of templates are of one cluster."""
    return slot if ":" in slot else f"{cluster}:{slot}"


def values_of(row: ExtractedRow, index: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The values of all slots of a page, by the names that slots have in the collection."""
    found: dict[str, Sequence[str]] = {in_cluster(row.cluster, slot): values for slot, values in row.slots.items()}
    found.update({f"{DECLARED}{name}": values for name, values in (row.declared or {}).items()})
    found.update({f"{INDEX}{name}": values for name, values in index.items()})
    return found


def named_values(values: Mapping[str, Sequence[str]], names: Names, schema: RecordSchema) -> dict[str, list[str]]:
    """The values of fields: of the slots that have their names."""
    by_field: dict[str, dict[str, list[str]]] = {}
    for slot, (name, *_) in names.items():
        if found := [value for value in values.get(slot, ()) if value.strip()]:
            kind = next((prefix for prefix in _ORDER[1:] if slot.startswith(prefix)), "")
            rule = schema.by_name.get(name)
            several = rule is None or rule.type in _SEVERAL
            kept = by_field.setdefault(name, {}).setdefault(kind, [])
            if several or not kept:
                kept.extend(found)
    return {name: next(kinds[kind] for kind in _ORDER if kind in kinds) for name, kinds in by_field.items()}


def attributes(
    rows: Iterable[ExtractedRow], index: Mapping[str, Mapping[str, Sequence[str]]], names: Names, schema: RecordSchema
) -> list[Attribute]:
    """All slots of a collection, those of most pages first, with names and proposals. `index` has what index pages say by
    page.
    """
    found: dict[str, Attribute] = {}
    for row in rows:
        for slot, values in values_of(row, index.get(str(row.page_id), {})).items():
            if values:
                attribute = found.setdefault(slot, Attribute(slot))
                attribute.support += 1
                if len(attribute.examples) < EXAMPLES and values[0] not in attribute.examples:
                    attribute.examples.append(values[0])
    for slot, given in names.items():
        attribute = found.setdefault(slot, Attribute(slot))
        attribute.name, attribute.type = given[0], given[1] if len(given) > 1 else None
    for attribute in found.values():
        _propose(attribute, schema)
    return sorted(found.values(), key=lambda attribute: (attribute.name is None, -attribute.support, attribute.slot))


def label(attributes: Iterable[Attribute], cluster: int, slots: Iterable[Slot], schema: RecordSchema) -> None:
    """Tell what templates know of their slots: the label before the values."""
    by_id = {in_cluster(cluster, slot.id): slot for slot in slots}
    for attribute in attributes:
        slot = by_id.get(attribute.slot)
        if slot is not None:
            attribute.label = slot.label
            _propose(attribute, schema)


def _propose(attribute: Attribute, schema: RecordSchema) -> None:
    name, confidence, evidence = _proposal(attribute)
    rule = schema.by_name.get(name) if name else None
    if rule is not None and may_be(rule.name, attribute.examples):
        attribute.proposal, attribute.confidence, attribute.evidence = rule.name, confidence, evidence


def _proposal(attribute: Attribute) -> tuple[str | None, float, str]:
    slot = attribute.slot
    if slot.startswith(DECLARED):
        return slot.removeprefix(DECLARED), 0.9, "the page declares it"
    if slot.startswith(SECTION):
        return named_by_label(slot.removeprefix(SECTION)), 0.8, "the heading above it"
    if slot.startswith(INDEX):
        return slot.removeprefix(INDEX), 0.5, "the index page names it"
    found = named_by_label(attribute.label) if attribute.label else None
    return found, 0.7 if found not in ("ingredients", "instructions") else 0.5, f"the label {attribute.label!r} before it"


def accepted(attributes: Iterable[Attribute], names: Names) -> dict[str, tuple[str, str]]:
    """Proposals worth taking: all that are sure, for slots and fields without a name."""
    taken = {given[0] for given in names.values()}
    chosen: dict[str, tuple[str, str]] = {}
    for attribute in attributes:
        if attribute.name is None and attribute.proposal and attribute.confidence >= SURE and attribute.proposal not in taken:
            chosen[attribute.slot] = (attribute.proposal, "")
    return chosen


def supports(rows: Iterable[ExtractedRow]) -> Counter[str]:
    """On how many pages each section and declaration has a value: slots that all clusters share."""
    return Counter(slot for row in rows for slot, values in values_of(row, {}).items() if values and not slot[0].isdigit())
