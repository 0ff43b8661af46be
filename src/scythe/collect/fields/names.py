"""Names of slots: which slots give the values of which field. An operator's word stands
above every proposal.

Names are kept for the collection, so that a redesign, which gives pages a new cluster
and a new template, leaves the names of sections and declarations as they are. Several
slots may have one name: those of one kind are put together in page order, and of
several kinds the first with a value counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scythe.collect.records.schema import RecordSchema
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.slot import SlotId, SlotSource, Suggestion
from scythe.templates.suggestions.labels import field_of_label, looks_like_field
from scythe.templates.template.slots import Annotation
from scythe.templates.template.template import Template

_SEVERAL = frozenset({"lines", "ingredients"})
EXAMPLES = 3
SURE = 0.6
"""Confidence from which on `accept` takes a proposal."""


@dataclass
class Attribute:
    """A slot of a collection as an operator sees it."""

    slot: str
    support: int = 0
    """On how many pages it has a value."""
    examples: list[str] = field(default_factory=list)
    label: str = ""
    pages: list[int] = field(default_factory=list)
    """The page of each example."""
    most: int = 1
    """The most values that a page has."""
    name: str | None = None
    type: str | None = None
    proposal: str | None = None
    confidence: float = 0.0
    evidence: str = ""
    by_looks: bool = False
    """Whether its proposal comes from what pages look like, and not from what the site
    calls it.
    """


Names = Mapping[str, Sequence[str]]
"""Name and type by slot."""


def with_names(schema: RecordSchema, names: Names) -> RecordSchema:
    """A schema with the fields and types that operators gave."""
    for name, *kind in names.values():
        if kind and kind[0]:
            schema = schema.with_field(name, kind[0])
        elif name not in schema.by_name:
            schema = schema.with_field(name)
    return schema


def tell_names(template: Template, cluster: int, names: Names) -> None:
    """Tell a template which of its slots operators named: these it reads and keeps,
    whatever pages come.
    """
    own = {}
    for slot, named in names.items():
        slot_id = SlotId.parse(slot)
        if slot_id.cluster == cluster:
            own[slot_id.name] = named
    for slot in dict.fromkeys([*template.annotations, *own]):
        said = template.annotations.setdefault(slot, Annotation())
        said.name, said.type = (
            (own[slot][0], own[slot][1] or None) if slot in own else (None, None)
        )


def in_cluster(cluster: int, slot: str) -> str:
    """The name of a slot for the whole collection: those of templates are of one
    cluster.
    """
    return str(SlotId.parse(slot).in_cluster(cluster))


def values_of(
    row: ExtractedRow, index: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """The values of all slots of a page, by the names that slots have in the
    collection.
    """
    found: dict[str, Sequence[str]] = {
        in_cluster(row.cluster, slot): values for slot, values in row.slots.items()
    }
    for name, declared in (row.declared or {}).items():
        found[str(SlotId(SlotSource.DECLARED, name))] = declared
    for name, listed in index.items():
        found[str(SlotId(SlotSource.INDEX, name))] = listed
    return found


def named_values(
    values: Mapping[str, Sequence[str]], names: Names, schema: RecordSchema
) -> dict[str, list[str]]:
    """The values of fields: of the slots that have their names."""
    by_field: dict[str, dict[SlotSource, list[str]]] = {}
    for slot, (name, *_) in names.items():
        if found := [value for value in values.get(slot, ()) if value.strip()]:
            source = SlotId.parse(slot).source
            rule = schema.by_name.get(name)
            several = rule is None or rule.type in _SEVERAL
            kept = by_field.setdefault(name, {}).setdefault(source, [])
            if several or not kept:
                kept.extend(found)
    return {
        name: next(sources[source] for source in SlotSource if source in sources)
        for name, sources in by_field.items()
    }


def propose_all(
    attributes: Iterable[Attribute],
    names: Names,
    schema: RecordSchema,
    proposals: Mapping[str, Suggestion],
) -> None:
    """Give attributes the names that operators gave them, and proposals: what the slot
    itself says, else what its template's pages speak for.
    """
    for attribute in attributes:
        given = names.get(attribute.slot)
        if given:
            attribute.name, attribute.type = (
                given[0],
                (given[1] if len(given) > 1 else "") or None,
            )
        name, confidence, evidence = _proposal(attribute)
        rule = schema.by_name.get(name) if name else None
        if rule is not None and looks_like_field(rule.name, attribute.examples):
            attribute.proposal, attribute.confidence, attribute.evidence = (
                rule.name,
                confidence,
                evidence,
            )
        elif (
            proposed := proposals.get(attribute.slot)
        ) and proposed.name in schema.by_name:
            attribute.proposal, attribute.confidence, attribute.evidence = (
                proposed.name,
                proposed.confidence,
                proposed.evidence,
            )
            attribute.by_looks = True


def _proposal(attribute: Attribute) -> tuple[str | None, float, str]:
    slot = SlotId.parse(attribute.slot)
    if slot.source is SlotSource.DECLARED:
        return slot.name, 0.9, "the page declares it"
    if slot.source is SlotSource.SECTION:
        return field_of_label(slot.name), 0.8, "the heading above it"
    if slot.source is SlotSource.INDEX:
        return slot.name, 0.5, "the index page names it"
    found = field_of_label(attribute.label) if attribute.label else None
    return (
        found,
        0.7 if found not in ("ingredients", "instructions") else 0.5,
        f"the label {attribute.label!r} before it",
    )


def accepted(
    attributes: Sequence[Attribute], names: Names, ignored: Iterable[str] = ()
) -> dict[str, tuple[str, str]]:
    """Proposals worth taking: all that are sure, for slots and fields without a name.
    What a slot only looks like counts where no other slot says that it is this field.
    """
    taken = {given[0] for given in names.values()}
    left_alone = set(ignored)
    sure = [
        attribute
        for attribute in attributes
        if attribute.name is None
        and attribute.proposal not in (None, *taken)
        and attribute.confidence >= SURE
    ]
    said = {attribute.proposal for attribute in sure if not attribute.by_looks}
    return {
        attribute.slot: (attribute.proposal or "", "")
        for attribute in sure
        if attribute.slot not in left_alone
        and not (attribute.by_looks and attribute.proposal in said)
    }
