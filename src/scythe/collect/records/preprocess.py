"""Preprocess: Standardization and Filtering. Values are brought to the types of the
schema, and each record is checked.

What a required field lacks sends the record to the review list with the reason; what is
wrong with another field is a remark, and the field is left out: a record is never
dropped, and never has a value that its schema does not allow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scythe.collect.records.schema import FieldRule, RecordSchema
from scythe.collect.records.standardize.prices import currency_code
from scythe.collect.records.standardize.texts import clean_text
from scythe.collect.records.standardize.types import Malformed, read_field
from scythe.store.collections.records import Reason

MISSING, MALFORMED, REFUSED = "missing", "malformed", "not allowed"
_SHOWN = 200
"""Characters of a value that a reason shows."""
_MOST_MATCHED = 2_000
"""Characters of a text that the pattern of a field is tried on: a person wrote the
pattern, a page the text.
"""


@dataclass(frozen=True)
class Preprocessed:
    """A record in the form of its schema."""

    fields: Mapping[str, Any]
    """Columns and their values, in the order of the schema, then what the schema does
    not know, by name.
    """
    reasons: Sequence[Reason] = ()
    """Why it must be reviewed."""
    remarks: Sequence[Reason] = ()
    """What else was wrong: fields that were left out."""

    @property
    def ok(self) -> bool:
        """Whether it passes the checks."""
        return not self.reasons


def preprocess(
    raw: Mapping[str, Sequence[str]], schema: RecordSchema, url: str = ""
) -> Preprocessed:
    """Standardize and check one record; `raw` has the values of its fields by name,
    `url` is where it comes from.
    """
    gathered, others = _gathered(raw, schema)
    found: dict[str, Any] = {}
    reasons: list[Reason] = []
    remarks: list[Reason] = []
    for rule in schema.rules:
        values = gathered.get(rule.name, [])
        told = reasons if rule.required else remarks
        try:
            columns = read_field(values, _with_currency(rule, others), url)
            problem = _problem(columns.get(rule.name), rule)
        except Malformed as error:
            told.append(
                _reason(rule, MALFORMED, values, f"{error} can be read from it")
            )
            continue
        if problem:
            told.append(_reason(rule, REFUSED, values, problem))
        elif columns:
            found.update(
                {
                    name: value
                    for name, value in columns.items()
                    if name == rule.name or name not in found
                }
            )
        elif rule.required:
            reasons.append(_reason(rule, MISSING, values, "the record has none"))
    return Preprocessed(_ordered(found, others, schema), tuple(reasons), tuple(remarks))


def _with_currency(rule: FieldRule, others: dict[str, list[str]]) -> FieldRule:
    """The rule of a price with the currency that the record states beside it."""
    if rule.type != "price":
        return rule
    stated = (
        others.pop(f"{rule.name}_currency", None)
        or others.pop("currency", None)
        or [""]
    )
    return replace(rule, currency=currency_code(stated[0]) or rule.currency)


def _gathered(
    raw: Mapping[str, Sequence[str]], schema: RecordSchema
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Values by field. Values under a field's own name come first: other names only
    fill what is empty.
    """
    gathered: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    own = {rule.name for rule in schema.rules}
    for name, values in sorted(
        raw.items(), key=lambda item: (item[0] not in own, item[0])
    ):
        rule = schema.by_name.get(name)
        if rule is None:
            others[name] = list(values)
        elif name == rule.name or not any(map(str.strip, gathered.get(rule.name, []))):
            gathered[rule.name] = list(values)
    return gathered, others


def _ordered(
    found: Mapping[str, Any], others: Mapping[str, list[str]], schema: RecordSchema
) -> dict[str, Any]:
    """Columns in the one order of all records."""
    record = {
        column.name: found[column.name]
        for column in schema.columns
        if column.name in found
    }
    for name in sorted(others):
        record.update(
            read_field(
                others[name],
                FieldRule(name, "lines" if len(others[name]) > 1 else "text"),
            )
        )
    return record


def _problem(value: Any, rule: FieldRule) -> str:
    """What a value does not fulfil, empty where it is as it should be."""
    if value is None:
        return ""
    size = value if isinstance(value, (int, float)) else len(value)
    what = (
        ""
        if isinstance(value, (int, float))
        else " characters"
        if isinstance(value, str)
        else " lines"
    )
    if rule.least is not None and size < rule.least:
        return f"{size:g}{what} is less than {rule.least:g}"
    if rule.most is not None and size > rule.most:
        return f"{size:g}{what} is more than {rule.most:g}"
    texts = value if isinstance(value, list) else [str(value)]
    if rule.choices and any(text not in rule.choices for text in texts):
        return f"it is none of {', '.join(rule.choices)}"
    if rule.pattern and any(
        not re.fullmatch(rule.pattern, text[:_MOST_MATCHED]) for text in texts
    ):
        return f"it does not match {rule.pattern}"
    return ""


def _reason(
    rule: FieldRule, problem: str, values: Sequence[str], message: str
) -> Reason:
    shown = clean_text(" | ".join(values[:5]))[:_SHOWN]
    return Reason(rule.name, problem, shown, f"{rule.name} is {problem}: {message}.")
