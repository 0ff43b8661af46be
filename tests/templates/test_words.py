"""The word lists, and what they tell of lines."""

from __future__ import annotations

import re

import pytest

from scythe.templates.lines.words import (
    RecipePart,
    alternatives,
    begins_with_fact,
    begins_with_number,
    begins_with_verb,
    count_units,
    part_of_heading,
)


def test_every_entry_is_an_expression_of_its_own() -> None:
    for name, entries in alternatives().items():
        for entry in entries:
            assert entry, name
            assert re.compile(entry).match("") is None, (
                f"{name}: {entry} matches anything"
            )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Ingredients:", RecipePart.INGREDIENTS),
        ("Zutaten für 4 Personen", RecipePart.INGREDIENTS),
        ("材料", RecipePart.INGREDIENTS),
        ("You will need", RecipePart.INGREDIENTS),
        ("Hozzávalók", RecipePart.INGREDIENTS),
        ("How to make the dough", RecipePart.INSTRUCTIONS),
        ("Préparation", RecipePart.INSTRUCTIONS),
        ("Gör så här", RecipePart.INSTRUCTIONS),
        ("Comments", RecipePart.OTHER),
        ("Nährwerte", RecipePart.OTHER),
        ("Plain bread", RecipePart.NONE),
        (
            "All the ingredients that my grandmother ever bought came from the shop on the corner",
            RecipePart.NONE,
        ),
    ],
)
def test_headings_of_many_languages_name_parts(text: str, part: int) -> None:
    assert part_of_heading(text) == part


@pytest.mark.parametrize(
    "text",
    [
        "500 g flour",
        "½ lemon",
        "a pinch of salt",
        "1/2 Tasse Milch",
        "2 EL Öl",
        "大さじ1 醤油",
    ],
)
def test_ingredients_begin_with_a_quantity_or_have_a_unit(text: str) -> None:
    assert begins_with_number(text) or count_units(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mix all.",
        "1. Mix all.",
        "Ajoutez le sel.",
        "Blanda mjölet.",
        "Voeg de melk toe.",
    ],
)
def test_instructions_begin_with_a_verb(text: str) -> None:
    assert begins_with_verb(text)


def test_facts_are_told_from_ingredients() -> None:
    assert begins_with_fact("⏲️ Prep time: 20 min")
    assert begins_with_fact("Serves 4")
    assert not begins_with_fact("500 g flour")
