"""Records that pages declare of their main thing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.templates.declared.record import declared_record
from scythe.templates.declared.schemas import ARTICLE, JOB, PRODUCT, RECIPE, SCHEMAS
from scythe.tree import Tree, parse

BREAD: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Plain &amp; simple bread",
    "author": {"@type": "Person", "name": "Ann Baker"},
    "image": [{"@type": "ImageObject", "url": "https://bread.example/loaf.jpg"}],
    "recipeYield": ["2", "2 loaves"],
    "prepTime": "PT20M",
    "recipeIngredient": ["500 g flour", "<b>300 ml</b> water", "salt"],
    "recipeInstructions": [
        {"@type": "HowToStep", "text": "Mix all."},
        {"@type": "HowToStep", "text": "Bake for an hour."},
    ],
}


def page(*items: object) -> Tree:
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(item)}</script>'
        for item in items
    )
    return parse(f"<html><head>{scripts}</head><body><h1>Bread</h1></body></html>")


def test_a_declared_recipe_is_a_record_with_the_source_of_each_field() -> None:
    record = declared_record(page(BREAD), RECIPE)
    assert record is not None
    assert record.complete
    assert record.values == {
        "title": ["Plain & simple bread"],
        "ingredients": ["500 g flour", "300 ml water", "salt"],
        "instructions": ["Mix all.", "Bake for an hour."],
        "yield": ["2", "2 loaves"],
        "prep_time": ["PT20M"],
        "author": ["Ann Baker"],
        "image": ["https://bread.example/loaf.jpg"],
    }
    assert record.sources["ingredients"] == "json-ld recipeIngredient"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("Mix all.\nBake it.", ["Mix all.", "Bake it."]),
        ("<p>Mix all.</p><ol><li>Bake it.</li></ol>", ["Mix all.", "Bake it."]),
        ("&lt;p&gt;Mix all.&lt;/p&gt;", ["Mix all."]),
        (["Mix all.", "", "Bake it."], ["Mix all.", "Bake it."]),
        ([{"@type": "HowToStep", "name": "Mix", "text": "Mix all."}], ["Mix all."]),
        ([{"@type": "HowToStep", "name": "Step 1", "text": "Mix all."}], ["Mix all."]),
        (
            [{"@type": "HowToStep", "name": "The dough", "text": "Mix all."}],
            ["The dough", "Mix all."],
        ),
        ([{"@type": "HowToStep", "name": "Mix all."}], ["Mix all."]),
        (
            [
                {
                    "@type": "HowToSection",
                    "name": "Dough",
                    "itemListElement": [{"@type": "HowToStep", "text": "Mix all."}],
                }
            ],
            ["Dough", "Mix all."],
        ),
        (
            {
                "@type": "ItemList",
                "itemListElement": [
                    {"@type": "ListItem", "item": {"text": "Mix all."}}
                ],
            },
            ["Mix all."],
        ),
    ],
)
def test_steps_come_in_every_form_that_pages_have(
    declared: object, expected: list[str]
) -> None:
    record = declared_record(page({**BREAD, "recipeInstructions": declared}), RECIPE)
    assert record is not None
    assert record.values["instructions"] == expected


def test_the_name_of_an_item_is_no_image() -> None:
    image = {"@id": "https://bread.example/loaf/#primaryimage"}
    thumbnail = "https://bread.example/loaf.jpg"
    record = declared_record(
        page(BREAD | {"image": image, "thumbnailUrl": thumbnail}), RECIPE
    )
    assert record is not None
    assert record.values["image"] == [thumbnail]


def test_lists_in_microdata_stay_lists() -> None:
    tree = parse(
        '<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">Bread</h1>'
        '<div itemprop="ingredients"><p>500 g flour</p><p>water<br>salt</p></div>'
        '<ol itemprop="recipeInstructions"><li>Mix <b>all</b>.</li><li>Bake it.</li></ol></div>'
    )
    record = declared_record(tree, RECIPE)
    assert record is not None
    assert record.values["ingredients"] == ["500 g flour", "water", "salt"]
    assert record.values["instructions"] == ["Mix all.", "Bake it."]
    assert record.sources["title"] == "microdata name"


def test_the_fullest_of_several_is_the_record_and_others_of_its_name_fill_it() -> None:
    teaser = {"@type": "Recipe", "name": "Cake"}
    more = {"@type": "Recipe", "name": BREAD["name"], "cookTime": "PT1H"}
    record = declared_record(page(teaser, BREAD, more), RECIPE)
    assert record is not None
    assert record.values["title"] == ["Plain & simple bread"]
    assert record.values["cook_time"] == ["PT1H"]


def test_things_that_a_page_only_mentions_are_not_its_record() -> None:
    article = {
        "@type": "NewsArticle",
        "headline": "On bread",
        "mentions": [BREAD],
        "author": "Ann Baker",
    }
    record = declared_record(page(article))
    assert record is not None
    assert record.kind == "Article"
    assert declared_record(page(article), RECIPE) is None


def test_names_with_a_capital_letter_are_read_too() -> None:
    record = declared_record(
        page({"@type": "Recipe", "Name": "Bread", "RecipeInstructions": "Bake."}),
        RECIPE,
    )
    assert record is not None
    assert record.values == {"title": ["Bread"], "instructions": ["Bake."]}
    assert not record.complete


def test_products_jobs_and_articles_have_records_too() -> None:
    product = {
        "@type": "Product",
        "name": "Oven",
        "brand": {"name": "Hot"},
        "offers": [{"price": 99.5, "priceCurrency": "EUR"}],
    }
    job = {
        "@type": "JobPosting",
        "title": "Baker",
        "hiringOrganization": {"@type": "Organization", "name": "Hot Ltd"},
        "jobLocation": {
            "@type": "Place",
            "address": {"streetAddress": "1 High St", "addressLocality": "Leeds"},
        },
        "baseSalary": {
            "@type": "MonetaryAmount",
            "value": {"@type": "QuantitativeValue", "value": 30000},
        },
    }
    found = {
        schema.name: declared_record(page(product, job), schema)
        for schema in (PRODUCT, JOB, ARTICLE)
    }
    assert found["Article"] is None
    assert found["Product"] is not None
    assert found["Product"].values == {
        "title": ["Oven"],
        "price": ["99.5"],
        "currency": ["EUR"],
        "brand": ["Hot"],
    }
    assert found["JobPosting"] is not None
    assert found["JobPosting"].values == {
        "title": ["Baker"],
        "company": ["Hot Ltd"],
        "location": ["1 High St, Leeds"],
        "salary": ["30000"],
    }


def test_a_page_that_declares_nothing_has_no_record() -> None:
    assert declared_record(parse("<p>Bread</p>")) is None


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "@type @id name text itemListElement item url address value price offers".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                name
                for schema in SCHEMAS.values()
                for each in schema.fields
                for name in each.properties
            ]
        ),
        _json,
    )
)
def test_whatever_stands_under_a_property_values_are_texts(
    item: dict[str, Any],
) -> None:
    for schema in SCHEMAS.values():
        record = declared_record(page({**item, "@type": schema.types[0]}), schema)
        assert record is not None
        assert all(
            isinstance(text, str) and text
            for texts in record.values.values()
            for text in texts
        )
        assert record.sources.keys() == record.values.keys()
