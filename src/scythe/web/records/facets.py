"""Facets for people: which fields are offered, in which words, and in which ranges
numbers are told.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import (
    SHOWN,
    FacetCounts,
    NumberCounts,
    NumberKind,
    Numbers,
    SearchResult,
    facet_term,
)
from scythe.web.records.search import Asked, Filter, spelled, years_of
from scythe.web.records.values import label, number_text, type_of

MOST_YEARS = 12
_WAYS = 5
"""Ranges that numbers are cut into, about."""
_MINUTES = (15, 30, 45, 60, 90, 120, 240, 480, 1440)
"""Where people cut durations."""
_LOOKED_AT = 2_000
"""Numbers that are looked at to find where to cut, about."""
_STEEP = 50
"""Numbers of which the large ones are so many times the small ones are cut by 1, 2, 5,
10, 20, 50, not evenly.
"""
Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class Option:
    """One way to narrow a search, or to widen it again where it is chosen."""

    words: str
    records: int
    address: str
    chosen: bool = False


@dataclass(frozen=True)
class FacetView:
    """A field and its options."""

    field: str
    words: str
    options: Sequence[Option]


@dataclass(frozen=True)
class ActiveFilter:
    """A filter that is in force, and the address without it."""

    words: str
    address: str


def facet_views(
    found: SearchResult, asked: Asked, schema: RecordSchema
) -> list[FacetView]:
    """The facets of an answer: short lists of values, long ones, then numbers, each in
    the order of the schema.
    """
    order = {column.name: place for place, column in enumerate(schema.columns)}

    def place(view: FacetView) -> tuple[bool, int, str]:
        return len(view.options) >= SHOWN, order.get(view.field, len(order)), view.field

    values = sorted((_values(counts, asked) for counts in found.facets), key=place)
    ranges = sorted(
        (
            _ranges(counts, asked, schema)
            for counts in found.numbers
            if not counts.field.endswith("_to")
        ),
        key=place,
    )
    telling = [_telling(view, found.total) for view in (*values, *ranges)]
    return [view for view in telling if view.options]


def _telling(view: FacetView, total: int) -> FacetView:
    """A facet without values that all have, which would narrow nothing; one value by
    itself is none.
    """
    options = [
        option for option in view.options if option.chosen or option.records < total
    ]
    return replace(
        view,
        options=options
        if len(options) > 1 or any(option.chosen for option in options)
        else (),
    )


def active_filters(
    asked: Asked, schema: RecordSchema, days: Iterable[str]
) -> list[ActiveFilter]:
    """What narrows a search besides its words; `days` are the fields that are dates."""
    dated = set(days)
    return [
        ActiveFilter(
            f"{label(each.field)}: {_told(each, schema, dated)}",
            asked.without(each).query(),
        )
        for each in asked.filters
    ]


def _told(each: Filter, schema: RecordSchema, dated: Container[str]) -> str:
    bounds = each.bounds
    return (
        each.value
        if bounds is None
        else _range_text(
            bounds, "date" if each.field in dated else type_of(each.field, schema)
        )
    )


def _values(counts: FacetCounts, asked: Asked) -> FacetView:
    chosen = {
        facet_term(each.field, each.value).key: each
        for each in asked.filters
        if each.field == counts.field
    }
    options = []
    for each in counts.values:
        present = chosen.get(each.key)
        after = (
            asked.without(present)
            if present
            else asked.with_filter(Filter(counts.field, each.value))
        )
        options.append(
            Option(each.value, each.records, after.query(), present is not None)
        )
    return FacetView(counts.field, label(counts.field), options)


def _ranges(counts: NumberCounts, asked: Asked, schema: RecordSchema) -> FacetView:
    kind = "date" if counts.kind == NumberKind.DAY else type_of(counts.field, schema)
    options = []
    for bounds, records in _cut(counts.numbers, kind):
        wanted = Filter(
            counts.field,
            str(int(bounds[0] or 0))
            if kind == "date" and bounds[0]
            else spelled(bounds),
        )
        is_chosen = wanted in asked.filters
        after = asked.without(wanted) if is_chosen else asked.with_filter(wanted)
        options.append(
            Option(_range_text(bounds, kind), records, after.query(), is_chosen)
        )
    return FacetView(counts.field, label(counts.field), options)


def _cut(numbers: Numbers, kind: str) -> list[tuple[Bounds, int]]:
    """Ranges that hold any of the numbers, and how many each holds."""
    if kind == "date":
        return _cut_years(numbers)
    low, high = numbers.min(), numbers.max()
    edges = [
        edge
        for edge in (_MINUTES if kind == "duration" else _edges(numbers))
        if low < edge <= high
    ]
    below = [
        0,
        *(int(np.count_nonzero(numbers < edge)) for edge in edges),
        len(numbers),
    ]
    sizes = [last - first for first, last in pairwise(below)]
    bounds: list[Bounds] = list(zip([None, *edges], [*edges, None], strict=True))
    return [(each, size) for each, size in zip(bounds, sizes, strict=True) if size]


def _cut_years(days: Numbers) -> list[tuple[Bounds, int]]:
    """Years, the last one first; what is older than the last dozen together."""
    years = years_of(days)
    first = int(years.min())
    sizes = np.bincount(years - first).tolist()
    told: list[tuple[Bounds, int]] = []
    for place, size in enumerate(sizes):
        if size:
            told.insert(0, ((float(first + place), float(first + place + 1)), size))
    if len(told) <= MOST_YEARS:
        return told
    older = told[MOST_YEARS - 1 :]
    return [
        *told[: MOST_YEARS - 1],
        ((None, older[0][0][1]), sum(size for _, size in older)),
    ]


def _edges(numbers: Numbers) -> list[float]:
    """Round numbers that cut others into a few ranges; what is far out does not count."""
    some = numbers[:: max(len(numbers) // _LOOKED_AT, 1)]
    low, high = (float(each) for each in np.quantile(some, (0.05, 0.95)))
    if high <= low:
        low, high = float(numbers.min()), float(numbers.max())
    if high <= low:
        return []
    if low > 0 and high / low > _STEEP:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        return [
            digit * 10.0**power
            for power in powers
            for digit in (1, 2, 5)
            if low < digit * 10.0**power < high
        ]
    step = _round((high - low) / _WAYS)
    return [
        place * step
        for place in range(math.ceil(low / step), math.floor(high / step) + 1)
    ]


def _round(step: float) -> float:
    """The next larger of 1, 2, 5, 10, ..."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(
        digit * power for digit in (1, 2, 5, 10) if digit * power >= step * 0.999
    )


def _range_text(bounds: Bounds, kind: str) -> str:
    least, below = bounds
    if kind == "date":
        years = ["" if bound is None else str(int(bound)) for bound in (least, below)]
        if least is not None and below is not None and below == least + 1:
            return years[0]
        return (
            f"before {years[1]}"
            if not years[0]
            else f"since {years[0]}"
            if not years[1]
            else f"{years[0]} to {int(years[1]) - 1}"
        )
    if least is None:
        return f"under {number_text(below, kind)}"
    return (
        f"{number_text(least, kind)} and more"
        if below is None
        else f"{number_text(least, kind)} to {number_text(below, kind)}"
    )
