"""A record: where it stands on its page, and its text, fields and link on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from scythe.sections.fields import Fields, Value
from scythe.sections.span import Span, span_texts
from scythe.tree.links import page_base_url
from scythe.tree.tags import code
from scythe.tree.tree import Tree
from scythe.urls import resolve


@dataclass(frozen=True, eq=False)
class ListPage:
    """The page that records come from.

    Their texts are read together, when the first of them is asked for: finding records
    takes a fraction of the time that reading all of them takes, and many programs want
    two columns, or none.
    """

    tree: Tree
    spans: Sequence[Span]
    given_fields: Fields | Callable[[], Fields]
    """The columns, or what learns them when they are asked for."""
    url: str | None

    @cached_property
    def fields(self) -> Fields:
        """The columns of the records."""
        given = self.given_fields
        return given() if callable(given) else given

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
        self.page = page
        self._index = index

    @property
    def span(self) -> Span:
        """Its nodes on the page."""
        return self.page.spans[self._index]

    @property
    def text(self) -> str:
        """All its text, one line a block."""
        return self.page.texts[self._index]

    @cached_property
    def fields(self) -> dict[str, Value]:
        """Its values by column; a column the record does not have is not in it, a
        repeated one is a list.
        """
        page = self.page
        values = page.fields.read(page.tree, self.span)
        fields = dict(values)
        for name, value in values.items():
            if name in page.fields.address_columns:
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
        tree = self.page.tree
        span = self.span
        tags = tree.tag[span.start : span.stop]
        is_anchor = tags == code("a")
        anchors = np.flatnonzero(is_anchor) + span.start
        for href in tree.attribute_values("href", anchors.tolist()):
            if href:
                return self.page.absolute_url(href)
        return None

    @property
    def page_url(self) -> str | None:
        """The address of the page it stands on."""
        return self.page.url

    def _absolute_urls(self, value: Value) -> Value:
        if isinstance(value, str):
            return self.page.absolute_url(value)
        return [self.page.absolute_url(address) for address in value]

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
