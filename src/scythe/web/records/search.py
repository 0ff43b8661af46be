"""A search in the address of a page, and the addresses of searches with a filter more
or less.

    ?q=oat+soup&f.category=Dinner&f.total_time=..30&f.published=2024&state=gone&sort=title&page=2

Of numbers `a..b` are those from a on and below b, of dates these are years. The same
words mean the same on pages, in exports, in feeds and in the API.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray
from starlette.datastructures import QueryParams

from scythe.collect.search import (
    PRESENT,
    FacetFilter,
    NumberColumn,
    NumberKind,
    NumberRange,
    RecordQuery,
)
from scythe.web.server.forms import whole_number

FIELD = "f."
"""What the names of filters begin with."""
STATES = {
    "": PRESENT,
    "gone": ("gone",),
    "review": ("review",),
    "hidden": ("hidden",),
    "all": ("ok", "draft", "review", "gone"),
}
"""States of records by the name in the address: without one, those on the site."""
MAX_FILTERS, MAX_COLUMNS, MAX_LENGTH = 40, 40, 300
"""Filters and columns of a search, and characters of a value: arbitrary caps against
hostile requests.
"""
Bounds = tuple[float | None, float | None]
"""A range: from the first number on, below the second; None where it is open."""
_RANGE = re.compile(r"(-?\d{1,15}(?:\.\d{1,9})?)?\.\.(-?\d{1,15}(?:\.\d{1,9})?)?")
_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True)
class Filter:
    """A value or range of a field, as it stands in the address."""

    field: str
    value: str

    @property
    def bounds(self) -> Bounds | None:
        """The numbers of a range; None where it is a value."""
        match = _RANGE.fullmatch(self.value)
        if match is None or not any(match.groups()):
            return None
        lower, upper = match.groups()
        return (
            float(lower) if lower else None,
            float(upper) if upper else None,
        )


@dataclass(frozen=True)
class SearchParameters:
    """What an address searches for."""

    words: str = ""
    filters: tuple[Filter, ...] = ()
    state: str = ""
    sort: str = ""
    page: int = 1
    view: str = ""
    """`table`, or empty for cards."""
    columns: tuple[str, ...] = ()
    """The fields that a table shows; without any, those that people look at first."""

    @classmethod
    def parse(cls, query: QueryParams) -> SearchParameters:
        """Return what an address searches for, without what has no meaning."""
        filters = []
        for name, value in query.multi_items():
            value = value.strip()
            if name.startswith(FIELD) and value:
                field = name.removeprefix(FIELD)[:MAX_LENGTH]
                filters.append(Filter(field, value[:MAX_LENGTH]))

        state = query.get("state", "")
        return cls(
            words=query.get("q", "").strip()[:MAX_LENGTH],
            filters=tuple(dict.fromkeys(filters))[:MAX_FILTERS],
            state=state if state in STATES else "",
            sort=query.get("sort", "")[:MAX_LENGTH],
            page=max(whole_number(query.get("page")) or 1, 1),
            view="table" if query.get("view") == "table" else "",
            columns=_columns(query),
        )

    def record_query(self, number_columns: Iterable[NumberColumn]) -> RecordQuery:
        """Return the query for the database, which has these columns of numbers."""
        kinds: Mapping[str, str] = {
            column.field: column.kind for column in number_columns
        }
        values: list[FacetFilter] = []
        ranges: list[NumberRange] = []
        for chosen in self.filters:
            kind = kinds.get(chosen.field)
            bounds = None
            if kind == NumberKind.DAY:
                bounds = _year_bounds(chosen.value)
            elif kind is not None:
                bounds = chosen.bounds
            if bounds is not None:
                ranges.append(NumberRange(chosen.field, *bounds))
            else:
                values.append(FacetFilter(chosen.field, chosen.value))
        return RecordQuery(
            self.words, tuple(values), tuple(ranges), STATES[self.state], self.sort
        )

    @property
    def is_narrow(self) -> bool:
        """Whether it is for less than all records."""
        return bool(self.words or self.filters or self.state)

    def parts(self, *, with_page: bool = True) -> list[tuple[str, str]]:
        """Return the names and values of the address, in one order, so that the same
        search has one address.
        """
        parts = [("q", self.words)]
        parts += [(FIELD + chosen.field, chosen.value) for chosen in self.filters]
        parts.append(("state", self.state))
        parts.append(("sort", self.sort))
        parts.append(("view", self.view))
        parts += [("column", name) for name in self.columns]
        if with_page and self.page > 1:
            parts.append(("page", str(self.page)))
        return [(name, value) for name, value in parts if value]

    def query(self, *, with_page: bool = True) -> str:
        """Return the address from the question mark on; empty for all records."""
        parts = self.parts(with_page=with_page)
        return "?" + urlencode(parts) if parts else ""

    def with_filter(self, added: Filter) -> SearchParameters:
        """Return the search with a filter more, from the first page on."""
        filters = tuple(dict.fromkeys((*self.filters, added)))
        return replace(self, filters=filters, page=1)

    def without_filter(self, removed: Filter) -> SearchParameters:
        """Return the search with a filter less."""
        filters = tuple(chosen for chosen in self.filters if chosen != removed)
        return replace(self, filters=filters, page=1)

    def without_words(self) -> SearchParameters:
        """Return the search without words."""
        return replace(self, words="", page=1)

    def as_view(self, view: str) -> SearchParameters:
        """Return the search shown in another way."""
        return replace(self, view=view)

    def with_state(self, state: str) -> SearchParameters:
        """Return the search for records in another state."""
        return replace(self, state=state, page=1)


def _columns(query: QueryParams) -> tuple[str, ...]:
    given = query.getlist("column")
    names = [name.strip()[:MAX_LENGTH] for name in given]
    distinct = dict.fromkeys(filter(None, names))
    return tuple(distinct)[:MAX_COLUMNS]


def _year_bounds(value: str) -> Bounds | None:
    """Return the days of a year, or from one year to before another."""
    if _YEAR.fullmatch(value):
        return _first_day(int(value)), _first_day(int(value) + 1)
    bounds = Filter("", value).bounds
    if bounds is None:
        return None
    lower, upper = bounds
    return (
        None if lower is None else _first_day(math.floor(lower)),
        None if upper is None else _first_day(math.floor(upper)),
    )


def _first_day(year: int) -> float:
    """Return the number of the first day of a year, of the nearest that dates can be."""
    year = min(max(year, 1), 9999)
    return float(date(year, 1, 1).toordinal())


def years_of(days: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the years of days, which are numbered from the first of the calendar on."""
    first_day = date(1970, 1, 1).toordinal()
    since_1970 = days.astype(np.int64) - first_day
    years = since_1970.astype("datetime64[D]").astype("datetime64[Y]")
    return years.astype(np.int64) + 1970


def range_parameter(bounds: Sequence[float | None]) -> str:
    """Return a range as addresses have it."""
    lower, upper = bounds
    first = "" if lower is None else f"{lower:g}"
    last = "" if upper is None else f"{upper:g}"
    return f"{first}..{last}"
