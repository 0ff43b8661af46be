"""Records of a collection: read, searched, accepted, edited, hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scythe.collect.facade.base import OPERATOR, CollectionPart
from scythe.collect.records.edits import GivenValue, edited_columns
from scythe.collect.steps.importer import read_records
from scythe.errors import NotStored
from scythe.store.collections import overviews
from scythe.store.collections.overviews import Pagination
from scythe.store.collections.records import RecordRow, RecordVersionRow
from scythe.store.operator_tables import MediaRow
from scythe.store.search.query import Search
from scythe.urls import fetchable_url, url_key


class CollectionRecords(CollectionPart):
    """The records of a collection."""

    def records(self, *states: str) -> Iterator[RecordRow]:
        """Yield the records in the order they were found; in some states only (`ok`,
        `review`, `gone`), if any are given.
        """
        return self._context.records.all(*states)

    def counts(self) -> dict[str, int]:
        """Return how many records there are in each state."""
        return self._context.records.counts()

    @property
    def search(self) -> Search:
        """Searches in its records."""
        return Search(self.store, self.row.id)

    def record(self, number: int) -> RecordRow:
        """Return a record by its number; raise `NotStored` where there is none."""
        for record in self.search.records([number]):
            return record
        raise NotStored(f"There is no record {number} in {self.row.name}.")

    def record_key(self, text: str) -> str:
        """Return the key of a record by its key, its number or its address."""
        if text.isdecimal():
            return self.record(int(text)).key
        if self._context.records.get(text) is None:
            address = fetchable_url(text, self.row.url)
            return url_key(address) if address else text
        return text

    def record_with_key(self, key: str) -> RecordRow:
        """Return a record by its key; raise `NotStored` where there is none."""
        record = self._context.records.get(key)
        if record is None:
            raise NotStored(
                f"There is no record {key}. "
                f"`scythe collect records {self.row.name}` lists them."
            )
        return record

    def history(self, record: RecordRow) -> list[RecordVersionRow]:
        """Return all that happened to a record, oldest first."""
        return self._context.records.history(record.id)

    def records_in_review(self, pagination: Pagination) -> tuple[list[RecordRow], int]:
        """Return a part of the records that wait for a person, in the order they were
        found, and how many there are.
        """
        return overviews.load_records_in_review(self.store, self.row.id, pagination)

    def accept_record(
        self,
        key: str,
        seen: str | None = None,
        *,
        values: Mapping[str, GivenValue] | None = None,
        by: str = OPERATOR,
    ) -> RecordRow:
        """Take the values of a record in review, or of a draft, as good, corrected by
        `values`; return it. With `seen`, the `fingerprint` of the values that somebody
        looked at, others are refused.
        """
        if values:
            self.edit_record(key, values, seen=seen, by=by)
            seen = None
        return self._context.records.accept(key, seen, by)

    def edit_record(
        self,
        key: str,
        values: Mapping[str, GivenValue],
        *,
        seen: str | None = None,
        by: str = OPERATOR,
    ) -> RecordRow:
        """Give fields of a record other values (None: no value), and return it. No run
        changes them; `reset_record` takes them back.
        """
        record = self.record_with_key(key)
        columns = edited_columns(values, self.schema, record.url)
        return self._edit(record, {**record.edited, **columns}, seen, by)

    def reset_record(
        self, key: str, fields: Sequence[str] = (), *, by: str = OPERATOR
    ) -> RecordRow:
        """Take the values that operators gave a record back, of some fields or of all;
        it has again what its page says.
        """
        record = self.record_with_key(key)
        reset: set[str] = set()
        for field in fields or record.edited:
            rule = self.schema.by_name.get(field)
            reset.update(rule.columns() if rule else (field,))
        kept = {
            name: value for name, value in record.edited.items() if name not in reset
        }
        return self._edit(record, kept, None, by)

    def _edit(
        self, record: RecordRow, edited: Mapping[str, Any], seen: str | None, by: str
    ) -> RecordRow:
        readings = read_records(self._context, [record.key])
        reading = readings[0] if readings else None
        return self._context.records.edit(record.key, edited, reading, seen, by)

    def hide_record(self, key: str, *, by: str = OPERATOR) -> RecordRow:
        """Hide a record from lists, searches and exports; runs go on reading it."""
        self.record_with_key(key)
        self._context.records.hide([key], by)
        return self.record_with_key(key)

    def show_record(self, key: str, *, by: str = OPERATOR) -> RecordRow:
        """Show a hidden record again."""
        self.record_with_key(key)
        makes_drafts = self._context.makes_drafts
        self._context.records.show([key], by, draft=makes_drafts)
        return self.record_with_key(key)

    def media(self, url: str) -> tuple[MediaRow, bytes] | None:
        """Return a picture that is kept, None where it is not."""
        return self._context.media.get(url)
