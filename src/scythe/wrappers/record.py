"""Records: what came out of a list page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from scythe.sections.record import ListPage, Record, RecordSequence
from scythe.wrappers.pagination import next_page


class RecordsStatus(StrEnum):
    """Why the records are as they are."""

    OK = "ok"
    EMPTY = "empty"
    """The page has no records: a search without results, or no list page."""
    DRIFTED = "drifted"
    """The page has a list, but not one that the wrapper was made for: the site has
    changed, learn the wrapper again.
    """
    BLOCKED = "blocked"
    """The page is a bot check or an access wall."""


@dataclass(frozen=True)
class Records(RecordSequence):
    """The records of the main section of a page, in page order."""

    rows: tuple[Record, ...]
    status: RecordsStatus
    method: str
    """How they were found: `visual` or `tags` on the page alone, `wrapper` by a wrapper."""
    confidence: float
    """How likely these are the records of the page, 0 to 1."""
    note: str = ""
    """What there is to say about the status."""

    @classmethod
    def from_page(cls, page: ListPage, method: str, confidence: float) -> Records:
        """Return all records of a page."""
        indices = range(len(page.spans))
        rows = tuple([Record(page, index) for index in indices])
        return cls(rows, RecordsStatus.OK, method, confidence)

    @cached_property
    def next_page(self) -> str | None:
        """Where the list goes on."""
        if not self.rows:
            return None
        page = self.rows[0].page
        return next_page(page.tree, page.spans, page.url)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all fields that a record has, in the order in which they are
        read.
        """
        if not self.rows:
            return ()
        present: set[str] = set()
        for row in self.rows:
            present.update(row.fields)
        all_columns = self.rows[0].page.fields.columns
        columns = [name for name in all_columns if name in present]
        return tuple(columns)
