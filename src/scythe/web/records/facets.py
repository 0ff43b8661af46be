"""Facets for people: which fields are offered, in which words, and in which ranges
numbers are counted.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import (
    SHOWN,
    FacetCounts,
    NumberCounts,
    NumberKind,
    Numbers,
    SearchResult,
    ValueCount,
    facet_term,
)
from scythe.web.records.search import (
    Bounds,
    Filter,
    SearchParameters,
    range_parameter,
    years_of,
)
from scythe.web.server.values import label, number_text, type_of

MAX_YEARS = 12
"""Years of a facet; older ones are counted together. What fits, not tuned."""
_RANGES = 5
"""Ranges that numbers are cut into, about: what fits, not tuned."""
_MINUTES = (15, 30, 45, 60, 90, 120, 240, 480, 1440)
"""Where people cut durations."""
_SAMPLE = 2_000
"""Numbers among which quantiles are looked for, about: a bound on work."""
_STEEP = 50
"""Numbers of which the large ones are so many times the small ones are cut by 1, 2, 5,
10, 20, 50, not evenly. Not tuned.
"""


@dataclass(frozen=True)
class FacetOption:
    """One way to narrow a search, or to widen it again where it is chosen."""

    words: str
    records: int
    address: str
    is_chosen: bool = False


@dataclass(frozen=True)
class FacetView:
    """A field and its options."""

    field: str
    words: str
    options: Sequence[FacetOption]
    is_long: bool = False
    """Whether the field may have more values than these."""


@dataclass(frozen=True)
class ActiveFilter:
    """A filter of a search, and the address without it."""

    words: str
    address: str


def facet_views(
    result: SearchResult, search: SearchParameters, schema: RecordSchema
) -> list[FacetView]:
    """Return the facets of a result: short lists of values, long ones, then numbers,
    each in the order of the schema.
    """
    columns = [column.name for column in schema.columns]
    order = {name: position for position, name in enumerate(columns)}

    def sort_key(view: FacetView) -> tuple[bool, int, str]:
        is_long = len(view.options) >= SHOWN
        return is_long, order.get(view.field, len(order)), view.field

    values = [_value_facet(counts, search) for counts in result.facets]
    values.sort(key=sort_key)
    numbers = [counts for counts in result.numbers if not _is_upper_end(counts.field)]
    ranges = [_range_facet(counts, search, schema) for counts in numbers]
    ranges.sort(key=sort_key)

    views = []
    for view in (*values, *ranges):
        selective = _selective(view, result.total)
        if selective.options:
            views.append(selective)
    return views


def _is_upper_end(field: str) -> bool:
    """Return whether a column has the upper ends of ranges, as of salaries."""
    return field.endswith("_to")


def _selective(view: FacetView, total: int) -> FacetView:
    """Return a facet without values that all records have, which would narrow nothing;
    a single value is none.
    """
    options = [
        option for option in view.options if option.is_chosen or option.records < total
    ]
    is_chosen = any(option.is_chosen for option in options)
    if len(options) < 2 and not is_chosen:
        options = []
    return replace(view, options=options)


def active_filters(
    search: SearchParameters, schema: RecordSchema, date_fields: Iterable[str]
) -> list[ActiveFilter]:
    """Return the filters of a search in words."""
    dates = set(date_fields)
    active = []
    for chosen in search.filters:
        shown = _filter_text(chosen, schema, dates)
        words = f"{label(chosen.field)}: {shown}"
        query = search.without_filter(chosen).query()
        active.append(ActiveFilter(words, query))
    return active


def _filter_text(chosen: Filter, schema: RecordSchema, dates: Container[str]) -> str:
    bounds = chosen.bounds
    if bounds is None:
        return chosen.value
    kind = "date" if chosen.field in dates else type_of(chosen.field, schema)
    return _range_text(bounds, kind)


def _value_facet(counts: FacetCounts, search: SearchParameters) -> FacetView:
    options = value_options(counts.field, counts.values, search)
    is_long = len(options) >= SHOWN
    return FacetView(counts.field, label(counts.field), options, is_long)


def value_options(
    field: str, values: Sequence[ValueCount], search: SearchParameters
) -> list[FacetOption]:
    """Return the values of a field as options of a search."""
    chosen: dict[str, Filter] = {}
    for given in search.filters:
        if given.field == field:
            chosen[facet_term(given.field, given.value).key] = given

    options = []
    for count in values:
        present = chosen.get(count.key)
        is_chosen = present is not None
        if present is not None:
            after = search.without_filter(present)
        else:
            after = search.with_filter(Filter(field, count.value))
        address = after.query()
        option = FacetOption(count.value, count.records, address, is_chosen)
        options.append(option)
    return options


def _range_facet(
    counts: NumberCounts, search: SearchParameters, schema: RecordSchema
) -> FacetView:
    is_date = counts.kind == NumberKind.DAY
    kind = "date" if is_date else type_of(counts.field, schema)
    options = []
    for bounds, records in _count_ranges(counts.numbers, kind):
        value = range_parameter(bounds)
        if kind == "date" and bounds[0]:
            value = str(int(bounds[0]))
        option = Filter(counts.field, value)
        is_chosen = option in search.filters
        change = search.without_filter if is_chosen else search.with_filter
        after = change(option)
        words = _range_text(bounds, kind)
        options.append(FacetOption(words, records, after.query(), is_chosen))
    return FacetView(counts.field, label(counts.field), options)


def _count_ranges(numbers: Numbers, kind: str) -> list[tuple[Bounds, int]]:
    """Return ranges that hold any of the numbers, and how many each holds."""
    if kind == "date":
        return _count_years(numbers)

    low = numbers.min()
    high = numbers.max()
    candidates = _MINUTES if kind == "duration" else _round_edges(numbers)
    edges = [edge for edge in candidates if low < edge <= high]

    counted: list[tuple[Bounds, int]] = []
    lower: float | None = None
    before = 0
    for edge in edges:
        below = int(np.count_nonzero(numbers < edge))
        if below > before:
            counted.append(((lower, edge), below - before))
        lower = edge
        before = below
    if len(numbers) > before:
        counted.append(((lower, None), len(numbers) - before))
    return counted


def _count_years(days: Numbers) -> list[tuple[Bounds, int]]:
    """Return years and their counts, the last year first; the oldest together."""
    years = years_of(days)
    first = int(years.min())
    counted: list[tuple[Bounds, int]] = []
    sizes = np.bincount(years - first).tolist()
    for year, size in enumerate(sizes, first):
        bounds = (float(year), float(year + 1))
        if size:
            counted.insert(0, (bounds, size))
    if len(counted) <= MAX_YEARS:
        return counted

    latest = counted[: MAX_YEARS - 1]
    older = counted[MAX_YEARS - 1 :]
    newest_bounds, _ = older[0]
    end_of_older = newest_bounds[1]
    size_of_older = sum(size for _, size in older)
    return [*latest, ((None, end_of_older), size_of_older)]


def _round_edges(numbers: Numbers) -> list[float]:
    """Return round numbers that cut others into a few ranges; outliers do not count."""
    every = max(len(numbers) // _SAMPLE, 1)
    sample = numbers[::every]
    low, high = np.quantile(sample, (0.05, 0.95)).tolist()
    if high <= low:
        low = float(numbers.min())
        high = float(numbers.max())
    if high <= low:
        return []
    if low > 0 and high / low > _STEEP:
        return _steep_edges(low, high)

    step = _round_step((high - low) / _RANGES)
    first = math.ceil(low / step)
    last = math.floor(high / step)
    return [factor * step for factor in range(first, last + 1)]


def _steep_edges(low: float, high: float) -> list[float]:
    """Return 1, 2, 5, 10, 20, 50, ... between two numbers."""
    edges = []
    first = math.floor(math.log10(low))
    last = math.ceil(math.log10(high))
    for power in range(first, last + 1):
        for digit in (1, 2, 5):
            edge = digit * 10.0**power
            if low < edge < high:
                edges.append(edge)
    return edges


def _round_step(step: float) -> float:
    """Return the next larger of 1, 2, 5, 10, ..."""
    power = 10.0 ** math.floor(math.log10(step))
    least = step * 0.999
    larger = [digit for digit in (1, 2, 5, 10) if digit * power >= least]
    return larger[0] * power


def _range_text(bounds: Bounds, kind: str) -> str:
    if kind == "date":
        return _years_text(bounds)
    lower, upper = bounds
    if lower is None:
        return f"under {number_text(upper, kind)}"
    if upper is None:
        return f"{number_text(lower, kind)} and more"
    return f"{number_text(lower, kind)} to {number_text(upper, kind)}"


def _years_text(bounds: Bounds) -> str:
    lower, upper = bounds
    if lower is None:
        return f"before {int(upper or 0)}"
    if upper is None:
        return f"since {int(lower)}"
    if upper == lower + 1:
        return str(int(lower))
    return f"{int(lower)} to {int(upper) - 1}"
