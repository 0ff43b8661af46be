"""Records: what came out of a list page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, overload

import numpy as np

from scythe.tree.links import page_base_url
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.urls import resolve
from scythe.wrappers.fields import Fields, Value
from scythe.wrappers.pagination import next_page
from scythe.wrappers.span import Span, span_texts


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


@dataclass(frozen=True, eq=False)
class ListPage:
    """The page that records come from.

    Their texts are read together, when the first of them is asked for: finding records
    takes a fraction of the time that reading all of them takes, and many programs want
    two columns.
    """

    tree: Tree
    spans: Sequence[Span]
    fields: Fields
    url: str | None

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all records."""
        return span_texts(self.tree, self.spans)

    @cached_property
    def base(self) -> str | None:
        """What addresses are relative to: that of the page, or what its `<base>` says."""
        return page_base_url(self.tree, self.url)

    def absolute_url(self, address: str) -> str:
        """Return an address as seen from the page."""
        resolved = resolve(self.base, address)
        return address if resolved is None else resolved


class Record:
    """One row of a list page."""

    def __init__(self, page: ListPage, index: int) -> None:
        self._page = page
        self._index = index

    @property
    def span(self) -> Span:
        """Its nodes on the page."""
        return self._page.spans[self._index]

    @property
    def text(self) -> str:
        """All its text, one line a block."""
        return self._page.texts[self._index]

    @cached_property
    def fields(self) -> dict[str, Value]:
        """Its values by column; a column the record does not have is not in it, a
        repeated one is a list.
        """
        page = self._page
        values = page.fields.read(page.tree, self.span)
        fields = dict(values)
        for name, value in fields.items():
            if _holds_addresses(name):
                fields[name] = self._absolute_urls(value)
        return fields

    @cached_property
    def link(self) -> str | None:
        """Where it leads: the address of its title, or its first link; absolute where
        the page's address is known.
        """
        link = self.fields.get("link")
        if isinstance(link, str):
            return link
        tree = self._page.tree
        span = self.span
        tags = tree.tag[span.start : span.stop]
        is_anchor = tags == code("a")
        anchors = np.flatnonzero(is_anchor) + span.start
        for href in tree.attribute_values("href", anchors.tolist()):
            if href:
                return self._page.absolute_url(href)
        return None

    @property
    def page_url(self) -> str | None:
        """The address of the page it stands on."""
        return self._page.url

    def _absolute_urls(self, value: Value) -> Value:
        if isinstance(value, str):
            return self._page.absolute_url(value)
        return [self._page.absolute_url(address) for address in value]

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain values."""
        return {"text": self.text, "link": self.link, "fields": self.fields}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return False
        return self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Record({self.text!r})"


def _holds_addresses(name: str) -> bool:
    if name.startswith(("link", "image")):
        return True
    return name.endswith(("_link", "_image"))


class RecordSequence(Sequence[Record]):
    """Records in order, with what else is known of them."""

    rows: tuple[Record, ...]

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, index: int | slice) -> Record | tuple[Record, ...]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.rows)


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
        page = self.rows[0]._page
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
        all_columns = self.rows[0]._page.fields.columns
        columns = [name for name in all_columns if name in present]
        return tuple(columns)
