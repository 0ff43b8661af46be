"""From the values of a field as a page writes them to its columns, by type. A value
that cannot be read is `Malformed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from scythe.collect.records.schema import FieldRule
from scythe.collect.records.standardize.durations import parse_minutes
from scythe.collect.records.standardize.ingredients import parse_ingredient
from scythe.collect.records.standardize.numbers import find_number, tidy_number
from scythe.collect.records.standardize.prices import Price, parse_price
from scythe.collect.records.standardize.texts import (
    clean_lines,
    join_texts,
    normalize_text,
    person_name,
)
from scythe.collect.records.standardize.units import find_quantity
from scythe.collect.records.standardize.yields import parse_yield
from scythe.content.metadata.dates import find_dates, parse_date, parse_month

MAX_NUMBER = 2**53
"""Numbers from here on are no numbers of any record: columns of every database and file
format have those below exactly.
"""


class Malformed(ValueError):
    """A value is not what its type says; the message is for a person."""


Columns = dict[str, Any]
Standardizer = Callable[[Sequence[str], FieldRule, str], Columns]


def standardize_field(values: Sequence[str], rule: FieldRule, url: str = "") -> Columns:
    """Return the columns of a field; none, where there is nothing in its values. `url`
    is the page's, for relative links.
    """
    given = [value for value in values if value and not value.isspace()]
    return _STANDARDIZERS[rule.type](given, rule, url) if given else {}


def _text(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = join_texts(values)
    return {rule.name: text} if text else {}


def _person(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = person_name(values)
    return {rule.name: text} if text else {}


def _lines(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    lines = clean_lines(values)
    return {rule.name: lines} if lines else {}


def _ingredients(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    lines = clean_lines(values)
    if not lines:
        return {}
    parsed = [parse_ingredient(line) for line in lines]
    return {rule.name: lines, f"{rule.name}_parsed": parsed}


def _yield(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = max(map(normalize_text, values), key=len)
    if not text:
        return {}
    columns: Columns = {rule.name: text}
    found = parse_yield(text)
    if found.amount is not None:
        columns[f"{rule.name}_amount"] = found.amount
    if found.to is not None:
        columns[f"{rule.name}_to"] = found.to
    if found.unit:
        columns[f"{rule.name}_unit"] = found.unit
    return columns


def _price(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    def parse(value: str) -> Price | None:
        return parse_price(value, rule.currency)

    price = _first(values, parse, "no price")
    columns = {rule.name: price.amount}
    if price.currency:
        columns[f"{rule.name}_currency"] = price.currency
    return columns


def _number(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {rule.name: tidy_number(_first(values, find_number, "no number"))}


def _duration(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {rule.name: _first(values, parse_minutes, "no duration")}


def _quantity(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    def parse(value: str) -> float | None:
        return find_quantity(normalize_text(value), rule.unit)

    return {rule.name: _first(values, parse, f"no amount in {rule.unit}")}


def _date(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    def parse(value: str) -> str | None:
        stated = parse_date(value, day_first=rule.day_first)
        if stated:
            return stated
        for _, date in find_dates(value, day_first=rule.day_first):
            return date
        return parse_month(value)

    return {rule.name: _first(values, parse, "no date")}


def _link(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    def parse(value: str) -> str | None:
        return _web_address(value, url)

    return {rule.name: _first(values, parse, "no web address")}


def _web_address(value: str, url: str) -> str | None:
    """Return a web address, absolute; None for all else that a link can be, such as a
    script.
    """
    try:
        address = urljoin(url, value.strip())
        parts = urlsplit(address)
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and parts.netloc
    return address if is_web and " " not in address else None


def _first(values: Sequence[str], parse: Callable[[str], Any], problem: str) -> Any:
    """Return what the first value says that says anything."""
    for value in values:
        found = parse(value)
        is_number = isinstance(found, (int, float))
        if is_number and not -MAX_NUMBER < found < MAX_NUMBER:
            continue
        if found is not None:
            return found
    raise Malformed(problem)


_STANDARDIZERS: Mapping[str, Standardizer] = {
    "text": _text,
    "lines": _lines,
    "number": _number,
    "duration": _duration,
    "date": _date,
    "price": _price,
    "quantity": _quantity,
    "yield": _yield,
    "ingredients": _ingredients,
    "image": _link,
    "link": _link,
    "person": _person,
}
