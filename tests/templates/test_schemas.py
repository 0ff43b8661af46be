"""The kinds of things and their fields."""

from __future__ import annotations

import pytest

from scythe.templates.declared.schemas import SCHEMAS, Schema

TYPES = {"text", "lines", "duration", "number", "price", "date", "image", "person"}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_fields_have_one_name_a_known_type_and_properties(schema: Schema) -> None:
    names = [field.name for field in schema.fields]
    assert len(set(names)) == len(names)
    assert {field.type for field in schema.fields} <= TYPES
    assert all(field.properties for field in schema.fields)
    assert set(schema.essential) <= set(names)
    assert schema.by_name["title"].repeated is False
