"""From the values of a field as a page writes them to its columns, by type. A value
that cannot be read is `Malformed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin, urlsplit

from scythe.collect.records.schema import FieldRule
from scythe.collect.records.standardize.durations import minutes
from scythe.collect.records.standardize.ingredients import read_ingredient
from scythe.collect.records.standardize.numbers import find_number, tidy
from scythe.collect.records.standardize.prices import read_price
from scythe.collect.records.standardize.texts import (
    clean_lines,
    clean_text,
    joined,
    person,
)
from scythe.collect.records.standardize.units import quantity
from scythe.collect.records.standardize.yields import read_yield
from scythe.content.metadata.dates import find_dates, parse_date


class Malformed(ValueError):
    """A value is not what its type says; the message is for a person."""


Columns = dict[str, Any]
Reader = Callable[[Sequence[str], FieldRule, str], Columns]


def standardize_field(values: Sequence[str], rule: FieldRule, url: str = "") -> Columns:
    """The columns of a field; none, where there is nothing in its values. `url` is the
    page's, for relative links.
    """
    given = [value for value in values if value and not value.isspace()]
    return _READERS[rule.type](given, rule, url) if given else {}


def _text(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = joined(values)
    return {rule.name: text} if text else {}


def _person(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = person(values)
    return {rule.name: text} if text else {}


def _lines(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    lines = clean_lines(values)
    return {rule.name: lines} if lines else {}


def _ingredients(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    lines = clean_lines(values)
    return (
        {
            rule.name: lines,
            f"{rule.name}_parsed": [read_ingredient(line) for line in lines],
        }
        if lines
        else {}
    )


def _yield(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    text = max(map(clean_text, values), key=len)
    if not text:
        return {}
    read = read_yield(text)
    found = {"_amount": read.amount, "_to": read.to, "_unit": read.unit or None}
    return {
        rule.name: text,
        **{
            rule.name + suffix: value
            for suffix, value in found.items()
            if value is not None
        },
    }


def _price(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    price = _first(values, lambda value: read_price(value, rule.currency), "no price")
    return {
        rule.name: price.amount,
        **({f"{rule.name}_currency": price.currency} if price.currency else {}),
    }


def _number(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {rule.name: tidy(_first(values, find_number, "no number"))}


def _duration(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {rule.name: _first(values, minutes, "no duration")}


def _quantity(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {
        rule.name: _first(
            values,
            lambda value: quantity(clean_text(value), rule.unit),
            f"no amount in {rule.unit}",
        )
    }


def _date(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    def read(value: str) -> str | None:
        stated = parse_date(value, day_first=rule.day_first)
        return stated or next(
            (date for _, date in find_dates(value, day_first=rule.day_first)), None
        )

    return {rule.name: _first(values, read, "no date")}


def _link(values: Sequence[str], rule: FieldRule, url: str) -> Columns:
    return {
        rule.name: _first(values, lambda value: _address(value, url), "no web address")
    }


def _address(value: str, url: str) -> str | None:
    """A web address, absolute; nothing else that a link can be, such as a script."""
    try:
        whole = urljoin(url, value.strip())
        parts = urlsplit(whole)
    except ValueError:
        return None
    return (
        whole
        if parts.scheme in ("http", "https") and parts.netloc and " " not in whole
        else None
    )


def _first(values: Sequence[str], read: Callable[[str], Any], otherwise: str) -> Any:
    """What the first value says that says anything."""
    for value in values:
        found = read(value)
        if found is not None:
            return found
    raise Malformed(otherwise)


_READERS: Mapping[str, Reader] = {
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
