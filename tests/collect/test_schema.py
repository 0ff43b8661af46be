"""Schemas: built in, written by a person, and wrong ones answered with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from scythe.collect.records.schema import (
    FieldRule,
    RecordSchema,
    SchemaError,
    TableColumn,
    collection_schema,
)
from scythe.errors import UsageError

OWN = """
name = "Hut"

[fields.name]
type = "text"
required = true
also = ["title"]

[fields.price]
type = "price"
currency = "CHF"

[fields.height]
type = "quantity"
unit = "m"
least = 500
most = 4500.5

[fields.ward]
type = "text"
choices = ["yes", "no"]

[fields.phone]
type = "text"
pattern = '\\+41 \\d+'
"""


@pytest.mark.parametrize(
    "kind", ["Recipe", "product", "ARTICLE", "job", "JobPosting", "Hut"]
)
def test_a_schema_is_the_same_after_a_person_has_edited_nothing(kind: str) -> None:
    schema = RecordSchema.builtin(kind)
    assert RecordSchema.from_toml(schema.as_toml()) == schema


def test_built_in_schemas_know_what_makes_a_record() -> None:
    required = {
        kind: [rule.name for rule in RecordSchema.builtin(kind).rules if rule.required]
        for kind in ("Recipe", "Product", "JobPosting", "Article")
    }
    assert required == {
        "Recipe": ["title", "ingredients", "instructions"],
        "Product": ["title", "price"],
        "JobPosting": ["title", "company"],
        "Article": ["title"],
    }
    assert RecordSchema.builtin("Mushroom") == RecordSchema("Mushroom")


def test_a_schema_of_ones_own() -> None:
    schema = RecordSchema.from_toml(OWN)
    assert schema.name == "Hut"
    assert schema.by_name["title"] is schema.rules[0]
    assert schema.rules[2] == FieldRule(
        "height", "quantity", unit="m", least=500, most=4500.5
    )
    assert schema.columns == (
        TableColumn("name", "text"),
        TableColumn("price", "number"),
        TableColumn("price_currency", "text"),
        TableColumn("height", "number"),
        TableColumn("ward", "text"),
        TableColumn("phone", "text"),
    )
    assert RecordSchema.from_toml(schema.as_toml()) == schema


def test_fields_are_added_and_changed() -> None:
    schema = RecordSchema("Hut").with_field("Ward's name").with_field("beds", "number")
    assert [(rule.name, rule.type) for rule in schema.rules] == [
        ("ward_s_name", "text"),
        ("beds", "number"),
    ]
    changed = schema.with_field("beds", "lines")
    assert [(rule.name, rule.type) for rule in changed.rules] == [
        ("ward_s_name", "text"),
        ("beds", "lines"),
    ]


def test_a_part_of_a_field_gives_way_to_a_field_of_that_name() -> None:
    schema = RecordSchema(
        "Hut",
        (
            FieldRule("price", "price"),
            FieldRule("price_currency", "text"),
            FieldRule("list", "ingredients"),
        ),
    )
    assert [(column.name, column.kind) for column in schema.columns] == [
        ("price", "number"),
        ("price_currency", "text"),
        ("list", "list"),
        ("list_parsed", "parts"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "not valid TOML"),
        ("nmae = 'x'", "nothing else. It has nmae"),
        ("name = 3", "name and a table"),
        ("fields = 3", "name and a table"),
        ("[fields]\ntitle = 'text'", r"\[fields.title\]"),
        ("[fields.title]\ntype = 'txt'", "unknown type 'txt'. There are: text"),
        ("[fields.title]\nneeded = true", "unknown option 'needed'. There are: type"),
        ("[fields.title]\nrequired = 1", "must be true or false"),
        ("[fields.title]\nleast = true", "must be a number"),
        ("[fields.title]\nchoices = ['a', 1]", "must be a list of texts"),
        ("[fields.title]\ntype = 1", "must be a text"),
        ("[fields.title]\npattern = '('", "no regular expression"),
        ("[fields.Title]", "as 'title'"),
        ("[fields.record_id]", "cannot be the name"),
        ("[fields.1st]", "cannot be the name"),
        ("[fields.weight]\ntype = 'quantity'", "needs a unit"),
        ("[fields.weight]\ntype = 'quantity'\nunit = 'pinch'", "needs a unit"),
        ("\n".join(f"[fields.f{number}]" for number in range(201)), "at most 200"),
    ],
)
def test_what_is_wrong_with_a_schema_is_said(text: str, said: str) -> None:
    with pytest.raises(SchemaError, match=said):
        RecordSchema.from_toml(text)


def test_schemas_in_files(tmp_path: Path) -> None:
    path = tmp_path / "hut.toml"
    path.write_text(OWN, encoding="utf-8")
    assert RecordSchema.load(path) == RecordSchema.from_toml(OWN)
    path.write_bytes(b"\xff")
    with pytest.raises(SchemaError, match="UTF-8"):
        RecordSchema.load(path)
    with pytest.raises(SchemaError, match=r"nowhere\.toml cannot be read"):
        RecordSchema.load(tmp_path / "nowhere.toml")


def test_a_collection_has_the_schema_of_its_kind_until_a_person_writes_one() -> None:
    assert collection_schema("recipe", None).name == "Recipe"
    assert collection_schema("recipe", OWN).name == "Hut"
    with pytest.raises(UsageError):
        collection_schema(" ", None)


def test_what_a_whole_site_lacks_is_not_missing_in_its_records() -> None:
    products = RecordSchema.builtin("product")
    assert products.by_name["price"].required
    assert not products.requiring({"title"}).by_name["price"].required
    assert products.requiring({"price"}).by_name["price"].required
    recipes = RecordSchema.builtin("recipe").requiring(())
    assert recipes.by_name["ingredients"].required
    assert RecordSchema.from_toml(products.as_toml()) == products


def test_a_schema_of_too_many_brackets_is_no_schema() -> None:
    with pytest.raises(SchemaError, match="not valid TOML"):
        RecordSchema.from_toml("a = " + "[" * 100_000)
