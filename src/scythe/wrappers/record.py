"""Records: what came out of a list page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, overload

import numpy as np

from scythe.tree.links import base_url
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.urls import resolve
from scythe.wrappers.fields import Fields, Value
from scythe.wrappers.pagination import next_page
from scythe.wrappers.reading import texts_of
from scythe.wrappers.span import Span


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
class Page:
    """Where records come from. Their texts are read together, when the first of them is
    asked for: finding records takes a fraction of the time that reading all of them
    takes, and many programs want two columns.
    """

    tree: Tree
    spans: Sequence[Span]
    fields: Fields
    url: str | None

    @cached_property
    def texts(self) -> list[str]:
        """The texts of all records."""
        return texts_of(self.tree, self.spans)

    @cached_property
    def base(self) -> str | None:
        """What addresses are relative to: that of the page, or what its `<base>` says."""
        return base_url(self.tree, self.url)

    def absolute(self, address: str) -> str:
        """An address as seen from the page."""
        resolved = resolve(self.base, address)
        return address if resolved is None else resolved


class Record:
    """One row of a list page."""

    def __init__(self, page: Page, place: int) -> None:
        self._page, self._place = page, place

    @property
    def span(self) -> Span:
        """Its nodes on the page."""
        return self._page.spans[self._place]

    @property
    def text(self) -> str:
        """All its text, one line a block."""
        return self._page.texts[self._place]

    @cached_property
    def fields(self) -> dict[str, Value]:
        """Its values by column; a column the record does not have is not in it, a
        repeated one is a list.
        """
        page = self._page
        found = page.fields.read(page.tree, self.span)
        return {
            name: self._absolute(value) if _is_address(name) else value
            for name, value in found.items()
        }

    @cached_property
    def link(self) -> str | None:
        """Where it leads: the address of its title, or its first link; absolute where
        the page's address is known.
        """
        link = self.fields.get("link")
        if isinstance(link, str):
            return link
        tree, span = self._page.tree, self.span
        anchors = (
            np.flatnonzero(tree.tag[span.start : span.stop] == code("a")) + span.start
        )
        return next(
            (
                self._page.absolute(value)
                for value in tree.attribute_values("href", anchors.tolist())
                if value
            ),
            None,
        )

    @property
    def page_url(self) -> str | None:
        """The address of the page it stands on."""
        return self._page.url

    def _absolute(self, value: Value) -> Value:
        absolute = self._page.absolute
        return (
            absolute(value)
            if isinstance(value, str)
            else [absolute(one) for one in value]
        )

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return {"text": self.text, "link": self.link, "fields": self.fields}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Record({self.text!r})"


def _is_address(name: str) -> bool:
    return name.startswith(("link", "image")) or name.endswith(("_link", "_image"))


class Rows(Sequence[Record]):
    """Records in order, with what else is known of them."""

    rows: tuple[Record, ...]

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, place: int | slice) -> Record | tuple[Record, ...]:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.rows)


@dataclass(frozen=True)
class Records(Rows):
    """The records of the main section of a page, in page order."""

    rows: tuple[Record, ...]
    status: RecordsStatus
    method: str
    """How they were found: `visual` or `tags` by looking at the page, `wrapper` by a
    wrapper.
    """
    confidence: float
    """How sure it is that these are the records of the page, 0 to 1."""
    note: str = ""
    """What there is to say about the status."""

    @classmethod
    def of(cls, page: Page, method: str, confidence: float) -> Records:
        """All records of a page."""
        rows = tuple([Record(page, place) for place in range(len(page.spans))])
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
        present = {name for row in self.rows for name in row.fields}
        return tuple(
            [name for name in self.rows[0]._page.fields.columns if name in present]
        )
