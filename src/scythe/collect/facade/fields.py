"""Fields of a collection: notices, slots, annotations, and drafts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scythe.collect.context import ProgressCallback, ignore_progress
from scythe.collect.facade.base import CollectionPart
from scythe.collect.fields.annotations import (
    AnnotationAction,
    AnnotationChange,
    Preview,
    page_record,
    preview,
    records_are_current,
    store_change,
    update_records,
)
from scythe.collect.fields.drafts import certain_suggestions
from scythe.collect.fields.followed import store_accepted
from scythe.collect.fields.notices import NoticeGroup, group_notices
from scythe.collect.fields.slots import CollectionSlot
from scythe.collect.fields.surveys import all_slots, survey_clusters
from scythe.collect.records.field_values import slot_values
from scythe.collect.records.text_parts import TextPart, examples_by_page, learn_part
from scythe.errors import NotStored
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.runs import NoticeRow
from scythe.templates.slot import SlotId


class CollectionFields(CollectionPart):
    """The fields of a collection."""

    def notices(self) -> list[NoticeRow]:
        """Return what an operator should look at, what matters most first."""
        return [notice for group in self.notice_groups() for notice in group.notices]

    def notice_groups(self) -> list[NoticeGroup]:
        """Return the same in groups, each with its rank and the fields it affects."""
        context = self._context
        return group_notices(context.runs.notices(), context.slot_fields)

    def dismiss_notices(self, notices: Iterable[NoticeRow]) -> None:
        """Dismiss notices."""
        self._context.runs.dismiss([notice.id for notice in notices])

    def slots(self) -> list[CollectionSlot]:
        """Return all slots that pages have, with examples, fields and suggestions:
        those with fields first, then those of most pages.
        """
        return all_slots(self._context)

    def has_annotations(self) -> bool:
        """Return whether operators gave any slot a field."""
        return bool(self._context.named_slots)

    def has_drafts(self) -> bool:
        """Return whether records have values of suggestions that nobody has accepted or
        dismissed yet.
        """
        return self._context.makes_drafts

    def drafts(self) -> dict[str, str]:
        """Return the suggestions that make drafts: the field by slot."""
        drafts = self._context.drafts(self.annotation)
        return {slot: given[0] for slot, given in drafts.items()}

    @property
    def annotation(self) -> AnnotationRow:
        """What operators said about slots, in its latest version."""
        return self._context.annotations.latest()

    def annotation_history(self, limit: int) -> list[AnnotationRow]:
        """Return the last changes of annotations, the newest first."""
        return self._context.annotations.history(limit)

    def preview(self, change: AnnotationChange, order: Sequence[str] = ()) -> Preview:
        """Return what a change would do to records; nothing is stored."""
        return preview(self._context, change, order)

    def page_record(
        self,
        page: int,
        change: AnnotationChange | None = None,
        order: Sequence[str] = (),
    ) -> Mapping[str, Any]:
        """Return the fields that the record of one page has, or would have after a
        change; nothing is stored.
        """
        return page_record(self._context, page, change, order)

    def annotate(
        self,
        change: AnnotationChange,
        expected: int | None = None,
        order: Iterable[str] = (),
    ) -> int:
        """Store a change of annotations and update all records; return the new version.

        Raises `Conflict` where `expected` is not the latest version.
        """
        version = self.store_annotation(change, expected, order)
        self.update_records()
        return version

    def store_annotation(
        self,
        change: AnnotationChange,
        expected: int | None = None,
        order: Iterable[str] = (),
    ) -> int:
        """Store a change of annotations, and leave records to `update_records`; return
        the new version.
        """
        return store_change(self._context, change, expected, order)

    def undo_annotation(self, expected: int | None = None) -> AnnotationRow:
        """Undo the last change, and return the annotation; `update_records` follows."""
        return self._context.annotations.undo(expected)

    def redo_annotation(self, expected: int | None = None) -> AnnotationRow:
        """Redo what was undone, and return the annotation; `update_records` follows."""
        return self._context.annotations.redo(expected)

    def records_are_current(self) -> bool:
        """Return whether all records show the latest annotation."""
        return records_are_current(self._context)

    def update_records(self, progress: ProgressCallback = ignore_progress) -> bool:
        """Give all records the values of the latest annotation; return False where
        another process works on the collection, which will do it.
        """
        self._context.progress = progress
        return update_records(self._context)

    def name_slot(self, slot: str, field: str, type_: str | None = None) -> None:
        """Give a slot a field, and a type if the schema does not know the field; all
        records are updated. `SLOT | PATTERN` is a part of what the slot holds, by a
        pattern such as `Info about {}` (see `records.text_parts`).
        """
        slot_id = SlotId.parse(slot)
        if slot_id.part:
            TextPart.parse(slot_id.part)
        if slot_id.whole not in {known.slot for known in self.slots()}:
            raise NotStored(
                f"There is no slot {slot}. "
                f"`scythe collect slots {self.row.name}` lists them."
            )
        self.annotate(
            AnnotationChange(AnnotationAction.NAME, (slot,), field, type_ or "")
        )

    def learn_slot_part(self, slot: str, examples: Mapping[str, str]) -> str:
        """Return the pattern for the part of a slot that is meant by examples: the
        part as it stands on a page, by the address of the page. Empty, where the whole
        is meant as well as any part of it.
        """
        expected: dict[int, list[str]] = {}
        for url, text in examples.items():
            page = self._context.pages.get(url)
            if page is None:
                raise NotStored(f"No page of the collection has the address {url}.")
            expected[page.id] = [text]
        values: dict[int, Sequence[str]] = {}
        for extracted in self._context.extractions.read(list(expected)):
            found = slot_values(extracted.row, {})
            values[extracted.row.page_id] = found.get(slot, ())
        pattern, _ = learn_part(examples_by_page(values, expected))
        return pattern

    def unname_slot(self, slot: str) -> None:
        """Take the field of a slot away; all records are updated."""
        self.annotate(AnnotationChange(AnnotationAction.SPLIT, (slot,)))

    def accept_suggestions(self) -> dict[str, str]:
        """Accept all suggestions that are sure: drafts are good records now. Return the
        fields by slot.
        """
        surveys = survey_clusters(self._context)
        accepted = certain_suggestions(self._context, surveys)
        if accepted:
            change = AnnotationChange(
                AnnotationAction.ACCEPT,
                tuple(accepted),
                accepted=accepted,
            )
            store_accepted(self._context, accepted, surveys)
            self.annotate(change)
        return {slot: field for slot, (field, _) in accepted.items()}

    def dismiss_suggestions(self) -> None:
        """Keep the names that were given, and nothing that is only suggested: records
        are drafts no more.
        """
        self.annotate(AnnotationChange(AnnotationAction.SETTLE, ()))
