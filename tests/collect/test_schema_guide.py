"""The guide to schemas says all that there is, and its example is one."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from scythe.collect.records.schema import TYPES, FieldRule, RecordSchema
from scythe.store.collections.sql_views import OWN_COLUMNS

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "schema.md").read_text(
    encoding="utf-8"
)


def test_the_example_is_a_schema() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    schema = RecordSchema.from_toml(example)
    assert [rule.name for rule in schema.rules] == [
        "title",
        "price",
        "height",
        "open_until",
    ]


def test_all_types_options_and_columns_are_explained() -> None:
    named = set(re.findall(r"`(\w+)`", GUIDE))
    assert (
        set(TYPES)
        | {option.name for option in fields(FieldRule)[2:]}
        | set(OWN_COLUMNS)
        <= named
    )
