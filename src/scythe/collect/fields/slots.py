"""The slots of a collection as an operator sees them, each with a suggested field and
its evidence. An operator's annotation stands above every suggestion.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from scythe.collect.pages.page_reading import NAMED_PARTS
from scythe.collect.records.field_values import SlotFields
from scythe.collect.records.schema import RESERVED, RecordSchema
from scythe.templates.slot import SlotId, SlotSource, Suggestion
from scythe.templates.suggestions.labels import field_of_label, looks_like_field
from scythe.templates.suggestions.slot_evidence import PAGE_HEADING
from scythe.tree.text import letters_and_digits

MAX_EXAMPLES = 3
"""Values of a slot that an operator sees: a bound on what is shown, not tuned."""
MIN_CONFIDENCE = 0.6
"""Confidence from which on `accept_suggestions` takes a suggestion: above what an index
page's own name (0.5) counts, below a label (0.7).
"""
OWN_LABEL_CONFIDENCE = 0.62
"""What a label of the site counts as the name of what it labels: enough to be accepted,
less than any field that is known.
"""
MIN_LABEL_SHARE = 0.2
"""The share of pages that must have a label before it is suggested. Not tuned."""
MIN_CLASS_SHARE = 0.6
MAX_CLASS_VALUE = 300
"""The share of pages that must have what a class names, and the characters that it may
have. Not tuned.
"""
MIN_SHARING_PAGES = 3
"""Pages with the same picture from which on it is the site's. Not tuned."""
MAX_FIELD_NAME = 40
"""Characters of a field's name, as schemas have it."""

GENERAL_FIELDS = {
    "title": "text",
    "image": "image",
    "date": "date",
    "price": "price",
    "author": "person",
    "location": "text",
    "description": "text",
}
"""Fields that anything can have, with their types: suggested for records of any kind."""

AUTHOR, PUBLISHER = "author", "company"
"""What "by" names, and what it names in records that companies publish."""

OWN_LABEL = "the page's own label"
"""The evidence of a field that is called as the site calls it."""

_NO_NAME = re.compile(r"[^a-z0-9]+")


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
    has_other_values: bool = False
    """Whether pages have different values, though the first of them may be the same."""
    field: str | None = None
    """The field that operators said it holds."""
    type: str | None = None
    suggestion: str | None = None
    """The field that it seems to hold."""
    confidence: float = 0.0
    evidence: str = ""
    suggested_type: str = ""
    """The type of that field, where the schema does not know it."""
    is_guess: bool = False
    """Whether the suggestion comes from what the values look like, and not from what
    the site calls them.
    """
    kind: str = "text"
    """What its values are: `text`, `link`, `image`, `number`, `price` or `date`."""
    class_name: str = ""
    """What the site calls the element of its values."""

    @property
    def varies(self) -> bool:
        """Whether pages have different values."""
        return self.has_other_values or len(self.examples) > 1


def add_suggestions(
    slots: Iterable[CollectionSlot],
    slot_fields: SlotFields,
    schema: RecordSchema,
    suggestions: Mapping[str, Suggestion],
) -> None:
    """Give slots the fields that operators gave them, and suggestions: what the slot
    itself is called, else what its template suggests.
    """
    slots = list(slots)
    pages = max((slot.support for slot in slots), default=0)
    for slot in slots:
        given = slot_fields.get(slot.slot)
        if given:
            slot.field = given[0]
            slot.type = (given[1] if len(given) > 1 else "") or None

        name, confidence, evidence = _own_suggestion(slot)
        if name == AUTHOR and AUTHOR not in schema.by_name:
            name = _publisher_field(slot, schema)
        suggested = suggestions.get(slot.slot)
        if name and _is_suggestible(slot, name, schema):
            slot.suggestion = name
            slot.confidence = confidence
            slot.evidence = evidence
        elif suggested is not None and _is_known(suggested.name, schema):
            slot.suggestion = suggested.name
            slot.confidence = suggested.confidence
            slot.evidence = suggested.evidence
            slot.is_guess = True
        elif SlotId.parse(slot.slot).source is SlotSource.LABEL:
            _suggest_own_label(slot, schema, pages)
        elif SlotId.parse(slot.slot).source is SlotSource.TEXT:
            _suggest_text_part(slot, schema, pages)
    _join_plurals(slots, pages)
    _suggest_classes(slots, schema, pages)
    for slot in slots:
        if slot.suggestion and slot.suggestion not in schema.by_name:
            several = "lines" if slot.max_values > 1 else ""
            slot.suggested_type = GENERAL_FIELDS.get(slot.suggestion, several)


def _publisher_field(slot: CollectionSlot, schema: RecordSchema) -> str | None:
    """Return the field that "posted by" names in records without an author: of a job
    its company. The link around the name is not the name, nor is text that all pages
    share.
    """
    is_name = slot.kind == "text" and len(slot.examples) > 1
    if is_name and PUBLISHER in schema.by_name:
        return PUBLISHER
    return AUTHOR if not schema.rules else None


def _is_known(name: str, schema: RecordSchema) -> bool:
    """Return whether a field is one of the schema, or, where that has none of its own,
    one that anything has.
    """
    return name in schema.by_name or (not schema.rules and name in GENERAL_FIELDS)


def _is_suggestible(slot: CollectionSlot, name: str, schema: RecordSchema) -> bool:
    """Return whether a slot can hold the field that it is called by. A picture that
    pages share is the site's, not the record's.
    """
    if not _is_known(name, schema) or not looks_like_field(name, slot.examples):
        return False
    is_shared = len(slot.examples) == 1 and slot.support >= MIN_SHARING_PAGES
    return not (name == "image" and is_shared)


def _suggest_own_label(slot: CollectionSlot, schema: RecordSchema, pages: int) -> None:
    """Suggest the label itself as the name of what it labels, where several pages have
    it with different values.
    """
    is_usual = slot.support >= max(2, MIN_LABEL_SHARE * pages)
    name = label_field_name(SlotId.parse(slot.slot).name)
    if is_usual and slot.varies and name:
        slot.suggestion = name
        slot.confidence = OWN_LABEL_CONFIDENCE
        slot.evidence = OWN_LABEL


def _suggest_text_part(slot: CollectionSlot, schema: RecordSchema, pages: int) -> None:
    """Suggest a part of the running text as a field of its own, where the records are
    not of a kind whose text is in known parts itself.
    """
    has_parts = not NAMED_PARTS.isdisjoint(schema.by_name)
    is_usual = slot.support >= max(2, MIN_LABEL_SHARE * pages)
    if is_usual and slot.varies and not has_parts:
        slot.suggestion = SlotId.parse(slot.slot).name
        slot.confidence = OWN_LABEL_CONFIDENCE
        slot.evidence = "the page's running text"


def _suggest_classes(
    slots: Sequence[CollectionSlot], schema: RecordSchema, pages: int
) -> None:
    """Suggest the class of an element as the name of what most pages have in it, where
    nothing else names that and no other slot says the same.
    """
    if not NAMED_PARTS.isdisjoint(schema.by_name):
        return
    names: set[str | None] = set()
    known: set[tuple[str, ...]] = set()
    for slot in slots:
        names.add(slot.suggestion)
        if slot.suggestion:
            examples = tuple(slot.examples)
            known.add(examples)
    least = max(2, MIN_CLASS_SHARE * pages)
    for slot in slots:
        if slot.suggestion or slot.kind in ("link", "image"):
            continue
        name = label_field_name(slot.class_name)
        examples = tuple(slot.examples)
        if not name or name in names or examples in known:
            continue
        lengths = map(len, examples)
        longest = max(lengths, default=0)
        is_usual = slot.support >= least
        if is_usual and slot.varies and longest <= MAX_CLASS_VALUE:
            slot.suggestion = name
            slot.confidence = OWN_LABEL_CONFIDENCE
            slot.evidence = "the class of its element"
            names.add(name)
            known.add(examples)


def _join_plurals(slots: Sequence[CollectionSlot], pages: int) -> None:
    """Give a label in the singular the name of the same one in the plural: pages have
    one or the other ("Maintainer", "Maintainers"), and so never both.
    """
    by_label: dict[str, CollectionSlot] = {}
    for slot in slots:
        if slot.evidence == OWN_LABEL:
            by_label[slot.suggestion or ""] = slot
    for name, slot in by_label.items():
        several = by_label.get(f"{name}s")
        if several is not None and slot.support + several.support <= pages:
            slot.suggestion = several.suggestion
            slot.max_values = several.max_values = max(2, several.max_values)


def label_field_name(label: str) -> str:
    """Return the name of a field after a label ("SD card" is `sd_card`), empty where it
    makes none.
    """
    folded = label.casefold()
    plain = unicodedata.normalize("NFKD", folded)
    letters = plain.encode("ascii", "ignore")
    joined = _NO_NAME.sub("_", letters.decode())
    name = joined.strip("_")

    is_name = len(name) > 1 and name[0].isalpha()
    if not is_name or name.startswith(RESERVED):
        return ""
    return name[:MAX_FIELD_NAME]


def _own_suggestion(slot: CollectionSlot) -> tuple[str | None, float, str]:
    """Return the field that a slot's own name suggests, its confidence and evidence."""
    slot_id = SlotId.parse(slot.slot)
    if slot_id.source is SlotSource.DECLARED:
        return slot_id.name, 0.9, "the page declares it"
    if slot_id.source is SlotSource.SECTION:
        return field_of_label(slot_id.name), 0.8, "the heading above it"
    if slot_id.source is SlotSource.INDEX:
        return slot_id.name, 0.5, "the index page names it"
    if slot_id.source is SlotSource.LABEL:
        return field_of_label(slot_id.name), 0.7, "the label before it"

    is_text = slot.kind not in ("link", "image")
    name = field_of_label(slot.label) if slot.label and is_text else None
    is_long = name in ("ingredients", "instructions")
    return name, 0.5 if is_long else 0.7, f"the label {slot.label!r} before it"


def accepted_suggestions(
    slots: Sequence[CollectionSlot],
    slot_fields: SlotFields,
    ignored: Iterable[str] = (),
) -> dict[str, tuple[str, str]]:
    """Return field and type by slot for the suggestions worth accepting: all with
    enough confidence, for slots and fields without an annotation.

    A guess counts where no other slot is called by the name of the field, and the
    heading of the page where the declared title is another text: often it is a slug.
    """
    taken = {given[0] for given in slot_fields.values()}
    ignored = set(ignored)
    confident = [
        slot
        for slot in slots
        if slot.field is None
        and slot.slot not in ignored
        and slot.suggestion not in (None, *taken)
        and slot.confidence >= MIN_CONFIDENCE
    ]
    called_by_name = {slot.suggestion for slot in confident if not slot.is_guess}
    sections = {slot.suggestion for slot in confident if _has_heading(slot)}

    accepted: dict[str, tuple[str, str]] = {}
    for slot in confident:
        is_called = slot.suggestion in called_by_name
        is_needless = slot.is_guess and is_called and not _is_better_title(slot, slots)
        if _is_labelled(slot) and slot.suggestion in NAMED_PARTS & sections:
            continue
        if not is_needless:
            accepted[slot.slot] = (slot.suggestion or "", slot.suggested_type)
    return accepted


def _has_heading(slot: CollectionSlot) -> bool:
    return SlotId.parse(slot.slot).source is SlotSource.SECTION


def _is_labelled(slot: CollectionSlot) -> bool:
    """Return whether a label names it: of a list with headings, a line before some of
    its items.
    """
    return SlotId.parse(slot.slot).source is SlotSource.LABEL


def _is_better_title(slot: CollectionSlot, slots: Sequence[CollectionSlot]) -> bool:
    """Return whether a slot holds the page's heading, and no declared title says the
    same with other words around it. One that is the same still is one of two: which of
    them goes on to name the page after a redesign, nobody knows.
    """
    if slot.suggestion != "title" or PAGE_HEADING not in slot.evidence:
        return False
    declared: list[str] = []
    for other in slots:
        if other.suggestion == "title" and not other.is_guess:
            declared.extend(map(letters_and_digits, other.examples))

    for example in slot.examples:
        heading = letters_and_digits(example)
        for title in declared:
            if heading in title and heading != title:
                return False
    return True
