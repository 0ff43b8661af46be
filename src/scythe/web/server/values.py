"""Values of records in words for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scythe.collect.records.differences import as_text
from scythe.collect.records.preprocessor import Problem
from scythe.collect.records.schema import TYPES, RecordSchema

_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹"}
_ABBREVIATIONS = frozenset("cpu gpu gtin id isbn ram rss sku soc url".split())
_CURRENCY = "_currency"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def label(field: str) -> str:
    """Return the name of a field for people."""
    words = []
    for word in field.replace("_", " ").split():
        is_short = word in _ABBREVIATIONS
        words.append(word.upper() if is_short else word)
    text = " ".join(words)
    if not text:
        return field
    return text[:1].upper() + text[1:]


def doubt_text(reason: Mapping[str, Any]) -> str:
    """Return why a record waits for a person, as people say it."""
    field = str(reason.get("field") or "")
    message = str(reason.get("message") or reason.get("problem") or "")
    if field and message.startswith(f"{field} is {Problem.MISSING}"):
        return f"{label(field)}: not found."
    if field and message.startswith(field):
        return label(field) + message.removeprefix(field)
    return message


def type_of(field: str, schema: RecordSchema) -> str:
    """Return the type of a column: that of its field, or a number or text where it is a part
    of one.
    """
    rule = schema.by_name.get(field)
    if rule is not None and rule.name == field:
        return rule.type
    for column in schema.columns:
        if column.name == field:
            return column.kind
    return "text"


def number_text(
    value: float | int | None, kind: str = "number", currency: str = ""
) -> str:
    """Return a number as people write its type."""
    if value is None:
        return ""
    if kind == "duration":
        return duration_text(value)
    if kind == "price":
        return price_text(value, currency)
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:,.2f}".rstrip("0")


def duration_text(minutes: float | int) -> str:
    """Return minutes as hours and minutes, long ones as days."""
    whole = round(minutes)
    if whole < 1:
        return f"{minutes * 60:.0f} s" if minutes else "0 min"
    days, rest = divmod(whole, 1440)
    hours, left = divmod(rest, 60)
    parts = ((days, "d"), (hours, "h"), (left, "min"))
    texts = [f"{amount} {unit}" for amount, unit in parts if amount]
    return " ".join(texts)


def price_text(amount: float | int, currency: str = "") -> str:
    """Return an amount of money with its currency."""
    if not amount:
        return "free"
    written = f"{amount:,.2f}".removesuffix(".00")
    sign = _SIGNS.get(currency)
    return f"{sign}{written}" if sign else f"{written} {currency}".rstrip()


def value_text(fields: Mapping[str, Any], name: str, schema: RecordSchema) -> str:
    """Return the value of a field on one line."""
    value = fields.get(name)
    kind = type_of(name, schema)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        currency = str(fields.get(name + _CURRENCY) or "")
        text = number_text(value, kind, currency)
        rule = schema.by_name.get(name)
        if rule is None or rule.type != "quantity" or not rule.unit:
            return text
        return f"{text} {rule.unit}"
    if kind == "date" and isinstance(value, str) and _DATE.match(value):
        return value[:10]
    if isinstance(value, list):
        return ", ".join(map(as_text, value))
    return as_text(value)


def field_text(value: Any, kind: str = "text") -> str:
    """Return a value as a person edits it: a line each, where there are several, and
    times with their units.
    """
    if value is None:
        return ""
    if kind == "duration" and isinstance(value, (int, float)):
        return duration_text(value)
    if isinstance(value, list):
        return "\n".join(str(line) for line in value)
    return str(value)


def is_part(name: str, schema: RecordSchema) -> bool:
    """Return whether a column only repeats what another has: the currency of a price, the
    lines of a list in parts.
    """
    rule_names = {rule.name for rule in schema.rules}
    if name in rule_names:
        return False
    for rule in schema.rules:
        for suffix in TYPES[rule.type][1:]:
            if name == rule.name + suffix:
                return True
    return False
