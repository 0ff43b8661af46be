"""Records of pages that declare little or nothing."""

from __future__ import annotations

import json

import pytest

from scythe.errors import UsageError
from scythe.templates.declared.schemas import ARTICLE, RECIPE
from scythe.templates.lines.lines import PageLines
from scythe.templates.lines.recipe_parts import recipe_parts
from scythe.templates.page_records import page_record, page_records, read_page
from scythe.tree import Tree, parse

PARTS = [
    "500 g strong white flour",
    "300 ml lukewarm water",
    "2 tsp salt",
    "1 tbsp olive oil",
    "7 g dried yeast",
]
STEPS = [
    "Mix the flour, the salt and the yeast in a large bowl, then add the water and the oil.",
    "Knead the dough for ten minutes until it is smooth and elastic, then cover it and let it rise for an hour.",
    "Preheat the oven to 220 degrees, shape the dough into a loaf and place it on a baking tray.",
    "Bake the bread for 35 minutes until it is golden brown, then cool it on a rack before serving.",
]
MENU = '<nav><ul><li><a href="/">Home</a></li><li><a href="/all">Recipes</a></li><li><a href="/us">About us</a></li></ul></nav>'
STORY = (
    "<p>My grandmother made this bread every Saturday, and the whole house smelled of it until Sunday evening.</p>"
    * 3
)


def bread(head: str = "", *, title: str = "Plain bread") -> Tree:
    lines, steps = (
        "".join(f"<li>{line}</li>" for line in PARTS),
        "".join(f"<li>{step}</li>" for step in STEPS),
    )
    return parse(
        f"<html><head><title>{title}</title>{head}</head><body>{MENU}<main><h1>{title}</h1>{STORY}"
        "<p>Prep time: 20 min</p><p>Serves: 4</p>"
        f"<h2>Ingredients</h2><ul>{lines}</ul><h2>Method</h2><ol>{steps}</ol></main>"
        "<h3>Comments</h3><p>Lovely, thank you!</p><footer>All rights reserved</footer></body></html>"
    )


def test_lines_give_the_recipe_that_a_page_does_not_declare() -> None:
    record = page_record(bread(), RECIPE)
    assert record.values["title"] == ["Plain bread"]
    assert record.values["ingredients"] == PARTS
    assert record.values["instructions"] == STEPS
    assert record.values["prep_time"] == ["20 min"]
    assert record.values["yield"] == ["4"]
    assert record.sources["ingredients"].startswith("lines of the page")
    assert record.complete


def test_what_a_page_declares_is_kept_and_the_rest_filled_in() -> None:
    item = {
        "@type": "Recipe",
        "name": "Declared bread",
        "recipeIngredient": ["flour", "water"],
    }
    record = page_record(
        bread(f'<script type="application/ld+json">{json.dumps(item)}</script>'), RECIPE
    )
    assert record.values["title"] == ["Declared bread"]
    assert record.values["ingredients"] == ["flour", "water"]
    assert record.values["instructions"] == STEPS
    assert record.sources["title"] == "json-ld name"


def test_amount_and_name_in_two_cells_are_one_ingredient() -> None:
    rows = "".join(
        f"<tr><td>{line.split()[0]} {line.split()[1]}</td><td>{' '.join(line.split()[2:])}</td></tr>"
        for line in PARTS
    )
    steps = "".join(f"<li>{step}</li>" for step in STEPS)
    tree = parse(
        f"<h1>Bread</h1><h2>Ingredients</h2><table>{rows}</table><h2>Method</h2><ol>{steps}</ol>"
    )
    assert page_record(tree, RECIPE).values["ingredients"] == PARTS


def test_spans_without_white_space_between_them_are_words_of_their_own() -> None:
    tree = parse(
        "<li><span>2</span><span>cups</span><span>flour</span></li><p><span>D</span>rop caps <b>are</b>n't</p>"
    )
    assert PageLines.from_tree(tree).texts == ["2 cups flour", "Drop caps aren't"]


def test_pages_read_together_give_what_each_is_about() -> None:
    records = page_records(
        [(bread(title=f"Bread {number}"), None) for number in range(3)], RECIPE
    )
    assert [record.values["title"] for record in records] == [
        ["Bread 0"],
        ["Bread 1"],
        ["Bread 2"],
    ]
    assert all(record.values["ingredients"] == PARTS for record in records)


def test_a_page_that_is_no_recipe_has_no_parts() -> None:
    tree = parse(
        f"<body>{MENU}<h1>News of the day</h1>{STORY}<ul><li>One</li><li>Two</li></ul>"
    )
    assert recipe_parts([tree]) == [{}]
    assert "ingredients" not in page_record(tree, RECIPE).values


def test_other_kinds_have_what_the_head_of_the_page_says() -> None:
    head = '<meta name="author" content="Ann Baker"><meta property="article:published_time" content="2024-05-06">'
    record = page_record(bread(head), ARTICLE, "https://bread.example/plain")
    assert record.values["title"] == ["Plain bread"]
    assert record.values["author"] == ["Ann Baker"]
    assert record.values["published"] == ["2024-05-06"]


@pytest.mark.parametrize(
    "html",
    ["", "x", "<div>" * 1000, "<p>1 g</p>" * 9000, "<h2>Ingredients</h2>", b"\x00\xff"],
)
def test_any_page_gives_a_record(html: str | bytes) -> None:
    record = page_record(parse(html), RECIPE)
    assert record.kind == "Recipe"
    assert record.values.keys() == record.sources.keys()


def test_the_kind_of_a_page_is_found() -> None:
    product = """<script type="application/ld+json">{"@type": "Product", "name": "Scythe",
        "offers": {"price": "49.90", "priceCurrency": "EUR"}}</script><h1>Scythe</h1>"""
    record = read_page(product, "https://tools.example/scythe")
    assert record.kind == "Product"
    assert record.values["title"] == ["Scythe"]

    article = "<title>On mowing</title><h1>On mowing</h1><p>It begins at dawn.</p>"
    assert read_page(article).kind == "Article"
    assert read_page(article, kind="recipe").kind == "Recipe"


def test_an_unknown_kind_is_explained() -> None:
    with pytest.raises(UsageError, match="recipe, product, job, event, article"):
        read_page("<p>x</p>", kind="film")
