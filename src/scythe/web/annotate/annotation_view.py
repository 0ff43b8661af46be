"""The slots of a cluster as the annotation page shows them: numbered, coloured and
described in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import AnnotationAction, AnnotationChange
from scythe.collect.fields.slots import CollectionSlot, accepted_suggestions
from scythe.collect.fields.surveys import Survey
from scythe.collect.records.schema import TYPES, RecordSchema
from scythe.collect.views import AnnotationRow, ClusterRow
from scythe.errors import NotStored, UsageError
from scythe.templates.slot import SlotId, SlotSource

COLOURS = 8
"""Colours of boxes: those that `annotate.css` and `boxes.css` have."""
MAX_TITLE = 60
"""Characters of a slot's title: what fits on a line of the list, not tuned."""


class SlotState(StrEnum):
    """Whether a slot has a field."""

    NAMED = "named"
    SUGGESTED = "suggested"
    """It has none, and a suggestion that "Accept all suggestions" accepts."""
    UNUSED = "unused"
    IGNORED = "ignored"


@dataclass(frozen=True)
class SlotView:
    """One slot on the page."""

    number: int
    """Its position on the page, by which boxes and list entries find each other."""
    slot: CollectionSlot
    state: SlotState
    title: str
    source: str
    """Where its values come from, in words."""
    colour: int
    """One of the colours of boxes: slots of one field have the same."""
    merged_with: tuple[str, ...]
    """Other slots of the same field."""

    @property
    def id(self) -> str:
        """The id of the slot in the collection."""
        return self.slot.slot

    @property
    def is_picture(self) -> bool:
        """Whether its values are addresses of pictures."""
        return self.slot.kind == "image" or self._has_picture_name

    @property
    def is_address(self) -> bool:
        """Whether its values are addresses of pages."""
        return self.slot.kind == "link"

    @property
    def is_running_text(self) -> bool:
        """Whether it is all paragraphs, items or headings of the page."""
        return SlotId.parse(self.id).source is SlotSource.TEXT

    @property
    def has_box(self) -> bool:
        """Whether its values stand on the page."""
        source = SlotId.parse(self.id).source
        return source not in (SlotSource.DECLARED, SlotSource.INDEX)

    @property
    def _has_picture_name(self) -> bool:
        slot_id = SlotId.parse(self.id)
        is_declared = slot_id.source in (SlotSource.DECLARED, SlotSource.INDEX)
        return is_declared and slot_id.name == "image"

    @property
    def examples(self) -> list[tuple[str, int]]:
        """Values with the numbers of their pages, without one that is the title."""
        examples = list(zip(self.slot.examples, self.slot.pages, strict=False))
        if len(examples) > 1 and self.title == examples[0][0]:
            return examples[1:]
        return examples


@dataclass(frozen=True)
class AnnotationView:
    """The data of the annotation page of one cluster."""

    collection: Collection
    clusters: Sequence[ClusterRow]
    cluster: ClusterRow
    survey: Survey
    annotation: AnnotationRow
    slots: Sequence[SlotView]
    colours: Mapping[str, int]
    """The colours of fields: one that a field has once it keeps."""

    @property
    def order(self) -> list[str]:
        """The ids of slots in the order of the page."""
        return [slot.id for slot in self.slots]

    def find(self, slot_id: str) -> SlotView | None:
        """Return the slot of an id, None where these pages have none."""
        for slot in self.slots:
            if slot.id == slot_id:
                return slot
        return None

    def get(self, slot_id: str) -> SlotView:
        """Return the slot of an id; raise `NotStored` where these pages have none."""
        slot = self.find(slot_id)
        if slot is None:
            raise NotStored(
                f"There is no slot {slot_id} on these pages. Open Annotate again."
            )
        return slot

    def numbered(self, number: int) -> SlotView:
        """Return the slot of a number; raise `NotStored` where there is none."""
        if 0 <= number < len(self.slots):
            return self.slots[number]
        raise NotStored("There is no such slot any more. Open Annotate again.")

    def titles(self, slot_ids: Sequence[str]) -> dict[str, str]:
        """Return what people call some slots, for the history of changes."""
        titles: dict[str, str] = {}
        for slot_id in slot_ids:
            slot = self.find(slot_id)
            if slot is not None and slot.has_box:
                titles[slot_id] = f"“{slot.title}”"
        return titles

    def require(self, slot_ids: Sequence[str]) -> None:
        """Refuse ids that neither these pages nor the annotation have."""
        annotation = self.annotation
        known = {*self.order, *annotation.names, *annotation.ignored}
        for slot_id in slot_ids:
            if slot_id not in known:
                raise UsageError(
                    f"There is no slot {slot_id} on these pages. Open Annotate again."
                )

    def accept_suggestions(self) -> AnnotationChange:
        """Return the change that accepts all suggestions with enough confidence."""
        slots = [slot.slot for slot in self.slots]
        accepted = accepted_suggestions(
            slots, self.annotation.names, self.annotation.ignored
        )
        if not accepted:
            raise UsageError(
                "No suggestion has enough confidence. Name the fields one by one."
            )
        return AnnotationChange(
            AnnotationAction.ACCEPT, tuple(accepted), accepted=accepted
        )

    def in_state(self, state: SlotState) -> list[SlotView]:
        """Return the slots in a state: those with fields in the order of the page, of
        others those of most pages first.
        """
        slots = [slot for slot in self.slots if slot.state == state]
        if state != SlotState.NAMED:
            slots.sort(key=lambda slot: -slot.slot.support)
        return slots

    @property
    def fields(self) -> list[str]:
        """The names that fields have or can have."""
        return [rule.name for rule in self.collection.schema.rules]

    @property
    def types(self) -> list[str]:
        """The types that fields can have; quantities need a unit, which a schema gives."""
        return [type_ for type_ in TYPES if type_ != "quantity"]


def require_view(collection: Collection, cluster: int | None = None) -> AnnotationView:
    """Return the view of a cluster as `find_view`; raise `UsageError` where nothing was
    extracted yet.
    """
    view = find_view(collection, cluster)
    if view is None:
        raise UsageError("There is nothing to annotate yet. Run the collection first.")
    return view


def find_view(
    collection: Collection, cluster: int | None = None
) -> AnnotationView | None:
    """Return the view of a cluster, by default of the largest; None where nothing was
    extracted yet.
    """
    clusters = collection.clusters()
    if not clusters:
        return None

    chosen = _select_cluster(clusters, cluster)
    survey = collection.survey(chosen)
    annotation = collection.annotation
    schema = collection.schema
    found = survey.slots(annotation.names, schema)
    names = [given[0] for given in annotation.names.values()]
    names += [slot.suggestion for slot in found if slot.suggestion]
    colours = field_colours(schema, names)
    slots = build_slots(found, annotation, colours)
    return AnnotationView(
        collection, clusters, chosen, survey, annotation, slots, colours
    )


def _select_cluster(clusters: Sequence[ClusterRow], number: int | None) -> ClusterRow:
    if number is None:
        return clusters[0]
    for cluster in clusters:
        if cluster.cluster == number:
            return cluster
    raise NotStored(
        "There are no such pages any more. The last run may have moved them to another "
        "kind of page."
    )


def field_colours(schema: RecordSchema, names: Sequence[str]) -> dict[str, int]:
    """Return the colours of fields: by their order in the schema, and of others by
    their names, so that no naming changes the colour of another field.
    """
    colours: dict[str, int] = {}
    for number, rule in enumerate(schema.rules):
        colours[rule.name] = number % COLOURS
    for name in names:
        colours.setdefault(name, sum(name.encode("utf-8", "replace")) % COLOURS)
    return colours


def build_slots(
    found: Sequence[CollectionSlot],
    annotation: AnnotationRow,
    colours: Mapping[str, int],
) -> list[SlotView]:
    """Return the slots of a cluster for the page."""
    ignored = set(annotation.ignored)
    accepted = accepted_suggestions(found, annotation.names, ignored)
    labels = Counter(slot.label for slot in found)
    slots = []
    for number, slot in enumerate(found):
        # A text that stands before several slots is a heading, and the label of none.
        has_label = bool(slot.label) and labels[slot.label] == 1
        field = slot.field or slot.suggestion or ""
        state = _state(
            slot,
            is_ignored=slot.slot in ignored,
            is_accepted=slot.slot in accepted,
        )
        view = SlotView(
            number=number,
            slot=slot,
            state=state,
            title=_title(slot, slot.label if has_label else ""),
            source=_source(slot, has_label=has_label),
            colour=colours.get(field, number % COLOURS),
            merged_with=_merged_with(slot, annotation.names),
        )
        slots.append(view)
    return slots


def _state(slot: CollectionSlot, *, is_ignored: bool, is_accepted: bool) -> SlotState:
    """Return the state of a slot: a suggestion counts where it would be accepted."""
    if slot.field:
        return SlotState.NAMED
    if is_ignored:
        return SlotState.IGNORED
    if is_accepted:
        return SlotState.SUGGESTED
    return SlotState.UNUSED


def _merged_with(
    slot: CollectionSlot, names: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Return the ids of the other slots of a slot's field."""
    if slot.field is None:
        return ()
    ids = [other for other, given in names.items() if given[0] == slot.field]
    return tuple(other for other in ids if other != slot.slot)


def _title(slot: CollectionSlot, label: str) -> str:
    """Return what to call a slot before it has a field: what the site calls it, else
    how its first value begins.
    """
    slot_id = SlotId.parse(slot.slot)
    if slot_id.source is not SlotSource.TEMPLATE:
        return slot_id.name

    first_example = next(iter(slot.examples), str(slot_id))
    text = label.strip(" :") or first_example
    text = " ".join(text.split())
    return text if len(text) <= MAX_TITLE else f"{text[:MAX_TITLE].rstrip()}…"


def _source(slot: CollectionSlot, *, has_label: bool) -> str:
    source = SlotId.parse(slot.slot).source
    if source is SlotSource.DECLARED:
        return "from metadata"
    if source is SlotSource.INDEX:
        return "from an index page"

    if source is SlotSource.SECTION:
        words = "under a heading"
    elif has_label or source is SlotSource.LABEL:
        words = "after a label"
    elif source is SlotSource.TEXT:
        words = "in the running text"
    else:
        words = "on the page"
    return f"{words}, up to {slot.max_values} values" if slot.max_values > 1 else words
