"""Values that an operator gives: brought to the types of the schema as those of pages
are, and refused where they do not fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scythe.collect.records.preprocessor import preprocess
from scythe.collect.records.schema import RecordSchema
from scythe.errors import UsageError

GivenValue = str | Sequence[str] | None
"""One text, several lines, or None for no value at all."""


def edited_columns(
    given: Mapping[str, GivenValue], schema: RecordSchema, url: str
) -> dict[str, Any]:
    """Return the columns that values give, None for those that have no value."""
    columns: dict[str, Any] = {}
    for name, value in given.items():
        rule = schema.by_name.get(name)
        if rule is None:
            known = ", ".join(field.name for field in schema.rules) or "none yet"
            raise UsageError(f"There is no field {name}. There are: {known}.")
        columns.update(dict.fromkeys(rule.columns()))
        lines = [value] if isinstance(value, str) else list(value or ())
        if not any(map(str.strip, lines)):
            continue
        only = RecordSchema(schema.name, (rule,))
        found = preprocess({rule.name: lines}, only, url)
        for reason in (*found.reasons, *found.remarks):
            raise UsageError(f"{reason.message} Write it in another way.")
        columns.update(found.fields)
    return columns
