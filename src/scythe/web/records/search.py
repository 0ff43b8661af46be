"""A search in the address of a page: what is asked for, and the addresses that ask for
a little more or less.

    ?q=oat
    soup&f.category=Dinner&f.total_time=..30&f.published=2024&state=gone&sort=title&page=2

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
    "all": ("ok", "review", "gone"),
}
"""Words for states: without one, records whose pages are there."""
MOST_FILTERS, LONGEST = 40, 300
_RANGE = re.compile(r"(-?\d{1,15}(?:\.\d{1,9})?)?\.\.(-?\d{1,15}(?:\.\d{1,9})?)?")
_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True)
class Filter:
    """A value or range of a field, as it stands in the address."""

    field: str
    value: str

    @property
    def bounds(self) -> tuple[float | None, float | None] | None:
        """The numbers of a range; None where it is none."""
        found = _RANGE.fullmatch(self.value)
        if found is None or not any(found.groups()):
            return None
        return float(found[1]) if found[1] else None, float(found[2]) if found[
            2
        ] else None


@dataclass(frozen=True)
class Asked:
    """What an address asks for."""

    words: str = ""
    filters: tuple[Filter, ...] = ()
    state: str = ""
    sort: str = ""
    page: int = 1

    @classmethod
    def of(cls, query: QueryParams) -> Asked:
        """What an address asks for; what nobody could mean is left out."""
        filters = [
            Filter(name.removeprefix(FIELD)[:LONGEST], value.strip()[:LONGEST])
            for name, value in query.multi_items()
            if name.startswith(FIELD) and value.strip()
        ]
        state = query.get("state", "")
        return cls(
            query.get("q", "").strip()[:LONGEST],
            tuple(dict.fromkeys(filters))[:MOST_FILTERS],
            state if state in STATES else "",
            query.get("sort", "")[:LONGEST],
            max(whole_number(query.get("page")) or 1, 1),
        )

    def wanted(self, numbers: Iterable[NumberColumn]) -> RecordQuery:
        """The question to the database; `numbers` are the fields that have numbers."""
        kinds: Mapping[str, str] = {each.field: each.kind for each in numbers}
        chosen: list[FacetFilter] = []
        ranges: list[NumberRange] = []
        for each in self.filters:
            bounds = (
                _years(each.value)
                if kinds.get(each.field) == NumberKind.DAY
                else each.bounds
            )
            if each.field in kinds and bounds is not None:
                ranges.append(NumberRange(each.field, *bounds))
            else:
                chosen.append(FacetFilter(each.field, each.value))
        return RecordQuery(
            self.words, tuple(chosen), tuple(ranges), STATES[self.state], self.sort
        )

    @property
    def is_narrow(self) -> bool:
        """Whether it asks for less than all records."""
        return bool(self.words or self.filters or self.state)

    def parts(self, *, with_page: bool = True) -> list[tuple[str, str]]:
        """What stands in the address, in one order, so that the same search has one
        address.
        """
        named = [
            ("q", self.words),
            *((f"{FIELD}{each.field}", each.value) for each in self.filters),
        ]
        named += [
            ("state", self.state),
            ("sort", self.sort),
            ("page", str(self.page) if with_page and self.page > 1 else ""),
        ]
        return [(name, value) for name, value in named if value]

    def query(self, *, with_page: bool = True) -> str:
        """The address from the question mark on; empty where nothing is asked."""
        parts = self.parts(with_page=with_page)
        return "?" + urlencode(parts) if parts else ""

    def with_filter(self, wanted: Filter) -> Asked:
        """The same with a filter more, from the first page on."""
        return replace(
            self, filters=tuple(dict.fromkeys((*self.filters, wanted))), page=1
        )

    def without(self, unwanted: Filter) -> Asked:
        """The same with a filter less."""
        return replace(
            self,
            filters=tuple(each for each in self.filters if each != unwanted),
            page=1,
        )

    def without_words(self) -> Asked:
        """The same without words."""
        return replace(self, words="", page=1)

    def with_state(self, state: str) -> Asked:
        """The same for records in another state."""
        return replace(self, state=state, page=1)


def _years(value: str) -> tuple[float | None, float | None] | None:
    """The days of a year, or from one year to before another."""
    if _YEAR.fullmatch(value):
        return _first_day(int(value)), _first_day(int(value) + 1)
    bounds = Filter("", value).bounds
    if bounds is None:
        return None
    return tuple(
        None if year is None else _first_day(math.floor(year)) for year in bounds
    )  # type: ignore[return-value]


def _first_day(year: int) -> float:
    return float(date(min(max(year, 1), 9999), 1, 1).toordinal())


def years_of(days: NDArray[np.float64]) -> NDArray[np.int64]:
    """The years of days, which are numbered from the first of the calendar on."""
    since_1970 = days.astype(np.int64) - date(1970, 1, 1).toordinal()
    return (
        since_1970.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64)
        + 1970
    )


def spelled(bounds: Sequence[float | None]) -> str:
    """A range as addresses have it."""
    least, below = ("" if bound is None else f"{bound:g}" for bound in bounds)
    return f"{least}..{below}"
