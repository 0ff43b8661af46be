"""The attributes of a cluster as the annotation page shows them: numbered, coloured,
and told in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import AnnotationAction, AnnotationChange
from scythe.collect.fields.slots import (
    MIN_CONFIDENCE,
    CollectionSlot,
    accepted_suggestions,
)
from scythe.collect.fields.surveys import Survey
from scythe.collect.records.schema import TYPES
from scythe.collect.views import AnnotationRow, ClusterRow
from scythe.errors import NotStored, UsageError
from scythe.templates.slot import SlotId, SlotSource

COLOURS = 8
NAMED, PROPOSED, PLAIN, IGNORED = "named", "proposed", "plain", "ignored"
_TITLE = 60


@dataclass(frozen=True)
class Row:
    """One attribute."""

    number: int
    """Its place on the page, by which boxes and rows find each other."""
    attribute: CollectionSlot
    state: str
    title: str
    kind: str
    colour: int
    """One of the colours of boxes: slots of one field have the same."""
    others: tuple[str, ...]
    """Other slots of the same field: it is merged with these."""

    @property
    def slot(self) -> str:
        """The slot of the collection."""
        return self.attribute.slot

    @property
    def examples(self) -> list[tuple[str, int]]:
        """Values with the pages they stand on, but for one that is its title."""
        found = list(zip(self.attribute.examples, self.attribute.pages, strict=False))
        return found[1:] if len(found) > 1 and self.title == found[0][0] else found


@dataclass(frozen=True)
class Desk:
    """All that the annotation page of one cluster is about."""

    collection: Collection
    clusters: Sequence[ClusterRow]
    cluster: ClusterRow
    survey: Survey
    words: AnnotationRow
    rows: Sequence[Row]

    @property
    def order(self) -> list[str]:
        """Slots in the order of the page."""
        return [row.slot for row in self.rows]

    def row(self, slot: str) -> Row:
        """The row of a slot."""
        for row in self.rows:
            if row.slot == slot:
                return row
        raise NotStored(
            f"There is no attribute {slot} on these pages. Look at the list again."
        )

    def require(self, slots: Sequence[str]) -> None:
        """Refuse slots that neither these pages have nor anybody has spoken of."""
        known = {*self.order, *self.words.names, *self.words.ignored}
        if unknown := [slot for slot in slots if slot not in known]:
            raise UsageError(
                f"There is no attribute {unknown[0]} on these pages. Look at the list again."
            )

    def proposals(self) -> AnnotationChange:
        """All proposals that are sure, as one change."""
        chosen = accepted_suggestions(
            [row.attribute for row in self.rows], self.words.names, self.words.ignored
        )
        if not chosen:
            raise UsageError(
                "There is no proposal that is sure enough. Name attributes one by one."
            )
        return AnnotationChange(AnnotationAction.ACCEPT, tuple(chosen), accepted=chosen)

    def of_state(self, state: str) -> list[Row]:
        """The rows in a state: those with names in the order of the page, of others
        those of most pages first.
        """
        found = [row for row in self.rows if row.state == state]
        return (
            found
            if state == NAMED
            else sorted(found, key=lambda row: -row.attribute.support)
        )

    @property
    def fields(self) -> list[str]:
        """Names that fields have or can have."""
        return [rule.name for rule in self.collection.schema.rules]

    @property
    def types(self) -> list[str]:
        """Types that fields can have; quantities need a unit, which a schema gives."""
        return [type_ for type_ in TYPES if type_ != "quantity"]


def required_desk(collection: Collection, cluster: int | None = None) -> Desk:
    """As `desk`, where something must have been read."""
    found = desk(collection, cluster)
    if found is None:
        raise UsageError("There is nothing to annotate yet. Run the collection first.")
    return found


def desk(collection: Collection, cluster: int | None = None) -> Desk | None:
    """The attributes of a cluster, by default of the largest; None where nothing was
    read yet.
    """
    clusters = collection.clusters()
    if not clusters:
        return None
    chosen = next((each for each in clusters if each.cluster == cluster), None)
    if chosen is None:
        if cluster is not None:
            raise NotStored(
                "There are no such pages any more. They may have moved to another kind with the last run."
            )
        chosen = clusters[0]
    survey = collection.survey(chosen)
    words = collection.annotation
    return Desk(
        collection,
        clusters,
        chosen,
        survey,
        words,
        rows_of(survey, words, collection),
    )


def rows_of(survey: Survey, words: AnnotationRow, collection: Collection) -> list[Row]:
    """The rows of a cluster's attributes."""
    ignored = set(words.ignored)
    taken = {said[0] for said in words.names.values()}
    fields: dict[str, int] = {}
    rows = []
    for number, attribute in enumerate(survey.slots(words.names, collection.schema)):
        field = attribute.field or attribute.suggestion
        colour = fields.setdefault(field, len(fields)) if field else number
        others = _merged_with(attribute, words.names)
        state = _state(
            attribute,
            is_ignored=attribute.slot in ignored,
            is_taken=attribute.suggestion in taken,
        )
        rows.append(
            Row(
                number,
                attribute,
                state,
                _title(attribute),
                _kind(attribute),
                colour % COLOURS,
                others,
            )
        )
    return rows


def _state(attribute: CollectionSlot, *, is_ignored: bool, is_taken: bool) -> str:
    """How an attribute stands: a proposal counts where no other slot has that name yet."""
    if attribute.field:
        return NAMED
    if is_ignored:
        return IGNORED
    return (
        PROPOSED
        if attribute.suggestion
        and not is_taken
        and attribute.confidence >= MIN_CONFIDENCE
        else PLAIN
    )


def _merged_with(
    attribute: CollectionSlot, names: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    if attribute.field is None:
        return ()
    return tuple(
        slot
        for slot, said in names.items()
        if said[0] == attribute.field and slot != attribute.slot
    )


def _title(attribute: CollectionSlot) -> str:
    """What to call a slot before it has a name: what the site calls it, else how its
    first value begins.
    """
    slot = SlotId.parse(attribute.slot)
    if slot.source is not SlotSource.TEMPLATE:
        return slot.name
    text = attribute.label.strip(" :") or next(iter(attribute.examples), str(slot))
    text = " ".join(text.split())
    return text if len(text) <= _TITLE else f"{text[:_TITLE].rstrip()}…"


def _kind(attribute: CollectionSlot) -> str:
    source = SlotId.parse(attribute.slot).source
    if source is SlotSource.DECLARED:
        return "declared in the page's code"
    if source is SlotSource.INDEX:
        return "from an index page"
    what = (
        "under a heading"
        if source is SlotSource.SECTION
        else "after a label"
        if attribute.label
        else "on the page"
    )
    return (
        f"{what}, up to {attribute.max_values} values"
        if attribute.max_values > 1
        else what
    )
