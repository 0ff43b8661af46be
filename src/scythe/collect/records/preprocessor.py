"""The preprocessor (RecipeCrawler: Standardization and Filtering): values are brought to
the types of the schema, and each record is checked.

What a required field lacks sends the record to review with the reason; what is wrong
with another field is a remark, and the field is left out: a record is never dropped,
and never has a value that its schema does not allow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scythe.collect.records.schema import FieldRule, RecordSchema
from scythe.collect.records.standardize.prices import currency_code
from scythe.collect.records.standardize.texts import normalize_text
from scythe.collect.records.standardize.types import Malformed, standardize_field
from scythe.store.collections.records import Reason

_MAX_SHOWN = 200
"""Characters of a value that a reason shows: a bound on what is shown, not tuned."""
_MAX_MATCHED = 2_000
"""Characters of a text that the pattern of a field is tried on: a person wrote the
pattern, a page the text. An arbitrary cap against hostile pages.
"""


class Problem(StrEnum):
    """What is wrong with a field."""

    MISSING = "missing"
    MALFORMED = "malformed"
    NOT_ALLOWED = "not allowed"


@dataclass(frozen=True)
class PreprocessedRecord:
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
    def is_good(self) -> bool:
        """Whether it passes the checks."""
        return not self.reasons


def preprocess(
    raw: Mapping[str, Sequence[str]], schema: RecordSchema, url: str = ""
) -> PreprocessedRecord:
    """Return one record, standardized and checked; `raw` has the values of its fields
    by name, `url` is where it comes from.
    """
    values_by_field, unknown = _by_field(raw, schema)
    found: dict[str, Any] = {}
    reasons: list[Reason] = []
    remarks: list[Reason] = []
    for rule in schema.rules:
        values = values_by_field.get(rule.name, [])
        complaints = reasons if rule.required else remarks
        try:
            columns = standardize_field(values, _with_currency(rule, unknown), url)
        except Malformed as error:
            message = f"{error} can be read from it"
            complaints.append(_reason(rule, Problem.MALFORMED, values, message))
            continue

        violation = _violation(columns.get(rule.name), rule)
        if violation:
            complaints.append(_reason(rule, Problem.NOT_ALLOWED, values, violation))
        elif columns:
            for name, value in columns.items():
                if name == rule.name or name not in found:
                    found[name] = value
        elif rule.required:
            message = "the record has none"
            reasons.append(_reason(rule, Problem.MISSING, values, message))

    fields = _in_column_order(found, unknown, schema)
    return PreprocessedRecord(fields, tuple(reasons), tuple(remarks))


def _with_currency(rule: FieldRule, unknown: dict[str, list[str]]) -> FieldRule:
    """Return the rule of a price with the currency that the record states beside it."""
    if rule.type != "price":
        return rule
    stated = unknown.pop(f"{rule.name}_currency", None)
    stated = stated or unknown.pop("currency", None) or [""]
    return replace(rule, currency=currency_code(stated[0]) or rule.currency)


def _by_field(
    raw: Mapping[str, Sequence[str]], schema: RecordSchema
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return values by field, and those of fields that the schema does not know. Values
    under a field's own name come first: other names only fill what is empty.
    """
    by_field: dict[str, list[str]] = {}
    unknown: dict[str, list[str]] = {}
    own_names = {rule.name for rule in schema.rules}
    for name in sorted(raw, key=lambda name: (name not in own_names, name)):
        values = list(raw[name])
        rule = schema.by_name.get(name)
        if rule is None:
            unknown[name] = values
            continue
        known = by_field.get(rule.name, [])
        is_empty = not any(value.strip() for value in known)
        if name == rule.name or is_empty:
            by_field[rule.name] = values
    return by_field, unknown


def _in_column_order(
    found: Mapping[str, Any], unknown: Mapping[str, list[str]], schema: RecordSchema
) -> dict[str, Any]:
    """Return columns in the one order of all records."""
    record: dict[str, Any] = {}
    for column in schema.columns:
        if column.name in found:
            record[column.name] = found[column.name]
    for name in sorted(unknown):
        values = unknown[name]
        rule = FieldRule(name, "lines" if len(values) > 1 else "text")
        record.update(standardize_field(values, rule))
    return record


def _violation(value: Any, rule: FieldRule) -> str:
    """Return what a value does not fulfil, empty where it is as it should be."""
    if value is None:
        return ""
    size: float
    if isinstance(value, (int, float)):
        size = value
        unit = ""
    elif isinstance(value, str):
        size = len(value)
        unit = " characters"
    else:
        size = len(value)
        unit = " lines"
    if rule.least is not None and size < rule.least:
        return f"{size:g}{unit} is less than {rule.least:g}"
    if rule.most is not None and size > rule.most:
        return f"{size:g}{unit} is more than {rule.most:g}"

    texts = value if isinstance(value, list) else [str(value)]
    if rule.choices and any(text not in rule.choices for text in texts):
        return f"it is none of {', '.join(rule.choices)}"
    if rule.pattern:
        for text in texts:
            if not re.fullmatch(rule.pattern, text[:_MAX_MATCHED]):
                return f"it does not match {rule.pattern}"
    return ""


def _reason(
    rule: FieldRule, problem: Problem, values: Sequence[str], message: str
) -> Reason:
    shown = normalize_text(" | ".join(values[:5]))[:_MAX_SHOWN]
    return Reason(
        rule.name,
        str(problem),
        shown,
        f"{rule.name} is {problem}: {message}.",
    )
