"""Names proposed for slots, with evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scythe.errors import UsageError
from scythe.templates.declared.schemas import PRODUCT, RECIPE
from scythe.templates.slot import Slot, Suggestion
from scythe.templates.suggestions import suggestions
from scythe.templates.suggestions.labels import (
    field_of_label,
    labelled_value,
    looks_like_field,
)
from scythe.templates.suggestions.memory import NameMemory
from scythe.templates.suggestions.page_evidence import Page
from scythe.templates.suggestions.suggestions import suggest
from scythe.templates.template.extracted import Extracted
from scythe.templates.template.template import Template
from scythe.tree import parse

OVENS = [
    ("Hot 1", "Ann Smith", "99.00", "A-17"),
    ("Warm 2", "Bo Jones", "149.50", "B-3"),
    ("Glow 3", "Cy Brown", "79.90", "C-44"),
]


def oven(
    name: str, maker: str, price: str, number: str, *, declared: bool = False
) -> str:
    item = {
        "@type": "Product",
        "name": name,
        "brand": maker,
        "offers": {"price": price, "priceCurrency": "EUR"},
    }
    script = (
        f'<script type="application/ld+json">{json.dumps(item)}</script>'
        if declared
        else ""
    )
    return (
        f"<html><head><title>{name} - Ovens</title>{script}</head><body><h1>{name}</h1><div class='x1'>{maker}</div>"
        f"<div class='x2'>{price}</div><table><tr><th>Model number:</th><td>{number}</td></tr></table><p>All rights reserved.</p>"
    )


def pages(*, declared: bool = False) -> list[Page]:
    return [
        (parse(oven(*row, declared=declared)), f"https://ovens.example/{place}")
        for place, row in enumerate(OVENS)
    ]


def suggested(found: list[Suggestion], template: Template) -> dict[str, str]:
    return {
        suggestion.name: template.slot(suggestion.slot).examples[0].value
        for suggestion in found
    }


def test_values_that_pages_declare_name_their_slots() -> None:
    given = pages(declared=True)
    template = Template.induce(given)
    found = suggest(template, given)
    values = suggested(found, template)
    assert values["title"] in {row[0] for row in OVENS}
    assert values["brand"] in {row[1] for row in OVENS}
    assert values["price"] in {row[2] for row in OVENS}
    price = next(suggestion for suggestion in found if suggestion.name == "price")
    assert price.type == "price"
    assert price.confidence > 0.9
    assert "json-ld offers.price on 3 of 3 pages" in price.evidence


def test_labels_and_headings_name_slots_where_nothing_is_declared() -> None:
    given = pages()
    template = Template.induce(given)
    found = suggest(template, given, PRODUCT)
    values = suggested(found, template)
    assert values["sku"] in {row[3] for row in OVENS}
    assert values["title"] in {row[0] for row in OVENS}
    assert "Model number" in next(
        suggestion.evidence for suggestion in found if suggestion.name == "sku"
    )


def test_an_operator_stands_above_every_suggestion() -> None:
    given = pages(declared=True)
    template = Template.induce(given)
    found = suggest(template, given)
    slot = next(suggestion.slot for suggestion in found if suggestion.name == "price")
    template.name(slot, "amount", "number")
    template.add_suggestions(found)
    assert template.slot(slot).title == "amount"
    assert template.slot(slot).name == "amount"
    assert template.slot(slot).type == "number"


def test_a_name_of_one_value_goes_to_one_slot() -> None:
    given = pages(declared=True)
    names = [suggestion.name for suggestion in suggest(Template.induce(given), given)]
    assert len(names) == len(set(names))


def test_names_given_on_other_sites_are_proposed_here(tmp_path: Path) -> None:
    memory = NameMemory()
    for site in ("a.example", "b.example", "c.example"):
        memory.learn(
            [
                Slot(
                    "s1",
                    label="Wattage:",
                    path="html > body > td.watt > #text",
                    name="power",
                )
            ],
            site,
        )
    memory.learn([Slot("s2", label="Colour:", path="p > #text")], "a.example")
    memory.save(tmp_path / "names.json")
    memory = NameMemory.load(tmp_path / "names.json")
    slot = Slot("s9", label="Wattage", path="html > body > li > #text")
    assert [(name, round(weight, 2)) for name, weight, _ in memory.names_for(slot)] == [
        ("power", 0.64)
    ]
    assert list(memory.names_for(Slot("s8", label="Colour:", path="p > #text"))) == []
    text = oven("Hot 1", "Ann", "5", "A").replace("Model number:", "Wattage:")
    given: list[Page] = [
        (parse(text.replace("<td>A</td>", f"<td>{watts} W</td>")), f"/{watts}")
        for watts in (800, 900, 1000)
    ]
    template = Template.induce(given)
    assert "power" in {
        suggestion.name for suggestion in suggest(template, given, memory=memory)
    }


def test_a_word_that_means_many_things_is_worth_little() -> None:
    memory = NameMemory()
    for site, name in (
        ("a.example", "power"),
        ("b.example", "weight"),
        ("c.example", "size"),
    ):
        memory.learn([Slot("s1", label="Value:", name=name)], site)
    assert all(
        weight < 0.2 for _, weight, _ in memory.names_for(Slot("s9", label="Value:"))
    )


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"scythe_names": 1}', '{"scythe_names": 2, "clues": {}}']
)
def test_a_file_of_something_else_is_refused_with_its_name(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"other\.json"):
        NameMemory.load(path)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Prep time:", "prep_time"),
        ("Cooking:", "cook_time"),
        ("Zubereitungszeit", "prep_time"),
        ("Temps de cuisson :", "cook_time"),
        ("Serves", "yield"),
        ("Ingredientes", "ingredients"),
        ("作り方", "instructions"),
        ("ISBN-13:", "gtin"),
        ("Preis:", "price"),
        ("Location", "location"),
        ("Hello there", None),
        ("", None),
        ("Price and everything else that one may want to know of it", None),
    ],
)
def test_labels_of_many_languages_name_fields(label: str, name: str | None) -> None:
    assert field_of_label(label) == name


def test_values_must_look_like_what_the_label_says() -> None:
    assert looks_like_field("prep_time", ["10 min", "1 h 20 min", "2 Stunden"])
    assert not looks_like_field("prep_time", ["Ann Baker", "Bo Jones"])
    assert looks_like_field("author", ["Ann Baker"])


def test_a_labelled_value_stands_on_the_same_line_or_the_next() -> None:
    assert labelled_value("prep_time", ["Bread", "Prep time: 10 min"]) == ("10 min", 1)
    assert labelled_value(
        "prep_time", ["Bread", "Prep time", "10 min", "Cook time", "1 h"]
    ) == ("10 min", 2)
    assert labelled_value("cook_time", ["Prep time", "10 min", "Cook time", "1 h"]) == (
        "1 h",
        3,
    )
    assert labelled_value("cook_time", ["Cook time", "as you like"]) is None


def test_pages_whose_software_calls_them_articles_are_told_by_their_lines() -> None:
    head = '<script type="application/ld+json">{"@type": "Article", "headline": "Bread"}</script>'
    steps = "<li>Mix the flour and the water in a large bowl.</li><li>Bake the bread for {0} minutes until it is brown.</li>"
    parts = "<li>{0} g flour</li><li>3{0} ml water</li><li>2 tsp salt</li>"
    body = f"<h2>Ingredients</h2><ul>{parts}</ul><h2>Method</h2><ol>{steps}</ol>"
    texts = [
        (head + "<h1>Bread {0}</h1>" + body).replace("{0}", str(number))
        for number in (20, 30, 40)
    ]
    given: list[Page] = [(parse(text), None) for text in texts]
    names = {suggestion.name for suggestion in suggest(Template.induce(given), given)}
    assert {"title", "ingredients", "instructions"} <= names


def test_pages_without_anything_to_name_have_no_suggestions() -> None:
    given: list[Page] = [(parse(html), None) for html in ("", "<p>x</p>")]
    assert suggest(Template.induce(given), given) == []


COOKS = [("Oat cake", "Ada", "Eaten by all of us.", "oat.png"), ("Rye loaf", "Bruno", "Best when warm.", "rye.png"),
         ("Leek pie", "Clara", "A dish for many.", "leek.png")]  # fmt: skip


def by_cooks() -> list[Page]:
    made = (
        f"<body><nav><a href=/>Home</a><a href=/about>About us</a></nav><main><img src=/{image}><h1>{title}</h1>"
        f"<p>by <span>{cook}</span></p><p>{words}</p><img src=/logo.png></main></body>"
        for title, cook, words, image in COOKS
    )
    return [(parse(page), None) for page in made]


def test_a_label_in_a_paragraph_is_of_the_values_in_it() -> None:
    template = Template.induce(by_cooks())
    labels = {
        example.value: slot.label
        for slot in template.slots
        for example in slot.examples
    }
    assert labels["Ada"] == "by"
    assert labels["Eaten by all of us."] == ""
    assert labels["/oat.png"] == ""


def test_the_picture_that_differs_on_every_page_is_the_image() -> None:
    template = Template.induce(by_cooks())
    found = [
        suggestion
        for suggestion in suggest(template, by_cooks(), RECIPE)
        if suggestion.name == "image"
    ]
    assert [
        template.slot(suggestion.slot).examples[0].value for suggestion in found
    ] == ["/oat.png"]


def test_of_huge_pages_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "HUGE_PAGE", 20)
    read: list[Page] = []
    template = Template.induce(pages())
    extract = template.extract

    def counting(page: Page) -> Extracted:
        read.append(page)
        return extract(page)

    monkeypatch.setattr(template, "extract", counting)
    huge = pages(declared=True)
    small = (parse("<h1>Small</h1>"), "https://ovens.example/small")
    assert suggested(suggest(template, [*huge, small]), template)
    assert read == [huge[0], small]
